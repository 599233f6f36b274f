"""What stands where on the pages that people read of a catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from .class_view import ClassView
from .entries import CodeView

if TYPE_CHECKING:
    from . import View


class ClassGroup(Struct, frozen=True):
    """A group, and the classes whose place it is."""

    title: str
    meaning: str
    classes: tuple[ClassView, ...]


class Section(Struct, frozen=True):
    """A group, the codes whose place it is, and those that stand in an earlier one."""

    key: str
    title: str
    meaning: str
    codes: tuple[CodeView, ...]
    also: tuple[CodeView, ...]


class PageView(Struct, frozen=True, dict=True):
    """The shape of a page, and the places of classes on one that goes by class."""

    view: View

    @cached_property
    def class_first(self) -> bool:
        """Tell whether readers look errors up by class.

        They do where most codes have a declared class below the base class: then the
        catalogue says of classes what matters, and a code is what a class goes by on
        the wire. Elsewhere a class is named after its code, or stands for no more than
        a kind of codes.
        """
        codes = [c.model for c in self.view.shown]
        base = self.view.catalogue.base_class
        declared = [c for c in codes if c.classes and base not in c.classes]
        return 2 * len(declared) > len(codes)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The groups of a page by code, on which each code stands once."""
        return tuple(
            Section(
                g.key,
                g.title,
                g.meaning,
                tuple(c for c in g.shown if c.model.groups[:1] in ((g.key,), ())),
                tuple(c for c in g.shown if c.model.groups[:1] not in ((g.key,), ())),
            )
            for g in self.view.groups
            if g.shown
        )

    @cached_property
    def retired(self) -> tuple[CodeView, ...]:
        """The retired codes that a reader may still meet."""
        codes = self.view.codes
        return tuple(c for c in codes if c.model.retired and not c.model.internal)

    @cached_property
    def declared(self) -> tuple[ClassView, ...]:
        """The declared classes that readers need."""
        return tuple(c for c in self.view.classes if c.model and not c.internal)

    @cached_property
    def anchors(self) -> Mapping[str, tuple[str, str]]:
        """Whose place a fragment of the page's address is: a kind, and a name.

        Of a code are all its spellings, its aliases and what it is on the wire, as far
        as they can stand in an address as they are.
        """
        found: dict[str, tuple[str, str]] = {}
        codes = [c for c in self.view.codes if not c.model.internal]
        names = [(t, ("code", c.key)) for c in codes for t in c.spellings]
        names += [(t, ("code", c.key)) for c in codes for t in c.texts]
        names += [(c.name, ("class", c.name)) for c in self.declared]
        names += [(r.name, ("record", r.name)) for r in self.view.records]
        for text, owner in names:
            if re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z_.:-]*", text):
                found.setdefault(text, owner)
        return found

    @cached_property
    def names_raisers(self) -> bool:
        """Tell whether any code that readers need says who raises it."""
        return any(
            v.code[c.key].is_raised and v.code[c.key].raised_by
            for c in self.view.shown
            for v in self.view.languages.values()
        )

    @cached_property
    def class_groups(self) -> tuple[ClassGroup, ...]:
        """The classes that readers need, each in the first group that it has.

        Those without a group come last. The base class is among them only where it has
        codes: to catch all errors needs no place of its own.
        """
        members: dict[str, list[ClassView]] = {
            g: [] for g in self.view.catalogue.groups
        }
        rest: list[ClassView] = []
        for c in self.view.classes:
            raised = c.shown or c.open or c.shape == "none"
            if raised and not (c.internal or c.abstract or (c.is_base and not c.shown)):
                (members[c.groups[0]] if c.groups else rest).append(c)
        groups = [
            ClassGroup(g.title, g.meaning, tuple(members[g.key]))
            for g in self.view.catalogue.groups.values()
        ]
        title = "Other classes" if groups else "Classes"
        return tuple(
            g for g in [*groups, ClassGroup(title, "", tuple(rest))] if g.classes
        )

    @cached_property
    def homes(self) -> Mapping[str, str]:
        """The name of the first class on the page that has a code, by the code's key."""
        found: dict[str, str] = {}
        for cls in (c for group in self.class_groups for c in group.classes):
            for code in cls.shown:
                found.setdefault(code.key, cls.name)
        return found

    @cached_property
    def placeless(self) -> tuple[CodeView, ...]:
        """The codes that readers need, and that no class in `class_groups` has."""
        placed = {
            c.key for g in self.class_groups for cls in g.classes for c in cls.shown
        }
        return tuple(c for c in self.view.shown if c.key not in placed)
