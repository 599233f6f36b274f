"""Says what changed: as lines for a terminal, as an entry of a changelog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..markup import Place
from .change import Change
from .comparison import Comparison
from .judge import bump, finding
from .kinds import KINDS

_HEADS = {"major": "Breaking", "minor": "Added and extended", "patch": "Reworded"}


def lines(c: Comparison, changes: Sequence[Change]) -> Iterator[str]:
    """Yield each change with its place, the gravest first, and the bump that they need."""
    name, base = c.new.document.name, c.old.document.name
    if not changes:
        yield f"{name}: nothing changed against {base}"
        return
    for head, some in _sorted(c, changes):
        yield f"{head}:"
        for change in some:
            kind = KINDS[change.kind]
            place = c.new.document.place(finding(c, change, kind, "warning"))
            where = f"{name}:{place.line}:{place.column}"
            yield f"  {where}: {kind.audience}[{kind.id}]: {change.message}"
    count = f"{len(changes)} change{'s' * (len(changes) != 1)}"
    yield f"{name}: {count} against {base}; semantic versioning asks for a {bump(changes)} bump"


def entry(
    c: Comparison, changes: Sequence[Change], places: Mapping[str, Place]
) -> Iterator[str]:
    """Yield the lines of a changelog's entry, written by a markup's places."""
    if not changes:
        return
    new = c.new.catalogue
    yield f"## {places['heading'].text(f'{new.title} {new.version}')}"
    for head, some in _sorted(c, changes):
        yield ""
        yield f"### {places['heading'].text(head)}"
        yield ""
        for change in some:
            message = change.message
            if change.name and message.startswith(change.name):
                message = f"`{change.name}`{message.removeprefix(change.name)}"
            said = f"{KINDS[change.kind].audience}: {message}"
            yield f"- {places['text'].text(said)}"
    yield ""


def _sorted(
    c: Comparison, changes: Sequence[Change]
) -> Iterator[tuple[str, list[Change]]]:
    """Yield headings with their changes in the order of the document."""

    def place(change: Change) -> tuple[int, int, str, str]:
        shown = finding(c, change, KINDS[change.kind], "warning")
        line, column = c.new.document.place(shown)[:2]
        return line, column, change.kind, change.message

    for weight, head in _HEADS.items():
        some = [change for change in changes if KINDS[change.kind].bump == weight]
        if some:
            yield head, sorted(some, key=place)
