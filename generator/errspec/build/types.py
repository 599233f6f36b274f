"""Types, fields and typed values of a catalogue."""

from __future__ import annotations

import math
import re
from typing import Any

from ..diagnostics import Path, listed
from ..model import Field, Type
from ..schema import text
from .scope import Scope, optional, prose

SIMPLE = (
    "string",
    "integer",
    "number",
    "boolean",
    "json",
    "http_status",
    "duration_ms",
    "timestamp",
    "error",
    "retry_after",
)
ON_WIRE = ("code", "message", "retryable")
"""What every error has on the wire."""
RESERVED = (*ON_WIRE, "docs_url")
"""Names that no field may have: every error has these attributes already."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_TIMESTAMP = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"
)


def read_type(scope: Scope, raw: Any, path: Path, *, open: bool = False) -> Type | None:
    """Read a type; None where it is wrong and has been reported."""
    if isinstance(raw, list):
        for at, word in enumerate(raw):
            if not isinstance(word, str):
                scope.error(
                    "wrong-type",
                    f"a word is text, and {text(word)} is none",
                    (*path, at),
                    mend=(
                        "did you mean type: boolean?"
                        if isinstance(word, bool)
                        else "quote it, or say type: integer"
                    ),
                )
        words = tuple(text(w) for w in raw)
        if len(set(words)) < len(words):
            scope.error("repeated-value", "a word stands here twice", path)
        return Type("words", words=words, open=open)
    if open:
        scope.error(
            "wrong-type",
            "only a list of words can be open",
            (*path[:-1], "open"),
            mend="list the words: type: [a, b]",
        )
        return None
    if isinstance(raw, dict):
        [(kind, inner)] = raw.items()
        if kind == "code":
            return _code_of_group(scope, text(inner), (*path, kind))
        item = read_type(scope, inner, (*path, kind))
        if item and item.kind == "error":
            message = "a native cause cannot stand inside another type"
            scope.error("reserved-field", message, (*path, kind), mend="use string")
            return None
        return item and Type(kind, item=item)
    name = text(raw)
    if name in SIMPLE:
        return Type(name)
    records = scope.names("types")
    if name in records:
        return Type("record", name=name)
    if name in ("list", "map"):
        write = f"write {{{name}: string}}, or another type in place of string"
        scope.error("unknown-type", f"a {name} of what?", path, mend=write)
    else:
        scope.unknown("type", name, [*SIMPLE, *records], path)
    return None


def _code_of_group(scope: Scope, group: str, path: Path) -> Type | None:
    if group in scope.names("groups"):
        return Type("code", name=group)
    scope.unknown("group", group, scope.names("groups"), path)
    return None


def read_fields(
    scope: Scope, raw: Any, path: Path, reserved: tuple[str, ...] = RESERVED
) -> tuple[Field, ...]:
    """Read a mapping of fields; those that are wrong are reported and left out."""
    fields = (
        read_field(scope, n, f, (*path, n), reserved) for n, f in (raw or {}).items()
    )
    return tuple(f for f in fields if f)


def read_field(
    scope: Scope, name: str, raw: Any, path: Path, reserved: tuple[str, ...] = ()
) -> Field | None:
    """Read one field; None where it is wrong and has been reported."""
    if name in reserved:
        scope.error(
            "reserved-field",
            f"{name!r} is what every error has already",
            path,
            on="key",
            mend=f"choose another name, such as error_{name}",
        )
        return None
    type = read_type(scope, raw["type"], (*path, "type"), open=raw.get("open") is True)
    if type is None:
        return None
    of_error = path[0] in ("classes", "codes")
    if (type.kind == "error") != (of_error and name == "cause"):
        scope.error(
            "reserved-field",
            "the native cause is the field `cause` of an error, and has the type error",
            (*path, "type"),
            mend="cause: {type: error, optional: true}" if of_error else "use string",
        )
        return None
    return Field(
        name,
        type,
        raw.get("optional") is True,
        prose(raw.get("meaning")),
        optional(raw.get("wire")),
    )


def check_statable(scope: Scope, type: Type, path: Path) -> None:
    """Report a type of which no catalogue can state a value."""
    if type.kind in ("map", "record"):
        message = f"a catalogue cannot state a value of the type {type.name or type.kind}"
        scope.error("wrong-type", message, path, mend="say json, or a plain type")
    elif type.item:
        check_statable(scope, type.item, path)


def read_value(scope: Scope, raw: Any, type: Type, path: Path) -> Any:
    """Read a value of the given type; None where it is wrong and has been reported."""
    value, demand = _convert(raw, type)
    if demand:
        shown = (
            f", not {text(raw)!r}" if isinstance(raw, str | bool | int) else ""
        )
        scope.error("wrong-value", f"{path[-1]} must be {demand}{shown}", path)
        return None
    if type.kind == "code" and value not in scope.names("codes"):
        scope.unknown("code", value, scope.names("codes"), path)
        return None
    return value


def _convert(raw: Any, type: Type) -> tuple[Any, str]:
    """Return the value, and what it should have been where it is none."""
    scalar = isinstance(raw, str | bool | int)
    whole = isinstance(raw, int) and not isinstance(raw, bool)
    match type.kind:
        case "words":
            known = scalar and (type.open or text(raw) in type.words)
            return scalar and text(raw), "" if known else listed(type.words)
        case "boolean":
            return raw, "" if isinstance(raw, bool) else "true or false"
        case "integer":
            return raw, "" if whole else "a whole number"
        case "duration_ms":
            return raw, "" if whole and raw >= 0 else "a number of milliseconds"
        case "http_status":
            return raw, "" if whole and 100 <= raw <= 599 else "a status, 100-599"
        case "number":
            ok = scalar and bool(_NUMBER.fullmatch(text(raw)))
            ok = ok and math.isfinite(float(raw))
            return (raw if whole else float(raw)) if ok else None, "" if ok else "a number"
        case "timestamp":
            ok = scalar and bool(_TIMESTAMP.fullmatch(text(raw)))
            return raw, "" if ok else "a time such as 2027-01-31T12:00:00Z"
        case "list":
            return _convert_items(raw, type)
        case "json":
            return raw, ""
        case "string" | "code" | "retry_after":
            return scalar and text(raw), "" if scalar else "text"
        case _:
            return None, "of a type that a catalogue can state a value of"


def _convert_items(raw: Any, type: Type) -> tuple[Any, str]:
    assert type.item is not None
    items = [_convert(r, type.item) for r in (raw if isinstance(raw, list) else [raw])]
    wrong = next((demand for _, demand in items if demand), "")
    return [value for value, _ in items], wrong and f"a list of {wrong}"
