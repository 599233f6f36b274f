"""The section `classification`: what a failed run says of an error."""

from __future__ import annotations

from typing import Any

from ..model import Classification, Outcome
from ..schema import text
from .scope import Scope
from .types import read_value


def read_classification(scope: Scope) -> Classification | None:
    """Read the section, which needs the catalogue's attributes; None where there is none."""
    raw = scope.section("classification", None)
    if raw is None:
        return None
    for role in ("status", "kind"):
        _check_attribute(scope, role, raw)
    limits = raw.get("limits", {})
    return Classification(
        status=raw["status"],
        kind=raw["kind"],
        otherwise=_read_outcome(scope, raw, "else"),
        cancellation=_read_outcome(scope, raw, "cancellation"),
        status_limit=limits.get("status", 256),
        info_limit=limits.get("error_info", 1024),
    )


def _check_attribute(scope: Scope, role: str, raw: Any) -> None:
    name, path = raw[role], ("classification", role)
    known = scope.names("attributes")
    if name not in known:
        scope.unknown("attribute", name, known, path)
    elif name in scope.attributes and (
        scope.attributes[name].type.kind not in ("string", "words")
    ):
        scope.error(
            "classification-type",
            f"the attribute {name!r} is no text",
            path,
            mend="name one whose type is a list of words, or string",
        )


def _read_outcome(scope: Scope, raw: Any, key: str) -> Outcome:
    """Read a status and a kind; each must be a value of its attribute."""
    found = {}
    for role in ("status", "kind"):
        attribute = scope.attributes.get(raw[role])
        value, path = raw[key][role], ("classification", key, role)
        if attribute is not None and attribute.type.kind in ("string", "words"):
            value = read_value(scope, value, attribute.type, path)
        found[role] = "" if value is None else text(value)
    return Outcome(**found)
