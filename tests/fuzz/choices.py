"""Choices of an author of catalogues: what is drawn, and names that are not taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

from fuzz import names
from fuzz.names import texts
from fuzz.oracle import Data, few

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[Any]], Any]


class Choices:
    """What is drawn for one catalogue."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.data: Data = {}
        self.types = set(names.reserved_types())
        self.texts: set[str] = set()
        self.classes: Data = {}
        self.codes: Data = {}
        self.pool: Data = {}
        self.followed: list[str] = []

    # Choices. What makes a catalogue larger is the second answer, for small examples.

    def maybe(self, percent: int) -> bool:
        return bool(self.draw(st.integers(0, 99)) >= 100 - percent)

    def one(self, items: Sequence[T]) -> T:
        found: T = self.draw(st.sampled_from(items))
        return found

    def some(self, items: Sequence[T], most: int = 3) -> list[T]:
        if not items:
            return []
        found: list[T] = self.draw(
            st.lists(st.sampled_from(range(len(items))), max_size=most, unique=True)
        )
        return [items[at] for at in found]  # type: ignore[call-overload]

    def text(self) -> str:
        return str(self.draw(texts))

    def unique(
        self,
        strategy: st.SearchStrategy[str],
        taken: set[str],
        mark: Callable[[str], list[str]],
    ) -> str:
        """Draw a name whose marks are not taken, and take them."""
        found: str = self.draw(strategy)
        number = 0
        name = found
        while any(m in taken for m in mark(name)):
            number += 1
            name = f"{found}{number}"
        taken.update(mark(name))
        return name

    def type_name(self) -> str:
        return self.unique(names.class_names, self.types, lambda n: [n, f"{n}Options"])

    def free_text(self) -> str:
        """Draw a text that stands for no code yet."""
        return self.unique(texts, self.texts, lambda t: [t])

    @property
    def acronyms(self) -> dict[str, str]:
        return {a.upper(): a for a in few(self.data.get("acronyms"))}
