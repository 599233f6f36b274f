"""Rules about the life of a code: since when, until when, and what comes after."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from ..diagnostics import Diagnostic, Path
from ..model import Code, Deprecation, ErrorClass, Retirement
from .subject import Subject

_VERSION = re.compile(r"v?[0-9][\w.+-]*")

Life = tuple[Path, Code | ErrorClass]


def _entries(subject: Subject) -> Iterator[Life]:
    """Yield the classes and codes whose life the catalogue speaks of."""
    for cls in subject.catalogue.classes.values():
        if cls.since or cls.deprecated:
            yield ("classes", cls.name), cls
    for code in subject.catalogue.codes.values():
        if code.since or code.deprecated or code.retired:
            yield ("codes", code.key), code


def _endings(subject: Subject) -> Iterator[tuple[Path, Deprecation | Retirement]]:
    for path, entry in _entries(subject):
        if entry.deprecated:
            yield (*path, "deprecated"), entry.deprecated
        if isinstance(entry, Code) and entry.retired:
            yield (*path, "retired"), entry.retired


def deprecations_explain(subject: Subject) -> Iterator[Diagnostic]:
    for path, found in _endings(subject):
        if not found.use and not found.reason:
            yield Diagnostic(
                "",
                f"{path[1]} is deprecated, and nothing says why or what to use",
                subject.file,
                path,
                on="key",
                mend="add use: and a code, or reason: and why",
            )


def sunsets_are_ahead(subject: Subject) -> Iterator[Diagnostic]:
    for path, found in _endings(subject):
        sunset = found.sunset if isinstance(found, Deprecation) else None
        if sunset and subject.today and sunset < subject.today:
            yield Diagnostic(
                "",
                f"the sunset of {path[1]} has passed: today is {subject.today}",
                subject.file,
                (*path, "sunset"),
                mend=(
                    "retired: {since: …, reason: …}, or a later date"
                    if path[0] == "codes"
                    else "take the class out, or say a later date"
                ),
            )


def sunsets_are_days(subject: Subject) -> Iterator[Diagnostic]:
    for path, found in _endings(subject):
        sunset = found.sunset if isinstance(found, Deprecation) else None
        if sunset and not _is_day(sunset):
            yield Diagnostic(
                "",
                f"no calendar has the day {sunset}",
                subject.file,
                (*path, "sunset"),
                mend="year, month and day: 2027-01-31",
            )


def _is_day(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def versions_are_stated(subject: Subject) -> Iterator[Diagnostic]:
    places: list[tuple[Path, str]] = []
    for path, entry in _entries(subject):
        if entry.since:
            places.append(((*path, "since"), entry.since))
    places += [((*path, "since"), found.since) for path, found in _endings(subject)]
    for path, since in places:
        if not _VERSION.fullmatch(since):
            yield Diagnostic(
                "",
                f"since is a version, and {since!r} is none",
                subject.file,
                path,
                mend=f"such as {subject.catalogue.version}",
            )


def successors_live(subject: Subject) -> Iterator[Diagnostic]:
    for path, found in _endings(subject):
        use = subject.catalogue.codes.get(found.use or "")
        if use and (use.retired or use.deprecated):
            word, after = (
                ("retired", use.retired)
                if use.retired
                else ("deprecated", use.deprecated)
            )
            further = after.use if after else None
            yield Diagnostic(
                "",
                f"{use.key} is {word} itself",
                subject.file,
                (*path, "use"),
                mend=f"use: {further}" if further else "name one that stays",
            )


def retired_codes_rest(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    gone = {code.key for code in catalogue.codes.values() if code.retired}
    if not gone:
        return
    for code in catalogue.codes.values():
        if code.retired:
            continue
        types = {f.name: f.type for f in code.fields}
        for name, value in code.const.items():
            if types[name].kind == "code" and value in gone:
                yield Diagnostic(
                    "",
                    f"{value} is retired, and {code.key} would still send it",
                    subject.file,
                    ("codes", code.key, "const", name),
                    mend="name a code that is in use",
                )
    for owned in subject.verdicts:
        for number, rule in enumerate(owned.verdict.rules):
            for test in rule.when:
                item = test.type.item or test.type
                if item.kind == "code" and test.words and gone.issuperset(test.words):
                    yield Diagnostic(
                        "",
                        f"{' and '.join(test.words)} is retired: only old errors hold it",
                        subject.file,
                        (*owned.rules, number, "when", test.name),
                        mend="leave the rule out once nobody sends it",
                    )
