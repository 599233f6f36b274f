"""Test vectors: for every code and every rule, fields in and what must come out.

The expected verdicts come from `judge`, which shares nothing with the templates, so
that a fault in a template shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec.json

from .judge import Judge, Values
from .model import Catalogue, Code, Field, Test, Type
from .naming import cased
from .view import View

MANY = 100
"""Of the codes of a group that is followed, of the tests of a rule, and of the values
of a test: up to how many each has vectors of its own, or else there is a square of them.
"""


def vectors(view: View) -> dict[str, Any]:
    """Return all vectors of a catalogue, from its neutral view.

    A vector gives the fields under their wire names, the context that the caller
    supplies, and what comes out: verdict, HTTP status, and per language the code,
    the class (null where no single class carries it) and the wire value. A code that
    requires a native cause has none: nothing that can be written down is one. `facts`
    says how each language spells the names of a context.
    """
    catalogue = view.catalogue
    cases: list[dict[str, Any]] = []
    for code in catalogue.codes.values():
        needs_cause = any(
            f.type.kind == "error" and not f.optional for f in code.fields
        )
        if code.retired is not None or needs_cause:
            continue
        out = {
            name: {
                "code": local.code[code.key].spelling,
                "class": _only(local.code[code.key].class_names),
                "wire": local.code[code.key].wire,
            }
            for name, local in view.languages.items()
        }
        judge = Judge(catalogue, code)
        seen: set[bytes] = set()
        for about, fields, context in _inputs(catalogue, code):
            written = msgspec.json.encode([fields, context], order="deterministic")
            if written in seen:
                continue
            seen.add(written)
            cases.append(
                {
                    "name": f"{code.key}: {about}",
                    "code": code.key,
                    "fields": on_wire(catalogue, code.fields, fields),
                    "context": context,
                    "retryable": judge(fields, context),
                    "http": code.http,
                    "languages": out,
                }
            )
    return {
        "errspec": 1,
        "catalogue": catalogue.id,
        "fields_under": catalogue.fields_under,
        "facts": {
            name: {fact.key: fact.name for fact in local.context}
            for name, local in view.languages.items()
        },
        "vectors": cases,
    }


def least(catalogue: Catalogue, code: Code) -> Values:
    """Return samples of what an error of a code must carry, and what the code fixes."""
    return {
        f.name: code.const.get(f.name, _sample(catalogue, f.type))
        for f in code.fields
        if (not f.optional or f.name in code.const) and f.type.kind != "error"
    }


def _inputs(catalogue: Catalogue, code: Code) -> Iterator[tuple[str, Values, Values]]:
    """Yield what to try: the required fields alone, all fields, and around each rule."""
    plain = least(catalogue, code)
    yield "the least", plain, {}
    every = {
        f.name: _sample(catalogue, f.type)
        for f in code.fields
        if f.type.kind != "error"
    }
    yield "all fields", {**every, **code.const}, {}
    yield from _around_rules(catalogue, code, plain)
    if (follows := code.verdict.follows) is not None:
        [group] = [f.type.name for f in code.fields if f.name == follows]
        members = [c for c in catalogue.codes.values() if group in c.groups]
        if len(members) > MANY:  # one for each verdict: all of them would be a square
            members = list({c.verdict.default: c for c in reversed(members)}.values())
        for name in [*(c.key for c in members), "no such code"]:
            if code.const.get(follows, name) == name:
                yield f"follows {name}", {**plain, follows: name}, {}


def _around_rules(
    catalogue: Catalogue, code: Code, plain: Values
) -> Iterator[tuple[str, Values, Values]]:
    """Yield for each test what matches, and the neighbours of that which do not."""
    for number, rule in enumerate(code.verdict.rules, 1):
        if any(test.type.kind == "error" for test in rule.when):
            continue  # a native cause cannot be written down
        first = [(test, next(_values(catalogue, test))) for test in rule.when]
        for varied in rule.when[:MANY]:
            for value in _values(catalogue, varied):
                fields, context = dict(plain), Values()
                for test, chosen in first:
                    into = context if test.context else fields
                    into[test.name] = value if test is varied else chosen
                if fields != {**fields, **code.const}:
                    continue  # the code fixes that field to another value
                shown = value[0] if isinstance(value, list) else value
                yield f"rule {number}: {varied.name} {shown}", fields, context


_LIMITS = {"http_status": (100, 599), "duration_ms": (0, 2**53 - 1)}


def _values(catalogue: Catalogue, test: Test) -> Iterator[Any]:
    item = (test.type.kind == "list" and test.type.item) or test.type
    found: list[Any] = [*test.words[:MANY], *test.flags]
    for low, high in test.ranges[:MANY]:
        near = [low, high, low - 1, high + 1]
        low, high = _LIMITS.get(item.kind, (low - 1, high + 1))
        found += [n for n in near if low <= n <= high]
    if test.words:
        others = item.words if item.words and not item.open else ("something else",)
        tested = set(test.words)
        found += [other for other in others if other not in tested][:1]
    elif test.flags:
        found += [True, False]
    elif not found:
        found = [*item.words] or [_sample(catalogue, item)]
    for value in dict.fromkeys(map(_Key, found)):
        yield value.value if item is test.type else [value.value]


class _Key:
    """A value that tells True from 1."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


_SAMPLES: Mapping[str, Any] = {
    "string": "text",
    "integer": 7,
    "number": 1.5,
    "boolean": True,
    "json": {"key": [1, "text", True]},
    "http_status": 500,
    "duration_ms": 250,
    "timestamp": "2027-01-31T12:00:00Z",
    "retry_after": 2,
}


def _sample(catalogue: Catalogue, type: Type, depth: int = 0) -> Any:
    """Return a value of a type; records hold their fields under the catalogue's names."""
    match type.kind:
        case "words":
            return type.words[0]
        case "list":
            assert type.item is not None
            return [] if depth > 4 else [_sample(catalogue, type.item, depth + 1)]
        case "map":
            assert type.item is not None
            return (
                {} if depth > 4 else {"key": _sample(catalogue, type.item, depth + 1)}
            )
        case "code":
            members = (c.key for c in catalogue.codes.values() if type.name in c.groups)
            return next(members, "no such code")
        case "record":
            fields = catalogue.records[type.name].fields
            return {
                f.name: _sample(catalogue, f.type, depth + 1)
                for f in fields
                if not (f.optional and depth > 4)
            }
        case kind:
            return _SAMPLES[kind]


def on_wire(catalogue: Catalogue, fields: tuple[Field, ...], values: Values) -> Values:
    """Put values under their wire names, in records too."""
    by_name = {f.name: f for f in fields}
    return {
        by_name[name].wire
        or cased(name, catalogue.wire_case): _value_on_wire(
            catalogue, by_name[name].type, value
        )
        for name, value in values.items()
    }


def _value_on_wire(catalogue: Catalogue, type: Type, value: Any) -> Any:
    if type.kind == "record":
        return on_wire(catalogue, catalogue.records[type.name].fields, value)
    if type.item and type.kind == "list":
        return [_value_on_wire(catalogue, type.item, v) for v in value]
    if type.item and type.kind == "map":
        return {k: _value_on_wire(catalogue, type.item, v) for k, v in value.items()}
    return value


def _only(names: tuple[str, ...]) -> str | None:
    return names[0] if len(names) == 1 else None
