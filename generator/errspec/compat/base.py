"""Reads the old state of a catalogue, which may not be valid by today's rules."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from .. import schema
from ..build import build
from ..diagnostics import Diagnostic, Path, Unreadable
from ..model import Catalogue
from ..source import Document
from ..view import View
from .change import Side

_ROUNDS = 5
"""How often to look again once what was wrong is taken out."""


def lenient(
    document: Document, views: Callable[[Catalogue], View]
) -> tuple[Side, list[Diagnostic]]:
    """Return what can be read of an old document, and warnings about the rest.

    A key that is wrong today is left out; a code that cannot be read without it stays
    known by its name. Unreadable where it has no codes at all.
    """
    data = document.data
    if not isinstance(data, dict) or not isinstance(data.get("codes"), dict):
        message = "a catalogue is a mapping with `codes`, and this is none"
        raise Unreadable(
            [Diagnostic("no-catalogue", message, document.name)], [document]
        )
    warnings = [d for d in document.diagnostics if d.severity == "error"]
    read = replace(
        document, diagnostics=()
    )  # or the schema leaves out what they explain
    found = schema.check(read, "catalogue")
    for _ in range(_ROUNDS):
        if not found:
            break
        warnings += found
        data = copy.deepcopy(read.data)
        for diagnostic in sorted(found, key=_last_first):
            _take_out(data, diagnostic)
        read = replace(read, data=data)
        found = schema.check(read, "catalogue")
    catalogue, wrong = build(read, found)
    warnings += [*found, *(d for d in wrong if d.severity == "error")]
    names = document.data["codes"] if isinstance(document.data, dict) else {}
    assert isinstance(names, dict)
    unread = frozenset(key for key in names if key not in catalogue.codes)
    side = Side(catalogue, read, views(catalogue).languages, unread)
    once = {(d.path, d.id, d.message): d for d in warnings}
    told = [replace(d, severity="warning", related=()) for d in once.values()]
    return side, told


def _last_first(diagnostic: Diagnostic) -> int:
    """Order items of a list so that taking one out moves no other one."""
    last = diagnostic.path[-1:]
    return -last[0] if last and isinstance(last[0], int) else 0


def _take_out(data: Any, diagnostic: Diagnostic) -> None:
    """Remove what a diagnostic speaks of; what is missing cannot be removed."""
    path: Path = diagnostic.path
    if diagnostic.id == "missing-key" or not path:
        return
    for part in path[:-1]:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return
    if isinstance(data, dict):
        data.pop(path[-1], None)
    elif isinstance(data, list) and isinstance(path[-1], int) and path[-1] < len(data):
        del data[path[-1]]
