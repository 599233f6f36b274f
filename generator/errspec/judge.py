"""Judges errors by a catalogue: an evaluator over the model, apart from the templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from .model import Answer, Catalogue, Code, Rule, Test, Type

Values = dict[str, Any]

_Place = tuple[bool, str, Any]
"""A value that a test asks for: of the context or not, its name, None for any."""


FEW = 20
"""Rules that are tried one after the other faster than they are looked up."""


class Judge:
    """Judges a code's verdict by the contract: the first rule that matches wins."""

    def __init__(self, catalogue: Catalogue, code: Code) -> None:
        self.catalogue = catalogue
        self.verdict = code.verdict
        rules = code.verdict.rules
        self._index = _index(rules) if len(rules) > FEW else {}

    def __call__(self, fields: Values, context: Values) -> Answer:
        """Return the verdict of an error with these fields, in this context."""
        verdict = self.verdict
        if verdict.follows is not None:
            named = self._find(fields.get(verdict.follows))
            if named is None or (named.retired and named.verdict.default is None):
                return verdict.default
            return named.verdict.default
        for rule in self._candidates(fields, context):
            values = [
                (t, (context if t.context else fields).get(t.name)) for t in rule.when
            ]
            if all(self._holds(test, value) for test, value in values):
                return rule.then
        return verdict.default

    def _candidates(self, fields: Values, context: Values) -> Iterable[Rule]:
        """Return the rules that may hold, in their order: there may be thousands."""
        if not self._index:
            return self.verdict.rules
        found: set[int] = set()
        for of_context, values in ((False, fields), (True, context)):
            for name, value in values.items():
                found.update(self._index.get((of_context, name, None), ()))
                for item in value if isinstance(value, list) else [value]:
                    if isinstance(item, str | int):
                        found.update(self._index.get((of_context, name, item), ()))
        return (self.verdict.rules[number] for number in sorted(found))

    def _holds(self, test: Test, value: Any) -> bool:
        if value is None:
            return False
        if test.present:
            return True
        if test.type.kind == "list":
            return any(self._matches(test, v, test.type.item) for v in value)
        return self._matches(test, value, test.type)

    def _matches(self, test: Test, value: Any, type: Type | None) -> bool:
        if isinstance(value, bool):
            return value in test.flags
        if isinstance(value, int):
            return any(low <= value <= high for low, high in test.ranges)
        if type is not None and type.kind == "code":
            found = self._find(value)
            return found is not None and found.key in test.words
        return value in test.words

    def _find(self, spelling: Any) -> Code | None:
        return self.catalogue.codes.get(spelling) if isinstance(spelling, str) else None


def _index(rules: tuple[Rule, ...]) -> dict[_Place, list[int]]:
    """Put each rule where that one of its tests looks that shares it with the fewest."""
    places = [[list(_places(test)) for test in rule.when] for rule in rules]
    shared = Counter(p for tests in places for test in tests for p in test)
    index: dict[_Place, list[int]] = {}
    for number, tests in enumerate(places):
        for place in min(tests, key=lambda test: sum(shared[p] for p in test)):
            index.setdefault(place, []).append(number)
    return index


def _places(test: Test) -> Iterator[_Place]:
    if test.present:
        yield test.context, test.name, None
    for value in (*test.words, *test.flags):
        yield test.context, test.name, value
    for low, high in test.ranges:
        for value in range(low, high + 1):
            yield test.context, test.name, value
