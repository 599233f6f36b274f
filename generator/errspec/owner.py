"""Whose is what stands on disk? Decided here alone, for files and for regions of pages.

MANIFEST is the memory: what it lists the hash of, errspec wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Literal

from msgspec import Struct

from errspec import disk, manifest

State = Literal[
    "fine",
    "missing",
    "unfilled",
    "outdated",
    "mixed-endings",
    "conflicted",
    "edited",
    "left-over",
    "left-over-edited",
    "stray",
]

ACTIONS: Mapping[State, Literal["leave", "write", "refuse", "delete"]] = {
    "fine": "leave",
    "missing": "write",
    "unfilled": "write",
    "outdated": "write",
    "mixed-endings": "write",
    "conflicted": "write",
    "edited": "refuse",
    "left-over": "delete",
    "left-over-edited": "leave",
    "stray": "leave",
}


class Package(Struct, frozen=True):
    """One rendered (catalogue, pack) pair.

    `folder` is a posix path below the output folder, the keys of `files` are posix
    paths below `folder`. An empty `folder` is the output folder itself, which others
    may share: there nothing is a stray. `litter` names what tools leave there: `*.pyc`
    is a file, `__pycache__/` a folder, at any depth.
    """

    folder: str
    files: Mapping[str, str]
    litter: tuple[str, ...] = ()

    def path(self, name: str) -> str:
        """Return the path of a file below the output folder."""
        return f"{self.folder}/{name}" if self.folder else name


class Region(Struct, frozen=True):
    """What stands between two markers of a page, and what should.

    `found` and `wanted` are that to the letter. `old` and `new` are the text alone,
    with LF, without the indentation and the blank lines around; `old` may be empty.
    """

    found: str
    wanted: str
    old: str
    new: str


class Page(Struct, frozen=True):
    """A page that people wrote, and its regions, which are ours.

    `file` is its path as they name it, `old` and `new` all of its bytes.
    """

    file: Path
    old: bytes
    new: bytes
    regions: tuple[Region, ...]

    @property
    def hashes(self) -> frozenset[str]:
        """What MANIFEST lists once it is written."""
        return frozenset(manifest.digest(each.new.encode()) for each in self.regions)


class Change(Struct, frozen=True):
    """A file, and what is the matter with it.

    `path` is what MANIFEST calls it: below the output folder, or a page's path from
    there, which begins with a dot. `shown` is the path that people know. `old` is the
    text on disk (None: there is none, or it is a stranger's), `new` the rendered one
    (None: not rendered), both with LF; bytes that are not UTF-8 show as U+FFFD.
    `real` is the file itself, where `path` is a link to it or leads through one. The
    path of a stray folder ends with a slash. `page` is the page that it is, if any.
    """

    path: str
    shown: Path
    state: State
    old: str | None
    new: str | None
    real: Path
    page: Page | None = None

    @property
    def data(self) -> bytes:
        """What is written, where something is."""
        return self.page.new if self.page else (self.new or "").encode()


def judge(old: bytes | None, new: str | None, listed: Set[str]) -> State:
    """Return what a file is told as, given the hashes that MANIFEST lists for it."""
    if old is None:
        return "missing"
    if new is None:
        return "left-over" if manifest.digest(old) in listed else "left-over-edited"
    if manifest.normalised(old) == new.encode():
        return "mixed-endings" if manifest.has_mixed_endings(old) else "fine"
    if manifest.digest(old) in listed:
        return "outdated"
    # A page about merging may show the marks: there they are no sign of a merge.
    marked = manifest.has_conflict_marks
    merging = marked(manifest.decoded(old)) and not marked(new)
    return "conflicted" if merging else "edited"


_WORST: tuple[State, ...] = (
    "edited",
    "conflicted",
    "outdated",
    "mixed-endings",
    "unfilled",
    "fine",
)


def change_of(page: Page, out: Path, known: Set[str]) -> Change:
    """Return how a page stands, told as the worst of its regions.

    `known` are the hashes that MANIFEST lists for pages: of all of them, because one
    that was moved or copied is as errspec wrote it all the same. Raises OutputError for
    a path that MANIFEST cannot hold.
    """
    path = manifest.page_path(disk.named(out), disk.named(page.file))
    states: list[State] = [_judge_region(each, known) for each in page.regions]
    state = min(states, key=_WORST.index)
    old, new = manifest.decoded(page.old), manifest.decoded(page.new)
    return Change(path, page.file, state, old, new, disk.real(page.file), page)


def _judge_region(region: Region, listed: Set[str]) -> State:
    if region.found == region.wanted:
        return "fine"
    found, wanted = (
        manifest.normalised(text.encode()) for text in (region.found, region.wanted)
    )
    if found == wanted:
        return "mixed-endings"
    if not region.old:
        return "unfilled"
    # The text is right, and only stands wrong: nothing of anybody's is lost.
    state = judge(region.old.encode(), region.new, listed)
    return "outdated" if state == "fine" else state
