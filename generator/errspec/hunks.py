"""What changed between two texts, as hunks of a unified diff, quickly for any length.

difflib takes minutes where 100,000 lines changed, so it sees only short stretches:
the lines that stand exactly once on either side cut the texts up first (this is the
idea of git's patience diff).
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

CONTEXT = 3
MOST = 2_000
_SHORT = 120
"""Lines of a stretch, both sides together, that difflib may compare: see above."""
_EFFORT = 12_000
"""Lines that difflib may compare in all: who reads the hunks after so many?"""

Stretch = tuple[int, int, int, int]
"""Where the sides differ: old from, old to, new from, new to."""


class Hunk(Struct, frozen=True):
    """A run of changed lines with its context.

    `line` is the number, from 1, of the first changed line in the new text (of the
    line that follows, where lines were only deleted). `lines` begin with " ", "-",
    "+", or with a backslash where the text ends without a line ending.
    """

    line: int
    header: str
    lines: tuple[str, ...]


class Diff(Struct, frozen=True):
    """The hunks, cut off after so many lines, and how many `more` there would be."""

    hunks: tuple[Hunk, ...]
    more: int

    def text(self, path: str) -> Iterator[str]:
        """Yield the lines of a unified diff of `path`."""
        if self.hunks:
            yield f"--- {path}"
            yield f"+++ {path}"
        for hunk in self.hunks:
            yield hunk.header
            yield from hunk.lines
        if self.more:
            yield f"… {self.more:,} more"


def compare(old: str, new: str, *, most: int = MOST) -> Diff:
    """Return the hunks that turn `old` into `new`, of at most `most` lines in all."""
    a, b = _lines(old), _lines(new)
    hunks = []
    total = 0
    for group in _groups(list(_stretches(a, b))):
        lines = list(_body(a, b, group))
        kept = lines[: max(0, most - total)]
        total += len(lines)
        if kept:
            hunks.append(Hunk(group[0][2] + 1, _header(a, b, group), tuple(kept)))
    return Diff(tuple(hunks), max(0, total - most))


def _lines(text: str) -> list[str]:
    # Not splitlines, which takes U+2028 for a line ending.
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _stretches(a: Sequence[str], b: Sequence[str]) -> Iterator[Stretch]:
    start, end_a, _, end_b = _trimmed(a, b, (0, len(a), 0, len(b)))
    at_a, at_b = start, start
    effort = 0
    for i, j in (*_anchors(a, b, (start, end_a, start, end_b)), (end_a, end_b)):
        low_a, high_a, low_b, high_b = _trimmed(a, b, (at_a, i, at_b, j))
        at_a, at_b = i + 1, j + 1
        size = high_a - low_a + high_b - low_b
        if not size:
            continue
        effort += size if size <= _SHORT else 0
        if size > _SHORT or effort > _EFFORT:
            yield low_a, high_a, low_b, high_b
            continue
        import difflib  # nothing else needs it, and most runs find no difference

        matcher = difflib.SequenceMatcher(None, a[low_a:high_a], b[low_b:high_b])
        for tag, from_a, to_a, from_b, to_b in matcher.get_opcodes():
            if tag != "equal":
                yield low_a + from_a, low_a + to_a, low_b + from_b, low_b + to_b


def _trimmed(a: Sequence[str], b: Sequence[str], stretch: Stretch) -> Stretch:
    from_a, to_a, from_b, to_b = stretch
    while from_a < to_a and from_b < to_b and a[from_a] == b[from_b]:
        from_a, from_b = from_a + 1, from_b + 1
    while from_a < to_a and from_b < to_b and a[to_a - 1] == b[to_b - 1]:
        to_a, to_b = to_a - 1, to_b - 1
    return from_a, to_a, from_b, to_b


def _anchors(
    a: Sequence[str], b: Sequence[str], stretch: Stretch
) -> list[tuple[int, int]]:
    """Return, in order, the most pairs of lines that are unique on both sides."""
    from_a, to_a, from_b, to_b = stretch
    count_a, count_b = Counter(a[from_a:to_a]), Counter(b[from_b:to_b])
    unique = {
        line: at
        for at, line in enumerate(b[from_b:to_b], from_b)
        if count_b[line] == 1 == count_a[line]
    }
    # The longest ascending run, by patience sorting: the top of each pile, and for
    # each pair the one it was laid upon.
    tops: list[int] = []
    piles: list[tuple[int, int]] = []
    below: dict[tuple[int, int], tuple[int, int]] = {}
    for at, line in enumerate(a[from_a:to_a], from_a):
        if (other := unique.get(line)) is None:
            continue
        pile = bisect.bisect(tops, other)
        tops[pile : pile + 1] = [other]
        piles[pile : pile + 1] = [(at, other)]
        if pile:
            below[at, other] = piles[pile - 1]
    chain = piles[-1:]
    while chain and chain[-1] in below:
        chain.append(below[chain[-1]])
    return chain[::-1]


def _groups(stretches: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    """Yield the stretches whose contexts touch together."""
    group: list[Stretch] = []
    for stretch in stretches:
        if group and stretch[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(stretch)
    if group:
        yield group


def _bounds(a: Sequence[str], b: Sequence[str], group: list[Stretch]) -> Stretch:
    (from_a, _, from_b, _), (_, to_a, _, to_b) = group[0], group[-1]
    before = min(CONTEXT, from_a)
    after = min(CONTEXT, len(a) - to_a)
    return from_a - before, to_a + after, from_b - before, to_b + after


def _header(a: Sequence[str], b: Sequence[str], group: list[Stretch]) -> str:
    def span(start: int, end: int) -> str:
        return f"{start + (end > start)},{end - start}"

    from_a, to_a, from_b, to_b = _bounds(a, b, group)
    return f"@@ -{span(from_a, to_a)} +{span(from_b, to_b)} @@"


def _body(a: Sequence[str], b: Sequence[str], group: list[Stretch]) -> Iterator[str]:
    at, end, _, _ = _bounds(a, b, group)
    for from_a, to_a, from_b, to_b in (*group, (end, end, 0, 0)):
        yield from _marked(" ", a[at:from_a])
        yield from _marked("-", a[from_a:to_a])
        yield from _marked("+", b[from_b:to_b])
        at = to_a


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"
