"""Shows a diagnostic with its line and a caret, harmless on any terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ..diagnostics import Diagnostic, Related
from ..escapes import printable
from .document import Document

Style: TypeAlias = Callable[[str, str], str]

MAX_LINE = 120
"""How many characters of a line are shown, around the caret."""
MAX_TEXT = 1000


def visible(text: str) -> str:
    """Return the text, shortened, with escapes for what a terminal might obey."""
    text = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
    return printable(text)


def show(
    diagnostic: Diagnostic,
    document: Document | None = None,
    style: Style = lambda role, text: text,
    others: Mapping[str, Document] = {},
) -> str:
    """Return a diagnostic as text: its place, the line, a caret, and the mend.

    Without a document (it could not be read) there is no line to show. `style` may
    colour a text by its role: "place", "error", "warning", "note" or "caret".
    `others` are the documents, by name, in which related places may stand.
    """
    label = style(diagnostic.severity, f"{diagnostic.severity}[{diagnostic.id}]")
    mend = visible(diagnostic.mend or "")
    if document is None:
        place = style("place", visible(diagnostic.file))
        message = visible(diagnostic.message) + (f" ({mend})" if mend else "")
        return f"{place}: {label}: {message}"
    blocks = [_block(document, diagnostic, label, mend, style)]
    for related in diagnostic.related:
        where = others.get(related.file or "", document)
        blocks.append(_block(where, related, style("note", "note"), "", style))
    return "\n".join(blocks)


def _block(
    document: Document, what: Diagnostic | Related, label: str, mend: str, style: Style
) -> str:
    from wcwidth import wcswidth  # slow to import, and only findings need it

    place = document.place(what)
    start, line = place.column - 1, place.text
    low = max(0, min(start - MAX_LINE // 2, len(line) - MAX_LINE))
    high = low + MAX_LINE
    end = min(place.end_column - 1, high)
    before = "…" * (low > 0) + visible(line[low:start])
    marked = visible(line[start:end])
    after = visible(line[end:high]) + "…" * (high < len(line))
    where = style("place", f"{visible(document.name)}:{place.line}:{place.column}")
    carets = style("caret", "^" * max(1, wcswidth(marked)))
    number = f"{place.line:5}"
    return (
        f"{where}: {label}: {visible(what.message)}\n"
        f"{number} | {before}{marked}{after}\n"
        f"{' ' * len(number)} | {' ' * wcswidth(before)}{carets} {mend}"
    ).rstrip()
