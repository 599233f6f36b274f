"""Two catalogues side by side: what is which, and where it stands in both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, TypeVar

from msgspec import Struct

from ..diagnostics import Path, listed
from ..model import Code, ErrorClass, Test, Type, Verdict
from ..view import View
from .change import Places, Side
from .matching import match_classes, match_codes

T = TypeVar("T")

Entry = Code | ErrorClass


class Pair(NamedTuple):
    """A code or class as it was and as it is, each with its place."""

    old: Entry
    new: Entry
    before: Path
    after: Path

    @property
    def label(self) -> str:
        """What messages call it."""
        return str(self.after[1])


class Comparison(Struct, frozen=True, dict=True):
    """Two sides, and how their entries belong together."""

    old: Side
    new: Side

    @cached_property
    def code_names(self) -> Mapping[str, str]:
        """The new key of each old code that is still there."""
        return match_codes(self.old, self.new)

    @cached_property
    def class_names(self) -> Mapping[str, str]:
        """The new name of each declared class that is still there."""
        return match_classes(self.old, self.new, self.code_names)

    @cached_property
    def _codes_before(self) -> Mapping[str, str]:
        return {to: key for key, to in self.code_names.items()}

    @cached_property
    def _classes_before(self) -> Mapping[str, str]:
        return {to: name for name, to in self.class_names.items()}

    def class_after(self, name: str) -> str:
        """Return the new name of a class, declared or a code's own; "" where the name
        is another class's now."""
        is_taken = name in self._classes_before
        return self.class_names.get(name, "" if is_taken else name)

    def class_before(self, name: str) -> str:
        """Return the old name of a class, as `class_after` does the new one."""
        is_taken = name in self.class_names
        return self._classes_before.get(name, "" if is_taken else name)

    @cached_property
    def codes(self) -> list[Pair]:
        """The codes of both, in the new order; without those that could not be read."""
        old, new = self.old.catalogue.codes, self.new.catalogue.codes
        back = self._codes_before
        return [
            Pair(old[back[key]], code, ("codes", back[key]), ("codes", key))
            for key, code in new.items()
            if back.get(key) in old
        ]

    @cached_property
    def changed_codes(self) -> list[Pair]:
        """Those of the codes that are not just what they were."""
        return [p for p in self.codes if p.old != p.new]

    @cached_property
    def raised(self) -> list[Pair]:
        """Those of the changed codes that are and were raised somewhere."""
        return [
            p for p in self.changed_codes if not _retired(p.old) and not _retired(p.new)
        ]

    @cached_property
    def classes(self) -> list[Pair]:
        """The declared classes of both, in the new order."""
        old, new = self.old.catalogue.classes, self.new.catalogue.classes
        back = self._classes_before
        return [
            Pair(old[back[name]], found, ("classes", back[name]), ("classes", name))
            for name, found in new.items()
            if name in back
        ]

    def lineage(self, subject: Path) -> set[str]:
        """Return the classes from which an entry has, or had, something; by new names."""
        section, name = subject
        names = self._codes_before if section == "codes" else self._classes_before
        before = self.old.above((section, names.get(str(name), "")))
        return {*self.new.above(subject), *map(self.class_after, before)}

    def makes_its_own(self, name: str) -> bool:
        """Whether a class has, or had, errors that are of no code of the catalogue; so
        may one that has no codes."""
        sides = (self.old, self.class_before(name)), (self.new, name)
        return any(
            side.catalogue.classes[own].open or own not in side.handing_down
            for side, own in sides
        )

    @cached_property
    def languages(self) -> list[tuple[str, View, View]]:
        """The languages of both catalogues, each with the old view and the new."""
        return [
            (name, view, self.new.views[name])
            for name, view in self.old.views.items()
            if name in self.new.views
        ]

    def places(self, pair: Pair, *rest: str | int) -> Places:
        """Return where something of an entry stands; for what a class hands down, the
        entry itself, and the class as the cause."""
        new = self.new.stating(pair.after, rest)
        inherited = new[:2] != pair.after
        old = self.old.stating(pair.before, rest)
        return Places(old, pair.after if inherited else new, new if inherited else None)

    def by_language(
        self, get: Callable[[str, View, View], T | None]
    ) -> Iterator[tuple[T, str, str]]:
        """Yield each answer once: what languages agree on, who they are, and that as words.

        The words are empty where all languages agree.
        """
        found: dict[T, list[str]] = {}
        for name, old, new in self.languages:
            answer = get(name, old, new)
            if answer is not None:
                found.setdefault(answer, []).append(name)
        for answer, names in found.items():
            all_agree = len(names) == len(self.languages)
            yield answer, ",".join(names), (
                "" if all_agree else f" in {listed(names, 'and')}"
            )

    def neighbour(self, section: str, name: str) -> Path:
        """Return the place in the new document near which a lost entry would stand."""
        return self._neighbours.get((section, name), (section,))

    @cached_property
    def _neighbours(self) -> Mapping[tuple[str, str], Path]:
        """The nearest entry before each lost one that is still there."""
        found: dict[tuple[str, str], Path] = {}
        for section, renamed in (
            ("codes", self.code_names),
            ("classes", self.class_names),
        ):
            known = self.new.value((section,)) or {}
            last: Path = (section,)
            for name in self.old.value((section,)) or ():
                if renamed.get(name) in known:
                    last = section, renamed[name]
                found[section, name] = last
        return found


def _retired(entry: Entry) -> bool:
    return isinstance(entry, Code) and entry.retired is not None


def mapped_type(type: Type, codes: Mapping[str, str] | None = None) -> Type:
    """Return a type with its words in one order."""
    item = mapped_type(type.item, codes) if type.item else None
    return Type(type.kind, tuple(sorted(type.words)), type.open, item, type.name)


def normal(verdict: Verdict | None, codes: Mapping[str, str] | None = None) -> object:
    """Return what a verdict decides, however it is written down.

    `codes` are the new keys of codes, where the verdict is an old one.
    """
    if verdict is None:
        return None
    # Of neighbours with one answer any may come first; the last may say what else says.
    rules = [
        (
            then,
            frozenset(frozenset(_test(t, codes or {}) for t in r.when) for r in some),
        )
        for then, some in groupby(verdict.rules, lambda rule: rule.then)
    ]
    if rules and not verdict.follows and rules[-1][0] == verdict.default:
        del rules[-1]
    return verdict.default, tuple(rules), verdict.follows


def _test(test: Test, codes: Mapping[str, str]) -> object:
    if test.present:
        return test.name, test.context, True
    item = test.type.item or test.type
    words = test.words
    if item.kind == "code":
        words = tuple(codes.get(word, word) for word in words)
    spans: list[tuple[int, int]] = []
    for low, high in sorted(test.ranges):
        if spans and low <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], max(high, spans[-1][1])
        else:
            spans.append((low, high))
    return (
        test.name,
        test.context,
        frozenset(words),
        frozenset(test.flags),
        tuple(spans),
    )
