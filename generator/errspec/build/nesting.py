"""Records in records: how deep they go, and that one can be written down at all."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from ..model import Record
from .scope import Scope

MAX_RECORDS = 50
"""Records that may stand in each other, each required by the one around it."""

MAX_VALUES = 10_000
"""Values that a record may need: two records in each double them level by level."""

_MEND = "make one of the fields optional, or a list"


def check_nesting(scope: Scope, records: Mapping[str, Record]) -> None:
    """Report records that need too many others, or themselves.

    A record that is refused counts as mended for those around it.
    """
    needs = {name: _needed(records, record) for name, record in records.items()}
    order = TopologicalSorter(needs)
    with contextlib.suppress(CycleError):  # it yields what is in no circle all the same
        order.prepare()
    deep: dict[str, int] = {}
    values: dict[str, int] = {}
    while ready := order.get_ready():
        for name in ready:
            inner = needs[name]
            deep[name] = 1 + max((deep[n] for n in inner), default=0)
            others = len(records[name].fields) - len(inner)
            values[name] = others + sum(values[n] for n in inner)
            if deep[name] > MAX_RECORDS:
                deep[name] = 0
                message = f"{name} holds records more than {MAX_RECORDS} deep"
                _refuse(scope, "too-deep", message, name)
            if values[name] > MAX_VALUES:
                values[name] = 0
                message = f"{name} holds more than {MAX_VALUES:,} values"
                _refuse(scope, "too-large", message, name)
        order.done(*ready)
    for name in needs:
        if name not in deep and _is_in_itself(needs, name):
            message = f"a {name} would have to hold another one, without end"
            _refuse(scope, "record-cycle", message, name)


def _refuse(scope: Scope, id: str, message: str, name: str) -> None:
    scope.error(id, message, ("types", name), on="key", mend=_MEND)


def _needed(records: Mapping[str, Record], record: Record) -> list[str]:
    """Return the records, one for each field, that a record cannot be without."""
    needed = (f.type for f in record.fields if not f.optional)
    return [t.name for t in needed if t.kind == "record" and t.name in records]


def _is_in_itself(needs: Mapping[str, list[str]], name: str) -> bool:
    seen: set[str] = set()
    ahead = [*needs[name]]
    while ahead and name not in seen:
        if (here := ahead.pop()) not in seen:
            seen.add(here)
            ahead += needs[here]
    return name in seen
