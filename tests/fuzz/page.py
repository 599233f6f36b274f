"""Compares the Markdown page of a catalogue with what its data say."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator

from fuzz.checks import differ
from fuzz.oracle import Oracle
from test_python_text import PARSER, SHAPES, bare, blocks, seen

_ROW = re.compile(r"(?<!\\)\|")
RETIRED = bare(
    "No release raises these any more. They are still read, and never used again."
)


def markdown(oracle: Oracle, page: str) -> Iterator[str]:
    """Check the page: headings, tables, texts in their cells, anchors."""
    tokens = PARSER.parse(page)
    yield from differ("blocks", {t.type for t in tokens} - SHAPES, set())
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
    own, paragraphs = 2, [inline for kind, inline in parsed if kind == "p"]
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
    for _, _, members in tables:
        wanted += [[None, _meaning(oracle, k), None, None] for k in members]
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
