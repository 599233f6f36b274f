"""Catalogues at random, as text beside what it says; a seed gives the same ones again."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from fuzz.catalogues import catalogues
from fuzz.dump import dump
from fuzz.oracle import Case, Data

Drawn = tuple[str, Data, list[Case]]


def drawn(count: int, number: int) -> list[Drawn]:
    """Draw catalogues; `number` is the seed."""
    found: list[Drawn] = []

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        phases=[Phase.generate],
    )
    @given(catalogues(), st.integers(0, 2**32))
    def draw(catalogue: tuple[Data, list[Case]], style: int) -> None:
        data, cases = catalogue
        found.append((dump(data, style), data, cases))

    draw()
    return found
