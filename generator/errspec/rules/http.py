"""Rules about what a gateway answers, and what a status says of a retry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostics import Diagnostic, Path
from ..model import Answer, Code, ErrorClass, Rule, Verdict
from .subject import Subject

_PASSING = (408, 429, 503)
"""Statuses that ask the client to try again."""
_LASTING = (400, 401, 403, 404)
"""Statuses that tell the client that the same request fails again."""


def statuses_are_stated(subject: Subject) -> Iterator[Diagnostic]:
    codes = [c for c in subject.catalogue.codes.values() if not c.retired]
    if all(code.http is None for code in codes):
        return  # it says nothing of HTTP
    for code in codes:
        if code.http is None:
            yield Diagnostic(
                "",
                f"{code.key} has no HTTP status: it is answered with 500",
                subject.file,
                ("codes", code.key),
                on="key",
                mend="http: and a status from 400 to 599, here or on its class",
            )


def verdicts_fit_statuses(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    classes, codes = catalogue.classes.values(), catalogue.codes.values()
    entries: list[tuple[str, str, ErrorClass | Code]] = [
        *(("classes", c.name, c) for c in classes if c.http),
        *(("codes", c.key, c) for c in codes if c.http and not c.retired),
    ]
    for section, name, entry in entries:
        if entry.http not in _PASSING + _LASTING or entry.control or not entry.verdict:
            continue
        raw = subject.raw(section, name)
        stated = next((k for k in ("retryable", "http") if k in raw), None)
        if stated is None:
            continue  # both come from its class, where it was told
        answers = _answers(entry.verdict, entry, codes)
        if fault := _against([entry.http], answers):
            path: Path = (section, name, stated)
            message = f"{name} has the HTTP status {entry.http}, {fault}"
            answer = "true" if entry.http in _PASSING else "false"
            mend = f"retryable: {answer}, or another status"
            yield Diagnostic("", message, subject.file, path, mend=mend)
    for owned in subject.verdicts:
        for number, rule in enumerate(owned.verdict.rules):
            statuses = _only_statuses(rule)
            if fault := _against(statuses, {rule.then}):
                yield Diagnostic(
                    "",
                    f"it matches the HTTP status {statuses[0]}, {fault}",
                    subject.file,
                    (*owned.rules, number, "then"),
                    mend=f"then: {str(not rule.then).lower()}, or another status",
                )


def _answers(
    verdict: Verdict, entry: ErrorClass | Code, codes: Iterable[Code]
) -> set[Answer]:
    """Return all answers that a verdict may give."""
    found = {verdict.default, *(rule.then for rule in verdict.rules)}
    if verdict.follows:
        groups = {f.type.name for f in entry.fields if f.name == verdict.follows}
        found |= {c.verdict.default for c in codes if groups.intersection(c.groups)}
    return found


def _against(statuses: list[int], answers: set[Answer]) -> str:
    """Say what is odd about the answers of an error with one of the statuses."""
    if not statuses:
        return ""
    if answers == {False} and all(status in _PASSING for status in statuses):
        return "which asks for another try, and is never retried"
    if answers == {True} and all(status in _LASTING for status in statuses):
        return "which will be the same the next time, and is always retried"
    return ""


def _only_statuses(rule: Rule) -> list[int]:
    """Return the single statuses for which a rule is there, where it tests nothing else."""
    ranges = [r for test in rule.when for r in test.ranges]
    if len(rule.when) > 1 or any(t.type.kind != "http_status" for t in rule.when):
        return []
    return [low for low, _ in ranges] if all(a == b for a, b in ranges) else []
