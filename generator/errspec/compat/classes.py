"""Changes of classes: their names and parents, and how they are made, per language."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Path
from ..model import Code, ErrorClass
from ..view import View
from .change import Change, Side
from .comparison import Comparison, Pair


def classes(c: Comparison) -> Iterator[Change]:
    """Compare the declared classes, and those that codes have."""
    yield from _declared(c)
    for pair in c.classes:
        yield from _parents(c, pair, pair.old.extends, pair.new.extends)
        yield from _kind_of_class(c, pair)
    for pair in _suspects(c):
        yield from _carriers(c, pair)
    for pair in c.raised:
        assert isinstance(pair.old, Code) and isinstance(pair.new, Code)
        yield from _languages(c, pair)
        yield from _message(c, pair)
        if pair.old.own_class and pair.new.own_class:
            yield from _parents(c, pair, pair.old.extends, pair.new.extends)
    for pair in [*c.classes, *c.raised]:
        yield from _internal(c, pair)
    yield from _constructors(c)


def _suspects(c: Comparison) -> list[Pair]:
    """Return the codes whose classes may have other names."""
    names_moved = c.old.catalogue.acronyms != c.new.catalogue.acronyms
    if not names_moved:
        return c.raised
    return [p for p in c.codes if not (_retired(p.old) or _retired(p.new))]


def _retired(entry: object) -> bool:
    return isinstance(entry, Code) and entry.retired is not None


def _declared(c: Comparison) -> Iterator[Change]:
    for name, found in c.old.catalogue.classes.items():
        path: Path = ("classes", name)
        after = c.class_names.get(name)
        if after is None and not found.internal:
            message = f"the class {name} is gone"
            place = c.neighbour("classes", name)
            yield Change("class-removed", message, path, "", path, place)
        elif after is not None and after != name:
            message = f"the class {name} is called {after} now"
            new: Path = ("classes", after)
            detail = f"{name}→{after}"
            yield Change(
                "class-renamed", message, new, detail, path, new, None, f"keep {name}"
            )
    there = set(c.class_names.values())
    for name, found in c.new.catalogue.classes.items():
        if name not in there and not found.internal:
            path = ("classes", name)
            yield Change("class-added", f"the class {name} is new", path, new=path)


def _parents(
    c: Comparison, pair: Pair, old: str | None, new: str | None
) -> Iterator[Change]:
    mapped = c.class_names.get(old, "") if old is not None else None
    if mapped == new:
        return
    # Of classes that are gone, or new, that is told.
    stayed = (c.class_names.get(n) for n in c.old.ancestors(old))
    before = [name for name in stayed if name]
    after = [n for n in c.new.ancestors(new) if n in c.class_names.values()]
    lost = [name for name in before if name not in after]
    place = c.places(pair, "extends")
    if lost:
        message = f"{pair.label} is no {lost[0]} any more: who catches that misses it"
        yield Change("class-reparented", message, pair.after, "", *place)
    elif more := [name for name in after if name not in before]:
        message = f"{pair.label} is a {more[0]} too"
        yield Change("class-extended", message, pair.after, "", *place)


def _kind_of_class(c: Comparison, pair: Pair) -> Iterator[Change]:
    old, new = pair.old, pair.new
    assert isinstance(old, ErrorClass) and isinstance(new, ErrorClass)
    for what, was, now, on, off in (
        ("abstract", old.abstract, new.abstract, "made-abstract", "made-concrete"),
        ("open", old.open, new.open, "opened", "closed"),
    ):
        if was != now:
            message = f"{pair.label} is {'' if now else 'not '}{what} {'now' if now else 'any more'}"
            kind = f"class-{on if now else off}"
            yield Change(kind, message, pair.after, "", *c.places(pair, what))


def _carriers(c: Comparison, pair: Pair) -> Iterator[Change]:
    """Compare the classes that carry a code, in each language."""
    key, was = str(pair.after[1]), str(pair.before[1])

    def step(name: str, old: View, new: View) -> tuple[tuple[str, ...], ...] | None:
        before, after = old.code[was].class_names, new.code[key].class_names
        mapped = tuple(map(c.class_after, before))
        return None if not before or not after or mapped == after else (before, after)

    for (before, after), languages, words in c.by_language(step):
        yield from _moved(c, pair, before, after, languages, words)


def _moved(
    c: Comparison,
    pair: Pair,
    before: tuple[str, ...],
    after: tuple[str, ...],
    languages: str,
    words: str,
) -> Iterator[Change]:
    old, new = pair.old, pair.new
    assert isinstance(old, Code) and isinstance(new, Code)
    place = c.places(pair, "class")
    if old.own_class and new.own_class:
        if pair.before == pair.after or old.class_name or new.class_name:
            message = f"the class {before[0]} is called {after[0]} now{words}"
            detail = f"{before[0]}→{after[0]}"
            mend = f"class: {before[0]}"
            yield Change("class-renamed", message, pair.after, detail, *place, mend)
        return  # else the name is that of the key
    caught = _caught(c.new, new, after)
    missed = [n for n in before if c.class_after(n) not in caught]
    come = [n for n in after if c.class_before(n) not in _caught(c.old, old, before)]
    if missed or come:
        step = f"{' and '.join(after) or 'none'}, not {' and '.join(before) or 'none'}"
        message = f"{pair.label} has the class {step}{words}"
        yield Change("class-changed", message, pair.after, languages, *place)


def _caught(side: Side, code: Code, names: tuple[str, ...]) -> set[str]:
    """Return all classes under which errors of a code can be caught."""
    above = code.classes or (code.extends or side.catalogue.base_class,)
    return {*names, *(a for name in above for a in side.ancestors(name))}


def _languages(c: Comparison, pair: Pair) -> Iterator[Change]:
    old, new = pair.old, pair.new
    assert isinstance(old, Code) and isinstance(new, Code)
    for language, _, _ in c.languages:
        was, now = (
            (local := code.languages.get(language)) is None or not local.absent
            for code in (old, new)
        )
        if was == now:
            continue
        place = c.places(pair, "languages", language)
        kind = "language-gained" if now else "language-lost"
        message = f"{language} raises {pair.label} now"
        if was:
            message = f"{language} does not raise {pair.label} any more, and has no class for it"
        yield Change(kind, message, pair.after, language, *place)


def _message(c: Comparison, pair: Pair) -> Iterator[Change]:
    place = c.places(pair, "message")
    if pair.old.message and not pair.new.message:
        message = (
            f"{pair.label} has no message of its own any more: its makers must give one"
        )
        yield Change("message-dropped", message, pair.after, "", *place)
    elif pair.new.message and not pair.old.message:
        message = f"{pair.label} has a message of its own now"
        yield Change("message-added", message, pair.after, "", *place)


def _internal(c: Comparison, pair: Pair) -> Iterator[Change]:
    if pair.old.internal == pair.new.internal:
        return
    place = c.places(pair, "internal")
    kind = "made-internal" if pair.new.internal else "made-public"
    message = f"{pair.label} is {'internal' if pair.new.internal else 'public'} now"
    yield Change(kind, message, pair.after, "", *place)


_SHAPES = {
    "one": "a message",
    "many": "a code and a message",
    "derived": "the field that decides the code",
    "none": "a message",
}


def _constructors(c: Comparison) -> Iterator[Change]:
    """Compare what the declared classes are made with: that depends on their codes."""
    for pair in c.classes:
        was, now = str(pair.before[1]), str(pair.after[1])

        def step(
            name: str, old: View, new: View, was: str = was, now: str = now
        ) -> tuple[str, str] | None:
            before, after = old.class_named[was], new.class_named[now]
            if before.abstract or after.abstract or before.is_base:
                return None
            steps = _SHAPES[before.shape], _SHAPES[after.shape]
            return None if steps[0] == steps[1] else steps

        for (before, after), languages, words in c.by_language(step):
            message = f"{now} is made with {after} first{words}, not with {before}"
            grew = after != _SHAPES["one"]
            mend = "give the new code a class of its own" if grew else None
            place = (pair.before, pair.after, None)
            yield Change(
                "constructor-changed", message, pair.after, languages, *place, mend
            )
