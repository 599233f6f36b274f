"""A catalogue as one language sees it: its names, its spellings, its classes.

Templates see a View and nothing else, so whatever several packs would derive from
the model is a property here. Nothing in here knows a language by name: what differs
between languages comes from the `Language` data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..languages import Language
from ..model import (
    Catalogue,
    Code,
    ErrorClass,
    Field,
    Retry,
    Rule,
    Test,
    Type,
    Verdict,
)
from ..naming import cased, class_name
from .entries import (
    ClassView,
    CodeView,
    FieldView,
    GroupView,
    RecordView,
    RuleView,
    TestView,
    VerdictView,
    WordSet,
)

__all__ = [
    "ClassView",
    "CodeView",
    "FieldView",
    "GroupView",
    "RecordView",
    "RuleView",
    "TestView",
    "VerdictView",
    "View",
    "WordSet",
]


@dataclass(frozen=True)
class View:
    """One catalogue through one language.

    A docs pack has no language of its own: it sees the catalogue through a neutral
    one, and through each of the catalogue's languages in `languages`.
    """

    catalogue: Catalogue
    language: Language
    spec: str
    """Name of the spec file, as headers show it."""
    languages: Mapping[str, View] = field(default_factory=dict)

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
    def class_per_code(self) -> bool:
        return self.catalogue.class_per_code

    @property
    def retry(self) -> Retry | None:
        """Knobs of this language's retry layer, or None."""
        return self.catalogue.retry.get(self.language.name)

    @cached_property
    def unset(self) -> bool:
        """Tell whether an error of the catalogue may have no verdict at all."""
        verdicts = [c.verdict for c in self.catalogue.codes.values() if not c.retired]
        verdicts += [c.verdict for c in self.catalogue.classes.values() if c.verdict]
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
    def raised(self) -> tuple[CodeView, ...]:
        """The codes that this language raises."""
        return tuple(c for c in self.codes if c.is_raised)

    @cached_property
    def groups(self) -> tuple[GroupView, ...]:
        """The groups with their codes; codes without a group come last, as Other."""
        members = _index((g, c) for c in self.codes for g in c.model.groups)
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
            RecordView(r.name, self._fields(r.fields, r.name), r.meaning)
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
        declared = [self._declared(c) for c in self.catalogue.classes.values()]
        own = [self._own_class(c) for c in self.raised if c.model.own_class]
        return tuple(declared + own)

    @cached_property
    def class_named(self) -> Mapping[str, ClassView]:
        """All classes by their name."""
        return {c.name: c for c in self.classes}

    @cached_property
    def _carried(self) -> Mapping[str, list[CodeView]]:
        """The codes that are raised with each declared class."""
        return _index((n, c) for c in self.raised for n in c.model.classes)

    @cached_property
    def _carriers(self) -> Mapping[str, int]:
        """How many codes are raised with each declared class."""
        codes = self.catalogue.codes.values()
        raised = (c for c in codes if c.retired is None and not self._is_absent(c))
        return Counter(n for c in raised for n in c.classes)

    @cached_property
    def _all_codes(self) -> Mapping[str, tuple[str, ...] | None]:
        """What errors of each declared class, or of one derived from it, have as code.

        None where that may be any text.
        """
        found: dict[str, tuple[str, ...] | None] = {
            name: tuple(c.spelling for c in self._carried.get(name, ()))
            for name in self.catalogue.classes
        }
        derived = _index((c.model.extends or "", c) for c in self.raised)
        children_first = reversed(list(self.catalogue.classes.items()))
        for name, cls in children_first:
            mine = None if self._is_open(name) else found[name]
            if mine is not None:
                own = (c.spelling for c in derived.get(name, ()))
                mine = tuple(dict.fromkeys([*mine, *own]))
            found[name] = mine
            if cls.extends is not None:
                above = found[cls.extends]
                both = None if above is None or mine is None else above + mine
                found[cls.extends] = both
        return found

    @cached_property
    def context(self) -> tuple[FieldView, ...]:
        return self._fields(tuple(self.catalogue.context.values()), "Context")

    @cached_property
    def attributes(self) -> tuple[FieldView, ...]:
        return self._fields(tuple(self.catalogue.attributes.values()), "Attribute")

    @cached_property
    def foreign_errors(self) -> VerdictView | None:
        found = self.catalogue.foreign_errors
        return self._verdict(found, (), {"status"}) if found else None

    def spellings(self, code: Code) -> tuple[str, ...]:
        """Return every spelling of a code: the key, then what languages write."""
        others = (local.code for local in code.languages.values())
        return tuple(dict.fromkeys([code.key, *(o for o in others if o)]))

    def _is_absent(self, code: Code) -> bool:
        local = code.languages.get(self.language.name)
        return local is not None and local.absent

    def _code(self, code: Code) -> CodeView:
        local = code.languages.get(self.language.name)
        spelling = (local and local.code) or code.key
        raised = code.retired is None and not self._is_absent(code)
        own = (self.own_name(code),) if code.own_class else code.classes
        url = self.catalogue.docs_url
        return CodeView(
            model=code,
            key=code.key,
            spelling=spelling,
            constant=self.name(code.key, "constant"),
            spellings=self.spellings(code),
            meaning=(local and local.meaning) or code.meaning,
            hint=(local and local.hint) or code.hint,
            raised_by=(
                code.raised_by if local is None else local.raised_by or code.raised_by
            ),
            absent={n: o.reason for n, o in code.languages.items() if o.absent},
            is_raised=raised,
            verdict=self._verdict(code.verdict, code.fields, self._optional(code)),
            fields=self._fields(code.fields, (own or code.classes or ("",))[0]),
            docs_url=url and url.replace("{anchor}", code.key),
            class_names=own if raised else (),
        )

    def _declared(self, found: ErrorClass) -> ClassView:
        codes = tuple(self._carried.get(found.name, ()))
        is_base = found.name == self.catalogue.base_class
        # A class of one code is that code's: what the code says goes for the class.
        only = codes[0] if len(codes) == 1 and not (found.open or is_base) else None
        one = only.model if only else found
        return ClassView(
            name=found.name,
            parent=found.extends,
            is_base=is_base,
            meaning=found.meaning or one.meaning,
            hint=found.hint or one.hint,
            abstract=found.abstract or _cannot_be_made(found, codes),
            open=found.open,
            pinned=one.pinned,
            control=one.control,
            verdict=only.verdict if only else self._class_verdict(found),
            codes=codes,
            all_codes=self._all_codes[found.name],
            fields=self._fields(_united(one.fields, codes), found.name),
            inherited=self._inherited(found.extends),
            message=one.message,
            since=found.since,
            internal=found.internal,
            model=found,
        )

    def _own_class(self, view: CodeView) -> ClassView:
        code = view.model
        return ClassView(
            name=self.own_name(code),
            parent=code.extends,
            is_base=False,
            meaning=view.meaning,
            hint=view.hint,
            abstract=False,
            open=False,
            pinned=code.pinned,
            control=code.control,
            verdict=view.verdict,
            codes=(view,),
            all_codes=(view.spelling,),
            fields=view.fields,
            inherited=self._inherited(code.extends),
            message=code.message,
            since=code.since,
            internal=code.internal,
            model=None,
        )

    def own_name(self, code: Code) -> str:
        """Return the name of the class that a code has of its own."""
        language = self.language
        return code.class_name or class_name(
            code.key,
            language.cases["class"],
            language.class_suffix,
            self.catalogue.acronyms,
        )

    def name(self, key: str, use: str) -> str:
        """Return a name in the language's case for its use; reserved words respelled."""
        language = self.language
        found = cased(key, language.cases[use], self.catalogue.acronyms)
        reserved = {
            "field": language.reserved_fields,
            "constant": language.reserved_constants,
        }.get(use, language.reserved)
        return language.escape.format(name=found) if found in reserved else found

    def _inherited(self, parent: str | None) -> frozenset[str]:
        """Return the fields that a class has from its parents."""
        found = self.catalogue.classes.get(parent or "")
        if found is None:
            return frozenset()
        extra = (f.name for c in self._carried.get(found.name, ()) for f in c.fields)
        above = self._inherited(found.extends)
        return above.union((f.name for f in found.fields), extra)

    def _owner(self, name: str, field: str) -> str:
        """Return the first of a class and its parents that has the field."""
        while (parent := self._extends.get(name)) is not None:
            if all(f.name != field for f in self.catalogue.classes[parent].fields):
                break
            name = parent
        return name

    @cached_property
    def _extends(self) -> Mapping[str, str | None]:
        """The parent of each class."""
        declared = {c.name: c.extends for c in self.catalogue.classes.values()}
        own = (c for c in self.catalogue.codes.values() if c.own_class)
        return declared | {self.own_name(c): c.extends for c in own}

    def _fields(self, fields: Sequence[Field], owner: str) -> tuple[FieldView, ...]:
        ordered = sorted(fields, key=lambda f: f.optional)
        return tuple(self._field(f, owner) for f in ordered)

    def _field(self, field: Field, owner: str) -> FieldView:
        language = self.language
        words = _word_set(field.type)
        set_name = ""
        if words:
            set_name = self._owner(owner, field.name) + cased(field.name, "pascal")
        annotation = language.annotation(field.type, set_name)
        return FieldView(
            key=field.name,
            name=self.name(field.name, "field"),
            wire=field.wire or cased(field.name, self.catalogue.wire_case),
            type=field.type,
            words=WordSet(set_name, words.words, words.open) if words else None,
            annotation=language.optional(annotation) if field.optional else annotation,
            input=language.annotation(field.type, set_name, input=True),
            optional=field.optional,
            meaning=field.meaning,
        )

    def _is_open(self, name: str) -> bool:
        return self.catalogue.classes[name].open or name == self.catalogue.base_class

    def _class_verdict(self, found: ErrorClass) -> VerdictView | None:
        if found.verdict is None:
            return None
        optional = {f.name for f in found.fields if f.optional}
        return self._verdict(found.verdict, found.fields, optional)

    def _optional(self, code: Code) -> set[str]:
        """Return the fields that an error with this code may lack.

        A field of one code in a class of several is optional on the class.
        """
        declared = (
            self.catalogue.classes[name]
            for name in code.classes
            if self._carriers[name] > 1 or self._is_open(name)
        )
        required = [{f.name for f in c.fields if not f.optional} for c in declared]
        return {
            f.name
            for f in code.fields
            if f.optional or any(f.name not in names for names in required)
        }

    def _verdict(
        self, verdict: Verdict, fields: Sequence[Field], optional: set[str]
    ) -> VerdictView:
        followed = next((f for f in fields if f.name == verdict.follows), None)
        return VerdictView(
            verdict.default,
            tuple(self._rule(r, optional) for r in verdict.rules),
            self._field(followed, "") if followed else None,
        )

    def _rule(self, rule: Rule, optional: set[str]) -> RuleView:
        tests = tuple(self._test(t, t.name in optional) for t in rule.when)
        return RuleView(tests, rule.then, rule.hint)

    def _test(self, test: Test, optional: bool) -> TestView:
        type = test.type
        item = type.item if type.kind == "list" and type.item else type
        words = test.words
        if item.kind == "code":
            words = tuple(s for w in words for s in self._all_texts(w))
        return TestView(
            key=test.name,
            name=self.name(test.name, "field"),
            kind=item.kind,
            context=test.context,
            optional=optional or test.context,
            many=type.kind == "list",
            present=test.present,
            words=words,
            flags=test.flags,
            ranges=test.ranges,
            shown=test.shown,
        )

    def _all_texts(self, key: str) -> Iterator[str]:
        code = self.catalogue.codes.get(key)
        if code is None:
            yield key
        else:
            yield from self.spellings(code)
            yield from code.aliases


def _index(pairs: Iterable[tuple[str, CodeView]]) -> dict[str, list[CodeView]]:
    found: dict[str, list[CodeView]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _united(fields: Sequence[Field], codes: Sequence[CodeView]) -> list[Field]:
    """Add to fields those of single codes, which are optional where there are others."""
    united = {f.name: f for f in fields}
    for code in codes:
        for extra in code.model.fields:
            if extra.name not in united:
                united[extra.name] = replace(extra, optional=True)
    return list(united.values())


def _cannot_be_made(found: ErrorClass, codes: Sequence[CodeView]) -> bool:
    """Tell whether a class is there for its subclasses only: a language may raise none
    of its codes."""
    return not codes and found.extends is not None and not found.open


def _word_set(type: Type) -> Type | None:
    """Return the set of words in a type, or in what its lists and maps hold."""
    inner: Type | None = type
    while inner is not None and inner.kind != "words":
        inner = inner.item
    return inner
