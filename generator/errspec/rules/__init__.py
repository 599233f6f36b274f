"""Rules: what makes sense in a catalogue, beyond what its shape and references say.

A rule is an id, one sentence of purpose, a default severity and a function; ids are
stable. `errspec.yaml` changes severities, and switches on the rules that are off by
default; an `ignore`, of an entry or of the catalogue, lets it break a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from ..diagnostics import Diagnostic, Path, did_you_mean
from .subject import Subject
from .table import RULES, USELESS_IGNORE, Rule

__all__ = ["RULES", "Rule", "Subject", "check"]


def check(
    subject: Subject, severities: Mapping[str, Literal["off", "warning", "error"]]
) -> list[Diagnostic]:
    """Return what the rules find; `severities` overrides their own."""
    # Each rule that an `ignore` names, and whether it found something there.
    ignored: dict[Path, bool] = {(*path, id): False for path, id in subject.ignores()}
    found = list(_unknown(subject, ignored))
    looked: set[str] = set()

    def look(rule: Rule, subject: Subject) -> None:
        severity = severities.get(rule.id, rule.severity)
        if severity == "off" or (rule.dated and subject.today is None):
            return
        looked.add(rule.id)
        for diagnostic in rule.check(subject):
            place = (*subject.ignored(diagnostic.path), rule.id)
            if place in ignored and place != diagnostic.path:
                ignored[place] = True
            else:
                found.append(replace(diagnostic, id=rule.id, severity=severity))

    for rule in RULES:
        look(rule, subject)
    # Of the others first: an ignore of this very rule may be needless too.
    last = USELESS_IGNORE.id
    for ids in (looked - {last}, looked & {last}):
        needless = (path for path, needed in ignored.items() if not needed)
        idle = tuple(path for path in needless if path[-1] in ids)
        look(USELESS_IGNORE, replace(subject, idle=idle))
    return found


def _unknown(subject: Subject, ignored: Iterable[Path]) -> Iterator[Diagnostic]:
    known = [rule.id for rule in RULES]
    for path in ignored:
        if (id := str(path[-1])) not in known:
            mend = did_you_mean(id, known) or "`errspec rules` lists them"
            message = f"unknown rule {id!r}"
            yield Diagnostic("unknown-rule", message, subject.file, path, "key", mend)
