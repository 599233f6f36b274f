"""What the tests of a verdict's rules hold for, and which of them say the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..model import Code, ErrorClass, Rule, Test

Key = tuple[bool, str]
"""What a test asks: of the context or not, and its name."""


def key(test: Test) -> Key:
    return test.context, test.name


def never(test: Test, owners: Iterable[Code | ErrorClass]) -> bool:
    """Tell whether no error can pass a test, since its code fixes the field."""
    found = list(owners)
    return bool(found) and all(
        not test.context
        and isinstance(owner, Code)
        and test.name in owner.const
        and not _holds(test, owner.const[test.name])
        for owner in found
    )


def always(rule: Rule, owners: Iterable[Code | ErrorClass]) -> bool:
    """Tell whether every error of the owners passes all tests of a rule."""
    found = list(owners)
    return bool(found) and all(
        _sure(test, owner) for owner in found for test in rule.when
    )


def _sure(test: Test, owner: Code | ErrorClass) -> bool:
    if test.context:
        return False  # the caller may say nothing
    if isinstance(owner, Code) and test.name in owner.const:
        return _holds(test, owner.const[test.name])
    field = next((f for f in owner.fields if f.name == test.name), None)
    return field is not None and not field.optional and is_full(test)


def is_full(test: Test) -> bool:
    """Tell whether a test holds for every value that its field may have."""
    if test.present:
        return True
    kind = test.type.kind
    if kind == "words":
        return not test.type.open and values(test) >= set(test.type.words)
    if kind == "boolean":
        return values(test) == {True, False}
    return kind == "http_status" and values(test) >= set(range(100, 600))


def values(test: Test) -> set[Any]:
    """Return the values that a test asks for."""
    found: set[Any] = {*test.words, *test.flags}
    for low, high in test.ranges:
        found.update(range(low, high + 1))
    return found


def _holds(test: Test, value: Any) -> bool:
    if test.present:
        return True
    if isinstance(value, (list, tuple)):
        return any(_holds(test, item) for item in value)
    if isinstance(value, bool):
        return value in test.flags
    if isinstance(value, int):
        return any(low <= value <= high for low, high in test.ranges)
    return value in test.words


def implies(rule: Rule, other: Rule) -> bool:
    """Tell whether whatever passes a rule passes the other one."""
    tests = {key(test): test for test in rule.when}
    return all(
        (name := key(test)) in tests and _covers(test, tests[name])
        for test in other.when
    )


def _covers(outer: Test, inner: Test) -> bool:
    """Tell whether a test holds for all that another one of the same field holds for."""
    if is_full(outer):
        return True
    return not inner.present and values(inner) <= values(outer)
