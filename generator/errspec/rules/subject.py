"""What a rule looks at, and what several rules ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec.json
from msgspec import Struct

from ..diagnostics import Path
from ..model import Catalogue, Code, ErrorClass, Field, Verdict
from ..packs import Pack
from ..view import ClassView, FieldView, View

ENTRIES = ("groups", "types", "attributes", "context", "classes", "codes")
"""Sections of named entries, each of which may ignore rules."""


class Owned(Struct, frozen=True):
    """A verdict that depends on something, at the place where it is stated.

    `owners` are the codes that have it; where errors of any code may have it, or none
    does, the class is one.
    """

    path: Path
    verdict: Verdict
    owners: tuple[Code | ErrorClass, ...] = ()

    @property
    def rules(self) -> Path:
        """The place of its rules."""
        return (*self.path, "rules")


class Subject(Struct, frozen=True, dict=True):
    """What a rule looks at: a catalogue, through its languages, and the packs to run."""

    catalogue: Catalogue
    views: Mapping[str, View]
    packs: tuple[Pack, ...]
    file: str
    data: Mapping[str, Any]
    """The document as read, what was set aside included."""
    whole: bool
    """Whether nothing was set aside: else what is missing may only be wrong."""
    described: tuple[str, ...] = ()
    """The languages that a file describes, so that a pack can write them."""
    today: str | None = None
    """The date of the day, such as 2026-11-30, where somebody gave it."""
    idle: tuple[Path, ...] = ()
    """Places of `ignore` that no rule needed, of those that have run."""

    def raw(self, section: str, key: str) -> Mapping[str, Any]:
        """Return an entry as the document has it; empty where it has none."""
        found = self.data.get(section, {}).get(key, {})
        return found if isinstance(found, dict) else {}

    def ignored(self, path: Path) -> Path:
        """Return the place of the `ignore` that speaks of a place: its entry's, or the catalogue's."""
        section, *rest = path or ("",)
        if rest and section in ENTRIES and rest[0] in self.data.get(str(section), {}):
            return (section, rest[0], "ignore")
        return ("ignore",)

    def ignores(self) -> Iterator[tuple[Path, str]]:
        """Yield the place of every `ignore`, and each rule that stands there."""
        places: list[tuple[Path, Any]] = [((), self.data)]
        for section in ENTRIES:
            entries = self.data.get(section)
            if isinstance(entries, dict):
                places += [((section, key), raw) for key, raw in entries.items()]
        for path, raw in places:
            if isinstance(raw, dict) and isinstance(raw.get("ignore"), dict):
                yield from (((*path, "ignore"), str(id)) for id in raw["ignore"])

    @cached_property
    def encoded(self) -> bytes:
        """The document as JSON: what most have nothing of is told at once there."""
        return msgspec.json.encode(self.data)

    def texts(self) -> Iterator[tuple[Path, str]]:
        """Yield every text of what was not set aside, with its place."""
        catalogue = self.catalogue
        built = {
            "groups": catalogue.groups,
            "types": catalogue.records,
            "attributes": catalogue.attributes,
            "context": catalogue.context,
            "classes": catalogue.classes,
            "codes": catalogue.codes,
        }
        ahead: list[tuple[Path, Any]] = [((), self.data)]
        while ahead:  # whatever the format holds, and without a call for each text
            path, value = ahead.pop()
            if len(path) == 2 and path[1] not in built.get(str(path[0]), path):
                continue  # set aside: nothing follows from it
            if isinstance(value, dict):
                ahead += [((*path, key), inner) for key, inner in value.items()]
            elif isinstance(value, list):
                ahead += [((*path, index), inner) for index, inner in enumerate(value)]
            elif isinstance(value, str):
                yield path, value

    @cached_property
    def read(self) -> Mapping[str, Path]:
        """The texts under which codes are read, with their places."""
        codes = self.catalogue.codes
        found: dict[str, Path] = {key: ("codes", key) for key in codes}
        for key, code in codes.items():
            if isinstance(code.wire, str):
                found.setdefault(code.wire, ("codes", key, "wire"))
            for language, local in code.languages.items():
                if local.code:
                    place = ("codes", key, "languages", language, "code")
                    found.setdefault(local.code, place)
            if code.aliases:
                raw = self.raw("codes", key)["aliases"]
                for index, alias in enumerate(code.aliases):
                    at = (index,) if isinstance(raw, list) else ()
                    found.setdefault(alias, ("codes", key, "aliases", *at))
        return found

    @cached_property
    def types(self) -> Mapping[str, list[tuple[str, Path]]]:
        """By language the names of classes, records and sets of words, with their places."""
        return {language: _types(view) for language, view in self.views.items()}

    @cached_property
    def verdicts(self) -> tuple[Owned, ...]:
        """The verdicts that depend on something; who inherits one is passed over."""
        return tuple(self._verdicts())

    def _verdicts(self) -> Iterator[Owned]:
        catalogue = self.catalogue
        owners: dict[int, list[Code | ErrorClass]] = {}
        for code in catalogue.codes.values():
            if code.verdict.conditional:
                owners.setdefault(id(code.verdict), []).append(code)
        for cls in catalogue.classes.values():
            found = cls.verdict
            if not found or not found.conditional:
                continue
            if _states(self, "classes", cls.name, found):
                held = owners.get(id(found), [])
                if cls.open or not held or cls.name == catalogue.base_class:
                    held = [cls, *held]
                yield Owned(("classes", cls.name, "retryable"), found, tuple(held))
        for code in catalogue.codes.values():
            found = code.verdict
            if found.conditional and _states(self, "codes", code.key, found):
                yield Owned(("codes", code.key, "retryable"), found, (code,))
        # The section is never set aside, so what is wrong in it may be missing here.
        if catalogue.foreign_errors and self.whole:
            yield Owned(("foreign_errors",), catalogue.foreign_errors)


def _states(subject: Subject, section: str, key: str, verdict: Verdict) -> bool:
    """Tell whether an entry states its verdict, with tests none of which was set aside."""
    raw = subject.raw(section, key).get("retryable")
    if not isinstance(raw, dict):
        return False
    pairs = zip(verdict.rules, raw.get("rules", ()), strict=True)
    return all(len(rule.when) == len(stated["when"]) for rule, stated in pairs)


def _types(view: View) -> list[tuple[str, Path]]:
    found: list[tuple[str, Path]] = []
    for cls in view.classes:
        found.append((cls.name, class_path(cls)))
        found += word_sets(cls.own_fields, class_path(cls))
    for field in view.attributes:
        if field.words:
            found.append((field.words.name, ("attributes", field.key)))
    for record in view.records:
        found.append((record.name, ("types", record.name)))
        found += word_sets(record.fields, ("types", record.name))
    return found


def word_sets(fields: Iterable[FieldView], path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the names of the types that fields with sets of words have."""
    yield from ((f.words.name, (*path, "fields", f.key)) for f in fields if f.words)


def class_path(cls: ClassView) -> Path:
    """Return where a class comes from: its entry, or the code that it is derived from."""
    if cls.model is not None:
        return ("classes", cls.name) if cls.model.declared else ("base_class",)
    return ("codes", cls.codes[0].key)


def owned_fields(catalogue: Catalogue) -> Iterator[tuple[Path, tuple[Field, ...]]]:
    """Yield the fields of each record, class and code, with its place."""
    yield from ((("types", r.name), r.fields) for r in catalogue.records.values())
    yield from ((("classes", c.name), c.fields) for c in catalogue.classes.values())
    yield from ((("codes", c.key), c.fields) for c in catalogue.codes.values())
