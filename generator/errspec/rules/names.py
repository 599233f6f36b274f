"""Rules about names: they differ from each other and from what a language has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..diagnostics import Diagnostic, Path, Related, did_you_mean
from ..naming import cased
from ..view import View
from .subject import Subject, class_path


def names_differ(subject: Subject) -> Iterator[Diagnostic]:
    reported: set[tuple[Path, str]] = set()
    for language, view in subject.views.items():
        packs = [p for p in subject.packs if p.language == language]
        forms = {n for p in packs for n in p.names}
        derived = _derived(view, forms)
        taken = {n for n in forms if "{" not in n}
        for names, types in _namespaces(view, subject.types[language], derived):
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


def languages_are_spelt_out(subject: Subject) -> Iterator[Diagnostic]:
    for index, name in enumerate(subject.catalogue.languages):
        if name in subject.described:
            continue
        short = [each for each in subject.described if _shortens(name, each)]
        mend = f"did you mean {short[0]}?" if short else None
        if mend := mend or did_you_mean(name, subject.described):
            yield Diagnostic(
                "",
                f"no pack writes the language {name!r}",
                subject.file,
                ("languages", index),
                mend=mend,
            )


def _shortens(short: str, name: str) -> bool:
    """Tell whether a word is another with letters left out, such as ts and py."""
    letters = iter(name)
    return short[:1] == name[:1] and all(letter in letters for letter in short)


def _namespaces(
    view: View, named: list[tuple[str, Path]], derived: Mapping[str, Path]
) -> Iterator[tuple[list[tuple[str, Path]], bool]]:
    """Yield the names that must differ from each other, and whether they are types."""
    yield [*named, *derived.items()], True
    yield [(c.constant, ("codes", c.key)) for c in view.codes], False
    yield [(f.name, ("attributes", f.key)) for f in view.attributes], False
    for cls in view.classes:
        path = class_path(cls)
        yield [(f.name, (*path, "fields", f.key)) for f in cls.own_fields], False


def _derived(view: View, forms: Iterable[str]) -> dict[str, Path]:
    """Return the names that packages make of others, with the places of those.

    `forms` are those of packs: {class} and {group} stand for each class and group.
    """
    found: dict[str, Path] = {}
    for form in sorted(forms):
        if "{class}" in form:
            for cls in view.classes:
                found[form.format_map({"class": cls.name})] = class_path(cls)
        elif "{group}" in form:
            for key in view.catalogue.groups:
                name = view.name(key, "class")
                found[form.format(group=name)] = ("groups", key)
    return found


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


def builtins_stay_visible(subject: Subject) -> Iterator[Diagnostic]:
    reported: set[str] = set()
    for language, view in subject.views.items():
        hidden = view.language.builtins | view.language.reserved
        for name, path in subject.types[language]:
            if name in hidden and name not in reported:
                reported.add(name)
                yield Diagnostic(
                    "",
                    f"{name} would hide {view.language.title}'s own {name}",
                    subject.file,
                    path,
                    on="key",
                    mend=_mend(path, _another(view, name)),
                )


def famous_names_stay_free(subject: Subject) -> Iterator[Diagnostic]:
    # Of what a language has built in that is told already.
    views = subject.views.values()
    reported = set().union(*(view.language.builtins for view in views))
    for view in views:
        famous = view.language.well_known
        for name, path in ((c.name, class_path(c)) for c in view.classes):
            if name in famous and name not in reported:
                reported.add(name)
                yield Diagnostic(
                    "",
                    f"{name} is a class of {famous[name]} in {view.language.title}: "
                    "who catches the one may mean the other",
                    subject.file,
                    path,
                    on="key",
                    mend=_mend(path, _another(view, name)),
                )
