"""Writes catalogue text into a document: table cells, paragraphs, headings, anchors.

What is escaped, and how, is data of a markup file, whose keys the schema holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from .escapes import CODE, NEVER_RAW, Data, Writer, escaper, fold, hider

_LINE_END = re.compile(r"[\r\n]+")


class Place(Struct, frozen=True):
    """One kind of place in a markup: a paragraph, a table cell, an anchor.

    text        writes a catalogue text, in which `code` stands in single backticks
    code        writes a text that is code as a whole
    line_break  what stands between two lines
    """

    text: Writer
    code: Writer
    line_break: str

    def written(self, text: str | Iterable[str]) -> str:
        """Write a text, or several, each on a line of its own; an empty one is none."""
        if isinstance(text, str):
            return self.text(text)
        return self.line_break.join(filter(None, map(self.text, text)))


def read_markup(data: Data) -> dict[str, Place]:
    """Return the places of a markup file, by name.

    The file holds bmp and astral as strings do; control, the form of what those cannot
    express; escapes, named tables (see `escaper`); and places, each with
        escapes     the names of its tables; where two match, the earlier one wins
        line_break  the form of a line break; without it a text is folded into one line
        code        forms whose {} is the code; without it backticks are text. escaped:
                    for code that is escaped like any text; verbatim: for code that is
                    not; unless: a pattern of what may not stand verbatim
    """
    hide = hider(data)
    return {k: _place(v, data["escapes"], hide) for k, v in data["places"].items()}


def _place(data: Data, tables: Data, hide: Writer) -> Place:
    forms: Mapping[str, str] = data.get("code", {"escaped": "{}"})
    table = {k: v for name in data["escapes"] for k, v in tables[name].items()}
    plain = escape = escaper(table)

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
        inline = {CODE.pattern: lambda _, inside: code(inside)}
        escape = escaper({**inline, **table})

    def text(text: str) -> str:
        if "line_break" not in data:
            return hide(escape(fold(text)))
        # A line break inside code would part the backticks of a pair.
        whole = CODE.sub(lambda match: fold(match[0]), text)
        lines = map(fold, _LINE_END.split(whole))
        return str(data["line_break"]).join(
            hide(escape(line)) for line in lines if line
        )

    # Short texts such as verdicts recur.
    return Place(cache(text), cache(code), str(data.get("line_break", " ")))
