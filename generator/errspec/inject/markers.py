"""Markers of regions, read from the lines of a page.

    marker     = "<!-- errspec:" words " -->" | "[//]: # (errspec:" words ")"
    words      = "begin" KIND { word } | "end"
    word       = CODE | name "=" value
    value      = text without a space | '"' text '"'

A marker has its line for itself. In the second form a bracket in a value has a
backslash before it, as Markdown wants it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

Form = Literal["html", "link"]

SHOWN: Mapping[Form, str] = {
    "html": "<!-- errspec:{} -->",
    "link": "[//]: # (errspec:{})",
}
"""How each form is written."""

_OPENER = (
    r"(?<!\\)(?:<!--+|\{/\*+|\[[^\[\]]{1,40}\][ \t]*:[ \t]*<?#?>?[ \t]*[(\"'])[ \t]*"
)
"""Comments of HTML and of JSX, and link definitions under any label."""
_NEAR = re.compile(
    rf"{_OPENER}err-?spec(?:[ \t]*:|(?=[ \t_-]*(?:begin|start|end)\b))[ \t_-]*(\w*)",
    re.IGNORECASE,
)
"""What wants to be a marker."""
_EXACT: Mapping[Form, re.Pattern[str]] = {
    "html": re.compile(r"([ \t>]*)(<!--[ \t]*errspec:((?:(?!-->).)*)-->)[ \t]*"),
    "link": re.compile(r"([ \t>]*)(\[//\]:[ \t]*#[ \t]*\(errspec:(.*)\))[ \t]*"),
}
_WORD = re.compile(
    r'(?P<name>[^\s="]+)(?P<is>=(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s"]*)))?(?!\S)'
)
_BLACK = re.compile(r"\s*(\S+)")


class Word(Struct, frozen=True):
    """A word of a marker; `value` is None where it has no `=`. The span is in the page."""

    name: str
    value: str | None
    span: tuple[int, int]


class Marker(Struct, frozen=True):
    """A line that wants to be a marker. `form` is None where it is none.

    `verb` is what stands behind `errspec:`, `rest` what follows, if it is one. `span` covers the
    marker in the page's text, `start` is where `rest` begins.
    """

    line: int
    form: Form | None
    prefix: str
    verb: str
    rest: str
    span: tuple[int, int]
    start: int

    @property
    def text(self) -> str:
        return self.verb + self.rest

    def words(self) -> Iterator[Word | tuple[int, int]]:
        """Yield each word, or the span of what is none."""
        at = 0
        while match := _BLACK.match(self.rest, at):
            begin = match.start(1)
            word = _WORD.match(self.rest, begin)
            end = word.end() if word else len(self.rest.rstrip())
            span = self.start + begin, self.start + end
            if word:
                value = word["quoted"] if word["quoted"] is not None else word["plain"]
                yield Word(self._read(word["name"]), value and self._read(value), span)
            else:
                yield span
            at = end

    def _read(self, word: str) -> str:
        return re.sub(r"\\([()])", r"\1", word) if self.form == "link" else word


def find(line: str, number: int, offset: int) -> Marker | None:
    """Return the marker of a line, or what wants to be one; `offset` is the line's."""
    near = _NEAR.search(line)
    if near is None:
        return None
    for form, pattern in _EXACT.items():
        if match := pattern.fullmatch(line):
            content, at = match[3], offset + match.start(3)
            verb = re.match(r"[^\s]*", content)
            assert verb is not None
            span = offset + match.start(2), offset + match.end(2)
            rest = content[verb.end() :]
            return Marker(number, form, match[1], verb[0], rest, span, at + verb.end())
    span = offset + near.start(), offset + len(line.rstrip())
    return Marker(number, None, "", near[1], "", span, span[1])


def is_whole(marker: Marker) -> bool:
    """Tell whether Markdown sees the marker of the second form to its bracket."""
    return marker.form == "html" or not re.search(r"(?<!\\)[()]", marker.text)
