"""What errspec may write and what it wrote: legal paths, and MANIFEST's lines.

A line is `sha256  path`, the hash taken after line endings became LF, so that a
checkout with CRLF still counts as ours. Of a page that people wrote, whose path begins
with a dot, it is that of a region.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from errspec.diagnostics import OutputError

NAME = "MANIFEST"

TEMPORARY = ".errspec-*.tmp"
"""How a file is named while it is written: a killed run may leave one behind."""

Hashes = dict[str, frozenset[str]]
"""Path to the hashes listed for it: one, or more after a union merge or a kill."""

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\\ud800-\udfff]')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE
)
_TEMPORARY = re.compile(r"\.errspec-.*\.tmp", re.IGNORECASE)
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_CONFLICT = re.compile(r"(<{7}|\|{7}|={7}|>{7})( .*)?")


def normalised(data: bytes) -> bytes:
    """Return `data` with every line ending as LF."""
    if b"\r" not in data:  # the rule, and asked a hundred times faster than replaced
        return data
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def decoded(data: bytes) -> str:
    """Return `data` as text with LF, and U+FFFD for what is not UTF-8."""
    return normalised(data).decode("utf-8", "replace")


def is_encodable(text: str) -> bool:
    """Tell whether `text` has a UTF-8 form: a lone surrogate has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def has_mixed_endings(data: bytes) -> bool:
    """Tell whether more than one kind of line ending stands in `data`."""
    if b"\r" not in data:
        return False
    pairs = data.count(b"\r\n")
    return sum((pairs > 0, data.count(b"\n") > pairs, data.count(b"\r") > pairs)) > 1


def has_conflict_marks(text: str) -> bool:
    """Tell whether a merge left both of its outer marks in `text`."""
    marks = {line[:7] for line in text.split("\n") if _CONFLICT.fullmatch(line)}
    return {"<<<<<<<", ">>>>>>>"} <= marks


def digest(data: bytes) -> str:
    """Return the hash that MANIFEST lists for `data`."""
    return hashlib.sha256(normalised(data)).hexdigest()


def canonical(path: str) -> str:
    """Return the posix path without its `.` segments.

    Raises ValueError, saying why, for a path that leaves its folder or that some
    system cannot hold: what is generated on one machine is checked out on all.
    """
    segments = [segment for segment in path.split("/") if segment != "."]
    if path.startswith("/"):
        raise ValueError("is absolute")
    if not all(segments) or not segments:
        raise ValueError("has an empty segment")
    for segment in segments:
        if segment == "..":
            raise ValueError("leaves its folder")
        if bad := _FORBIDDEN.search(segment):
            raise ValueError(f"holds {bad[0]!r}, which is not allowed in a file name")
        if len(segment.encode()) > 255:
            raise ValueError("has a segment of more than 255 bytes")
        if segment[-1] in ". ":
            raise ValueError(f"has a segment that ends with {segment[-1]!r}")
        if _RESERVED.fullmatch(segment):
            raise ValueError(f"has the segment {segment!r}, which Windows reserves")
        if _TEMPORARY.fullmatch(segment):
            raise ValueError(f"is named like a temporary file ({TEMPORARY})")
    return "/".join(segments)


def is_page(path: str) -> bool:
    """Tell a page that people wrote, of which only regions are ours, from a file of ours."""
    return path.startswith(("./", "../"))


def page_hashes(listed: Hashes) -> frozenset[str]:
    """Return what is listed for pages, whichever."""
    return frozenset().union(*(each for path, each in listed.items() if is_page(path)))


def page_path(out: Path, page: Path) -> str:
    """Return what MANIFEST calls a page: its path from `out`, which begins with a dot.

    Raises OutputError for a path that some system cannot hold.
    """
    try:
        path = Path(os.path.relpath(page, out)).as_posix()
    except ValueError:  # another drive
        path = page.as_posix()
    path = path if is_page(path) else f"./{path}"
    if not _is_canonical(path):
        raise OutputError(f"{page.name!r}: MANIFEST cannot hold a path like this one")
    return path


def folded(path: str) -> str:
    """Return what a disk that ignores case and composition takes `path` for."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def above(path: str) -> Iterator[str]:
    """Yield the folders that `path` stands in, outermost first."""
    return (path[:at] for at, letter in enumerate(path) if letter == "/")


class Claims:
    """Paths none of which may equal or contain another, on any disk."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def claim(self, path: str) -> str | None:
        """Add a canonical path, or return what is wrong with it beside the others."""
        key = folded(path)
        if other := self._files.get(key):
            return f"{path!r} and {other!r} are one path"
        if inside := self._folders.get(key):
            return f"{inside!r} stands inside {path!r}"
        for folder in above(key):
            if around := self._files.get(folder):
                return f"{path!r} stands inside {around!r}"
        self._files[key] = path
        for folder in above(key):
            self._folders.setdefault(folder, path)
        return None


def clashes(paths: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with paths none of which may equal or contain another."""
    claims = Claims()
    for path in paths:
        try:
            canonical(path)
        except ValueError as error:
            yield f"{path!r} {error}"
        else:
            if fault := claims.claim(canonical(path)):
                yield fault


def listing(texts: Mapping[str, str]) -> Hashes:
    """Return what a manifest of just these texts, by path, would list."""
    return {path: frozenset({digest(text.encode())}) for path, text in texts.items()}


def parse(data: bytes) -> tuple[Hashes, tuple[int, ...]]:
    """Return the hashes by path, and the numbers of the lines that cannot be read.

    Marks of a merge conflict are passed over: either side's hashes are ours.
    """
    found: Hashes = {}
    broken = []
    lines = decoded(data).split("\n")
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match and _is_canonical(match[2]):
            found[match[2]] = found.get(match[2], frozenset()) | {match[1]}
        elif line and not _CONFLICT.fullmatch(line):
            broken.append(number)
    return found, tuple(broken)


def _is_canonical(path: str) -> bool:
    if is_page(path):
        above = re.fullmatch(r"(?:\./|(?:\.\./)+)(.*)", path, re.DOTALL)
        path = above[1] if above else ""
    try:
        # U+FFFD stands where bytes were not UTF-8, and names no file of ours.
        return canonical(path) == path and "\N{REPLACEMENT CHARACTER}" not in path
    except ValueError:
        return False


def united(*listings: Hashes) -> Hashes:
    """Return all hashes that any of the listings gives for a path."""
    paths = {path for listing in listings for path in listing}
    return {
        path: frozenset[str]().union(*(each.get(path, ()) for each in listings))
        for path in paths
    }


def text(hashes: Hashes) -> str:
    """Return MANIFEST's text: a line for each hash, sorted by path."""
    return "".join(
        f"{value}  {path}\n"
        for path, values in sorted(hashes.items())
        for value in sorted(values)
    )
