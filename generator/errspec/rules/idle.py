"""Rules about what is written and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostics import Diagnostic, Path
from ..model import Type
from .subject import Subject


def aliases_are_new(subject: Subject) -> Iterator[Diagnostic]:
    for key, code in subject.catalogue.codes.items():
        if not code.aliases:
            continue
        spelt = (local.code for local in code.languages.values())
        known = {key, code.wire, *spelt}
        raw = subject.raw("codes", key)["aliases"]
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
        if code.retired or not code.languages:
            continue
        absent = {name for name, local in code.languages.items() if local.absent}
        if absent.issuperset(languages):
            yield Diagnostic(
                "",
                f"no language raises {key}",
                subject.file,
                ("codes", key),
                on="key",
                mend="retired: {since: …, reason: …}, where none does any more",
            )


def types_are_used(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    if not catalogue.records:
        return
    ahead = {_record(f.type) for c in catalogue.classes.values() for f in c.fields}
    ahead |= {_record(f.type) for c in catalogue.codes.values() for f in c.fields}
    ahead |= {_record(fact.type) for fact in catalogue.context.values()}
    used = set()
    while ahead:
        used.add(name := ahead.pop())
        if name in catalogue.records:
            inner = {_record(f.type) for f in catalogue.records[name].fields}
            ahead |= inner - used
    idle = (name for name in catalogue.records if name not in used)
    yield from _unused(subject, "types", idle, "no field has the type", "a field of it")


def _record(type: Type) -> str:
    """Return the record that a type holds, however deep; empty where it holds none."""
    while type.item:
        type = type.item
    return type.name if type.kind == "record" else ""


def attributes_are_used(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    used = {name for c in catalogue.classes.values() for name in c.attributes}
    used.update(name for c in catalogue.codes.values() for name in c.attributes)
    if found := catalogue.classification:
        used.update((found.status, found.kind))
    idle = (name for name in catalogue.attributes if name not in used)
    what = "no code and no class states"
    yield from _unused(subject, "attributes", idle, what, "a value")


def facts_are_used(subject: Subject) -> Iterator[Diagnostic]:
    tests = (t for o in subject.verdicts for r in o.verdict.rules for t in r.when)
    used = {test.name for test in tests if test.context}
    idle = (name for name in subject.catalogue.context if name not in used)
    yield from _unused(subject, "context", idle, "no when tests", "a rule that does")


def groups_are_used(subject: Subject) -> Iterator[Diagnostic]:
    used = {g for code in subject.catalogue.codes.values() for g in code.groups}
    idle = (name for name in subject.catalogue.groups if name not in used)
    yield from _unused(subject, "groups", idle, "no code is in", "a code in it")


def classes_are_used(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    used = {c.extends for c in catalogue.classes.values()}
    used.update(c.extends for c in catalogue.codes.values())
    idle = (c.name for c in catalogue.classes.values() if c.abstract)
    idle = (name for name in idle if name not in used)
    yield from _unused(subject, "classes", idle, "nothing extends", "extends: there")


def _unused(
    subject: Subject, section: str, names: Iterable[str], what: str, another: str
) -> Iterator[Diagnostic]:
    """Report entries that nothing speaks of; what was set aside, or is to come, might."""
    for name in names if subject.whole and subject.catalogue.codes else ():
        yield Diagnostic(
            "",
            f"{what} {name}",
            subject.file,
            (section, name),
            on="key",
            mend=f"leave it out, or add {another}",
        )


def ignores_are_needed(subject: Subject) -> Iterator[Diagnostic]:
    path: Path
    for path in subject.idle if subject.whole else ():
        yield Diagnostic(
            "",
            f"the rule {path[-1]} finds nothing here that could be ignored",
            subject.file,
            path,
            on="key",
            mend="leave it out",
        )
