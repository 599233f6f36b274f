"""Laws of comparing catalogues: nothing comes of nothing, and what goes one way comes
the other way."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

from comparing import lenient_side, side
from errspec import source
from errspec.compat import KINDS, Change, Comparison, Side, changes
from errspec.diagnostics import Path, Unreadable
from fuzz.drawn import drawn
from fuzz.dump import dump
from support import CASES, CATALOGUES, ROOT


@cache
def _readable() -> list[tuple[str, Side]]:
    """Every catalogue of the repository and of the cases of which anything can be read."""
    found = []
    for path in sorted([*(ROOT / "spec").glob("*.yaml"), *CASES.rglob("*.yaml")]):
        name = path.relative_to(ROOT).as_posix()
        try:
            text = path.read_bytes().decode("utf-8")
            found.append((name, lenient_side(text, name)))
        except (UnicodeDecodeError, Unreadable):
            continue  # no YAML, or no catalogue: cases of other tests
    return found


def test_a_catalogue_compared_with_itself_is_the_same() -> None:
    """No reading of a catalogue differs from another reading of it."""
    assert len(_readable()) > 300
    for name, one in _readable():
        again = lenient_side(one.document.text, name)
        assert changes(Comparison(one, again)) == [], name


SOUND = {name: path.read_text("utf-8") for name, path in CATALOGUES.items()}


def _shuffled(data: Any, rng: random.Random) -> Any:
    """Return the data with the keys of all mappings in another order."""
    if isinstance(data, dict):
        keys = list(data)
        rng.shuffle(keys)
        return {key: _shuffled(data[key], rng) for key in keys}
    return [_shuffled(item, rng) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize("name", SOUND)
def test_order_comments_quotes_and_line_ends_change_nothing(name: str) -> None:
    """However a catalogue is written down, it says the same."""
    rng = random.Random(name)
    one = side(SOUND[name], "old")
    data = source.parse(SOUND[name], "x").data
    for seed in range(4):
        text = dump(_shuffled(data, rng), seed)
        assert changes(Comparison(one, side(text, "new"))) == [], seed


def _mutated(data: Any, rng: random.Random) -> Any:
    """Return the data with a few of its entries gone, exchanged or under another name."""
    data = copy.deepcopy(data)
    for _ in range(rng.randrange(1, 6)):
        place = data
        while True:
            keys = [*place] if isinstance(place, dict) else [*range(len(place))]
            if not keys:
                break
            key = rng.choice(keys)
            inner = place[key]
            if isinstance(inner, dict | list) and (
                place is data or rng.random() < 0.75
            ):
                place = inner
                continue
            act = rng.randrange(3)
            if place is data:
                pass  # without its sections it is no catalogue
            elif act == 0:
                del place[key]
            elif act == 1:
                other = rng.choice(keys)
                place[key], place[other] = place[other], place[key]
            elif isinstance(place, dict):
                place[f"{key}X"] = place.pop(key)
            elif isinstance(inner, bool):
                place[key] = not inner
            break
    return data


def _pairs() -> list[tuple[str, str, str]]:
    """Return catalogues in pairs, as text: the triples, any two, and mutated ones."""
    cases = (path.parent for path in sorted((CASES / "breaking").glob("*/expected")))
    found = [
        (
            p.name,
            (p / "old.yaml").read_text("utf-8"),
            (p / "new.yaml").read_text("utf-8"),
        )
        for p in cases
    ]
    names = list(SOUND)
    found += [
        (f"{a} and {b}", SOUND[a], SOUND[b])
        for a, b in zip(names, [*names[1:], names[0]], strict=True)
    ]
    rng = random.Random("mirror")
    plain = {name: source.parse(text, name).data for name, text in SOUND.items()}
    for number in range(40):
        name = names[number % len(names)]
        one, other = (_mutated(plain[name], rng) for _ in range(2))
        found.append((f"{name} mutated {number}", dump(one, 1), dump(other, 2)))
    for number, (text, data, _) in enumerate(drawn(15, 9)):
        found.append((f"drawn {number}", text, dump(_mutated(data, rng), number)))
    return found


def _seen(found: list[Change], names: dict[Path, Path]) -> Counter[tuple[object, ...]]:
    """Return what changes are about, apart from their direction."""
    return Counter(
        (KINDS[change.kind].topic, names.get(change.subject, change.subject))
        for change in found
    )


def test_what_goes_one_way_comes_the_other_way() -> None:
    """The changes from a to b are those from b to a, each seen from its other end."""
    some = 0
    for name, old, new in _pairs():
        one, other = lenient_side(old, "old"), lenient_side(new, "new")
        there, back = Comparison(one, other), Comparison(other, one)
        assert {v: k for k, v in there.code_names.items()} == back.code_names, name
        assert {v: k for k, v in there.class_names.items()} == back.class_names, name
        renamed: dict[Path, Path] = {
            ("codes", b): ("codes", a) for a, b in there.code_names.items()
        }
        renamed |= {
            ("classes", b): ("classes", a) for a, b in there.class_names.items()
        }
        forth = changes(there)
        assert _seen(forth, renamed) == _seen(changes(back), {}), (name, old, new)
        some += len(forth)
    assert some > 500
