"""A finding as every format needs it: what, how bad, and where, in a file that exists.

Diagnostics name places in documents; here they become lines and columns, and names of
documents become paths from the top of the repository, which is what its server shows.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics import Diagnostic, Path, Related, Severity
from ..source import Document

__all__ = ["Finding", "Names", "Place", "findings"]


class Place(Struct, frozen=True):
    """A stretch of a file. Without a line it is the file as a whole.

    Columns count characters from 1, the end is exclusive; `text` is the line. Of a
    document that is no file, such as a file as git once had it, `file` is the name.
    """

    file: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    text: str = ""
    is_file: bool = True

    def utf16(self) -> tuple[int, int] | None:
        """Return the columns, from 1, in units of UTF-16."""
        if self.column is None or self.end_column is None:
            return None
        start, end = (
            1 + len(self.text[: column - 1].encode("utf-16-le", "surrogatepass")) // 2
            for column in (self.column, self.end_column)
        )
        return start, end


class Finding(Struct, frozen=True):
    """What was found. `path` names the entity, where it is one of a document.

    The fingerprint stays while lines move; no two findings of a run have the same.
    """

    id: str
    severity: Severity
    message: str
    place: Place
    mend: str | None = None
    path: Path = ()
    related: tuple[tuple[str, Place], ...] = ()
    facts: Mapping[str, str] = {}
    fingerprint: str = ""


class Names:
    """Turns names of documents into paths from the top of the repository.

    `known` has the file of each document that is not named by its path from here. The
    top is the nearest folder with a .git at or above `root`, else `root` itself.
    """

    def __init__(
        self, known: Mapping[str, pathlib.Path], root: pathlib.Path = pathlib.Path()
    ) -> None:
        self._known = known
        here = _absolute(root)
        above = (
            folder for folder in (here, *here.parents) if (folder / ".git").exists()
        )
        self._top = next(above, here)

    def file(self, name: str) -> str:
        """Return the path of a document's file; an absolute one where it lies outside."""
        file = _absolute(self._known.get(name, name))
        inside = file.is_relative_to(self._top)
        return (file.relative_to(self._top) if inside else file).as_posix()


def _absolute(path: str | pathlib.Path) -> pathlib.Path:
    # Not resolve(): a link is the file that the repository has.
    return pathlib.Path(os.path.abspath(path))  # noqa: PTH100


def findings(
    found: Iterable[Diagnostic],
    documents: Iterable[Document],
    names: Names,
    baselines: Mapping[str, str] = {},
) -> list[Finding]:
    """Return the findings that diagnostics are.

    `baselines` has, for each document that is no file (any more), the name of the one
    that it has become. What is found in a baseline is placed where a related place is in
    the new file, else at its first line, and the old place is related.
    """
    by_name = {document.name: document for document in documents}

    def place(what: Diagnostic | Related, name: str) -> Place:
        is_file = name not in baselines
        shown = names.file(name) if is_file else name
        if (document := by_name.get(name)) is None:
            return Place(shown, is_file=is_file)
        line, column, end, text = document.place(what)
        return Place(shown, line, column, line, end, text, is_file)

    def finding(one: Diagnostic) -> Finding:
        where = place(one, one.file)
        related = [(r.message, place(r, r.file or one.file)) for r in one.related]
        if one.file in baselines:
            file = names.file(baselines[one.file])
            was = (f"as it was, in {one.file}", where)
            where = next(
                (place for _, place in related if place.file == file),
                Place(file, 1, 1, 1, 1),
            )
            related = [was, *(r for r in related if r[1] != where)]
        return Finding(
            one.id,
            one.severity,
            one.message,
            where,
            one.mend,
            one.path,
            tuple(related),
            one.facts,
        )

    return list(fingerprinted(map(finding, found)))


def fingerprinted(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings with their fingerprints.

    Unless it is among the facts: of the id, the file and the entity, else the line's
    text. The second of the same has a number.
    """
    seen: Counter[str] = Counter()
    for one in found:
        entity: Sequence[Any] = one.path or (one.place.text.strip(),)
        parts = (one.id, one.place.file, *map(str, entity))
        text = "\0".join(parts).encode("utf-8", "surrogatepass")
        digest = one.facts.get("fingerprint") or hashlib.sha256(text).hexdigest()[:32]
        seen[digest] += 1
        number = seen[digest]
        yield replace(one, fingerprint=digest + f":{number}" * (number > 1))
