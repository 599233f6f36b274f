"""Changes of what people read: texts, and what is said of an entry's end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostics import Path, listed
from ..model import Code, Field
from .change import Change
from .comparison import Comparison, Pair

_TEXTS = ("meaning", "hint", "raised_by", "links", "since", "message")
_LOCAL_TEXTS = ("reason", "raised_by", "meaning", "hint")


def passing(c: Comparison) -> Iterator[Change]:
    """Compare what is deprecated."""
    for pair in [*c.classes, *c.raised]:
        old, new = pair.old.deprecated, pair.new.deprecated
        if old == new:
            continue
        place = c.places(pair, "deprecated")
        if old is None and new is not None:
            use = f"; use {new.use}" if new.use else ""
            message = f"{pair.label} is deprecated since {new.since}{use}"
            yield Change("code-deprecated", message, pair.after, "", *place)
        elif new is None:
            message = f"{pair.label} is not deprecated any more"
            yield Change("deprecation-undone", message, pair.after, "", *place)
        else:
            message = (
                f"what is said of the deprecation of {pair.label} is something else"
            )
            yield Change("deprecation-changed", message, pair.after, "", *place)


def prose(c: Comparison) -> Iterator[Change]:
    """Compare the texts: one change for each entry, which names them."""
    for pair in [*c.classes, *c.changed_codes]:
        if names := sorted(_reworded(pair)):
            message = f"{pair.label} reads otherwise: {listed(names, 'and')}"
            first = c.places(pair, names[0])
            yield Change("text-changed", message, pair.after, ",".join(names), *first)
    old, new = c.old.catalogue, c.new.catalogue
    if old.title != new.title:
        message = f"the title is {new.title!r}, not {old.title!r}"
        yield Change("text-changed", message, (), "title", ("title",), ("title",))
    for name, group in new.groups.items():
        path: Path = ("groups", name)
        if name in old.groups and group != old.groups[name]:
            message = f"the group {name!r} reads otherwise"
            yield Change("text-changed", message, path, "", path, path)
    for section, before, after in (
        ("attributes", old.attributes, new.attributes),
        ("context", old.context, new.context),
    ):
        for name in _refielded(before.values(), after.values()):
            path = (section, name)
            message = f"{name!r} of {section} reads otherwise"
            yield Change("text-changed", message, path, "", path, path)
    for name, record in new.records.items():
        was = old.records.get(name)
        if was and (
            was.meaning != record.meaning or _refielded(was.fields, record.fields)
        ):
            path = ("types", name)
            message = f"the record {name} reads otherwise"
            yield Change("text-changed", message, path, "", path, path)


def _reworded(pair: Pair) -> Iterator[str]:
    """Yield the keys under which an entry's texts are other ones."""
    old, new = pair.old, pair.new
    for name in _TEXTS:
        was, now = getattr(old, name), getattr(new, name)
        if was != now and (name != "message" or (was and now)):
            yield name
    if _refielded(old.fields, new.fields):
        yield "fields"
    rules = [e.verdict.rules if e.verdict else () for e in (old, new)]
    hints = [[rule.hint for rule in some if rule.hint] for some in rules]
    if hints[0] != hints[1]:
        yield "retryable"
    if not (isinstance(old, Code) and isinstance(new, Code)):
        return
    for language in old.languages.keys() & new.languages.keys():
        was, now = old.languages[language], new.languages[language]
        if any(getattr(was, n) != getattr(now, n) for n in _LOCAL_TEXTS):
            yield "languages"
            break
    if old.retired and new.retired and old.retired != new.retired:
        yield "retired"


def _refielded(old: Iterable[Field], new: Iterable[Field]) -> list[str]:
    """Return the fields of both whose meaning is another."""
    before = {f.name: f.meaning for f in old}
    return [f.name for f in new if before.get(f.name, f.meaning) != f.meaning]
