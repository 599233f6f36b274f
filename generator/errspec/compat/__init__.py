"""Compares two states of a catalogue: what broke, for whom, and all else that changed.

`kinds` says which changes there are. `comparison` and `matching` put two catalogues
side by side; `codes`, `fields`, `classes`, `behaviour`, `whole` and `prose` each look
for changes of one sort; `judge` makes findings of them by what the catalogue promises,
and `changelog` texts. Catalogues are compared resolved: what a value is counts, not
whether an entry states or inherits it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from .behaviour import behaviour, foreign_errors, retry, statuses
from .change import Change, Side
from .classes import classes
from .codes import codes
from .comparison import Comparison, Pair
from .fields import facts, fields_of_entries, fields_of_records
from .kinds import KINDS, TOO_LOW, Kind
from .prose import passing, prose
from .whole import groups, whole

__all__ = ["KINDS", "TOO_LOW", "Change", "Comparison", "Kind", "Side", "changes"]

_PARTS: tuple[Callable[[Comparison], Iterator[Change]], ...] = (
    whole,
    groups,
    codes,
    fields_of_records,
    facts,
    classes,
    statuses,
    retry,
    foreign_errors,
    passing,
    prose,
)

_DEFAULTS = {
    kind.id
    for kind in KINDS.values()
    if kind.topic in ("verdict", "pin", "status", "attribute")
}
"""Kinds of change of what codes have from their classes, where they do not say it."""


def changes(c: Comparison) -> list[Change]:
    """Return all that changed between two catalogues."""
    found = [change for part in _PARTS for change in part(c)]
    on_codes = [*_looked_into(c, c.raised)]
    return [*found, *on_codes, *_not_told(c, on_codes, _looked_into(c, c.classes))]


def _looked_into(c: Comparison, pairs: list[Pair]) -> Iterator[Change]:
    yield from fields_of_entries(c, pairs)
    yield from behaviour(c, pairs)


def _not_told(
    c: Comparison, on_codes: list[Change], on_classes: Iterator[Change]
) -> Iterator[Change]:
    """Yield changes of classes but for those that are told of the codes they touch."""
    told: set[tuple[str, str, str]] = set()
    for change in on_codes:
        told.update((n, change.kind, change.detail) for n in c.lineage(change.subject))
    for change in on_classes:  # parents come first
        above = c.lineage(change.subject)
        if not any((name, change.kind, change.detail) in told for name in above):
            told.add((change.name, change.kind, change.detail))
            yield change if c.makes_its_own(change.name) else _handed_down(change)


def _handed_down(change: Change) -> Change:
    """Return what a change is of a class all of whose errors are those of codes, which
    have what they had: nobody meets another value, but who reads it does."""
    if change.kind == "field-made-required" and change.old is None:
        message = f"{change.name}'s field {change.detail!r} is new"
        return replace(change, kind="field-added", message=message, mend=None)
    if change.kind in _DEFAULTS:
        message = f"{change.name} reads otherwise, its codes are what they were: {change.message}"
        return replace(change, kind="text-changed", message=message)
    return change
