"""A document as read: its data, what is wrong with it, and where things stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ..diagnostics import Diagnostic, On, Path, Related

Value: TypeAlias = "str | int | bool | list[Value] | dict[str, Value] | None"
Span: TypeAlias = tuple[int, int]
Nodes: TypeAlias = "dict[str | int, Node]"
Node: TypeAlias = tuple[Span, Span, Nodes]
"""Where a key and its value stand, and the children; those of a list by index."""


class Place(NamedTuple):
    """A stretch of one line: columns count code points from 1, the end is exclusive."""

    line: int
    column: int
    end_column: int
    text: str


class Document(Struct, frozen=True, dict=True):
    """A YAML text as read: the data, what is wrong with it, and where things stand."""

    name: str
    text: str
    data: Value
    diagnostics: tuple[Diagnostic, ...]
    root: Node

    def place(self, what: Diagnostic | Related) -> Place:
        """Return the place of the span, else of the path or its nearest ancestor."""
        start, end = what.span or self._span(what.path, what.on)
        line = bisect_right(self._lines, start)
        first = self._lines[line - 1]
        text = self.text[first : self._lines[line] - 1]
        last = max(start - first, min(end - first, len(text)))
        return Place(line, start - first + 1, last + 1, text)

    def _span(self, path: Path, on: On) -> Span:
        key, value, children = self.root
        for part in path:
            if part not in children:
                return key
            key, value, children = children[part]
        return key if on == "key" else value

    @cached_property
    def _lines(self) -> list[int]:
        ends = (found.end() for found in re.finditer("\n", self.text))
        return [0, *ends, len(self.text) + 1]
