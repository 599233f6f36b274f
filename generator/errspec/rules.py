"""Rules: what makes sense in a catalogue, beyond what its shape and references say.

A rule is an id, one sentence of purpose, a default severity and a function; ids are
stable. `errspec.yaml` changes severities, an entry's `ignore` lets it break a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from .diagnostics import Diagnostic, Path, Related, Severity, did_you_mean, listed
from .model import Catalogue, Code, ErrorClass
from .naming import cased
from .packs import Pack
from .view import ClassView, FieldView, View

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Subject:
    """What a rule looks at: a catalogue, through its languages, and the packs to run."""

    catalogue: Catalogue
    views: Mapping[str, View]
    packs: tuple[Pack, ...]
    file: str
    whole: bool
    """Whether nothing was set aside: else what is missing may only be wrong."""


@dataclass(frozen=True)
class Rule:
    id: str
    purpose: str
    severity: Severity
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


def _names_differ(subject: Subject) -> Iterator[Diagnostic]:
    reported: set[tuple[Path, str]] = set()
    for language, view in subject.views.items():
        packs = [p for p in subject.packs if p.language == language]
        forms = {n for p in packs for n in p.names}
        derived = _derived(view, forms)
        taken = {n for n in forms if "{" not in n}
        for names, types in _namespaces(view, derived):
            seen: dict[str, Path | None] = dict.fromkeys(taken if types else ())
            for name, path in names:
                if name not in seen:
                    seen[name] = path
                    continue
                first = seen[name]
                if (path, name) in reported or first == path:
                    continue
                reported.add((path, name))
                other = _shown(first) if first else "the package itself"
                yield Diagnostic(
                    "",
                    f"in {language}, {_shown(path)} and {other} would both be {name}",
                    subject.file,
                    path,
                    on="key",
                    mend=(
                        _mend(path, _another(view, name))
                        if types and name not in derived
                        else "rename one of them"
                    ),
                    related=(Related(f"{other} is here", first),) if first else (),
                )


def _namespaces(
    view: View, derived: Mapping[str, Path]
) -> Iterator[tuple[list[tuple[str, Path]], bool]]:
    """Yield the names that must differ from each other, and whether they are types."""
    yield [*_types(view), *derived.items()], True
    yield [(c.constant, ("codes", c.key)) for c in view.codes], False
    for cls in view.classes:
        path = _class_path(cls)
        yield [(f.name, (*path, "fields", f.key)) for f in cls.own_fields], False


def _types(view: View) -> list[tuple[str, Path]]:
    """Return the names of classes, records and sets of words, with their places."""
    found: list[tuple[str, Path]] = []
    for cls in view.classes:
        found.append((cls.name, _class_path(cls)))
        found += _word_sets(cls.own_fields, _class_path(cls))
    for record in view.records:
        found.append((record.name, ("types", record.name)))
        found += _word_sets(record.fields, ("types", record.name))
    return found


def _word_sets(fields: Iterable[FieldView], path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the names of the types that fields with sets of words have."""
    yield from ((f.words.name, (*path, "fields", f.key)) for f in fields if f.words)


def _derived(view: View, forms: Iterable[str]) -> dict[str, Path]:
    """Return the names that packages make of others, with the places of those.

    `forms` are those of packs: {class} and {group} stand for each class and group.
    """
    found: dict[str, Path] = {}
    for form in sorted(forms):
        if "{class}" in form:
            for cls in view.classes:
                found[form.format_map({"class": cls.name})] = _class_path(cls)
        elif "{group}" in form:
            for key in view.catalogue.groups:
                name = view.name(key, "class")
                found[form.format(group=name)] = ("groups", key)
    return found


def _class_path(cls: ClassView) -> Path:
    if cls.model is not None:
        return ("classes", cls.name) if cls.model.declared else ("base_class",)
    return ("codes", cls.codes[0].key)


def _another(view: View, name: str) -> str:
    return cased(view.id, "pascal") + name


def _shown(path: Path) -> str:
    """Name an entry: a class, a code, a record, or the base class that has no entry."""
    section, *rest = path
    return str(rest[0] if rest else section)


def _mend(path: Path, another: str) -> str:
    """Say how the name of a type is changed, by where it comes from."""
    section, *rest = path
    if len(rest) > 1:
        return "rename the field"
    return f"say class: {another}" if section == "codes" else f"call it {another}"


def _builtins_stay_visible(subject: Subject) -> Iterator[Diagnostic]:
    reported: set[str] = set()
    for view in subject.views.values():
        hidden = view.language.builtins | view.language.reserved
        for name, path in _types(view):
            if name in hidden and name not in reported:
                reported.add(name)
                another = _another(view, name)
                yield Diagnostic(
                    "",
                    f"{name} would hide {view.language.title}'s own {name}",
                    subject.file,
                    path,
                    on="key",
                    mend=(
                        f"say class: {another}"
                        if path[0] == "codes"
                        else f"call it {another}"
                    ),
                )


def _texts(catalogue: Catalogue) -> Iterator[tuple[str, Path]]:
    """Yield the texts for people, with their places."""
    yield catalogue.title, ("title",)
    for group in catalogue.groups.values():
        yield group.title, ("groups", group.key, "title")
        yield group.meaning, ("groups", group.key, "meaning")
    entries: Iterable[tuple[str, str, Code | ErrorClass]] = [
        *(("classes", c.name, c) for c in catalogue.classes.values()),
        *(("codes", c.key, c) for c in catalogue.codes.values()),
    ]
    for section, key, entry in entries:
        yield entry.meaning, (section, key, "meaning")
        yield entry.hint, (section, key, "hint")
        yield entry.message or "", (section, key, "message")
        for index, place in enumerate(entry.raised_by):
            yield place, (section, key, "raised_by", index)
        for field in entry.fields:
            yield field.meaning, (section, key, "fields", field.name, "meaning")
        for index, rule in enumerate(entry.verdict.rules if entry.verdict else ()):
            yield rule.hint, (section, key, "retryable", "rules", index, "hint")
        if isinstance(entry, Code):
            for index, alias in enumerate(entry.aliases):
                yield alias, (section, key, "aliases", index)
            for language, local in entry.languages.items():
                yield local.reason, (section, key, "languages", language, "reason")


def _text_reads_as_written(subject: Subject) -> Iterator[Diagnostic]:
    for words, path in _texts(subject.catalogue):
        if found := _BIDI.search(words):
            yield Diagnostic(
                "",
                f"{path[-1]} holds U+{ord(found[0]):04X}, which reorders what is shown",
                subject.file,
                path,
                mend="take the character out",
            )


def _sentences_end(subject: Subject) -> Iterator[Diagnostic]:
    catalogue = subject.catalogue
    for key, code in catalogue.codes.items():
        if code.meaning and not code.meaning.endswith((".", "!", "?", "…", "。")):
            yield Diagnostic(
                "",
                f"the meaning of {key} does not end in a full stop",
                subject.file,
                ("codes", key, "meaning"),
                mend="end the sentence",
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
        _names_differ,
    ),
    Rule(
        "shadowed-builtin",
        "No class has the name of something that a language has built in.",
        "error",
        _builtins_stay_visible,
    ),
    Rule(
        "bidi-text",
        "No text holds characters that change the direction of what is shown.",
        "warning",
        _text_reads_as_written,
    ),
    Rule(
        "meaning-full-stop",
        "A meaning is a sentence and ends like one.",
        "warning",
        _sentences_end,
    ),
    Rule(
        "no-group",
        "Where a catalogue has groups, each of its codes is in one.",
        "warning",
        _codes_have_groups,
    ),
)
