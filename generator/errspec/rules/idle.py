"""Rules about what is written and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..diagnostics import Diagnostic, Path
from ..model import Verdict
from .subject import Subject


def aliases_are_new(subject: Subject) -> Iterator[Diagnostic]:
    for key, code in subject.catalogue.codes.items():
        spelt = (local.code for local in code.languages.values())
        known = {key, code.wire, *spelt}
        raw: Any = subject.data["codes"][key].get("aliases")
        for index, alias in enumerate(code.aliases):
            if alias in known:
                place = (index,) if isinstance(raw, list) else ()
                yield Diagnostic(
                    "",
                    f"{key} is read under the name {alias} anyway",
                    subject.file,
                    ("codes", key, "aliases", *place),
                    mend="leave the alias out",
                )


def codes_are_raised(subject: Subject) -> Iterator[Diagnostic]:
    languages = subject.catalogue.languages
    for key, code in subject.catalogue.codes.items():
        absent = {name for name, local in code.languages.items() if local.absent}
        if not code.retired and absent.issuperset(languages):
            yield Diagnostic(
                "",
                f"no language raises {key}",
                subject.file,
                ("codes", key),
                on="key",
                mend="retired: {since: …, reason: …}, where none does any more",
            )


def any_stands_alone(subject: Subject) -> Iterator[Diagnostic]:
    for path, verdict in _own_verdicts(subject):
        for number, rule in enumerate(verdict.rules):
            for test in rule.when:
                if test.present and len(test.shown) > 1:
                    yield Diagnostic(
                        "",
                        f"any is beside other values of {test.name}: it holds for all",
                        subject.file,
                        (*path, "rules", number, "when", test.name),
                        mend=f"{test.name}: any",
                    )


def _own_verdicts(subject: Subject) -> Iterator[tuple[Path, Verdict]]:
    """Yield the verdicts with their places; who inherits one is passed over."""
    catalogue = subject.catalogue
    found: Iterable[tuple[str, str, Verdict | None]] = [
        *(("classes", c.name, c.verdict) for c in catalogue.classes.values()),
        *(("codes", c.key, c.verdict) for c in catalogue.codes.values()),
    ]
    for section, key, verdict in found:
        if verdict and "retryable" in subject.data.get(section, {}).get(key, {}):
            yield (section, key, "retryable"), verdict
    if catalogue.foreign_errors:
        yield ("foreign_errors",), catalogue.foreign_errors
