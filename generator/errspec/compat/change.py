"""What a comparison works on, and what it finds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct

from ..diagnostics import Path
from ..model import Catalogue, Code
from ..source import Document
from ..view import View

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


class Change(Struct, frozen=True):
    """One thing that is not as it was.

    `subject` is the entry that it concerns: ("codes", "TIMEOUT"), or () for all;
    `detail` tells changes of one kind in one entry apart. `new` and `old` are its places
    in the two documents, `cause` that of an inherited value in the new one.
    """

    kind: str
    message: str
    subject: Path
    detail: str = ""
    old: Path | None = None
    new: Path | None = None
    cause: Path | None = None
    mend: str | None = None

    @property
    def name(self) -> str:
        """The code, class or other entry; empty where it concerns all."""
        return str(self.subject[1]) if len(self.subject) > 1 else ""

    def fingerprint(self, id: str) -> str:
        """Return what stays the same however the documents move; `id` is the catalogue's."""
        parts = (id, self.kind, *map(str, self.subject), self.detail)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


class Places(NamedTuple):
    """Where something stands in both documents, and where the new value comes from."""

    old: Path
    new: Path
    cause: Path | None


class Side(Struct, frozen=True, dict=True):
    """A catalogue with its document, and its names in each language.

    `unread` are codes that the document has and that could not be read.
    """

    catalogue: Catalogue
    document: Document
    views: Mapping[str, View]
    unread: frozenset[str] = frozenset()

    @cached_property
    def codes(self) -> Mapping[str, Code | None]:
        """All codes; None for one that could not be read."""
        return {**dict.fromkeys(sorted(self.unread)), **self.catalogue.codes}

    @cached_property
    def has_statuses(self) -> bool:
        """Whether any code has an HTTP status: else nothing is said of HTTP."""
        return any(c.http for c in self.catalogue.codes.values() if not c.retired)

    def ancestors(self, name: str | None) -> Iterator[str]:
        """Yield a declared class and all that it derives from."""
        while name is not None and name in self.catalogue.classes:
            yield name
            name = self.catalogue.classes[name].extends

    def stating(self, subject: Path, rest: Path) -> Path:
        """Return the place that states something of an entry: its own, or a class's.

        That of the entry where nobody states it.
        """
        if self._has((*subject, *rest)):
            return (*subject, *rest)
        for name in self.above(subject):
            if self._has(("classes", name, *rest)):
                return ("classes", name, *rest)
        return subject

    def above(self, subject: Path) -> Iterator[str]:
        """Yield the declared classes from which a code or class has something."""
        section, *names = subject
        name = str(names[0]) if names else ""
        if section == "codes" and name in self.catalogue.codes:
            code = self.catalogue.codes[name]
            for carrier in code.classes or (code.extends or self.catalogue.base_class,):
                yield from self.ancestors(carrier)
        elif section == "classes":
            yield from self.ancestors(name)

    @cached_property
    def handing_down(self) -> frozenset[str]:
        """The declared classes from which codes have something that are raised."""
        codes = self.catalogue.codes.values()
        above = (self.above(("codes", c.key)) for c in codes if not c.retired)
        return frozenset(name for names in above for name in names)

    def _has(self, path: Path) -> bool:
        return self.value(path) is not None

    def value(self, path: Path) -> Any:
        """Return what the document has at a place, or None."""
        found: Any = self.document.data
        for part in path:
            if isinstance(found, dict):
                found = found.get(part)
            elif (
                isinstance(found, list) and isinstance(part, int) and part < len(found)
            ):
                found = found[part]
            else:
                return None
        return found

    @property
    def version(self) -> tuple[int, int, int]:
        """The three numbers of the version."""
        found = _VERSION.match(self.catalogue.version)
        return (int(found[1]), int(found[2]), int(found[3])) if found else (0, 0, 0)


def texts(code: Code) -> dict[str, str]:
    """Return the texts that are read as a code beside its key, with what each is."""
    found = dict.fromkeys(code.aliases, "alias")
    for name, local in code.languages.items():
        if local.code is not None:
            found.setdefault(local.code, name)
    if code.wire is not None:
        found.setdefault(str(code.wire), "wire")
    found.pop(code.key, None)
    return found
