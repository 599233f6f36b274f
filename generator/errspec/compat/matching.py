"""Which code, and which class, of one catalogue is which of the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ..model import Catalogue, Code
from .change import Side, texts

T = TypeVar("T")

ALIKE = 80
"""How alike, of 100, two entries are where one is taken for the other renamed."""

MOST_PAIRS = 100_000
"""Entries that are gone times those that are new: beyond it none are compared for
likeness, which would take minutes, and renamed ones are told as gone and new."""


def match_codes(old: Side, new: Side) -> dict[str, str]:
    """Return the new key of each old code that is still there.

    The same both ways: of old and new exchanged, the exchanged result.
    """
    found = {key: key for key in old.codes if key in new.codes}
    found |= _exchanged(old.catalogue, new.catalogue)
    gone = {k: c for k, c in old.codes.items() if k not in found}
    fresh = {k: c for k, c in new.codes.items() if k not in found.values()}
    for pairs in (_same_letters(gone, fresh), _still_read(gone, fresh)):
        _take(found, pairs)
    left = [c for k, c in gone.items() if c and not c.retired and k not in found]
    taken = set(found.values())
    right = [c for k, c in fresh.items() if c and not c.retired and k not in taken]
    _take(found, _alike(left, right, _contents, lambda c: c.key))
    return found


def _take(found: dict[str, str], pairs: Iterable[tuple[str, str]]) -> None:
    """Add pairs of which neither end is taken."""
    taken = set(found.values())
    for one, other in pairs:
        if one not in found and other not in taken:
            found[one] = other
            taken.add(other)


def _exchanged(old: Catalogue, new: Catalogue) -> dict[str, str]:
    """Return codes that mean what others meant, where those mean something else too."""
    moved = [
        key
        for key, code in old.codes.items()
        if key in new.codes and new.codes[key].meaning != code.meaning
    ]
    before = _unique({key: old.codes[key].meaning for key in moved})
    after = _unique({key: new.codes[key].meaning for key in moved})
    found = {key: after[said] for said, key in before.items() if said in after}
    # Only whole circles: of a chain, each code is best compared with itself.
    while loose := [k for k in found if k not in found.values()]:
        for key in loose:
            del found[key]
    while loose := [k for k, to in found.items() if to not in found]:
        for key in loose:
            del found[key]
    return found


def _unique(meanings: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each meaning that only one has."""
    counts = Counter(meanings.values())
    return {said: key for key, said in meanings.items() if said and counts[said] == 1}


def _same_letters(
    gone: Mapping[str, Code | None], fresh: Mapping[str, Code | None]
) -> Iterator[tuple[str, str]]:
    folded = {key.casefold(): key for key in fresh}
    for key, code in gone.items():
        to = folded.get(key.casefold())
        if to is not None and not _retired(code) and not _retired(fresh[to]):
            yield key, to


def _retired(code: Code | None) -> bool:
    return code is not None and code.retired is not None


def _still_read(
    gone: Mapping[str, Code | None], fresh: Mapping[str, Code | None]
) -> Iterator[tuple[str, str]]:
    """Yield codes of which one's key is read as the other."""
    pairs = {
        (text, key)
        for key, code in fresh.items()
        if code and not code.retired
        for text in texts(code)
        if text in gone
    }
    pairs |= {
        (key, text)
        for key, code in gone.items()
        if code and not code.retired
        for text in texts(code)
        if text in fresh
    }
    for one, other in sorted(pairs, key=lambda pair: (sorted(pair), pair)):
        if not _retired(gone[one]) and not _retired(fresh[other]):
            yield one, other


def _contents(code: Code) -> str:
    fields = " ".join(f"{f.name}:{f.type.kind}" for f in code.fields)
    rules = f"{code.verdict.default} {len(code.verdict.rules)} {code.http}"
    return f"{code.meaning} {fields} {rules}" if code.meaning else ""


def _alike(
    gone: Sequence[T],
    fresh: Sequence[T],
    contents: Callable[[T], str],
    name: Callable[[T], str],
) -> Iterator[tuple[str, str]]:
    """Yield the names of entries that are alike, the most alike first."""
    if not gone or not fresh or len(gone) * len(fresh) > MOST_PAIRS:
        return
    from rapidfuzz import fuzz  # only what is gone needs it

    left, right = ([(name(e), contents(e)) for e in some] for some in (gone, fresh))
    scores = []
    for one, said in left:
        for other, says in right:
            score = fuzz.ratio(said, says, score_cutoff=ALIKE) if said and says else 0
            if score < ALIKE:
                names = fuzz.ratio(one.casefold(), other.casefold())
                within = fuzz.ratio(said, says)  # two texts of nothing are alike
                score = names if names >= ALIKE and within >= ALIKE / 2 else 0
            if score:
                scores.append((-score, sorted((one, other)), one, other))
    yield from ((one, other) for _, _, one, other in sorted(scores))


def match_classes(old: Side, new: Side, codes: Mapping[str, str]) -> dict[str, str]:
    """Return the new name of each declared class that is still there."""
    before, after = old.catalogue, new.catalogue
    found = {name: name for name in before.classes if name in after.classes}
    found = {
        name: to
        for name, to in found.items()
        if name != before.base_class and to != after.base_class
    }
    if before.base_class in before.classes and after.base_class in after.classes:
        found[before.base_class] = after.base_class
    taken = set(found.values())
    gone = [c for n, c in before.classes.items() if n not in found]
    fresh = [c for n, c in after.classes.items() if n not in taken]
    if not gone or not fresh:
        return found
    carried = {frozenset(codes.get(k, "") for k in v): n for n, v in _carried(before)}
    fresh_names, gone_names = ({c.name for c in some} for some in (fresh, gone))
    _take(
        found,
        (
            (carried[frozenset(keys)], name)
            for name, keys in _carried(after)
            if name in fresh_names and carried.get(frozenset(keys)) in gone_names
        ),
    )
    left = [c for c in gone if c.name not in found]
    taken = set(found.values())
    right = [c for c in fresh if c.name not in taken]
    _take(found, _alike(left, right, lambda c: c.meaning, lambda c: c.name))
    return found


def _carried(catalogue: Catalogue) -> Iterator[tuple[str, list[str]]]:
    """Yield each declared class that is a code's, with its codes."""
    found: dict[str, list[str]] = {}
    for code in catalogue.codes.values():
        for name in code.classes:
            found.setdefault(name, []).append(code.key)
    yield from found.items()
