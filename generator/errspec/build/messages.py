"""Message templates: "Agent {agent} exceeded {budget} tokens", with {{ for a brace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..diagnostics import Path
from ..model import Field
from .scope import Scope, optional

_UNWRITTEN = ("list", "map", "record", "json", "error")
"""Kinds of values that each language would put into a text in its own way."""


_BRACES = "write {{ or }} for a brace that is text"


def read_message(
    scope: Scope, raw: Any, fields: Sequence[Field], path: Path
) -> str | None:
    """Read a template of the message: its placeholders are required fields."""
    template = optional(raw.get("message"))
    if template is None:
        return None
    required = [
        f.name for f in fields if not f.optional and f.type.kind not in _UNWRITTEN
    ]
    try:
        names = placeholders(template)
    except ValueError as error:
        fault, mend = error.args
        scope.error("message-template", fault, (*path, "message"), mend=mend)
        return None
    sound = scope.is_sound(*map(str, path[:2]))
    for name in names:
        if name in required:
            continue
        if not sound:
            continue  # the field may be one of those that are wrong
        found = next((f for f in fields if f.name == name), None)
        if found is None:
            why = "is no field"
        elif found.optional:
            why = "is optional, so the message may lack it"
        else:
            why = f"is of the type {found.type.kind}, which has no text of its own"
        scope.error(
            "message-template",
            f"{{{name}}} {why}",
            (*path, "message"),
            mend=f"fields that it can hold: {', '.join(required) or 'none'}",
        )
    return template


def placeholders(template: str) -> list[str]:
    """Return the names in a message template, in order; ValueError for a stray brace."""
    return [part for is_field, part in message_parts(template) if is_field]


def message_parts(template: str) -> list[tuple[bool, str]]:
    """Split a message template into (is a field, text or field name) parts.

    Raises ValueError, with the fault and its mend, where a brace stands alone. `{{` and `}}` are braces.
    """
    parts: list[tuple[bool, str]] = []
    plain, rest = "", template
    while rest:
        if rest[:2] in ("{{", "}}"):
            plain, rest = plain + rest[0], rest[2:]
        elif rest[0] == "{":
            name, closed, rest = rest[1:].partition("}")
            if not closed:
                raise ValueError("a brace that is never closed", _BRACES)
            if not name.isidentifier():
                mend = "write a field's name and no more; {{ and }} are braces"
                raise ValueError(f"{{{name}}} names no field", mend)
            parts += [(False, plain)] * bool(plain) + [(True, name)]
            plain = ""
        elif rest[0] == "}":
            raise ValueError("a closing brace without an opening one", _BRACES)
        else:
            plain, rest = plain + rest[0], rest[1:]
    return parts + [(False, plain)] * bool(plain)
