"""A catalogue as one language sees it: its names, its spellings, its classes.

Templates see a View and nothing else, so whatever several packs would derive from
the model is a property here. Nothing in here knows a language by name: what differs
between languages comes from the `Language` data.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from ..languages import Language
from ..model import Catalogue, Code, Retry
from .class_view import ClassView
from .classes import Classes, index
from .entries import (
    CodeView,
    FieldView,
    GroupView,
    RecordView,
    RuleView,
    TestView,
    VerdictView,
    WordSet,
)
from .http import HttpView, StatusView
from .outcomes import OutcomesView, outcomes
from .page import ClassGroup, PageView, Section
from .terms import Terms

__all__ = [
    "ClassGroup",
    "ClassView",
    "CodeView",
    "FieldView",
    "GroupView",
    "HttpView",
    "OutcomesView",
    "PageView",
    "RecordView",
    "RuleView",
    "Section",
    "StatusView",
    "TestView",
    "VerdictView",
    "View",
    "WordSet",
]


class View(Struct, frozen=True, dict=True):
    """One catalogue through one language.

    A docs pack has no language of its own: it sees the catalogue through a neutral
    one, and through each of the catalogue's languages in `languages`.
    """

    catalogue: Catalogue
    language: Language
    spec: str
    """Name of the spec file, as headers show it."""
    languages: Mapping[str, View] = {}

    @cached_property
    def _terms(self) -> Terms:
        return Terms(self.catalogue, self.language)

    def name(self, key: str, use: str) -> str:
        """Return a name in the language's case for its use; reserved words respelled."""
        return self._terms.name(key, use)

    @property
    def id(self) -> str:
        return self.catalogue.id

    @property
    def title(self) -> str:
        return self.catalogue.title

    @property
    def version(self) -> str:
        return self.catalogue.version

    @property
    def retry(self) -> Retry | None:
        """Knobs of this language's retry layer, or None."""
        return self.catalogue.retry.get(self.language.name)

    @cached_property
    def unset(self) -> bool:
        """Tell whether an error of the catalogue may have no verdict at all."""
        # A retired code without a verdict counts as false where one is read.
        codes = self.catalogue.codes.values()
        classes = self.catalogue.classes.values()
        base = self.catalogue.base_class
        if any(c.open and c.verdict is None and c.name != base for c in classes):
            return True  # it may be given a code that nobody knows
        verdicts = [c.verdict for c in codes if not c.retired or c.verdict.conditional]
        verdicts += [c.verdict for c in classes if c.verdict]
        return any(
            v.default is None or any(r.then is None for r in v.rules) for v in verdicts
        )

    @cached_property
    def codes(self) -> tuple[CodeView, ...]:
        """All codes, in the catalogue's order; those it never raises included."""
        return tuple(self._code(c) for c in self.catalogue.codes.values())

    @cached_property
    def code(self) -> Mapping[str, CodeView]:
        """All codes by their key."""
        return {c.key: c for c in self.codes}

    @cached_property
    def other_spellings(self) -> tuple[str, ...]:
        """The spellings that are no code's key."""
        return tuple(s for c in self.codes for s in c.spellings if s != c.key)

    @cached_property
    def spelt(self) -> frozenset[str]:
        """Every spelling of every code."""
        return frozenset(s for c in self.codes for s in c.spellings)

    @cached_property
    def raised(self) -> tuple[CodeView, ...]:
        """The codes that this language raises."""
        return tuple(c for c in self.codes if c.is_raised)

    @cached_property
    def judged(self) -> tuple[CodeView, ...]:
        """The codes whose verdict depends on the circumstances."""
        return tuple(c for c in self.codes if c.verdict.conditional)

    @cached_property
    def pinned(self) -> tuple[CodeView, ...]:
        """The codes whose verdict no stamp changes."""
        return tuple(c for c in self.codes if c.pinned)

    @cached_property
    def groups(self) -> tuple[GroupView, ...]:
        """The groups with their codes; codes without a group come last, as Other."""
        members = index((g, c) for c in self.codes for g in c.model.groups)
        groups = [
            GroupView(g.key, g.title, g.meaning, tuple(members.get(g.key, ())))
            for g in self.catalogue.groups.values()
        ]
        rest = tuple(c for c in self.codes if not c.model.groups)
        if rest:
            title = "Other codes" if groups else "Codes"
            groups.append(GroupView("", title, "", rest))
        return tuple(groups)

    @cached_property
    def records(self) -> tuple[RecordView, ...]:
        return tuple(
            RecordView(r.name, self._terms.fields(r.fields, r.name), r.meaning)
            for r in self.catalogue.records.values()
        )

    @cached_property
    def word_sets(self) -> tuple[WordSet, ...]:
        """The closed or open sets of words that fields of classes and records hold."""
        holders: list[ClassView | RecordView] = [*self.classes, *self.records]
        found = (f.words for h in holders for f in h.fields if f.words)
        return tuple({w.name: w for w in found}.values())

    @cached_property
    def base(self) -> ClassView:
        return next(c for c in self.classes if c.is_base)

    @cached_property
    def classes(self) -> tuple[ClassView, ...]:
        """All classes of the language, parents first."""
        return tuple(Classes(self._terms, self.raised))

    @cached_property
    def needed_classes(self) -> tuple[ClassView, ...]:
        """The classes without those that are internal and of no use to any other part."""
        return tuple(
            c
            for c in self.classes
            if not c.internal or c.codes or c.open or c.name in self.extended
        )

    @cached_property
    def class_named(self) -> Mapping[str, ClassView]:
        """All classes by their name."""
        return {c.name: c for c in self.classes}

    def catching(self, code: CodeView) -> tuple[str, ...]:
        """Return the names of the classes under which a program catches a code.

        The class that alone carries it, where readers may know that. Else the base
        class, which is also what the wire gives, beside classes that do not derive from
        it. None at all where one of these is internal, and has no name outside.
        """
        base = self.base.name
        carriers = [self.class_named[name] for name in code.class_names]
        if [c.internal for c in carriers] == [False]:
            return (carriers[0].name,)
        apart = [c for c in carriers if self._root(c) != base]
        if any(c.internal for c in (self.base, *apart)):
            return ()
        return (base, *(c.name for c in apart))

    def facts_of(self, code: CodeView) -> tuple[FieldView, ...]:
        """Return the facts of a caller that a code's verdict asks for, yes or no."""
        asked = {t.key for r in code.verdict.rules for t in r.when if t.context}
        return tuple(f for f in self.context if f.key in asked and f.kind == "boolean")

    def _root(self, found: ClassView) -> str:
        """Return the name of the class from which a class derives in the end."""
        while found.parent is not None:
            found = self.class_named[found.parent]
        return found.name

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The keys of the fields that any class fixes, for itself and for no other."""
        return frozenset(key for c in self.classes for key in c.const)

    @cached_property
    def extended(self) -> frozenset[str | None]:
        """The names of the classes that others extend."""
        return frozenset(c.parent for c in self.classes)

    @cached_property
    def context(self) -> tuple[FieldView, ...]:
        return self._terms.fields(tuple(self.catalogue.context.values()), "Context")

    @cached_property
    def attributes(self) -> tuple[FieldView, ...]:
        return self._terms.fields(
            tuple(self.catalogue.attributes.values()), "Attribute"
        )

    @cached_property
    def attribute_words(self) -> tuple[WordSet, ...]:
        """The closed or open sets of words that attributes hold."""
        return tuple(f.words for f in self.attributes if f.words)

    @cached_property
    def foreign_errors(self) -> VerdictView | None:
        found = self.catalogue.foreign_errors
        return self._terms.verdict(found, ()) if found else None

    @cached_property
    def outcomes(self) -> OutcomesView | None:
        """What a failed run says of errors, where the catalogue has a classification."""
        found = self.catalogue.classification
        return outcomes(found, self.codes, self.classes) if found else None

    @cached_property
    def shown(self) -> tuple[CodeView, ...]:
        """The codes that its readers need: no retired and no internal ones."""
        return tuple(c for c in self.codes if not (c.model.internal or c.model.retired))

    @cached_property
    def http(self) -> HttpView:
        """What goes over HTTP, and how."""
        return HttpView(self)

    @cached_property
    def page(self) -> PageView:
        """What stands where on the pages that people read."""
        return PageView(self)

    def _code(self, code: Code) -> CodeView:
        local = code.languages.get(self.language.name)
        spelling = (local and local.code) or code.key
        raised = code.retired is None and not self._terms.is_absent(code)
        own = (self._terms.own_name(code),) if code.own_class else code.classes
        url = self.catalogue.docs_url
        return CodeView(
            model=code,
            key=code.key,
            spelling=spelling,
            constant=self._terms.name(code.key, "constant"),
            spellings=self._terms.spellings(code),
            meaning=(local and local.meaning) or code.meaning,
            hint=(local and local.hint) or code.hint,
            raised_by=(
                code.raised_by if local is None else local.raised_by or code.raised_by
            ),
            absent={n: o.reason for n, o in code.languages.items() if o.absent},
            is_raised=raised,
            verdict=self._terms.verdict(code.verdict, code.fields),
            fields=self._terms.fields(code.fields, (own or code.classes or ("",))[0]),
            docs_url=(
                None if code.internal else url and url.replace("{anchor}", code.key)
            ),
            class_names=own if raised else (),
        )
