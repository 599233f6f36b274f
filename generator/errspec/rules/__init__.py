"""Rules: what makes sense in a catalogue, beyond what its shape and references say.

A rule is an id, one sentence of purpose, a default severity and a function; ids are
stable. `errspec.yaml` changes severities, and switches on the rules that are off by
default; an entry's `ignore` lets it break a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics import Diagnostic, Path, Severity, did_you_mean, listed
from ..model import Catalogue, Code, ErrorClass
from .http import statuses_are_stated
from .idle import aliases_are_new, any_stands_alone, codes_are_raised
from .names import builtins_stay_visible, languages_are_spelt_out, names_differ
from .subject import Subject
from .texts import sentences_end, text_reads_as_written, texts_look_different

__all__ = ["RULES", "Rule", "Subject", "check"]


class Rule(Struct, frozen=True):
    id: str
    purpose: str
    severity: Severity | Literal["off"]
    check: Callable[[Subject], Iterator[Diagnostic]]


def check(
    subject: Subject, severities: Mapping[str, Literal["off", "warning", "error"]]
) -> list[Diagnostic]:
    """Return what the rules find; `severities` overrides their own."""
    found = list(_unknown_ignores(subject))
    for rule in RULES:
        severity = severities.get(rule.id, rule.severity)
        if severity == "off":
            continue
        for diagnostic in rule.check(subject):
            if rule.id not in _ignored(subject.catalogue, diagnostic.path):
                found.append(replace(diagnostic, id=rule.id, severity=severity))
    return found


def _unknown_ignores(subject: Subject) -> Iterator[Diagnostic]:
    known = [rule.id for rule in RULES]
    catalogue = subject.catalogue
    for section, entries in (
        ("classes", catalogue.classes),
        ("codes", catalogue.codes),
    ):
        for key, entry in entries.items():
            for id in entry.ignore:
                if id not in known:
                    mend = did_you_mean(id, known) or f"rules: {listed(known)}"
                    path = (section, key, "ignore", id)
                    message = f"unknown rule {id!r}"
                    yield Diagnostic(
                        "unknown-rule", message, subject.file, path, "key", mend
                    )


def _ignored(catalogue: Catalogue, path: Path) -> Mapping[str, str]:
    entry: Code | ErrorClass | None = None
    if len(path) > 1 and path[0] == "codes":
        entry = catalogue.codes.get(str(path[1]))
    elif len(path) > 1 and path[0] == "classes":
        entry = catalogue.classes.get(str(path[1]))
    return entry.ignore if entry else {}


def _some_codes(subject: Subject) -> Iterator[Diagnostic]:
    if subject.whole and not subject.catalogue.codes:
        yield Diagnostic(
            "",
            "the catalogue has no codes",
            subject.file,
            ("codes",),
            on="key",
            mend="add the first one",
        )


def _codes_have_groups(subject: Subject) -> Iterator[Diagnostic]:
    groups = subject.catalogue.groups
    for key, code in subject.catalogue.codes.items():
        if groups and not code.groups and not code.retired:
            yield Diagnostic(
                "",
                f"{key} is in no group",
                subject.file,
                ("codes", key),
                on="key",
                mend=f"add group: {listed(list(groups)[:5])}",
            )


RULES = (
    Rule("no-codes", "A catalogue has at least one code.", "warning", _some_codes),
    Rule(
        "name-collision",
        "No two classes, records, constants or fields have one name in a language.",
        "error",
        names_differ,
    ),
    Rule(
        "shadowed-builtin",
        "No class has the name of something that a language has built in.",
        "error",
        builtins_stay_visible,
    ),
    Rule(
        "look-alike",
        "No two codes, aliases, wire values or words of a field look the same.",
        "error",
        texts_look_different,
    ),
    Rule(
        "bidi-text",
        "No text holds characters that change the direction of what is shown.",
        "warning",
        text_reads_as_written,
    ),
    Rule(
        "meaning-full-stop",
        "A meaning is a sentence and ends like one.",
        "warning",
        sentences_end,
    ),
    Rule(
        "no-group",
        "Where a catalogue has groups, each of its codes is in one.",
        "warning",
        _codes_have_groups,
    ),
    Rule(
        "unwritten-language",
        "No language is a short or wrong spelling of one that a pack writes.",
        "warning",
        languages_are_spelt_out,
    ),
    Rule(
        "useless-alias",
        "No alias is a name under which its code is read anyway.",
        "warning",
        aliases_are_new,
    ),
    Rule(
        "never-raised",
        "A code that is not retired is raised in one language at least.",
        "warning",
        codes_are_raised,
    ),
    Rule(
        "any-among-values",
        "A test for any names no other value: any holds for all of them.",
        "warning",
        any_stands_alone,
    ),
    Rule(
        "no-http-status",
        "Where codes have HTTP statuses, each has one.",
        "off",
        statuses_are_stated,
    ),
)
