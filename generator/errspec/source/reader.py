"""Reads YAML text in one pass over libyaml's events, which gives data and places."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import repeat, starmap
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from ..diagnostics import Diagnostic, On, Related
from .document import Node, Nodes, Span, Value
from .messages import FINDINGS, MAX_DEPTH, MAX_EVENTS, SYNTAX, WARNINGS
from .strays import Strays

MAX_FINDINGS = 10_000

_WORDS = {"true": True, "false": False}
_NULLS = ("", "~", "null", "Null", "NULL")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
_PROPERTY = re.compile(r"(&[^\s,\[\]{}]*|!<[^>\n]*>|![^\s,\[\]{}]*)(?:\s|#.*)*+")
# Compiled where it is needed: that takes longer than reading a small catalogue.
_CONTROL = "[^\t\n -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_CONFLICT = re.compile("^(<{7}|={7}|>{7})( .*)?$", re.MULTILINE)
_LEAF: Nodes = {}

_ELSEWHERE = {
    "float": "a number",
    "int": "a number",
    "timestamp": "a date",
    "value": "a default",
}


@lru_cache(maxsize=4096)
def _elsewhere(key: str) -> str:
    """Return what YAML 1.1 takes a plain key for: "str", "null", "merge", "bool"."""
    if key in ("y", "Y", "n", "N"):  # in the standard, though not in PyYAML
        return "bool"
    for tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(key[:1], ()):
        if pattern.match(key):
            return str(tag).rpartition(":")[2]
    return "str"


def _span(event: Any) -> Span:
    return event.start_mark.index, event.end_mark.index


class Refusal(Exception):
    """Reading stops here; why is among the findings."""


class Reader:
    """One pass over the events of one text."""

    nowhere: Node = ((0, 0), (0, 0), _LEAF)

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.findings: list[Diagnostic] = []
        self.path: list[str | int] = []
        self.strays = Strays(text)

    def report(self, id: str, span: Span, *words: object, **more: Any) -> None:
        if len(self.findings) >= MAX_FINDINGS:
            raise Refusal
        message, mend = FINDINGS[id]
        on: On = "key" if id.endswith("-key") else "value"
        mend = mend and mend.format(*words)
        more = {"path": tuple(self.path), "on": on, "mend": mend, "span": span} | more
        if id in WARNINGS:
            more["severity"] = "warning"
        self.findings.append(Diagnostic(id, message.format(*words), self.name, **more))

    def document(self) -> tuple[Value, Node]:
        """Return the data and the places. Raise Refusal if there are none."""
        text = self.strays.replaced()
        try:
            get_event = yaml.CBaseLoader(text).get_event
            events = starmap(get_event, repeat((), MAX_EVENTS))
            self.next: Callable[[], Any] = events.__next__
            return self.only_document()
        except yaml.MarkedYAMLError as error:
            self.report_syntax(error)
        except (yaml.reader.ReaderError, UnicodeEncodeError):
            if found := re.search(_CONTROL, text):
                self.report("control-character", found.span())
        except StopIteration:
            self.report("too-large", (0, 0))
        raise Refusal

    def only_document(self) -> tuple[Value, Node]:
        self.next()
        start = self.next()
        if type(start) is StreamEndEvent:
            begin = len(self.text) - len(self.text.lstrip())
            at = begin if begin < len(self.text) else 0  # a comment, if there is one
            self.report("empty-value", (at, at), "the document", mend=None)
            raise Refusal
        if start.tags and (found := re.search("^%TAG.*", self.text, re.MULTILINE)):
            self.report("directive", found.span())
        data, root = self.value(self.next(), None, False)
        self.next()
        after = self.next()
        span = _span(after)
        self.pass_by(*span)
        if type(after) is not StreamEndEvent:
            self.report("second-document", span)
        return data, root

    def value(self, event: Any, key: Span | None, flow: bool) -> tuple[Value, Node]:
        """Read the value that begins with the event; `flow` means inside [] or {}."""
        kind = type(event)
        span = _span(event)
        if self.strays.next:
            self.pass_by(*span)
        if event.anchor or event.tag:
            if kind is AliasEvent:
                self.report("alias", span)
                return None, (key or span, span, _LEAF)
            span = self.properties(event, span)
        if kind is ScalarEvent:
            if span[0] == span[1]:
                span = key or self.mark_before(_span(event)[0])
            return self.scalar(event, span, flow), (key or span, span, _LEAF)
        if len(self.path) >= MAX_DEPTH:
            self.report("too-deep", span)
            raise Refusal
        read = self.mapping if kind is MappingStartEvent else self.sequence
        data, nodes = read(event.flow_style)
        if event.flow_style:
            span = (span[0], self.strays.end)
        else:  # a caret under a whole block says nothing, one under its key does
            span = key or next((first for first, _, _ in nodes.values()), span)
        return data, (key or span, span, nodes)

    def mapping(self, flow: bool) -> tuple[Value, Nodes]:
        data: dict[str, Value] = {}
        nodes: Nodes = {}
        while (kind := type(event := self.next())) is not MappingEndEvent:
            if kind is not ScalarEvent or (event.value == "<<" and not event.style):
                self.drop_entry(event)
                continue
            key = event.value
            self.path.append(key)
            span = self.key(event)
            value, node = self.value(self.next(), span, flow)
            if nodes.setdefault(key, node) is node:
                data[key] = value
            else:
                first = Related("first here", tuple(self.path), span=nodes[key][0])
                self.report("duplicate-key", span, key, related=(first,))
            self.path.pop()
        if flow or self.strays.next:
            self.pass_by(*_span(event))
        return data, nodes

    def sequence(self, flow: bool) -> tuple[Value, Nodes]:
        data: list[Value] = []
        nodes: Nodes = {}
        while type(event := self.next()) is not SequenceEndEvent:
            self.path.append(len(data))
            value, nodes[len(data)] = self.value(event, None, flow)
            self.path.pop()
            data.append(value)
        if flow or self.strays.next:
            self.pass_by(*_span(event))
        return data, nodes

    def key(self, event: Any) -> Span:
        key, span = event.value, _span(event)
        if self.strays.next:
            self.pass_by(*span)
        if event.anchor or event.tag:
            span = self.properties(event, span)
        if event.style or (kind := _elsewhere(key)) == "str":
            return span
        if kind == "null":
            if span[0] == span[1] and self.text[span[0] : span[0] + 1] != ":":
                span = self.mark_before(span[0])
            self.report("empty-key", span)
        else:
            false = key.lower() in ("n", "no", "off", "false")
            meant = _ELSEWHERE.get(kind, "false" if false else "true")
            self.report("ambiguous-key", span, key, meant)
        return span

    def mark_before(self, at: int) -> Span:
        """Return the place of the mark, such as - or ?, that nothing comes after.

        `at` is where that begins, anchors and tags included.
        """
        while at > 1 and self.text[at - 1].isspace():
            at -= 1
        return max(0, at - 1), at

    def drop_entry(self, event: Any) -> None:
        """Report an entry whose key is no text, but nothing that is wrong within it."""
        count = len(self.findings)
        self.path.append("?")
        _, (span, _, _) = self.value(event, None, False)
        self.value(self.next(), span, False)
        self.path.pop()
        del self.findings[count:]
        ids = {AliasEvent: "alias", ScalarEvent: "merge-key"}
        self.report(ids.get(type(event), "complex-key"), span)

    def scalar(self, event: Any, span: Span, flow: bool) -> Value:
        text: str = event.value
        if event.style:
            return text.rstrip("\n") if event.style in "|>" else text
        if text in _WORDS:
            return _WORDS[text]
        if text in _NULLS:
            self.report_empty(span, flow and not text)
            return None
        if text[-1].isdecimal() and _INTEGER.fullmatch(text):
            return int(text)
        if " " in text and self.text.startswith(" #", span[1]):
            self.report("comment-cut", (span[1] + 1, span[1] + 2))
        return text

    def report_empty(self, span: Span, comma: bool) -> None:
        if not self.path:
            self.report("empty-value", span, "the document", mend=None)
        elif isinstance(name := self.path[-1], int):
            self.report("empty-value", span, "an item")
        elif comma:
            mend = "write a value, or quote text with a comma"
            self.report("empty-value", span, name or "the value", mend=mend)
        else:
            self.report("empty-value", span, name or "the value")

    def properties(self, event: Any, span: Span) -> Span:
        """Report the anchor and the tag before a node, and return the span after them."""
        start, end = span
        for _ in filter(None, (event.anchor, event.tag)):
            if found := _PROPERTY.match(self.text, start):
                self.report("anchor" if found[1][0] == "&" else "tag", found.span(1))
                start = min(found.end(), end)
        return start, end

    def pass_by(self, start: int, end: int) -> None:
        """Report the strays before `end`, which is where the next thing may begin."""
        for id, span, written, more in self.strays.before(start, end):
            self.report(id, span, written, **more)

    def report_syntax(self, error: yaml.MarkedYAMLError) -> None:
        at = error.problem_mark.index if error.problem_mark else 0
        line = self.text.rfind("\n", 0, at) + 1
        self.pass_by(at + 1, at + 1)
        if any(d.id == "tab" and d.span and d.span[0] >= line for d in self.findings):
            return  # it is what libyaml stumbled over
        if "nesting depth" in str(error.problem):
            self.report("too-deep", (at, at + 1))
            return
        if conflict := _CONFLICT.search(self.text):
            self.report("syntax", conflict.span(), "an unresolved merge conflict")
            return
        char, context = self.text[at : at + 1], error.context_mark
        said = f"{error.context}: {error.problem}\n{self.text[line:at]}\n{char}"
        related: tuple[Related, ...] = ()
        if context and ("while scanning" in said or not char):
            at = context.index
        elif context and "','" in said:
            related = (Related("opened here", span=(context.index, context.index + 1)),)
        unknown = ("", str(error.problem), None)
        _, words, mend = next((s for s in SYNTAX if re.search(s[0], said)), unknown)
        words = words.format(self.text[at : at + 1])
        self.report("syntax", (at, at + 1), words, mend=mend, related=related)
