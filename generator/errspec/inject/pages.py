"""From pages on disk to the same pages with their regions written anew."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from .. import disk, owner, source
from ..config import FILE, PageEntry
from ..diagnostics import (
    Diagnostic,
    Findings,
    OutputError,
    Unreadable,
    did_you_mean,
    has_errors,
)
from ..project import Loaded, Project
from . import request
from .regions import PACK, Writer
from .scan import Line, Region, Scan, scan

Origin = tuple[int, Loaded | None]
"""From which line of a page on what stands there comes from a catalogue, or from none."""


class Injected(Struct, frozen=True):
    """A page with its regions written, and where each of them begins and comes from."""

    page: owner.Page
    origins: tuple[Origin, ...]


def inject(
    project: Project, loaded: Sequence[Loaded], pages: Sequence[PageEntry]
) -> list[Injected]:
    """Write the regions of pages. Reads, and writes nothing to disk.

    Raises Findings, with all that is wrong in any of the pages; Unreadable where one
    cannot be read, or the pack is at fault.
    """
    writer = Writer(project, loaded)
    done: list[Injected] = []
    found: list[Diagnostic] = []
    documents: list[source.Document] = []
    failed = False
    for entry in pages:
        try:
            data, raw = _read(project, entry)
            done.append(_injected(writer, entry, data, raw))
        except Findings as error:
            failed = failed or error.exit_code != Findings.exit_code
            found += error.diagnostics
            documents += error.documents
    if has_errors(found):
        raise (Unreadable if failed else Findings)(found, documents)
    return done


def _read(project: Project, entry: PageEntry) -> tuple[bytes, str]:
    """Return a page's bytes and its text, of which nothing is lost."""

    def unreadable(id: str, message: str, mend: str | None = None) -> Unreadable:
        if entry.place:
            said = f"{entry.name}: {message}"
            wrong = project.config.wrong(id, said, entry.place, mend)
            return Unreadable(wrong.diagnostics, wrong.documents)
        return Unreadable([Diagnostic(id, message, entry.name, mend=mend)])

    try:
        real, root = disk.real(entry.path), disk.real(project.config.root)
        if not real.is_relative_to(root):
            message = "lies outside of the project's folder"
            raise unreadable("wrong-path", message, "inject into pages of the project")
        if real in map(disk.real, _sources(project)):
            message = "errspec reads this file itself"
            raise unreadable(
                "wrong-path", message, "inject into pages that people read"
            )
        data = disk.read(entry.path, real)
    except OutputError as error:
        said = str(error).removeprefix(f"{entry.path.as_posix()}: ")
        raise unreadable("unreadable", f"cannot be read: {said}") from None
    if data is None:
        raise unreadable("no-file", "there is no such file", _beside(entry.path))
    try:
        # Its own limits, and words for what is no text.
        raw = source.text_of(data, entry.name)
    except Unreadable as error:
        one = error.diagnostics[0]
        raise unreadable(one.id, one.message, one.mend) from None
    return data, raw


def _sources(project: Project) -> Iterator[pathlib.Path]:
    """Yield the files that say what regions show."""
    yield project.config.root / FILE
    yield from (entry.spec for entry in project.config.entries)


def _beside(path: pathlib.Path) -> str | None:
    try:
        names = [each.name for each in path.parent.iterdir() if each.is_file()]
    except OSError:
        return None
    return did_you_mean(path.name, names)


def _injected(writer: Writer, entry: PageEntry, data: bytes, raw: str) -> Injected:
    """Write the regions of one page. Findings, with all that is wrong in it."""
    page = scan(raw, entry.name)
    found = list(page.found)
    asked = {begin: request.read(begin, entry.name) for begin in page.begins}
    for one in asked.values():
        found += (*one.found, *writer.faults(one, entry.name))
    if not asked and not found:
        found.append(_no_region(page, entry.name))
    if found:
        raise _findings(page, entry.name, found)
    anchors: set[str] = set()
    texts: list[tuple[Region, str, Loaded | None]] = []
    for region in page.regions:
        texts.append((region, *writer.write(asked[region.begin], anchors)))
    done = _spliced(entry, data, page, texts)
    if done.page.new != data and (lost := _lost(page, done.page, entry.name)):
        raise _findings(page, entry.name, [lost])
    return done


def _findings(page: Scan, name: str, found: Sequence[Diagnostic]) -> Findings:
    nowhere: source.Node = ((0, 0), (0, 0), {})
    document = source.Document(name, page.text, None, (), nowhere)
    return Findings(sorted(found, key=lambda each: each.span or (0, 0)), [document])


def _no_region(page: Scan, name: str) -> Diagnostic:
    if page.shown:
        message = "this is shown as code, and no other region is marked here"
        mend = "put it outside of fences, indentation and backticks"
        span = page.shown[0].span
        return Diagnostic("no-region", message, name, mend=mend, span=span)
    mend = "<!-- errspec:begin table --> and <!-- errspec:end -->"
    return Diagnostic("no-region", "no region is marked here", name, mend=mend)


def _lost(page: Scan, written: owner.Page, name: str) -> Diagnostic | None:
    """Tell the first region that the next run would not find as it was written.

    What stands in it may hold a marker, or leave a fence or a tag open. So may that in
    the region before it.
    """
    again = scan(written.new.decode(), name)
    contents = [_between(again, region) for region in again.regions]
    wanted = [region.wanted for region in written.regions]
    if contents == wanted and not again.found:
        return None
    pairs = zip_longest(contents, wanted)
    wrong = (number for number, (one, other) in enumerate(pairs) if one != other)
    span = page.regions[min(next(wrong, 0), len(wanted) - 1)].begin.span
    message = "this region would not be found again once the page is written"
    mend = f"does the pack {PACK} write a marker, or leave a fence or a tag open?"
    return Diagnostic("lost-region", message, name, mend=mend, span=span)


def _between(page: Scan, region: Region) -> str:
    lines = page.lines[region.begin.line + 1 : region.end.line]
    return "".join(line.text + line.end for line in lines)


def _spliced(
    entry: PageEntry,
    data: bytes,
    page: Scan,
    texts: Sequence[tuple[Region, str, Loaded | None]],
) -> Injected:
    """Put what is wanted between the markers; every other byte stays."""
    regions: list[owner.Region] = []
    origins: list[Origin] = []
    parts = [page.mark]
    at, count = 0, 0
    for region, text, loaded in texts:
        begin, end = region.begin.line, region.end.line
        between = page.lines[begin + 1 : end]
        wanted = _framed(text, region.begin.prefix, page.lines[begin].end)
        regions.append(
            owner.Region(
                _between(page, region),
                wanted,
                _bare(between, region.begin.prefix),
                text,
            )
        )
        before = page.lines[at : begin + 1]
        parts += [line.text + line.end for line in before]
        count += len(before)
        origins.append((count, loaded))
        parts.append(wanted)
        count += text.count("\n") + 2
        origins.append((count, None))
        at = end
    parts += [line.text + line.end for line in page.lines[at:]]
    new = "".join(parts).encode()
    return Injected(owner.Page(entry.path, data, new, tuple(regions)), tuple(origins))


def _framed(text: str, prefix: str, end: str) -> str:
    """Return a text as it stands in a page: indented, with blank lines around.

    Without these, what follows a marker of the second form is no table.
    """
    blank = prefix.rstrip()
    lines = (prefix + line if line else blank for line in text.split("\n")[:-1])
    return "".join(line + end for line in (blank, *lines, blank))


def _bare(lines: Sequence[Line], prefix: str) -> str:
    """Return what stands in a region, without indentation and blank lines around."""
    bare = [
        (
            line.text.removeprefix(prefix)
            if line.text.startswith(prefix)
            else "" if line.text == prefix.rstrip() else line.text
        )
        for line in lines
    ]
    while bare and not bare[-1].strip():
        bare.pop()
    while bare and not bare[0].strip():
        bare.pop(0)
    return "".join(f"{line}\n" for line in bare)
