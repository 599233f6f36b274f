"""The paths of attributes that a filter is given: `sort(attribute="verdict.default")`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .meter import LimitError

MAX_PATH = 200
"""Characters of an attribute within an attribute: `model.verdict.default`."""


def place(name: str, function: Callable[..., Any]) -> int | None:
    """Return where a filter takes the path of an attribute, behind its value."""
    if name in ("map", "selectattr", "rejectattr"):
        return -1 if name == "map" else 1
    names = list(inspect.signature(function).parameters)
    if "attribute" not in names:
        return None
    return names.index("attribute") - names.index(
        "value" if "value" in names else "values"
    )


def given(
    place: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> str | None:
    """Return the path that a filter is given, if it is given one. LimitError if too long."""
    if place is None:
        return None
    found = kwargs.get("attribute")
    if found is None and 0 <= place < len(args):
        found = args[place]
    if found is None:
        return None
    path = str(found)
    if len(path) > MAX_PATH:
        raise LimitError(f"this path is longer than {MAX_PATH} characters")
    return path
