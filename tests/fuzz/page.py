"""Compares the Markdown page of a catalogue with what its data say."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from markdown_it.token import Token

from fuzz.checks import differ
from fuzz.oracle import Oracle
from test_python_text import PARSER, SHAPES, bare, blocks, seen

LISTS = {
    f"{kind}_{end}"
    for kind in ("bullet_list", "list_item")
    for end in ("open", "close")
}
_ROW = re.compile(r"(?<!\\)\|")
RETIRED = bare(
    "No release raises these any more. They are still read, and never used again."
)


def markdown(oracle: Oracle, page: str) -> Iterator[str]:
    """Check the page: headings, tables, texts in their cells, anchors."""
    tokens = PARSER.parse(page)
    yield from differ("blocks", {t.type for t in tokens} - SHAPES - LISTS, set())
    if class_first(oracle):
        yield from _by_class(oracle, page, tokens)
        return
    shown = [k for k in oracle.codes if not oracle.codes[k].get("internal")]
    alive = [k for k in shown if "retired" not in oracle.codes[k]]
    tables: list[tuple[str, str, list[str]]] = []
    for group, raw in oracle.data.get("groups", {}).items():
        members = [k for k in alive if group in oracle.groups(k)]
        tables.append((raw["title"], raw.get("meaning", "").strip(), members))
    rest = [k for k in alive if not oracle.groups(k)]
    tables.append(("Other codes" if tables else "Codes", "", rest))
    gone = [k for k in shown if k not in alive]
    local = [k for k in shown if oracle.codes[k].get("languages")]
    headings = [
        oracle.data["title"],
        *(title for title, _, members in tables if members),
    ]
    headings += ["Differences between languages"] * bool(local)
    headings += ["Retired codes"] * bool(gone)
    parsed = list(blocks(tokens))
    found = [seen(inline) for kind, inline in parsed if kind in ("h1", "h2")]
    yield from differ("headings", found, [bare(title.strip()) for title in headings])
    paragraphs = [inline for kind, inline in parsed if kind == "p"]
    facts = oracle.data.get("context", {})
    own = 2 + (1 + len(facts) if facts else 0)
    for inline, (name, raw) in zip(paragraphs[3:own], facts.items(), strict=False):
        said = seen(inline)
        if bare(name) not in said or bare(raw.get("meaning", "").strip()) not in said:
            yield f"{name}: not among the facts: {said!r}"
    told = [bare(meaning) for _, meaning, members in tables if members and meaning]
    told += [RETIRED] * bool(gone)
    yield from differ("paragraphs", list(map(seen, paragraphs[own:])), told)
    rows: list[list[str]] = []
    for token, inline in itertools.pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "td_open":
            rows[-1].append(seen(inline))
    rows = [row for row in rows if row]
    wanted: list[list[str | None]] = []
    raisers = any(
        oracle.is_raised(k, lang) and oracle.raised_by(k, lang)
        for _, _, members in tables
        for k in members
        for lang in oracle.languages
    )
    for _, _, members in tables:
        after: list[None] = [None] * (2 if raisers else 1)
        wanted += [[None, _meaning(oracle, k), *after] for k in members]
    for key in local:
        for entry in oracle.codes[key]["languages"].values():
            if "reason" in entry:
                wanted.append([key, None, None, entry["reason"].strip()])
    for key in gone:
        entry = oracle.codes[key]["retired"]
        wanted.append(
            [key, entry["since"], entry.get("use", ""), entry["reason"].strip()]
        )
    yield from differ("rows", len(rows), len(wanted))
    for row, texts in zip(rows, wanted, strict=False):
        for cell, text in zip(row, texts, strict=True):
            if text is not None:
                yield from differ("cell", cell, bare(text))
    columns = 0
    for line in page.split("\n"):
        bars = len(_ROW.findall(line)) if line.startswith("|") else 0
        if bars and columns and bars != columns:
            yield f"{bars} bars, not {columns}: {line}"
        columns = bars
    anchors = [html.unescape(a) for a in re.findall(r'<a id="([^"]*)"></a>', page)]
    spellings = [s for k in shown for s in oracle.spellings(k)]
    yield from differ("anchors", sorted(anchors), sorted(spellings))


def class_first(oracle: Oracle) -> bool:
    """Tell whether most codes have a declared class below the base class."""
    alive = [k for k in oracle.codes if not {"internal", "retired"} & _flags(oracle, k)]
    named = [c for k in alive if (c := oracle.carriers(k)) and oracle.base not in c]
    return 2 * len(named) > len(alive)


def _flags(oracle: Oracle, key: str) -> set[str]:
    """Return the keys of a code that are not false."""
    return {name for name, value in oracle.codes[key].items() if value is not False}


def _classes(oracle: Oracle) -> dict[str, list[str]]:
    """Return the classes of the page with the codes that it shows of each."""
    alive = [k for k in oracle.codes if "retired" not in oracle.codes[k]]
    found: dict[str, list[str]] = {name: [] for name in oracle.classes}
    for key in alive:
        own = [oracle.own_name(key)] if oracle.has_own_class(key) else []
        for name in own or oracle.carriers(key) or [oracle.base]:
            found.setdefault(name, []).append(key)
    shown = {}
    for name, keys in found.items():
        raw = oracle.classes.get(name, {})
        seen_of = [k for k in keys if "internal" not in _flags(oracle, k)]
        if oracle.is_internal(name) or raw.get("abstract"):
            continue
        is_root = name != oracle.base and name in oracle.classes
        alone = is_root and not keys and oracle.parent(name) is None
        if seen_of or alone or (raw.get("open") and name != oracle.base):
            shown[name] = seen_of
    return shown


def _by_class(oracle: Oracle, page: str, tokens: list[Token]) -> Iterator[str]:
    """Check a page that goes class by class: headings, anchors, and each text once."""
    classes = _classes(oracle)
    parsed = list(blocks(tokens))
    shown = [k for k in oracle.codes if "internal" not in _flags(oracle, k)]
    gone = [k for k in shown if "retired" in oracle.codes[k]]
    alive = [k for k in shown if k not in gone]
    placed = {key for keys in classes.values() for key in keys}
    found = [seen(inline) for kind, inline in parsed if kind == "h3"]
    records = oracle.data.get("types", {})
    yield from differ("classes", sorted(found), sorted([*classes, *records]))
    sections = [seen(inline) for kind, inline in parsed if kind == "h2"]
    wanted = {"Quick reference"}
    wanted |= {"Other codes"} if set(alive) - placed else set()
    wanted |= {"Records"} if records else set()
    wanted |= (
        {"Differences between languages"}
        if any(oracle.codes[k].get("languages") for k in shown)
        else set()
    )
    wanted |= {"Retired codes"} if gone else set()
    titles = [bare(g["title"].strip()) for g in oracle.data.get("groups", {}).values()]
    wanted = {bare(title) for title in wanted}
    others = {*titles, bare("Other classes"), "Classes"}
    yield from differ("sections", set(sections) - others - wanted, set())
    yield from differ("sections", wanted - set(sections), set())
    anchors = [html.unescape(a) for a in re.findall(r'<a id="([^"]*)"></a>', page)]
    spellings = {s for k in shown for s in oracle.spellings(k)}
    hidden = {s for k in oracle.codes for s in oracle.spellings(k)}
    names = {*classes, *records} - hidden
    yield from differ("anchors", sorted(anchors), sorted({*spellings, *names}))
    inlines = [t for t in tokens if t.type == "inline"]
    texts = [seen(_unmarked(t)) for t in inlines[2:]]  # after title and version
    for name, keys in classes.items():
        raw = oracle.classes.get(name, {})
        fields = [f.get("meaning") for f in raw.get("fields", {}).values()]
        told = [raw.get("meaning"), *fields]
        told += [oracle.prose(k, "meaning", "") for k in keys if name in oracle.classes]
        for text in filter(None, told):
            if not any(bare(text.strip()) in one for one in texts):
                yield f"{name}: nowhere on the page: {text!r}"
    columns = 0
    for line in page.split("\n"):
        bars = len(_ROW.findall(line)) if line.startswith("|") else 0
        if bars and columns and bars != columns:
            yield f"{bars} bars, not {columns}: {line}"
        columns = bars


def _unmarked(inline: Token) -> Token:
    """Return a block without the marks that are the page's own: a label, and its links."""
    children = [t for t in inline.children or [] if t.type != "text" or t.content]
    if children and children[0].type == "strong_open":
        end = next(n for n, t in enumerate(children) if t.type == "strong_close")
        children = children[1:end] + children[end + 1 :]
    if any(t.type == "text" and "promises nothing" in t.content for t in children):
        children = [t for t in children if not t.type.startswith("em_")]
    kept = []
    inside = False
    for token in children:
        own = token.type == "link_open" and str(token.attrGet("href")).startswith("#")
        inside = own or inside
        if not own and not (inside and token.type == "link_close"):
            kept.append(token)
        inside = inside and token.type != "link_close"
    return replace(inline, children=kept)


def _meaning(oracle: Oracle, key: str) -> str:
    raw = oracle.codes[key]
    parts = [oracle.prose(key, "meaning", "")]
    if hint := oracle.prose(key, "hint", ""):
        parts.append(f"What to do: {hint}")
    if entry := raw.get("deprecated"):
        use = f"; use `{entry['use']}`" if "use" in entry else ""
        parts.append(
            f"Deprecated since {entry['since']}{use}. {entry.get('reason', '').strip()}"
        )
    return " ".join(parts)
