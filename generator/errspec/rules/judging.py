"""Rules about verdicts: what their rules can say at all, and what changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ..diagnostics import Diagnostic, Related
from ..judge import FEW
from ..model import Code, Rule, Test
from .matching import Key, always, implies, is_full, key, never, values
from .subject import Owned, Subject

_COMPARED = 25
"""Earlier rules with which one is compared: there may be thousands."""

Place = tuple[bool, str, Any]
"""The same with a value; None for any."""


def any_stands_alone(subject: Subject) -> Iterator[Diagnostic]:
    for owned in subject.verdicts:
        for number, rule in enumerate(owned.verdict.rules):
            for test in rule.when:
                if test.present and len(test.shown) > 1:
                    yield Diagnostic(
                        "",
                        f"any is beside other values of {test.name}: it holds for all",
                        subject.file,
                        (*owned.rules, number, "when", test.name),
                        mend=f"{test.name}: any",
                    )


def rules_can_match(subject: Subject) -> Iterator[Diagnostic]:
    for owned in subject.verdicts:
        for number, rule in enumerate(owned.verdict.rules):
            for test in rule.when:
                if not never(test, owned.owners):
                    continue
                fixed = owned.owners[0]
                assert isinstance(fixed, Code)
                value = fixed.const[test.name]
                few = (
                    f"{fixed.key} fixes" if len(owned.owners) == 1 else "its codes fix"
                )
                shown = f" to {_shown(value)}" if len(owned.owners) == 1 else ""
                yield Diagnostic(
                    "",
                    f"it never matches: {few} {test.name}{shown}",
                    subject.file,
                    (*owned.rules, number, "when", test.name),
                    mend="leave the rule out",
                )
                break


def else_is_reached(subject: Subject) -> Iterator[Diagnostic]:
    for owned in subject.verdicts:
        rules = owned.verdict.rules
        if rules and always(rules[-1], owned.owners):
            names = " and ".join(test.name for test in rules[-1].when)
            yield Diagnostic(
                "",
                f"it always matches, since {names} cannot be otherwise: "
                "else is never reached",
                subject.file,
                (*owned.rules, len(rules) - 1, "when"),
                on="key",
                mend=(
                    f"retryable: {_answer(rules[-1])}"
                    if len(rules) == 1
                    else f"leave it out, and say else: {_answer(rules[-1])}"
                ),
            )


def rules_have_their_turn(subject: Subject) -> Iterator[Diagnostic]:
    for owned in subject.verdicts:
        rules = owned.verdict.rules
        if len(rules) < 2:
            continue
        alone: dict[Key, set[Any]] = {}  # what rules of a single test have matched
        caught: int | None = None  # the first rule that leaves nothing to the others
        index = _index(rules) if len(rules) > FEW else {}
        for number, rule in enumerate(rules):
            first = caught
            if first is None:
                near = _near(rule, index) if index else range(number)
                earlier = islice((n for n in near if n < number), _COMPARED)
                first = next((n for n in earlier if implies(rule, rules[n])), None)
            if first is not None or any(
                not test.present and values(test) <= alone.get(key(test), set())
                for test in rule.when
            ):
                yield _shadowed(subject, owned, number, first)
            if caught is None and always(rule, owned.owners):
                caught = number
            if len(rule.when) == 1:
                [test] = rule.when
                alone.setdefault(key(test), set()).update(values(test))


def _index(rules: Sequence[Rule]) -> dict[Place, list[int]]:
    """Put each rule under the values of that one of its tests that fewest rules share."""
    tests = [[_places(test) for test in rule.when] for rule in rules]
    shared = Counter(p for found in tests for places in found for p in places)
    index: dict[Place, list[int]] = {}
    for number, found in enumerate(tests):
        for place in min(found, key=lambda places: sum(shared[p] for p in places)):
            index.setdefault(place, []).append(number)
    return index


def _near(rule: Rule, index: Mapping[Place, list[int]]) -> Iterator[int]:
    """Yield the rules among which are all that match whatever this one does."""
    for test in rule.when:
        yield from index.get((*key(test), None), ())
        if not test.present:
            held = (index.get((*key(test), v), []) for v in values(test))
            yield from min(held, key=len)


def _places(test: Test) -> list[Place]:
    found: list[Place] = [(*key(test), value) for value in values(test)]
    return [(*key(test), None), *found] if is_full(test) else found


def _shadowed(
    subject: Subject, owned: Owned, number: int, first: int | None
) -> Diagnostic:
    who = "earlier rules together match"
    related: tuple[Related, ...] = ()
    if first is not None:
        who = "an earlier rule matches"
        place = (*owned.rules, first, "when")
        related = (Related("this one matches first", place),)
    return Diagnostic(
        "",
        f"it is never reached: {who} whatever this one does",
        subject.file,
        (*owned.rules, number, "when"),
        on="key",
        mend="put it before, or leave it out",
        related=related,
    )


def else_is_not_repeated(subject: Subject) -> Iterator[Diagnostic]:
    for owned in subject.verdicts:
        verdict = owned.verdict
        for number in range(len(verdict.rules) - 1, -1, -1):
            rule = verdict.rules[number]
            if rule.then is not verdict.default:
                break
            if not rule.hint:
                yield Diagnostic(
                    "",
                    f"then is what else says: {_answer(rule)}",
                    subject.file,
                    (*owned.rules, number, "then"),
                    mend="leave the rule out, or give it a hint",
                )


def followed_verdicts_differ(subject: Subject) -> Iterator[Diagnostic]:
    codes = subject.catalogue.codes.values()
    for owned in subject.verdicts:
        follows = owned.verdict.follows
        if not follows or not subject.whole:
            continue
        fields = owned.owners[0].fields
        group = next((f.type.name for f in fields if f.name == follows), "")
        members = [c for c in codes if group in c.groups and not c.retired]
        answers = {code.verdict.default for code in members}
        if len(answers) == 1:
            [answer] = answers
            said = "unset" if answer is None else str(answer).lower()
            yield Diagnostic(
                "",
                f"there is nothing to follow: all of {group} say {said}",
                subject.file,
                (*owned.path, "follows"),
                mend=f"rules: [{{when: {{{follows}: any}}, then: {said}}}]",
            )


def _answer(rule: Rule) -> str:
    return "unset" if rule.then is None else str(rule.then).lower()


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
