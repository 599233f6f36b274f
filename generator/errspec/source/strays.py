"""Characters that YAML tools disagree about, wherever they stand outside a comment.

Tabs, and the three line ends that YAML 1.1, and libyaml with it, takes for the end of
a line and so of a comment, and YAML 1.2 does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..escapes import escape
from .document import Span

_LINE_ENDS = "\x85\u2028\u2029"
_STAND_IN = str.maketrans(dict.fromkeys(_LINE_ENDS, "\ufffd"))
_STRAY = re.compile(f"\t+|[{_LINE_ENDS}]")


class Strays:
    """The strays of a text, told as the reader passes by; `next` is the first ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0
        """End of what was passed by."""
        # Four plain searches, so that a clean text pays nothing for the pattern.
        strange = any(c in text for c in "\t" + _LINE_ENDS)
        self._rest = _STRAY.finditer(text) if strange else iter(())
        self.next = next(self._rest, None)

    def replaced(self) -> str:
        """Return the text for libyaml: a stand-in keeps it from ending lines there."""
        return self.text.translate(_STAND_IN) if self.next else self.text

    def before(
        self, start: int, end: int
    ) -> Iterator[tuple[str, Span, str, dict[str, Any]]]:
        """Yield the strays before `end`, save those in comments; a scalar or a mark
        begins at `start`. Each comes with its finding's id, place, form and mend."""
        while self.next and self.next.start() < end:
            if self.next.start() >= self.end:
                yield from self._pass(self.next, start)
            self.next = next(self._rest, None)
        self.end = end

    def _pass(
        self, stray: re.Match[str], start: int
    ) -> Iterator[tuple[str, Span, str, dict[str, Any]]]:
        at, after = stray.span()
        block = self.text[start : start + 1] in ("|", ">")
        header = block and self.text.find("\n", start, at) < 0
        written = escape(stray[0][0])
        id = "tab" if stray[0][0] == "\t" else "line-end"
        if start <= at and not header:
            mend = f"write {written} inside double quotes"
            yield id, stray.span(), written, {"mend": mend}
            return
        line = max(self.end, self.text.rfind("\n", self.end, at) + 1)
        if self.text.find("#", line, at) < 0:
            yield id, stray.span(), written, {}
            self.end = after
        else:  # nothing counts in the rest of the comment
            self.end = self.text.find("\n", at) % (len(self.text) + 1)
