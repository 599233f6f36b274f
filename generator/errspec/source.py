"""Reads a YAML file into plain data, and knows the place of each key and value.

One pass over libyaml's events builds both. Whatever YAML tools read differently is
a finding, so that a catalogue says the same to every reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import repeat, starmap
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import yaml
from wcwidth import wcswidth
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from .diagnostics import Diagnostic, ErrspecError, On, Path, Related, Unreadable

if TYPE_CHECKING:
    import pathlib

Value: TypeAlias = "str | int | bool | list[Value] | dict[str, Value] | None"
Span: TypeAlias = tuple[int, int]
Nodes: TypeAlias = "dict[str | int, Node]"
Node: TypeAlias = tuple[Span, Span, Nodes]
"""Where a key and its value stand, and the children; those of a list by index."""
Style: TypeAlias = Callable[[str, str], str]

MAX_BYTES = 16 * 2**20
MAX_EVENTS = 1_000_000
MAX_DEPTH = 50
MAX_FINDINGS = 10_000
MAX_LINE = 120
"""How many characters of a line are shown, around the caret."""
MAX_TEXT = 1000

FINDINGS = {  # by id: the message and the mend
    "alias": ("aliases are not allowed", "write the value out"),
    "ambiguous-key": ("ambiguous key {}", "quote it: other YAML tools read it as {1}"),
    "anchor": ("anchors are not allowed", "remove it"),
    "comment-cut": (
        "a comment ends the text here",
        "quote the text if # is part of it",
    ),
    "complex-key": ("a key must be text", "quote the text"),
    "control-character": ("control characters are not allowed", "remove it"),
    "directive": ("%TAG directives are not allowed", "remove it"),
    "duplicate-key": ("duplicate key {}", "remove one of the two"),
    "empty-key": ("a key must be text", "quote it"),
    "empty-value": ("{} is empty", "write a value, or leave it out"),
    "line-end": ("other YAML tools end the line at {}", "remove it"),
    "merge-key": ("merge keys are not allowed", "write the keys out"),
    "second-document": ("a second document", "one file holds one"),
    "syntax": ("{}", None),
    "tab": ("tabs are not allowed", "indent with spaces"),
    "tag": ("tags are not allowed", "remove it"),
    "too-deep": (f"more than {MAX_DEPTH} levels deep", None),
    "too-large": (f"more than {MAX_EVENTS:,} keys and values", None),
}
WARNINGS = ("ambiguous-key", "comment-cut")


class Place(NamedTuple):
    """A stretch of one line: columns count code points from 1, the end is exclusive."""

    line: int
    column: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Document:
    """A YAML text as read: the data, what is wrong with it, and where things stand."""

    name: str
    text: str
    data: Value
    diagnostics: tuple[Diagnostic, ...]
    root: Node = field(repr=False)

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


def read(path: pathlib.Path, name: str | None = None) -> Document:
    """Read a file, called `name` in diagnostics, or else by its path.

    Raise Unreadable if it is missing, too large or not UTF-8, and as `parse` does.
    """
    name = name or path.as_posix()

    def refusal(id: str, message: str, mend: str | None = None) -> Unreadable:
        return Unreadable([Diagnostic(id, message, name, mend=mend)])

    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise refusal("unreadable", f"cannot be read: {reason}") from None
    if len(raw) > MAX_BYTES:
        raise refusal("too-large", f"larger than {MAX_BYTES >> 20} MiB")
    try:
        text = raw.decode()
        bad = raw.find(b"\0", 0, 4)  # how UTF-16 without a mark begins
    except UnicodeDecodeError as error:
        text, bad = "", error.start
    if bad >= 0:
        wide = b"\0" in raw[:4] or raw[:2] in (b"\xff\xfe", b"\xfe\xff")
        mend = "it looks like UTF-16: save it as UTF-8" if wide else "save it as UTF-8"
        message = f"not UTF-8 (byte 0x{raw[bad]:02x} at offset {bad})"
        raise refusal("encoding", message, mend)
    return parse(text, name)


def parse(text: str, name: str) -> Document:
    """Read YAML text. Raise Unreadable if it is no YAML, empty, or past the limits."""
    if not yaml.__with_libyaml__:
        raise ErrspecError("PyYAML lacks libyaml here: install it from a wheel")
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader(text, name)
    data: Value = None
    root = _NOWHERE
    with suppress(_Refusal):
        data, root = reader.document()
    findings = sorted(reader.findings, key=lambda finding: finding.span or (0, 0))
    document = Document(name, text, data, tuple(findings), root)
    if data is None:
        raise Unreadable(document.diagnostics, [document])
    return document


_WORDS = {"true": True, "false": False}
_NULLS = ("", "~", "null", "Null", "NULL")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
_PROPERTY = re.compile(r"(&[^\s,\[\]{}]*|!<[^>\n]*>|![^\s,\[\]{}]*)(?:\s|#.*)*+")
# YAML 1.1 and libyaml end a line, and so a comment, at these three; YAML 1.2 does not.
_LINE_ENDS = "\x85\u2028\u2029"
_STAND_IN = str.maketrans(dict.fromkeys(_LINE_ENDS, "\ufffd"))
_STRAY = re.compile(f"\t+|[{_LINE_ENDS}]")
_CONTROL = re.compile("[^\t\n -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONFLICT = re.compile("^(<{7}|={7}|>{7})( .*)?$", re.MULTILINE)
_LEAF: Nodes = {}
_NOWHERE: Node = ((0, 0), (0, 0), _LEAF)

_ELSEWHERE = {
    "float": "a number",
    "int": "a number",
    "timestamp": "a date",
    "value": "a default",
}
# What to find in libyaml's words, the line before the place, and the character there,
# a line each; our words, where {} is that character; the mend.
_SYNTAX = (
    (r"mapping values.*\n.*: ", "': ' inside plain text", "quote the value"),
    (r"mapping values", "no key can stand here", "is a ':' missing above?"),
    (r"quoted scalar: found unexpected", "the quote is never closed", "close it"),
    (r"expected ','.*\n.*\n$", "the bracket is never closed", "close it"),
    (r"expected ','", "a comma or bracket is missing", "close it, or quote the text"),
    (r"any token|an alias|an anchor", "plain text cannot begin with {}", "quote it"),
    (r"a tag|tag handle", "plain text cannot begin with {}", "quote it"),
    (r"block scalar|mapping keys", "plain text cannot begin with {}", "quote it"),
    (r"unknown escape", "an unknown escape", r"write \\ for a backslash"),
    (r"escape code|hexdec", "an escape of no character", "write the character itself"),
    (r"sequence entries", "no list can begin here", "begin it on the next line"),
    (r"expected ':'", "a line without a key", "write key: value, or indent the line"),
    (r"(key|content)\n.*\n:", "a key must be text", "quote it"),
    (r"expected (key|'-' \w+)\n *\n", "indented like nothing above", "line it up"),
    (r"expected (key|'-' \w+)", "text after the value", "quote the whole text"),
    (r"node content", "a value is missing before {}", "quote the text"),
    (r"directive|incompatible", "an unknown directive", "remove the line"),
    (r"document start", "text after the end of the document", "indent or quote it"),
)


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


class _Refusal(Exception):
    """Reading stops here; why is among the findings."""


class _Reader:
    """One pass over the events of one text."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.findings: list[Diagnostic] = []
        self.path: list[str | int] = []
        self.end = 0  # of what was passed by
        # Four plain searches, so that a clean text pays nothing for the pattern.
        strange = any(c in text for c in "\t" + _LINE_ENDS)
        self.strays = _STRAY.finditer(text) if strange else iter(())
        self.stray = next(self.strays, None)  # the next one

    def report(self, id: str, span: Span, *words: object, **more: Any) -> None:
        if len(self.findings) >= MAX_FINDINGS:
            raise _Refusal
        message, mend = FINDINGS[id]
        on: On = "key" if id.endswith("-key") else "value"
        mend = mend and mend.format(*words)
        more = {"path": tuple(self.path), "on": on, "mend": mend, "span": span} | more
        if id in WARNINGS:
            more["severity"] = "warning"
        self.findings.append(Diagnostic(id, message.format(*words), self.name, **more))

    def document(self) -> tuple[Value, Node]:
        """Return the data and the places. Raise _Refusal if there are none."""
        text = self.text.translate(_STAND_IN) if self.stray else self.text
        try:
            get_event = yaml.CBaseLoader(text).get_event
            events = starmap(get_event, repeat((), MAX_EVENTS))
            self.next: Callable[[], Any] = events.__next__
            return self.only_document()
        except yaml.MarkedYAMLError as error:
            self.report_syntax(error)
        except (yaml.reader.ReaderError, UnicodeEncodeError):
            if found := _CONTROL.search(text):
                self.report("control-character", found.span())
        except StopIteration:
            self.report("too-large", (0, 0))
        raise _Refusal

    def only_document(self) -> tuple[Value, Node]:
        self.next()
        start = self.next()
        if type(start) is StreamEndEvent:
            self.report("empty-value", (0, 0), "the document", mend=None)
            raise _Refusal
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
        if self.stray:
            self.pass_by(*span)
        if event.anchor or event.tag:
            if kind is AliasEvent:
                self.report("alias", span)
                return None, (key or span, span, _LEAF)
            span = self.properties(event, span)
        if kind is ScalarEvent:
            if span[0] == span[1]:
                span = key or (max(0, span[0] - 1), span[1])
            return self.scalar(event, span, flow), (key or span, span, _LEAF)
        if len(self.path) >= MAX_DEPTH:
            self.report("too-deep", span)
            raise _Refusal
        read = self.mapping if kind is MappingStartEvent else self.sequence
        data, nodes = read(event.flow_style)
        if event.flow_style:
            span = (span[0], self.end)
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
        if flow or self.stray:
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
        if flow or self.stray:
            self.pass_by(*_span(event))
        return data, nodes

    def key(self, event: Any) -> Span:
        key, span = event.value, _span(event)
        if self.stray:
            self.pass_by(*span)
        if event.anchor or event.tag:
            span = self.properties(event, span)
        if event.style or (kind := _elsewhere(key)) == "str":
            return span
        if kind == "null":
            self.report("empty-key", span)
        else:
            false = key.lower() in ("n", "no", "off", "false")
            meant = _ELSEWHERE.get(kind, "false" if false else "true")
            self.report("ambiguous-key", span, key, meant)
        return span

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
            mend = "text with a comma inside {}: quote it"
            self.report("empty-value", span, name, mend=mend)
        else:
            self.report("empty-value", span, name)

    def properties(self, event: Any, span: Span) -> Span:
        """Report the anchor and the tag before a node, and return the span after them."""
        start, end = span
        for _ in filter(None, (event.anchor, event.tag)):
            if found := _PROPERTY.match(self.text, start):
                self.report("anchor" if found[1][0] == "&" else "tag", found.span(1))
                start = min(found.end(), end)
        return start, end

    def pass_by(self, start: int, end: int) -> None:
        """Report the strays before `end`, unless they stand in a comment."""
        while self.stray and self.stray.start() < end:
            if self.stray.start() >= self.end:
                self.pass_stray(self.stray, start)
            self.stray = next(self.strays, None)
        self.end = end

    def pass_stray(self, stray: re.Match[str], start: int) -> None:
        at, after = stray.span()
        block = self.text[start : start + 1] in ("|", ">")
        header = block and self.text.find("\n", start, at) < 0
        escape = _escape(stray[0][0])
        id = "tab" if escape == r"\t" else "line-end"
        if start <= at and not header:
            mend = f"write {escape} inside double quotes"
            self.report(id, stray.span(), escape, mend=mend)
            return
        line = max(self.end, self.text.rfind("\n", self.end, at) + 1)
        if self.text.find("#", line, at) < 0:
            self.report(id, stray.span(), escape)
            self.end = after
        else:  # nothing counts in the rest of the comment
            self.end = self.text.find("\n", at) % (len(self.text) + 1)

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
        _, words, mend = next((s for s in _SYNTAX if re.search(s[0], said)), unknown)
        words = words.format(self.text[at : at + 1])
        self.report("syntax", (at, at + 1), words, mend=mend, related=related)


def visible(text: str) -> str:
    """Return the text, shortened, with escapes for what a terminal might obey."""
    text = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


def show(
    diagnostic: Diagnostic,
    document: Document | None = None,
    style: Style = lambda role, text: text,
) -> str:
    """Return a diagnostic as text: its place, the line, a caret, and the mend.

    Without a document (it could not be read) there is no line to show. `style` may
    colour a text by its role: "place", "error", "warning", "note" or "caret".
    """
    label = style(diagnostic.severity, f"{diagnostic.severity}[{diagnostic.id}]")
    mend = visible(diagnostic.mend or "")
    if document is None:
        place = style("place", visible(diagnostic.file))
        message = visible(diagnostic.message) + (f" ({mend})" if mend else "")
        return f"{place}: {label}: {message}"
    blocks = [_block(document, diagnostic, label, mend, style)]
    for related in diagnostic.related:
        blocks.append(_block(document, related, style("note", "note"), "", style))
    return "\n".join(blocks)


def _block(
    document: Document, what: Diagnostic | Related, label: str, mend: str, style: Style
) -> str:
    place = document.place(what)
    start, line = place.column - 1, place.text
    low = max(0, min(start - MAX_LINE // 2, len(line) - MAX_LINE))
    high = low + MAX_LINE
    end = min(place.end_column - 1, high)
    before = "…" * (low > 0) + visible(line[low:start])
    marked = visible(line[start:end])
    after = visible(line[end:high]) + "…" * (high < len(line))
    where = style("place", f"{visible(document.name)}:{place.line}:{place.column}")
    carets = style("caret", "^" * max(1, wcswidth(marked)))
    number = f"{place.line:5}"
    return (
        f"{where}: {label}: {visible(what.message)}\n"
        f"{number} | {before}{marked}{after}\n"
        f"{' ' * len(number)} | {' ' * wcswidth(before)}{carets} {mend}"
    ).rstrip()
