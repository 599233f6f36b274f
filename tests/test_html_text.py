"""Texts of a catalogue on its HTML page: they are text there, whatever they hold."""

from __future__ import annotations

import functools
import itertools
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import html5lib
import pytest
from html5lib import treewalkers
from playwright.sync_api import Browser

from browsing import opened
from errspec.diagnostics import Findings
from hostile import HOSTILE, rendered, spoken
from support import CATALOGUES, ROOT, compile_files, run, view_of
from test_hostile_text import SLOT
from test_python_text import bare

PAGE = "html/hostile/index.html"
INLINE = {"code", "br", "wbr"}
"""Tags that a text may have: code in backticks, its lines, and where it may break."""
ATTACKS = {
    "a script": "<script>window.hit = 1</script>",
    "the end of a script": "</script><script>window.hit = 1</script>",
    "the end of a style": "</style><script>window.hit = 1</script>",
    "the end of a title": "</title><script>window.hit = 1</script>",
    "a picture": '<img src="x:y" onerror="window.hit = 1">',
    "the end of an attribute": "\"'><svg onload='window.hit = 1'>",
    "an event": 'x" onmouseover="window.hit = 1" x=\'',
    "an event of a quote": "x' onfocus='window.hit = 1' autofocus tabindex='1",
    "a link": "javascript:window.hit=1",
    "the end of a comment": "--> <script>window.hit = 1</script> <!--",
    "another end of a comment": "--!> <script>window.hit = 1</script>",
    "the end of a table": "</td></tr></tbody></table></main><script>window.hit = 1</script>",
    "references": "&lt;script&gt;window.hit = 1&lt;/script&gt; &#60;script&#62;",
    "a policy": '<meta http-equiv="Content-Security-Policy" content="default-src *">',
    "a base": '<base href="https://a.b/"><form action="https://a.b/"><input name="v">',
    "a template": "{{ constructor.constructor('window.hit = 1')() }} ${window.hit = 1}",
    "code": "`<script>window.hit = 1</script>`",
}


def parts(page: str) -> Iterator[tuple[str, Any]]:
    """Yield the tags of a page with their attributes, and the text between them."""
    parser = html5lib.HTMLParser(strict=True)
    text = ""
    for token in treewalkers.getTreeWalker("etree")(parser.parse(page)):
        kind, name = token["type"], token.get("name")
        if kind in ("Characters", "SpaceCharacters"):
            text += token["data"]
        elif name not in INLINE:
            yield "text", bare(text)
            text = ""
            values = token.get("data", {})
            if isinstance(values, dict):
                values = {n: bare(v) for (_, n), v in values.items()}
            yield f"{kind} {name}", values
    yield "text", bare(text)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Any]]:
    """The page of a catalogue whose texts are their own names."""
    folder = tmp_path_factory.mktemp("plain_html")
    return [*parts(rendered(lambda name: f"«{name}»", folder, ["html"])[PAGE])]


@pytest.mark.parametrize("case", [*HOSTILE, *ATTACKS])
def test_a_page_keeps_its_shape_and_shows_the_text(
    case: str, plain: list[tuple[str, Any]], tmp_path: pathlib.Path
) -> None:
    """No text becomes a tag or an attribute, and a reader sees each of them."""
    given, say = spoken({**HOSTILE, **ATTACKS}[case])

    def said(text: str) -> str:
        return bare(SLOT.sub(lambda slot: given[slot[1]], text))

    after = [*parts(rendered(say, tmp_path, ["html"])[PAGE])]
    for (kind, before), (other, seen) in zip(plain, after, strict=True):
        assert kind == other
        if isinstance(before, dict):
            assert seen == {name: said(value) for name, value in before.items()}
        elif kind == "text":
            assert seen == said(before)


@pytest.mark.parametrize("turn", range(3))
def test_no_text_runs_anything(
    turn: int, browser: Browser, tmp_path: pathlib.Path
) -> None:
    """In a browser that opens every entry and goes over every element, no text is a
    script: another attack in each text, and others at each turn."""
    sayings = itertools.cycle([spoken(attack)[1] for attack in ATTACKS.values()])
    for _ in range(5 * turn):
        next(sayings)
    say = functools.cache(lambda name: next(sayings)(name))  # a name is said twice
    file = tmp_path / "page.html"
    file.write_text(rendered(say, tmp_path, ["html"])[PAGE], encoding="utf-8")
    with opened(browser, file, "#FULLY") as page:
        page.evaluate(
            "document.querySelectorAll('.code').forEach(e => e.click());"
            "document.querySelectorAll('*').forEach(e => {"
            " e.dispatchEvent(new Event('mouseover')); e.focus?.(); })"
        )
        for attack in ATTACKS.values():
            page.fill("#_search", attack)
        assert page.evaluate("window.hit") is None
        tags = "document.querySelectorAll('script, style, img, svg, base, meta').length"
        assert page.evaluate(tags) == 9
        addresses: list[str] = page.evaluate("[...document.links].map(a => a.href)")
        ours = ("https://a.b/", file.as_uri() + "#")
        assert addresses and all(address.startswith(ours) for address in addresses)


@pytest.mark.parametrize("field", ["links: {}", "docs_url: {}#{{anchor}}"])
@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "//a.b/", " https://a.b"]
)
def test_a_link_is_one_of_the_web(field: str, address: str) -> None:
    """What is no http or https address is refused in the catalogue."""
    line = field.format(address).replace(": ", ': "', 1) + '"'
    code, top = (f", {line}", "") if field.startswith("links") else ("", line)
    spec = (
        "errspec: 1\nid: a\ntitle: A\nversion: 1.0.0\nlanguages: [python]\n"
        f"base_class: AError\n{top}\n"
        f"codes:\n  GONE: {{meaning: It is gone, retryable: false{code}}}\n"
    )
    with pytest.raises(Findings) as caught:
        view_of(spec)
    assert "URL" in str(caught.value)


TOP = """\
errspec: 1
id: odd
title: "שגיאות"
version: 1.0.0
languages: [python, typescript, rust]
base_class: OddError
"""
ODD = {
    "no code that readers need": """\
groups: {g: {title: G}}
codes:
  HIDDEN: {group: g, meaning: It is hidden., retryable: false, internal: true}
  GONE: {retired: {since: 1.0.0, use: HIDDEN, reason: it is gone}}
""",
    "no code at all": """\
codes: {HIDDEN: {meaning: It is hidden., retryable: false, internal: true}}
""",
    "names of everything": """\
groups: {a: {title: A}, b: {title: B}, empty: {title: Empty}}
types: {Issue: {fields: {issue: {type: Issue, optional: true}}}}
classes: {Abc: {meaning: A class., abstract: true}}
codes:
  Issue: {class: none, group: [b, a], meaning: Named as a record., retryable: false}
  Abc: {class: none, group: b, meaning: Named as a class., retryable: false}
  "a.b:c-d": {group: [b, a], meaning: "הקובץ נעלם.", retryable: false}
  constructor: {meaning: Named as in JavaScript., retryable: false, aliases: [toString]}
  WIRED: {meaning: Odd., retryable: true, wire: OddError, aliases: [_search, "a b", "ü"]}
""",
    "all that may be said": """\
docs_url: "https://a.b/#{anchor}"
envelope: {case: camel}
context: {idempotent: {type: boolean, meaning: a repetition is safe}}
classes:
  OldError:
    meaning: An old class.
    retryable: false
    since: 0.9.0
    links: https://c.d/
    deprecated: {since: 0.9.1, use: NEW, reason: for classes, sunset: 2027-02-28}
codes:
  NEW:
    meaning: Something new.
    hint: wait
    retryable: {rules: [{when: {idempotent: true}, then: true}], else: unset}
    fields: {wait_for: {type: retry_after, wire: Wait}, class: {type: string}}
    languages: {python: {meaning: New in snakes., hint: hiss}}
  OLD:
    class: OldError
    meaning: Something old.
    deprecated: {since: 0.9.2, use: NEW, reason: for codes, sunset: 2027-01-31}
foreign_errors:
  rules: [{when: {status: 418}, then: true}]
  else: false
  cancellations: [TaskCancelled]
""",
}


def odd(name: str, folder: pathlib.Path) -> str:
    """Return the page of an odd catalogue."""
    spec = folder / "odd.yaml"
    spec.write_text(TOP + ODD[name], encoding="utf-8")
    packs = ["python", "typescript", "rust", "html"]
    return compile_files(spec, *packs)[-1].files["index.html"]


SAID = [
    "In Python: New in snakes.",
    "wait In Python: hiss",
    "wait_for (seconds, or a Retry-After as text; "
    "waitFor in TypeScript; Wait on the wire)",
    "class (text; class_ in Python and in TypeScript)",
    "since 0.9.2; use NEW. for codes It may go after 2027-01-31.",
    "since 0.9.1; use NEW. for classes It may go after 2027-02-28.",
    "Since 0.9.0 See https://c.d/",
    "what the error carries or the caller knows",
    "idempotent (true or false): a repetition is safe",
    "yes if status is 418 no otherwise Cancellations are never retried: TaskCancelled.",
]


def test_a_page_says_all_that_is_known(
    browser: Browser, tmp_path: pathlib.Path
) -> None:
    """Also what only one language says, and what holds beside the codes."""
    file = tmp_path / "page.html"
    file.write_text(odd("all that may be said", tmp_path), encoding="utf-8")
    with opened(browser, file, scripts=False) as page:
        said = " ".join(page.inner_text("main").split())
    assert [phrase for phrase in SAID if phrase not in said] == []


def test_a_page_of_nothing_says_so(browser: Browser, tmp_path: pathlib.Path) -> None:
    """No search is said to have failed before there was one."""
    file = tmp_path / "page.html"
    said = {"no code at all": "0 codes", "no code that readers need": "1 code"}
    for name, count in said.items():
        file.write_text(odd(name, tmp_path), encoding="utf-8")
        with opened(browser, file) as page:
            assert page.inner_text("#_count") == count
            assert f"· {count}" in page.inner_text(".about")
            assert not page.is_visible(".none")
            page.fill("#_search", "no quux")
            assert page.is_visible(".none")


def test_a_text_runs_as_its_script_does(
    browser: Browser, tmp_path: pathlib.Path
) -> None:
    """The full stop of a sentence in Hebrew is at its left."""
    file = tmp_path / "page.html"
    file.write_text(odd("names of everything", tmp_path), encoding="utf-8")
    with opened(browser, file) as page:
        first, last = page.evaluate("""() => [0, 10].map(at => {
              const text = document.getElementById('a.b:c-d').querySelector('td').firstChild;
              const range = new Range();
              range.setStart(text, at), range.setEnd(text, at + 1);
              return range.getBoundingClientRect().x;
            })""")
        assert last < first


@pytest.mark.parametrize("name", [*CATALOGUES, *ODD])
def test_a_page_is_sound(name: str, tmp_path: pathlib.Path) -> None:
    """It is valid HTML, no id stands in it twice, and every link within it has an end."""
    packs = ["python", "typescript", "html"]
    page = (
        odd(name, tmp_path)
        if name in ODD
        else compile_files(CATALOGUES[name], *packs)[-1].files["index.html"]
    )
    tags = [(k, v) for k, v in parts(page) if k.startswith(("StartTag", "EmptyTag"))]
    ids = [v["id"] for _, v in tags if "id" in v] + re.findall(
        r'<code id="([^"]+)"', page
    )
    assert len(ids) == len(set(ids))
    ends = {v["href"][1:] for _, v in tags if v.get("href", "").startswith("#")}
    assert ends and ends <= set(ids)
    assert not re.search(
        r"""https?://(?!www\.w3\.org/2000/svg')""",
        re.sub(r'<a href="http[^>]*>[^<]*</a>|(?s:<style>.*?</style>)', "", page),
    )


@pytest.mark.parametrize("name", ["page.css", "page.js", "index.js"])
def test_the_page_s_script_and_style_are_kept_in_shape(
    name: str, node_tools: pathlib.Path
) -> None:
    """prettier has nothing to change, and the compiler finds no fault in the script."""
    file = ROOT / "templates" / "html" / name
    prettier = node_tools / ".bin" / "prettier"
    found = run(prettier, "--check", file)
    assert found.returncode == 0, found.stderr
    if name.endswith(".js"):
        flags = ["--allowJs", "--checkJs", "--noEmit", "--strict", "--ignoreConfig"]
        flags += [
            "--target",
            "es2022",
            "--lib",
            "es2022,dom,dom.iterable",
            "--types",
            "",
        ]
        found = run(node_tools / ".bin" / "tsc", *flags, file)
        assert found.returncode == 0, found.stdout
