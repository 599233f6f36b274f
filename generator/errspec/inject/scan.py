"""Finds the regions of a page: what stands in code is documentation, and is left alone.

A page is only ever cut between lines, so that every byte outside of the regions stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from ..diagnostics import Diagnostic, Related, did_you_mean
from . import markers
from .blocks import Blocks
from .markers import SHOWN, Marker

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")


class Line(Struct, frozen=True):
    """A line and how it ends."""

    text: str
    end: str


class Region(Struct, frozen=True):
    """Two markers, by which a region stands between two lines."""

    begin: Marker
    end: Marker


class Scan(Struct, frozen=True):
    """A page's lines, with LF its text, and the regions; `found` is wrong with them.

    `begins` are all markers that could begin a region, also where that has no end;
    `shown` are those that are code, for people to read.
    `mark` is the page's byte-order mark, if it has one; no line and no text holds it.
    """

    mark: str
    text: str
    lines: tuple[Line, ...]
    regions: tuple[Region, ...]
    begins: tuple[Marker, ...]
    shown: tuple[Marker, ...]
    found: tuple[Diagnostic, ...]


def lines_of(text: str) -> tuple[Line, ...]:
    """Cut a text into lines. Nothing but CR and LF ends one."""
    return tuple(Line(match[1], match[2]) for match in _LINE.finditer(text) if match[0])


def scan(raw: str, name: str) -> Scan:
    """Find the regions of a page, which diagnostics call `name`."""
    mark = "\ufeff" * raw.startswith("\ufeff")
    lines = lines_of(raw.removeprefix(mark))
    text = "".join(line.text + "\n" * bool(line.end) for line in lines)
    seen = []
    offset = 0
    for number, line in enumerate(lines):
        if marker := markers.find(line.text, number, offset):
            seen.append(marker)
        offset += len(line.text) + 1
    if not seen:
        return Scan(mark, text, lines, (), (), (), ())
    is_mdx = name.lower().endswith(".mdx")
    blocks = Blocks(text, is_mdx)
    pairing = _Pairing(name, is_mdx, blocks)
    shown: list[Marker] = []
    meant: list[Marker] = []
    for marker in seen:
        (shown if blocks.is_code(marker, text) else meant).append(marker)
    regions = pairing.regions(meant)
    begins, found = tuple(pairing.begins), tuple(pairing.found)
    return Scan(mark, text, lines, regions, begins, tuple(shown), found)


class _Pairing:
    """Puts begins and ends together, and finds what is wrong with them."""

    def __init__(self, name: str, is_mdx: bool, blocks: Blocks) -> None:
        self._name = name
        self._is_mdx = is_mdx
        self._blocks = blocks
        self.begins: list[Marker] = []
        self.found: list[Diagnostic] = []

    def regions(self, shown: Sequence[Marker]) -> tuple[Region, ...]:
        """Return the regions of which nothing is wrong with the markers."""
        regions = []
        begun: Marker | None = None
        broken = False
        spare = 0  # ends that belong to regions around others, which were told
        for marker in shown:
            if self._blocks.kinds.get(marker.line) == "front":
                message = "front matter has no regions"
                self._tell(marker, "wrong-marker", message, "put it below that")
                continue
            if marker.form is None and begun and begun.form:
                continue  # text that was written into a region may speak of markers
            if marker.form is None and begun and _verb(marker) == "end":
                begun = None  # the begin, which is none either, was told how
                continue
            before = len(self.found)
            self._check(marker, inside=begun is not None)
            sound = len(self.found) == before
            if _verb(marker) == "begin":
                if sound:
                    self.begins.append(marker)
                    if begun:
                        self._nested(marker, begun)
                spare += begun is not None
                begun, broken = marker, not sound
            elif begun:
                if sound and not broken and self._matches(begun, marker):
                    regions.append(Region(begun, marker))
                begun = None
            elif spare:
                spare -= 1
            elif sound:
                mend = f"put {SHOWN[marker.form or 'html'].format('begin …')} before it"
                self._tell(marker, "unpaired-marker", "this ends no region", mend)
        if begun and not broken:
            mend = f"end it with {SHOWN[begun.form or 'html'].format('end')}"
            self._tell(begun, "unpaired-marker", "this region has no end", mend)
        return tuple(regions)

    def _check(self, marker: Marker, *, inside: bool) -> None:
        """Tell the first thing that is wrong with a marker alone."""
        form = marker.form
        if form is None:
            message = "this is no marker, which has a line for itself"
            forms = [SHOWN[each].format("begin …") for each in SHOWN]
            mend = forms[-1] if self._is_mdx else " or ".join(forms)
            self._tell(marker, "wrong-marker", message, mend)
        elif form == "html" and self._is_mdx:
            message = "MDX has no comments of HTML"
            mend = SHOWN["link"].format(f"{marker.verb}{marker.rest}".strip())
            self._tell(marker, "wrong-marker", message, mend)
        elif not marker.verb:
            message = "this marker has no name"
            mend = "begin or end, without a space before it"
            self._tell(marker, "wrong-marker", message, mend)
        elif marker.verb not in _VERBS:
            message = f"no marker is called {marker.verb!r}"
            mend = did_you_mean(marker.verb, _VERBS) or "begin or end"
            self._tell(marker, "wrong-marker", message, mend)
        elif marker.verb == "end" and marker.rest.strip():
            mend = SHOWN[form].format("end")
            self._tell(marker, "wrong-marker", "nothing follows errspec:end", mend)
        elif not markers.is_whole(marker):
            message = "a bracket ends the marker too early"
            mend = "put a backslash before each bracket"
            self._tell(marker, "wrong-marker", message, mend)
        elif not self._is_seen(marker, inside=inside):
            message = "this is text to Markdown, and would be shown"
            self._tell(marker, "wrong-marker", message, "put a blank line before it")

    def _is_seen(self, marker: Marker, *, inside: bool) -> bool:
        """Tell whether a marker is one to Markdown, or will be once the region is written."""
        kind = self._blocks.kinds.get(marker.line)
        if marker.form == "html":
            return kind == "html"
        return kind is None or (inside and marker.verb == "end" and kind == "text")

    def _matches(self, begin: Marker, end: Marker) -> bool:
        """Tell whether a begin and an end belong together, and say if not."""
        before = len(self.found)
        if begin.form != end.form:
            mend = SHOWN[begin.form or "html"].format("end")
            message = "this ends a region that began in the other form"
            self._tell(end, "unpaired-marker", message, mend, begin)
        elif begin.prefix != end.prefix:
            message = "this does not stand below the begin of its region"
            mend = "put the same before both markers of a region"
            self._tell(end, "unpaired-marker", message, mend, begin)
        return len(self.found) == before

    def _nested(self, marker: Marker, around: Marker) -> None:
        message = "this region begins inside another one"
        self._tell(marker, "nested-region", message, "end the other one first", around)

    def _tell(
        self,
        marker: Marker,
        id: str,
        message: str,
        mend: str | None,
        begin: Marker | None = None,
    ) -> None:
        related = (Related("which begins here", span=begin.span),) if begin else ()
        self.found.append(
            Diagnostic(
                id, message, self._name, mend=mend, related=related, span=marker.span
            )
        )


_VERBS = ("begin", "end")


def _verb(marker: Marker) -> str:
    """Return what a marker is meant as, however it is written."""
    said = (marker.verb or marker.rest).strip().casefold()
    return "end" if said.startswith("e") else "begin"
