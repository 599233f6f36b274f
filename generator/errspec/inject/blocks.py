"""What the lines of a page are: code, a paragraph, HTML? A Markdown parser says it."""

from __future__ import annotations

import re
from typing import Literal

from markdown_it import MarkdownIt

from .markers import Marker

Kind = Literal["code", "front", "html", "text"]

_FRONT = re.compile(r"(---|\+\+\+)[ \t]*")
_RAW = re.compile(r"\s*<(pre|script|style|textarea)\b", re.IGNORECASE)
_KINDS: dict[str, Kind] = {
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
    "inline": "text",
}


class Blocks:
    """What the lines of a page are, as a Markdown parser sees them.

    Of the text in a block only that with a marker is read, for the code in it.
    """

    def __init__(self, text: str, is_mdx: bool) -> None:
        parser = MarkdownIt("commonmark")
        # They do not decide where code is, and are slow to look for.
        parser.disable(["emphasis", "link", "image", "entity"])
        if is_mdx:  # it has neither HTML nor code by indentation
            parser.disable(["code", "html_block", "html_inline", "autolink"])
        self.kinds: dict[int, Kind] = {}
        self._texts: dict[int, str] = {}
        self._codes: dict[str, tuple[str, ...]] = {}
        body, head = _without_front_matter(text)
        self.kinds.update(dict.fromkeys(range(head), "front"))
        parser.disable("inline")
        for token in parser.parse(body):
            if token.map is None or token.type not in _KINDS:
                continue
            kind = _KINDS[token.type]
            if kind == "html" and _RAW.match(token.content):
                kind = "code"
            for line in range(*token.map):
                self.kinds[line] = kind
                if kind == "text":
                    self._texts[line] = token.content
        self._parser = parser.enable("inline")

    def is_code(self, marker: Marker, text: str) -> bool:
        """Tell whether what wants to be a marker is shown as code, for people to read."""
        if self.kinds.get(marker.line) == "code":
            return True
        wanted = re.split(r"-->|[`)]", text[slice(*marker.span)])[0]
        return any(wanted in code for code in self._code_in(marker.line))

    def _code_in(self, line: int) -> tuple[str, ...]:
        """Return the codes in the text that a line is a part of."""
        text = self._texts.get(line, "")
        if text not in self._codes:
            [block] = self._parser.parseInline(text)
            self._codes[text] = tuple(
                part.content
                for part in block.children or ()
                if part.type == "code_inline"
            )
        return self._codes[text]


def _without_front_matter(text: str) -> tuple[str, int]:
    """Blank out the lines of a page's head, which are no Markdown, and count them."""
    lines = text.split("\n")
    if _FRONT.fullmatch(lines[0]):
        ends = (lines[0].rstrip(), "...") if lines[0][0] == "-" else ("+++",)
        for number, line in enumerate(lines[1:], 2):
            if line.rstrip() in ends:
                return "\n" * number + "\n".join(lines[number:]), number
    return text, 0
