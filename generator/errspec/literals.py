"""Writes catalogue text as string literals, comments and markup.

One small engine: what is escaped, and how, is data of a language file (`strings`,
`comments`) or of a markup file, and nothing here knows one of them by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errspec.diagnostics import PackError, listed

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
_LINE_END = re.compile(r"[\r\n]+")
_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_SPACES += "\u202f\u205f\u3000"

_COMMENT_TABLES = ("escapes", "starts")
_COMMENT_KEYS = ("open", "close", "line", "pad", *_COMMENT_TABLES)

# Catalogue texts hold `code` in single backticks; any other backtick is just that.
_CODE = re.compile(r"(?<!`)`(?! ?`)([^`]+)`(?!`)")


def fold(text: str) -> str:
    """Return `text` as one line: each run of white space becomes one space.

    No-break and wide spaces survive between two words only: beside other white space
    and at the ends of a line formatters and Markdown parsers strip them.
    """
    words = (word.strip(_SPACES) for word in _BLANK.split(text))
    return " ".join(word for word in words if word)


def display_width(text: str) -> int:
    """Return the number of columns that one line of `text` takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth  # slower to import than most catalogues are to read

    return sum(max(0, wcwidth(char)) for char in text)


def fit(one_line: str, many_lines: str, width: int) -> str:
    """Return `one_line` where it fits into `width` columns, else `many_lines`."""
    return one_line if display_width(one_line) <= width else many_lines


@dataclass(frozen=True, slots=True)
class Strings:
    """How a language writes a string.

    quotes        the marks to choose from, the preferred one first
    quote_escape  form of the quote inside its own literal, which is its {}
    escape        what else is written in another way
    hide          and last of all, what must not stand raw
    """

    quotes: tuple[str, ...]
    quote_escape: str
    escape: Writer
    hide: Writer

    @classmethod
    def from_data(cls, data: Data) -> Strings:
        """Read the `strings` section of a language file.

        Beside quotes and quote_escape it holds escapes (see `_escaper`), and the forms
        bmp and astral of a character that must not stand raw, whose {} is its number.
        """
        needs = {"quotes", "quote_escape", "escapes", "bmp", "astral"}
        _check(data, "strings", needs)
        escape, hide = _escaper(data["escapes"]), _hider(data)
        return cls(tuple(data["quotes"]), data["quote_escape"], escape, hide)

    def literal(self, text: str) -> str:
        """Return the shortest literal that means `text`, the first quotes on a tie."""
        body = self.hide(self.escape(text))
        forms = ((q, body.replace(q, self.quote_escape.format(q))) for q in self.quotes)
        return min((q + form + q for q, form in forms), key=len)


@dataclass(frozen=True, slots=True)
class Comment:
    """One form of comment; call it with what it shall say.

    open, close  the marks around it, if it has any
    line         what each line of text starts with; where it is given, `open` and
                 `close` stand on lines of their own unless all fits into one
    pad          characters that may not touch `open` or `close`
    escape       what is written in another way in the whole text
    start        and in a word that begins a line
    hide         and what must not stand raw
    """

    escape: Writer
    start: Writer
    hide: Writer
    open: str = ""
    close: str = ""
    line: str = ""
    pad: str = ""

    def __call__(self, paragraphs: str | Sequence[str], indent: str, width: int) -> str:
        """Return the comment, with a blank line between paragraphs.

        White space is folded. Lines break at `width` columns, `indent` among them, but
        not in a longer word or in code. The first line carries no indent: it goes where
        the template stands.
        """
        given = [paragraphs] if isinstance(paragraphs, str) else paragraphs
        first, *others = list(map(self._text, filter(None, map(fold, given)))) or [""]
        padded = tuple(self.pad)
        lead = " " if first and (self.line or first.startswith(padded)) else ""
        tail = " " if first.endswith(padded) else ""
        room = width - display_width(indent + self.line)
        opening = 0 if self.line else len(self.open + lead)
        lines = self._wrap(first, room, opening)
        if not self.line and len(lines) == 1 and not others:
            # Formatters pull a mark that follows a single line up to it: break earlier.
            lines = self._wrap(first, room, opening + len(tail + self.close))
        for other in others:
            lines += ["", *self._wrap(other, room)]
        if self.open and len(lines) == 1:
            one = self.open + lead + lines[0] + tail + self.close
            if not (self.line and first) or display_width(indent + one) <= width:
                return one
        if self.line:
            lines = [self.open, *(self.line + line for line in lines), self.close]
            lines = [line for line in lines if line]
        else:
            lines = [self.open + lead + lines[0], *lines[1:], self.close]
        lines[1:] = [indent + line for line in lines[1:]]
        return "\n".join(line.rstrip(" \t") for line in lines)

    def _text(self, text: str) -> str:
        """Escape folded text; a line end stands for a space at which none may be."""
        kept = _CODE.sub(lambda code: code[0].replace(" ", "\n"), text)
        return "\n".join(map(self.hide, self.escape(kept).split("\n")))

    def _wrap(self, text: str, room: int, taken: int = 0) -> list[str]:
        """Break escaped text into lines; of the first one, `taken` columns are gone."""
        lines: list[str] = []
        used = 0
        for word in text.split(" "):
            word = word.replace("\n", " ")
            if lines and used + 1 + display_width(word) <= room:
                lines[-1] += f" {word}"
                used += 1 + display_width(word)
            else:
                used = 0 if lines else taken
                lines.append(self.start(word))
                used += display_width(lines[-1])
        return lines


@dataclass(frozen=True, slots=True)
class Comments:
    """How a language writes comments: on a line of code's own, and as documentation."""

    line: Comment
    doc: Comment

    @classmethod
    def from_data(cls, data: Data, strings: Data) -> Comments:
        """Read the `comments` section of a language file, beside its `strings`.

        It holds line and doc, each with open, close, line and pad as in `Comment`, and
        the tables escapes and starts (see `_escaper`). A mere text is a form's line.
        What must not stand raw is written as in strings.
        """
        _check(data, "comments", {"line", "doc"})
        hide = _hider(strings)

        def read(data: str | Data) -> Comment:
            form: dict[str, Any] = {"line": data} if isinstance(data, str) else {**data}
            needs = {"line"} if "line" in form else {"open", "close"}
            _check(form, "a comment", needs, _COMMENT_KEYS)
            escape, start = (_escaper(form.pop(k, {})) for k in _COMMENT_TABLES)
            return Comment(escape, start, hide, **form)

        return cls(read(data["line"]), read(data["doc"]))


@dataclass(frozen=True, slots=True)
class Place:
    """One kind of place in a markup: a paragraph, a table cell, an anchor.

    text  writes a catalogue text, in which `code` stands in single backticks
    code  writes a text that is code as a whole
    """

    text: Writer
    code: Writer


def read_markup(data: Data) -> dict[str, Place]:
    """Return the places of a markup file, by name.

    The file holds bmp and astral as strings do; control, the form of what those cannot
    express; escapes, named tables (see `_escaper`); and places, each with
        escapes     the names of its tables; where two match, the earlier one wins
        line_break  the form of a line break; without it a text is folded into one line
        code        forms whose {} is the code; without it backticks are text. escaped:
                    for code that is escaped like any text; verbatim: for code that is
                    not; unless: a pattern of what may not stand verbatim
    """
    needs = {"markup", "bmp", "astral", "escapes", "places"}
    _check(data, "a markup", needs, {"control"})
    hide = _hider(data)
    return {k: _place(v, data["escapes"], hide) for k, v in data["places"].items()}


def _place(data: Data, tables: Data, hide: Writer) -> Place:
    _check(data, "a place", {"escapes"}, {"code", "line_break"})
    _check(tables, "escapes", set(data["escapes"]), tables)
    forms: Mapping[str, str] = data.get("code", {"escaped": "{}"})
    _check(forms, "code", {"escaped"}, {"verbatim", "unless"})
    table = {k: v for name in data["escapes"] for k, v in tables[name].items()}
    plain = escape = _escaper(table)

    def code(text: str) -> str:
        text = fold(text)
        barred = NEVER_RAW.search(text) or re.search(forms.get("unless", "(?!)"), text)
        if "verbatim" in forms and not barred:
            written = forms["verbatim"].format(text)
        else:
            written = forms["escaped"].format(hide(plain(text)))
        return written if text else ""

    if "code" in data:
        # In one pass with the rest, which then sees the line on both sides of the code.
        inline = {_CODE.pattern: lambda _, inside: code(inside)}
        escape = _escaper({**inline, **table})

    def text(text: str) -> str:
        if "line_break" not in data:
            return hide(escape(fold(text)))
        # A line break inside code would part the backticks of a pair.
        whole = _CODE.sub(lambda match: fold(match[0]), text)
        lines = map(fold, _LINE_END.split(whole))
        return str(data["line_break"]).join(
            hide(escape(line)) for line in lines if line
        )

    return Place(text, code)


def _escaper(table: Mapping[str, str | Callable[..., str]]) -> Writer:
    """Return what rewrites a text by a table of pattern: form.

    It goes through the text once. Of the patterns that match at a place, the first
    wins; around its match it sees the text as it was. A form is a format string, {0}
    the match, {1} its first group and so on, or a function of these.
    """
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
    whole = re.compile("|".join(parts) or "(?!)")

    def write(match: re.Match[str]) -> str:
        number = match.lastindex or 0
        inner, writer = writers[number]
        return writer(match[0], *match.groups()[number - 1 - inner : number - 1])

    return lambda text: whole.sub(write, text)


def _hider(data: Data) -> Writer:
    """Return what writes characters that must not stand raw, by bmp, astral, control."""

    def write(match: re.Match[str]) -> str:
        form = data["bmp"] if match[0] <= "\uffff" else data["astral"]
        if match[1] is not None:
            form = data.get("control", form)
        return str(form).format(ord(match[0]))

    return lambda text: NEVER_RAW.sub(write, text)


def _check(data: Data, what: str, needs: set[str], may: Iterable[str] = ()) -> None:
    """Refuse a misspelt key: an escape that is silently not applied is a hole."""
    if missing := needs - data.keys():
        raise PackError(f"{what} lacks {listed(sorted(missing), 'and')}")
    if unknown := data.keys() - needs - set(may):
        raise PackError(f"{what} has no {listed(sorted(unknown))}")
