"""What every part of `build` shares: the document, the names it defines, the findings.

An entry with an error of an earlier stage is set aside: it is not built, but its
name stays known, so that nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..diagnostics import Diagnostic, On, Path, Related, did_you_mean, listed
from ..model import Field
from ..schema import text

_SECTIONS = {
    "group": "groups",
    "type": "types",
    "attribute": "attributes",
    "class": "classes",
    "code": "codes",
}
ENTRIES = ("groups", "types", "attributes", "context", "classes", "codes")
"""Sections whose entries are set aside one by one."""
_UNDECLARED = {
    "field": "declare it under fields, or under context where only the caller knows it"
}
"""What to do where nothing of a kind is declared."""


class Scope:
    """Names known in one document, and a list for what is found wrong in it."""

    def __init__(
        self, data: dict[str, Any], file: str, earlier: Iterable[Diagnostic]
    ) -> None:
        self.file = file
        self.diagnostics: list[Diagnostic] = []
        self._data = data
        self._broken: set[Path] = set()
        self._misspelt = False
        for diagnostic in earlier:
            if diagnostic.id == "unknown-key" and len(diagnostic.path) == 1:
                self._misspelt = True
            # Of two equal keys the first is kept, and is as good as any other.
            if diagnostic.severity == "error" and diagnostic.id != "duplicate-key":
                path = diagnostic.path
                self._broken.add(path[:2] if path[:1] and path[0] in ENTRIES else path[:1])
        self.base: str = self.section("base_class", "CatalogueError")
        self.languages: tuple[str, ...] = few(self.section("languages", None))
        self.attributes: dict[str, Field] = {}
        self.context: dict[str, Field] = {}
        self._members: dict[str, list[str]] = {}
        self._expected: list[tuple[str, str, Path]] | None = []

    def section(self, name: str, default: Any) -> Any:
        """Return a section of the document, or the default where it is unusable."""
        if (name,) in self._broken or self._data.get(name) is None:
            return default
        return self._data[name]

    def names(self, section: str) -> list[str]:
        """Return every name that the section defines, those set aside included."""
        entries = self._data.get(section)
        return list(entries) if isinstance(entries, dict) else []

    def sound(self, section: str) -> Iterator[tuple[str, Any]]:
        """Yield the entries of the section that were not set aside."""
        for name, raw in self.section(section, {}).items():
            if self.is_sound(section, name):
                yield name, raw

    def is_sound(self, section: str, name: str) -> bool:
        """Tell whether the entry can be relied on."""
        return (section,) not in self._broken and (section, name) not in self._broken

    def _is_doubtful(self, section: str) -> bool:
        """Tell whether the section cannot be read, or may stand under a wrong name."""
        wrong = (section,) in self._broken
        return wrong or (section not in self._data and self._misspelt)

    def set_aside(self, section: str, name: str) -> None:
        """Take an entry out of what is built."""
        self._broken.add((section, name))

    def add_member(self, group: str, code: str) -> None:
        """Note that a code belongs to a group."""
        self._members.setdefault(group, []).append(code)

    def members(self, group: str) -> list[str]:
        """Return the codes of a group; those set aside may belong to any."""
        doubtful = [c for c in self.names("codes") if not self.is_sound("codes", c)]
        return [*self._members.get(group, []), *doubtful]

    def expect_member(self, group: str, code: str, path: Path) -> None:
        """Report, once all codes are in their groups, a code that is not in this one."""
        if self._expected is not None:
            self._expected.append((group, code, path))
        elif code not in (members := self.members(group)):
            self.unknown("code", code, members, path, of=f" of {group}")

    def close_groups(self) -> None:
        """Note that all codes are in their groups now."""
        expected, self._expected = self._expected, None
        for group, code, path in expected or ():
            self.expect_member(group, code, path)

    def error(
        self,
        id: str,
        message: str,
        path: Path,
        *,
        on: On = "value",
        mend: str | None = None,
        related: tuple[Related, ...] = (),
    ) -> None:
        """Report an error, and set its entry aside."""
        if len(path) > 1 and path[0] in ENTRIES:
            self.set_aside(str(path[0]), str(path[1]))
        self.diagnostics.append(
            Diagnostic(id, message, self.file, path, on, mend, related=related)
        )

    def warn(self, id: str, message: str, path: Path, mend: str | None) -> None:
        """Report what may be meant, and may be a slip."""
        self.diagnostics.append(
            Diagnostic(id, message, self.file, path, "value", mend, "warning")
        )

    def unknown(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        path: Path,
        on: On = "value",
        of: str = "",
    ) -> None:
        """Report a reference that leads nowhere; `of` tells whose name it should be."""
        section = _SECTIONS.get(kind)
        if section and len(path) > 1 and self._is_doubtful(section):
            self.set_aside(str(path[0]), str(path[1]))  # the name may be there
            return
        known = list(known)
        few = f"known: {listed(known)}" if 0 < len(known) <= 12 else None
        none = _UNDECLARED.get(kind, f"there is no {kind} to name")
        mend = did_you_mean(name, known) or few or none
        message = f"unknown {kind}{of} {name!r}"
        self.error(f"unknown-{kind}", message, path, on=on, mend=mend)


def few(raw: Any) -> tuple[str, ...]:
    """Return the texts of a list, or of the one text that dropped its brackets."""
    if raw is None:
        return ()
    return tuple(text(r) for r in raw) if isinstance(raw, list) else (text(raw),)


def item_path(path: Path, raw: Any, index: int) -> Path:
    """Return the place of the n-th text of what `few` has read."""
    return (*path, index) if isinstance(raw, list) else path


def optional(raw: Any) -> str | None:
    """Return a text that may be missing."""
    return None if raw is None else text(raw)


def prose(raw: Any) -> str:
    """Return a text for people; empty where there is none."""
    return "" if raw is None else text(raw).strip()
