"""Declared classes: parents, and what a class hands down to its codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..diagnostics import Path
from ..model import Deprecation, ErrorClass, Field, Verdict
from ..schema import text
from .messages import read_message
from .scope import Scope, few, item_path, optional, prose
from .types import read_fields, read_value
from .verdicts import read_verdict


def read_classes(scope: Scope) -> dict[str, ErrorClass]:
    """Read all declared classes, parents first; the base class always is among them."""
    raw = {scope.base: {}, **dict(scope.sound("classes"))}
    parents = {name: _parent(scope, name, entry) for name, entry in raw.items()}
    classes: dict[str, ErrorClass] = {}
    for name in _parents_first(scope, parents):
        parent = parents[name]
        if parent is not None and parent not in classes:
            scope.set_aside("classes", name)  # its parent was, so what it has is unknown
            continue
        found = _read_class(scope, name, raw[name], classes.get(parent or ""))
        if scope.is_sound("classes", name):
            classes[name] = found
    return classes


def _parent(scope: Scope, name: str, raw: Any) -> str | None:
    if name == scope.base:
        if "extends" in raw:
            scope.error(
                "extends-class",
                "the base class extends nothing",
                ("classes", name, "extends"),
                mend="leave extends out",
            )
        return None
    parent = text(raw.get("extends", scope.base))
    if parent == "none":
        return None
    known = [scope.base, *scope.names("classes")]
    if parent not in known:
        scope.unknown("class", parent, [*known, "none"], ("classes", name, "extends"))
    return parent


def _parents_first(scope: Scope, parents: dict[str, str | None]) -> list[str]:
    order: dict[str, None] = {}
    for start in parents:
        trail: list[str] = []
        name: str | None = start
        while name is not None and name not in order:
            if name in trail:
                circle = trail[trail.index(name) :]
                scope.error(
                    "class-cycle",
                    f"a class cannot extend itself: {' → '.join([*circle, name])}",
                    ("classes", circle[-1], "extends"),
                    mend=f"let one of them extend {scope.base}",
                )
                parents[circle[-1]] = None
                break
            trail.append(name)
            name = parents.get(name)
        order.update(dict.fromkeys(reversed(trail)))
    return [name for name in order if name in parents]


def _read_class(
    scope: Scope, name: str, raw: Any, parent: ErrorClass | None
) -> ErrorClass:
    path: Path = ("classes", name)
    parents = [parent] if parent else []
    fields = unite_fields(
        scope, parents, read_fields(scope, raw.get("fields"), (*path, "fields")), path
    )
    verdict = parent.verdict if parent else None
    if "retryable" in raw:
        verdict = read_verdict(scope, raw["retryable"], fields, (*path, "retryable"))
    if name == scope.base and raw.get("abstract"):
        scope.error(
            "abstract-class",
            f"{name} makes the errors of codes that nobody knows: it cannot be abstract",
            (*path, "abstract"),
            mend="leave abstract out",
        )
    control = raw.get("control", parent.control if parent else False)
    if control:
        verdict = check_control(scope, raw, path)
    return ErrorClass(
        name=name,
        extends=parent.name if parent else None,
        declared=name in scope.names("classes"),
        meaning=prose(raw.get("meaning")),
        hint=prose(raw.get("hint")),
        verdict=verdict,
        groups=read_groups(scope, raw, path) or (parent.groups if parent else ()),
        abstract=raw.get("abstract", False),
        open=raw.get("open", False),
        pinned=control or raw.get("pinned", parent.pinned if parent else False),
        control=control,
        fields=fields,
        raised_by=few(raw.get("raised_by")),
        message=read_message(scope, raw, fields, path),
        http=raw.get("http", parent.http if parent else None),
        since=optional(raw.get("since")),
        deprecated=read_deprecated(scope, raw, path),
        internal=raw.get("internal", False),
        links=few(raw.get("links")),
        attributes=read_attributes(scope, raw, path, parents),
        ignore={rule: prose(why) for rule, why in raw.get("ignore", {}).items()},
    )


def check_control(scope: Scope, raw: Any, path: Path) -> Verdict:
    """Return the verdict of control flow, which is false and pinned."""
    for key, allowed in (("retryable", False), ("pinned", True)):
        if raw.get(key, allowed) is not allowed:
            scope.error(
                "control-verdict",
                "control flow is never retried: its verdict is false and pinned",
                (*path, key),
                mend=f"leave {key} out",
            )
    return Verdict(False)


def unite_fields(
    scope: Scope, parents: Iterable[ErrorClass], own: Sequence[Field], path: Path
) -> tuple[Field, ...]:
    """Unite inherited fields with an entry's own; one name has one type.

    An own field may say that an inherited one is required; nothing else may differ.
    """
    united: dict[str, Field] = {}
    for parent in parents:
        for field in parent.fields:
            known = united.setdefault(field.name, field)
            if known.type != field.type:
                scope.error(
                    "field-conflict",
                    f"its classes disagree on the type of {field.name!r}",
                    (*path, "class"),
                    mend="rename one of the fields",
                )
            elif known.optional and not field.optional:
                united[field.name] = field  # what one of them requires is required
    for field in own:
        known = united.get(field.name, field)
        if known.type != field.type:
            scope.error(
                "field-conflict",
                f"{field.name!r} has another type in the class that it comes from",
                (*path, "fields", field.name, "type"),
                mend="use that type, or another name",
            )
        elif field.optional and not known.optional:
            scope.error(
                "field-conflict",
                f"{field.name!r} is required by the class that it comes from",
                (*path, "fields", field.name),
                on="key",
                mend="leave optional out",
            )
        united[field.name] = field
    return tuple(united.values())


def agree(
    scope: Scope, key: str, parents: Sequence[ErrorClass], get: Callable[[Any], Any], path: Path
) -> Any:
    """Return what an entry inherits under `key`; where its classes disagree, an error."""
    found = [value for p in parents if (value := get(p)) not in (None, ())]
    if any(value != found[0] for value in found):
        names = " and ".join(p.name for p in parents)
        scope.error(
            "class-conflict",
            f"{names} disagree on {key}",
            (*path, "class"),
            mend=f"state {key} here",
        )
        return None
    return found[0] if found else None


def read_groups(scope: Scope, raw: Any, path: Path) -> tuple[str, ...]:
    """Read the groups of an entry."""
    groups = few(raw.get("group"))
    known = scope.names("groups")
    for index, group in enumerate(groups):
        if group not in known:
            place = item_path((*path, "group"), raw["group"], index)
            scope.unknown("group", group, known, place)
    return groups


def read_attributes(
    scope: Scope, raw: Any, path: Path, parents: Sequence[ErrorClass]
) -> dict[str, Any]:
    """Read an entry's attributes and unite them with the inherited ones.

    What its classes disagree on is theirs alone, unless the entry states it.
    """
    values: dict[str, list[Any]] = {}
    for parent in parents:
        for name, value in parent.attributes.items():
            values.setdefault(name, []).append(value)
    inherited = {
        name: found[0]
        for name, found in values.items()
        if all(value == found[0] for value in found)
    }
    own = raw.get("attributes", {})
    known = scope.names("attributes")
    for name, value in own.items():
        place = (*path, "attributes", name)
        if name not in known:
            scope.unknown("attribute", name, known, place, on="key")
        elif name in scope.attributes:
            type = scope.attributes[name].type
            inherited[name] = read_value(scope, value, type, place)
    return inherited


def read_deprecated(scope: Scope, raw: Any, path: Path) -> Deprecation | None:
    """Read a deprecation; the code to use instead must exist."""
    entry = raw.get("deprecated")
    if entry is None:
        return None
    use = check_use(scope, entry, (*path, "deprecated"))
    return Deprecation(
        text(entry["since"]), use, prose(entry.get("reason")), optional(entry.get("sunset"))
    )


def check_use(scope: Scope, entry: Any, path: Path) -> str | None:
    """Read the code that stands in for one that goes."""
    use = optional(entry.get("use"))
    codes = scope.names("codes")
    if use is not None and (use not in codes or use == path[1]):
        others = [c for c in codes if c != path[1]]
        scope.unknown("code", use, others, (*path, "use"))
    return use
