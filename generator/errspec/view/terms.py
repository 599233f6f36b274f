"""Single parts of a catalogue in a language's terms: names, fields, verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from ..languages import Language
from ..model import Catalogue, Code, Field, Rule, Test, Type, Verdict
from ..naming import cased, class_name
from .entries import FieldView, RuleView, TestView, VerdictView, WordSet


class Terms(Struct, frozen=True, dict=True):
    """What a language calls the parts of a catalogue."""

    catalogue: Catalogue
    language: Language

    def spellings(self, code: Code) -> tuple[str, ...]:
        """Return every spelling of a code: the key, then what languages write."""
        others = (local.code for local in code.languages.values())
        return tuple(dict.fromkeys([code.key, *(o for o in others if o)]))

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
        if found in language.reserved_for(use):
            return language.escape.format(name=found)
        return found

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

    def fields(self, fields: Sequence[Field], owner: str) -> tuple[FieldView, ...]:
        ordered = sorted(fields, key=lambda f: f.optional)
        return tuple(self.field(f, owner) for f in ordered)

    def field(self, field: Field, owner: str) -> FieldView:
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

    def verdict(self, verdict: Verdict, fields: Sequence[Field]) -> VerdictView:
        followed = next((f for f in fields if f.name == verdict.follows), None)
        return VerdictView(
            verdict.default,
            tuple(self._rule(r) for r in verdict.rules),
            self.field(followed, "") if followed else None,
        )

    def _rule(self, rule: Rule) -> RuleView:
        return RuleView(tuple(map(self._test, rule.when)), rule.then, rule.hint)

    def _test(self, test: Test) -> TestView:
        type = test.type
        item = type.item if type.kind == "list" and type.item else type
        words = test.words
        if item.kind == "code":
            words = tuple(dict.fromkeys(s for w in words for s in self._all_texts(w)))
        return TestView(
            key=test.name,
            name=self.name(test.name, "field"),
            kind=item.kind,
            context=test.context,
            many=type.kind == "list",
            present=test.present,
            # Where any value will do, no other test adds anything.
            words=() if test.present else words,
            flags=() if test.present else test.flags,
            ranges=() if test.present else test.ranges,
            shown=test.shown,
        )

    def _all_texts(self, key: str) -> Iterator[str]:
        code = self.catalogue.codes.get(key)
        if code is None:
            yield key
        else:
            yield from self.spellings(code)
            yield from code.aliases
            if isinstance(code.wire, str):
                yield code.wire

    def is_absent(self, code: Code) -> bool:
        """Tell whether the language never raises a code."""
        local = code.languages.get(self.language.name)
        return local is not None and local.absent

    def is_open(self, name: str) -> bool:
        """Tell whether a declared class takes any code."""
        return self.catalogue.classes[name].open or name == self.catalogue.base_class


def _word_set(type: Type) -> Type | None:
    """Return the set of words in a type, or in what its lists and maps hold."""
    inner: Type | None = type
    while inner is not None and inner.kind != "words":
        inner = inner.item
    return inner
