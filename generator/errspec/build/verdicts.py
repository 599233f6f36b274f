"""Verdicts: answers, rules and their tests.

The grammar of a `when`: one or more `name: test`, all of which must hold. A name is
a field of the code or its class, or a fact of `context`; a test is a value or a flat
list of values, any of which may match. A test on an absent field is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..diagnostics import Path, listed
from ..model import Answer, Code, Field, Rule, Test, Type, Verdict
from ..schema import meant, text
from .scope import Scope, item_path, prose

_STATUS_CLASS = re.compile(r"([1-5])xx")
_HUNDRED = re.compile(r"([1-5])00 *(?:-|–|\.\.) *(?:\1|5)99")
_UNTESTABLE = ("json", "map", "record", "error", "number", "timestamp")


def answer(raw: Any) -> Answer:
    """Read true, false or unset."""
    return raw if isinstance(raw, bool) else None


def read_verdict(
    scope: Scope, raw: Any, fields: Iterable[Field], path: Path
) -> Verdict | None:
    """Read a verdict; None where it is wrong and has been reported.

    `fields` are the fields of the code or class whose verdict it is.
    """
    if not isinstance(raw, dict):
        return Verdict(answer(raw))
    by_name = {f.name: f for f in fields}
    before = len(scope.diagnostics)
    if "follows" in raw:
        name = text(raw["follows"])
        if name not in by_name and not _is_set_aside(scope, path):
            scope.unknown("field", name, by_name, (*path, "follows"))
        elif name in by_name and by_name[name].type.kind != "code":
            scope.error(
                "wrong-type",
                f"follows needs a field that holds a code, and {name!r} is none",
                (*path, "follows"),
                mend="give the field the type {code: group}",
            )
        verdict = Verdict(answer(raw["else"]), follows=name)
    else:
        rules = read_rules(scope, raw["rules"], by_name, (*path, "rules"))
        verdict = Verdict(answer(raw["else"]), rules)
    return verdict if len(scope.diagnostics) == before else None


def read_rules(
    scope: Scope,
    raw: Any,
    fields: dict[str, Field],
    path: Path,
    context: dict[str, Field] | None = None,
) -> tuple[Rule, ...]:
    """Read rules over the given fields and the facts of the catalogue's context."""
    facts = scope.context if context is None else context
    rules = []
    for index, rule in enumerate(raw):
        tests = []
        for name, values in rule["when"].items():
            place = (*path, index, "when", name)
            if name in fields:
                tests.append(_read_test(scope, fields[name], values, place, False))
            elif name in facts:
                tests.append(_read_test(scope, facts[name], values, place, True))
            elif name not in scope.names("context") and not _is_set_aside(scope, path):
                known = [*fields, *facts]
                scope.unknown("field", name, known, place, on="key")
        rules.append(Rule(tuple(tests), answer(rule["then"]), prose(rule.get("hint"))))
    return tuple(rules)


def _is_set_aside(scope: Scope, path: Path) -> bool:
    """Tell whether fields of the entry may be missing only because they are wrong."""
    return len(path) > 1 and not scope.is_sound(str(path[0]), str(path[1]))


def _read_test(
    scope: Scope, field: Field, raw: Any, path: Path, context: bool
) -> Test:
    type = field.type
    item = type.item if type.kind == "list" and type.item else type
    words: list[str] = []
    flags: list[bool] = []
    ranges: list[tuple[int, int]] = []
    present = False
    values = raw if isinstance(raw, list) else [raw]
    for index, value in enumerate(values):
        place = item_path(path, raw, index)
        if text(value) == "any" and "any" not in item.words:
            present = True
        elif item.kind in _UNTESTABLE or item.kind in ("list", "retry_after"):
            scope.error(
                "untestable",
                f"a field of type {item.kind} can only be tested for any",
                place,
                mend="any: the field is present",
            )
        elif item.kind == "boolean" and isinstance(value, bool):
            flags.append(value)
        elif item.kind in ("integer", "duration_ms", "http_status"):
            if found := _range(item.kind, value):
                ranges.append(found)
            else:
                _reject(scope, field.name, item, value, place)
        elif item.kind == "boolean":
            _reject(scope, field.name, item, value, place)
        else:
            _check_word(scope, field.name, item, text(value), place)
            words.append(text(value))
    return Test(
        field.name,
        type,
        context,
        tuple(text(v) for v in values),
        tuple(words),
        tuple(flags),
        tuple(ranges),
        present,
    )


def _range(kind: str, value: Any) -> tuple[int, int] | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        status = kind == "http_status"
        return (value, value) if not status or 100 <= value <= 599 else None
    if kind == "http_status" and (match := _STATUS_CLASS.fullmatch(value)):
        low = int(match[1]) * 100
        return low, low + 99
    return None


def _reject(scope: Scope, name: str, type: Type, value: Any, path: Path) -> None:
    demand = {
        "http_status": "a status 100-599, 1xx…5xx or any",
        "boolean": "true, false or any",
    }.get(type.kind, "a whole number or any")
    message = f"{name} is tested for {demand}, not {text(value)!r}"
    scope.error("wrong-value", message, path, mend=_guess(type.kind, text(value)))


def _guess(kind: str, value: str) -> str | None:
    """Guess which value or values were meant."""
    if kind == "boolean":
        return meant(value, ["true", "false", "any"])
    if value.removeprefix("-").isdecimal() and kind != "http_status":
        return f"did you mean {value}, without quotes?"
    if kind != "http_status":
        whole = _STATUS_CLASS.fullmatch(value.casefold())
        return (
            "give the field the type http_status" if whole else "list the values: [1, 2]"
        )
    if value.isdecimal() and 100 <= int(value) <= 599:
        return f"did you mean {value}, without quotes?"
    whole = _STATUS_CLASS.fullmatch(value.casefold()) or _HUNDRED.fullmatch(value)
    if whole:
        return f"did you mean {whole[1]}xx?"
    return "list the values: [404, 5xx]"


def _check_word(scope: Scope, name: str, type: Type, word: str, path: Path) -> None:
    if type.kind == "words" and word not in type.words and not type.open:
        scope.unknown("word", word, [*type.words, "any"], path, of=f" of {name}")
    elif type.kind == "code":
        scope.expect_member(type.name, word, path)


def check_cycles(scope: Scope, codes: dict[str, Code]) -> None:
    """Report verdicts that follow each other in a circle."""
    members: dict[str, list[str]] = {}
    for code in codes.values():
        for group in code.groups:
            members.setdefault(group, []).append(code.key)

    def targets(key: str) -> list[str]:
        code = codes[key]
        for field in code.fields:
            if field.name == code.verdict.follows:
                return members.get(field.type.name, [])
        return []

    reported: set[str] = set()
    for start in codes:
        if start in reported or not codes[start].verdict.follows:
            continue
        trail = _way_back(start, targets)
        if trail:
            reported.update(trail)
            scope.error(
                "verdict-cycle",
                f"the verdict follows itself: {' → '.join([*trail, start])}",
                ("codes", start, "retryable", "follows"),
                mend=f"state the verdict of {listed(trail[1:] or trail)}",
            )


def _way_back(start: str, targets: Any) -> list[str]:
    """Return the codes on a way from `start` back to it, or nothing."""
    came: dict[str, str] = {}
    stack = [start]
    while stack:
        here = stack.pop()
        for there in targets(here):
            if there == start:
                trail = [here]
                while trail[-1] != start:
                    trail.append(came[trail[-1]])
                return trail[::-1]
            if there not in came:
                came[there] = here
                stack.append(there)
    return []
