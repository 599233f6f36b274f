"""Fields that meet on one class: its own, its codes', and those from above.

A class has the fields of all codes that are raised with it, and hands them down; one
name can have one type only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..diagnostics import Path, Related
from ..model import Code, ErrorClass, Field, Type
from ..naming import cased
from .scope import Scope

Seen = dict[str, tuple[Type, str, Path]]
"""Fields of a class by name: type, who brought it, and where that stands."""


def check_wire_names(
    scope: Scope, fields: Iterable[Field], path: Path, case: str, taken: Iterable[str]
) -> None:
    """Report a field whose name on the wire is that of another one, or is `taken`."""
    owners = dict.fromkeys(taken, "every error")
    for field in fields:
        wire = field.wire or cased(field.name, case)
        owner = owners.setdefault(wire, field.name)
        if owner != field.name:
            scope.error(
                "wire-name",
                f"{field.name!r} would be {wire!r} on the wire, which {owner} has",
                (*path, "fields", field.name),
                on="key",
                mend="say wire: and another name",
            )


def check_shared_wire_names(
    scope: Scope,
    classes: Mapping[str, ErrorClass],
    codes: Mapping[str, Code],
    case: str,
) -> None:
    """Report fields of codes of one class that its one table cannot tell apart.

    A class of a single code has that code's table, which may differ from its parent's.
    """
    for name, found in classes.items():
        members = [c for c in codes.values() if name in c.carriers(scope.base)]
        if len(members) < 2 and not found.open and name != scope.base:
            continue
        wires: dict[str, str] = {}
        owners: dict[str, str] = {}
        members_fields = ((("codes", c.key), c.fields_on(found)) for c in members)
        entries: list[tuple[Path, Iterable[Field]]]
        entries = [(("classes", name), found.fields), *members_fields]
        for path, field in ((path, f) for path, fields in entries for f in fields):
            wire = field.wire or cased(field.name, case)
            known = wires.setdefault(field.name, wire)
            owner = owners.setdefault(wire, field.name)
            if known != wire:
                message = f"{name} has {field.name!r} as {known!r} on the wire, not as {wire!r}"
            elif owner != field.name:
                message = f"{name} has {owner!r} as {wire!r} on the wire, not {field.name!r}"
            else:
                continue
            scope.error(
                "wire-name",
                message,
                (*path, "fields", field.name),
                on="key",
                mend="the codes of a class share its fields: let them agree",
            )


def check_shared_fields(
    scope: Scope, classes: Mapping[str, ErrorClass], codes: Mapping[str, Code]
) -> None:
    """Report a field that has two types on one class. Parents come first in `classes`."""
    seen: dict[str, Seen] = {}
    for name, found in classes.items():
        seen[name] = dict(seen.get(found.extends or "", {}))
        _meet(scope, seen[name], found.fields, name, ("classes", name))
        for code in codes.values():
            if name in code.carriers(scope.base):
                fields = code.fields_on(found)
                _meet(scope, seen[name], fields, code.key, ("codes", code.key))
    for code in codes.values():
        if code.own_class:
            above = dict(seen.get(code.extends or "", {}))
            _meet(scope, above, code.fields, code.key, ("codes", code.key))


def _meet(
    scope: Scope, seen: Seen, fields: Iterable[Field], name: str, path: Path
) -> None:
    for field in fields:
        place = (*path, "fields", field.name)
        type, owner, first = seen.setdefault(field.name, (field.type, name, place))
        if type != field.type:
            scope.error(
                "field-conflict",
                f"{field.name!r} has another type in {owner}, and both meet on one class",
                (*place, "type"),
                mend="use that type, or another name",
                related=(Related(f"{owner} has it here", first),),
            )
