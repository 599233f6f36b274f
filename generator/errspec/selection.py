"""Picks codes out of catalogues: by name, or by group, verdict, language and raiser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from .diagnostics import UsageError, did_you_mean, listed
from .view import CodeView, View
from .words import short_verdict

VERDICTS = ("yes", "no", "depends", "unset")
"""What `words.short_verdict` says of a code."""
WRITTEN = {"true": "yes", "false": "no"}
"""The same as a catalogue writes it."""


Found = tuple[View, CodeView]
"""A code, and the neutral view of its catalogue."""


class Selection(Struct, frozen=True):
    """Which codes are wanted: those that every criterion with values lets in.

    A criterion lets in what has any of its values; one without values lets in all.

    groups     keys of groups, of which the code is in one
    verdicts   of VERDICTS or WRITTEN: whether it is worth a retry
    languages  names of languages, of which one raises it
    raised_by  texts, of which one stands in the name of who raises it, in any case; of
               the `languages` only, where there are any
    """

    groups: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    raised_by: tuple[str, ...] = ()

    def check(self, views: Sequence[View]) -> None:
        """Raise UsageError for a value that no code of these catalogues can have."""
        groups = {g for v in views for g in v.catalogue.groups}
        languages = {name for v in views for name in v.languages}
        _known("group", self.groups, groups)
        _known("verdict", self.verdicts, (*VERDICTS, *WRITTEN))
        _known("language", self.languages, languages)

    def codes(self, view: View) -> list[CodeView]:
        """Return those codes of a neutral view that are wanted, in its order."""
        criteria: list[Callable[[CodeView], bool]] = []
        if self.groups:
            criteria.append(lambda c: not set(self.groups).isdisjoint(c.model.groups))
        if self.verdicts:
            wanted = {WRITTEN.get(verdict, verdict) for verdict in self.verdicts}
            criteria.append(lambda c: short_verdict(c.verdict) in wanted)
        if self.languages or self.raised_by:
            criteria.append(lambda c: self._raised(view, c))
        return [code for code in view.codes if all(let(code) for let in criteria)]

    def _raised(self, view: View, code: CodeView) -> bool:
        wanted = [text.casefold() for text in self.raised_by]
        return any(
            local.code[code.key].is_raised
            and (not wanted or _named(local.code[code.key].raised_by, wanted))
            for name, local in view.languages.items()
            if not self.languages or name in self.languages
        )


def _named(names: Iterable[str], wanted: Sequence[str]) -> bool:
    return any(text in name.casefold() for name in names for text in wanted)


def _known(what: str, values: Iterable[str], known: Iterable[str]) -> None:
    for value in values:
        if value not in known:
            all_known = sorted(known)
            help = (
                f"there is {listed(all_known, 'and')}"
                if all_known
                else "there are none"
            )
            raise UsageError(
                f"no {what} is called {value!r}: {did_you_mean(value, all_known) or help}"
            )


def names(views: Sequence[View]) -> list[str]:
    """Return everything that `find` finds: spellings, aliases, wire values, classes."""
    codes = (name for v in views for c in v.codes for name in c.texts)
    classes = (name for v in views for name in _classes(v))
    return list(dict.fromkeys((*codes, *classes)))


def find(views: Sequence[View], name: str) -> list[Found]:
    """Return the codes that have a spelling, an alias or a wire value of this name.

    Where there is none: the codes of the classes of this name, and where these have
    none, of those that derive from them. UsageError where nothing is called so.
    """
    found = [(v, c) for v in views for c in v.codes if name in c.texts]
    if found:
        return found
    found = [(v, v.code[key]) for v in views for key in _classes(v).get(name, ())]
    if found:
        return found
    for view in views:
        for local in view.languages.values():
            if each := local.class_named.get(name):
                about = f": {each.meaning}" if each.meaning else ""
                raise UsageError(f"{name} is a class without a code{about}")
    help = did_you_mean(name, names(views)) or "errspec list shows all codes"
    raise UsageError(f"no code is spelt {name!r}: {help}")


def _classes(view: View) -> dict[str, list[str]]:
    """Return the keys of the codes that each class stands for, in any language."""
    own: dict[str, set[str]] = {}
    derived: dict[str, set[str]] = {}
    for local in view.languages.values():
        for each in local.classes:
            keys = {code.key for code in each.codes}
            own.setdefault(each.name, set()).update(keys)
            above = each.parent
            while above is not None:
                derived.setdefault(above, set()).update(keys)
                above = local.class_named[above].parent
    order = list(view.code)
    return {
        name: sorted(keys or derived.get(name, set()), key=order.index)
        for name, keys in own.items()
    }
