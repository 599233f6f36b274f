"""Writes catalogue text as string literals and comments of a language.

One small engine: what is escaped, and how, is data of a language file (`strings`,
`comments`, whose keys the schema of language files holds), and nothing here knows a
language by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

from msgspec import Struct

from .escapes import CODE, Data, Writer, display_width, escaper, fold, hider, reach


class Strings(Struct, frozen=True, eq=False, dict=True):
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

        Beside quotes and quote_escape it holds escapes (see `escaper`), and the forms
        bmp and astral of a character that must not stand raw, whose {} is its number.
        """
        escape, hide = escaper(data["escapes"]), hider(data)
        return cls(tuple(data["quotes"]), data["quote_escape"], escape, hide)

    @cached_property
    def literal(self) -> Writer:
        """What returns the shortest literal of a text, the first quotes on a tie."""
        return cache(self._literal)  # names recur; it goes when the language goes

    def _literal(self, text: str) -> str:
        body = self.hide(self.escape(text))
        for quote in self.quotes:
            if quote not in body:
                return quote + body + quote
        forms = ((q, body.replace(q, self.quote_escape.format(q))) for q in self.quotes)
        return min((q + form + q for q, form in forms), key=len)


class Comment(Struct, frozen=True):
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
        texts = [self._text(folded) for each in given if (folded := fold(each))]
        first, *others = texts or [""]
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
        return "\n".join([line.rstrip(" \t") for line in lines])

    def _text(self, text: str) -> str:
        """Escape folded text; a line end stands for a space at which none may be."""
        if "`" not in text:
            return self.hide(self.escape(text))
        kept = CODE.sub(lambda code: code[0].replace(" ", "\n"), text)
        return "\n".join(map(self.hide, self.escape(kept).split("\n")))

    def _wrap(self, text: str, room: int, taken: int = 0) -> list[str]:
        """Break escaped text into lines; of the first one, `taken` columns are gone."""
        lines: list[str] = []
        start, end = 0, len(text)
        left = room - taken
        while True:
            stop = text.find(" ", start) % (end + 1)  # none found: at the end
            line = self.start(text[start:stop].replace("\n", " "))
            last = reach(text, stop, left - display_width(line))
            if last < end:
                last = text.rfind(" ", stop, last + 1)
            lines.append(line + text[stop:last].replace("\n", " "))
            if last == end:
                return lines
            start, left = last + 1, room


class Comments(Struct, frozen=True):
    """How a language writes comments: on a line of code's own, and as documentation."""

    line: Comment
    doc: Comment

    @classmethod
    def from_data(cls, data: Data, strings: Data) -> Comments:
        """Read the `comments` section of a language file, beside its `strings`.

        It holds line and doc, each with open, close, line and pad as in `Comment`, and
        the tables escapes and starts (see `escaper`). What must not stand raw is
        written as in strings.
        """
        hide = hider(strings)

        def read(form: Data) -> Comment:
            marks = {k: v for k, v in form.items() if k not in ("escapes", "starts")}
            escape, start = (escaper(form.get(k, {})) for k in ("escapes", "starts"))
            return Comment(escape, start, hide, **marks)

        return cls(read(data["line"]), read(data["doc"]))
