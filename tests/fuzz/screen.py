"""Compares the HTML page of a catalogue with what its data say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import html5lib

from fuzz.checks import differ
from fuzz.oracle import Oracle
from test_python_text import bare


def html(oracle: Oracle, page: str) -> Iterator[str]:
    """Check the page: valid HTML, a place for every name, an entry for every code."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    try:
        tree = parser.parse(page)
    except html5lib.html5parser.ParseError as error:
        yield f"the page is not valid: {error}"
        return
    places = Counter(e.get("id") for e in tree.iter() if e.get("id"))
    yield from differ("places", {p: n for p, n in places.items() if n > 1}, {})
    links = [e.get("href", "") for e in tree.iter("a")]
    ends = {link[1:] for link in links if link.startswith("#")}
    yield from differ("links without an end", ends - set(places), set())
    shown = [k for k, raw in oracle.codes.items() if not raw.get("internal")]
    entries = {e.get("id"): e for e in tree.iter("tbody") if e.get("data-v")}
    yield from differ("entries", set(entries), set(shown))
    for key in shown:
        said = bare("".join(entries[key].itertext()))
        local = oracle.codes[key].get("languages", {}).values()
        texts = oracle.spellings(key)
        for lang in oracle.languages:
            texts += [oracle.prose(key, what, lang) for what in ("meaning", "hint")]
            if oracle.is_raised(key, lang):
                texts += [*oracle.raised_by(key, lang), *oracle.class_names(key, lang)]
        texts += [one["reason"] for one in local if "reason" in one]
        for text in texts:
            if bare(text.strip()) not in said:
                yield f"{key} does not say {text!r}"
        for spelling in oracle.spellings(key):
            if spelling not in places:
                yield f"{spelling} has no place"
