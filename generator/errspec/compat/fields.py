"""Changes of what errors, classes, records, attributes and context carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ..diagnostics import Path
from ..model import Code, Field, Type
from ..naming import cased
from .change import Change, Places
from .comparison import Comparison, Pair, mapped_type

Where = Callable[[str], Places]


def fields_of_entries(c: Comparison, pairs: Iterable[Pair]) -> Iterator[Change]:
    """Compare the fields of codes or classes."""
    for pair in pairs:

        def where(name: str, pair: Pair = pair) -> Places:
            return c.places(pair, "fields", name)

        old, new = _stated(pair.old), _stated(pair.new)
        yield from _fields(
            c, pair.after, pair.label, pair.old.fields, pair.new.fields, where, old, new
        )


def _stated(entry: object) -> Mapping[str, object]:
    return entry.const if isinstance(entry, Code) else {}


def fields_of_records(c: Comparison) -> Iterator[Change]:
    """Compare records, the fields of those that stayed included."""
    old, new = c.old.catalogue.records, c.new.catalogue.records
    for name in old:
        if name not in new:
            message = f"the record {name} is gone"
            yield Change("type-removed", message, ("types", name), old=("types", name))
    for name, record in new.items():
        path: Path = ("types", name)
        if name not in old:
            message = f"the record {name} is new"
            yield Change("type-added", message, path, new=path)
        elif record != old[name]:

            def where(field: str, path: Path = path) -> Places:
                full = (*path, "fields", field)
                return Places(
                    full if c.old.value(full) is not None else path,
                    full if c.new.value(full) is not None else path,
                    None,
                )

            yield from _fields(c, path, name, old[name].fields, record.fields, where)


def facts(c: Comparison) -> Iterator[Change]:
    """Compare the attributes that a catalogue declares, and the facts of its context."""
    old, new = c.old.catalogue, c.new.catalogue
    for section, noun, before, after in (
        ("attributes", "the attribute", old.attributes, new.attributes),
        ("context", "the fact of the context", old.context, new.context),
    ):
        for name in dict.fromkeys([*before, *after]):
            path: Path = (section, name)
            was, now = before.get(name), after.get(name)
            said = f"{noun} {name!r}"
            if now is None:
                message = f"{said} is gone"
                yield Change("field-removed", message, path, name, old=path)
            elif was is None:
                message = f"{said} is new"
                yield Change("field-added", message, path, name, new=path)
            else:
                place = Places((*path, "type"), (*path, "type"), None)
                yield from _typed(path, said, was, now, place)


def _fields(
    c: Comparison,
    subject: Path,
    label: str,
    old: tuple[Field, ...],
    new: tuple[Field, ...],
    where: Where,
    fixed_before: Mapping[str, object] = {},
    fixed_after: Mapping[str, object] = {},
) -> Iterator[Change]:
    if old == new and fixed_before == fixed_after:
        return
    before, after = {f.name: f for f in old}, {f.name: f for f in new}
    for name in dict.fromkeys([*before, *after]):
        was, now, at = before.get(name), after.get(name), where(name)
        said = f"{label}'s field {name!r}"
        if now is None:
            message = f"{said} is gone"
            yield Change("field-removed", message, subject, name, at.old, at.new)
            continue
        needs = not now.optional and name not in fixed_after
        if was is None and needs:
            message = f"{said} is new, and whoever makes the error must give it"
            mend = "optional: true"
            yield Change(
                "field-made-required", message, subject, name, None, *at[1:], mend
            )
        elif was is None:
            message = f"{said} is new"
            yield Change("field-added", message, subject, name, None, *at[1:])
        if was is None:
            continue
        if was.optional and not now.optional:
            message = f"{said} must be given now"
            yield Change(
                "field-made-required", message, subject, name, *at, "optional: true"
            )
        elif now.optional and not was.optional:
            message = f"{said} may be absent now"
            yield Change("field-made-optional", message, subject, name, *at)
        yield from _typed(subject, said, was, now, at)
        yield from _on_wire(c, subject, said, was, now, at)
    for name in dict.fromkeys([*fixed_before, *fixed_after]):
        a, b = fixed_before.get(name), fixed_after.get(name)
        if a != b and name in before and name in after:
            message = f"{label} fixes {name!r} to {_shown(b)}, not to {_shown(a)}"
            if a is None:
                message = (
                    f"{label} fixes {name!r} to {_shown(b)}, which could be anything"
                )
            if b is None:
                message = f"{label} does not fix {name!r} to {_shown(a)} any more"
            place = (*subject, "const", name)
            here = place if b is not None else subject
            yield Change("const-changed", message, subject, name, where(name).old, here)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _typed(
    subject: Path, said: str, was: Field, now: Field, at: Places
) -> Iterator[Change]:
    old, new = mapped_type(was.type), mapped_type(now.type)
    if old == new:
        return
    step = f"{type_words(was.type)} → {type_words(now.type)}"
    if _holds(new, old):
        message = f"{said} holds more than it did: {step}"
        yield Change("field-widened", message, subject, was.name, *at)
    else:
        message = f"{said} has another type: {step}"
        yield Change("field-retyped", message, subject, was.name, *at)


def _on_wire(
    c: Comparison, subject: Path, said: str, was: Field, now: Field, at: Places
) -> Iterator[Change]:
    cases = c.old.catalogue.wire_case, c.new.catalogue.wire_case
    old, new = was.wire, now.wire
    if cases[0] == cases[1] or (old and new):  # another case is told once, for all
        old, new = old or cased(was.name, cases[0]), new or cased(now.name, cases[1])
    if old != new and old and new:
        message = f"{said} is {new!r} on the wire, not {old!r}"
        mend = f"wire: {old}"
        yield Change("wire-name-changed", message, subject, was.name, *at, mend)


def _holds(wide: Type, narrow: Type) -> bool:
    """Tell whether a type has room for all values of another."""
    if wide.item and narrow.item and wide.kind == narrow.kind:
        return wide.item == narrow.item or _holds(wide.item, narrow.item)
    if wide.kind == narrow.kind == "words":
        return set(narrow.words) <= set(wide.words) and (wide.open or not narrow.open)
    return (narrow.kind, wide.kind) in (("words", "string"), ("integer", "number"))


def type_words(type: Type) -> str:
    """Say a type as the catalogue writes it."""
    if type.kind == "words":
        return f"[{', '.join(type.words)}]{', open' if type.open else ''}"
    if type.item:
        return f"{{{type.kind}: {type_words(type.item)}}}"
    return f"{{code: {type.name}}}" if type.kind == "code" else type.name or type.kind
