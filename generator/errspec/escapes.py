"""Text as such: folding, width, and rewriting by tables of patterns that data gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .diagnostics import PackError

Data = Mapping[str, Any]
Writer = Callable[[str], str]

# Fixed tables, since str.isprintable follows the Unicode version of the Python at hand.
# First what no reference in markup can stand for: controls, surrogates, noncharacters.
_CONTROL = r"\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff" + "".join(
    rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(1, 17)
)
# Then what nobody sees, or what changes how its neighbours are seen.
_INVISIBLE = (
    r"\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e0fff"
)
NEVER_RAW = re.compile(f"([{_CONTROL}])|[{_INVISIBLE}]")
"""A character that stands in no output as itself; its group 1 is the first table."""

_BLANK = re.compile(r"[ \t\n\v\f\r]+")
_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_SPACES += "\u202f\u205f\u3000"

# Catalogue texts hold `code` in single backticks; any other backtick is just that.
CODE = re.compile(r"(?<!`)`(?! ?`)([^`]+)`(?!`)")


def escape(character: str) -> str:
    """Return the form in which a character is shown that may not reach a terminal."""
    return character.encode("unicode_escape").decode()


def printable(text: str) -> str:
    """Return the text with escapes for what a terminal might obey."""
    return "".join(c if c.isprintable() else escape(c) for c in text)


def fold(text: str) -> str:
    """Return `text` as one line: each run of white space becomes one space.

    No-break and wide spaces survive between two words only: beside other white space
    and at the ends of a line formatters and Markdown parsers strip them.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")
    words = (word.strip(_SPACES) for word in _BLANK.split(text))
    return " ".join(word for word in words if word)


def display_width(text: str) -> int:
    """Return the number of columns that one line of `text` takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth  # slower to import than most catalogues are to read

    return sum(max(0, wcwidth(char)) for char in text)


def reach(text: str, start: int, room: int) -> int:
    """Return the end of what goes into `room` columns of `text`, from `start` on."""
    if text.isascii():
        return min(len(text), start + max(room, 0))
    from wcwidth import wcwidth

    for end in range(start, len(text)):
        room -= max(0, wcwidth(text[end])) if text[end] >= " " else 1
        if room < 0:
            return end
    return len(text)


def fit(one_line: str, many_lines: str, width: int) -> str:
    """Return `one_line` where it fits into `width` columns, else `many_lines`."""
    return one_line if display_width(one_line) <= width else many_lines


def escaper(table: Mapping[str, str | Callable[..., str]]) -> Writer:
    """Return what rewrites a text by a table of pattern: form.

    It goes through the text once. Of the patterns that match at a place, the first
    wins; around its match it sees the text as it was. A form is a format string, {0}
    the match, {1} its first group and so on, or a function of these.
    """
    if not table:
        return str
    parts: list[str] = []
    writers: dict[int, tuple[int, Callable[..., str]]] = {}
    number = 0
    for pattern, form in table.items():
        writer = form.format if isinstance(form, str) else form
        try:
            inner = re.compile(pattern).groups
            writer(*[""] * (1 + inner))
        except (re.error, LookupError, ValueError) as fault:
            raise PackError(f"escape of {pattern!r}: {fault}") from fault
        number += inner + 1
        writers[number] = (inner, writer)
        # The empty group tells which pattern matched. It stands at the end: at the front
        # it would hide from `re` what the pattern starts with, and double the time.
        parts.append(f"(?:{pattern})()")
    whole = re.compile("|".join(parts))

    def write(match: re.Match[str]) -> str:
        number = match.lastindex or 0
        inner, writer = writers[number]
        return writer(match[0], *match.groups()[number - 1 - inner : number - 1])

    return lambda text: whole.sub(write, text)


def hider(data: Data) -> Writer:
    """Return what writes characters that must not stand raw, by bmp, astral, control.

    Without astral a character beyond U+FFFF is written as its two UTF-16 halves.
    """

    def write(match: re.Match[str]) -> str:
        form = data["bmp"] if match[0] <= "\uffff" else data.get("astral")
        if match[1] is not None:
            form = data.get("control", form)
        if form is None:  # a language that knows halves only
            halves = match[0].encode("utf-16-be").hex(" ", 2).split()
            return "".join(str(data["bmp"]).format(int(half, 16)) for half in halves)
        return str(form).format(ord(match[0]))

    def hide(text: str) -> str:
        plain = text.isascii() and text.isprintable()  # most are, and need no search
        return text if plain else NEVER_RAW.sub(write, text)

    return hide
