"""What a template's work costs, in steps: no clock, so the same on every machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any

import jinja2

STEPS = 500_000
STEPS_PER_CODE = 5_000
"""What a pack may take for one catalogue. Our own take a tenth of it at most."""
PER_STEP = 100
"""How many characters of text cost one step."""
MAX_BITS = 10_000
"""Of a whole number: about 3,000 digits."""

_OF_WIDTH = "batch center comment doc indent ljust rjust round slice zfill"
_PADS = frozenset(_OF_WIDTH.split())
"""Filters and methods that make as much as a number says."""
_HALF = re.compile("[\ud800-\udfff]")
_PLAIN = (str, int, float, type(None))


class LimitError(jinja2.TemplateRuntimeError):
    """A template asks for more than it may have."""


class Meter:
    """Counts down the steps of one pack for one catalogue."""

    def __init__(self) -> None:
        self._left = self._limit = self._codes = 0

    def allow(self, codes: int) -> None:
        """Begin anew, with the steps for a catalogue of so many codes."""
        self._codes = codes
        self._left = self._limit = STEPS + STEPS_PER_CODE * codes

    def pay(self, steps: int) -> None:
        """Take steps away. LimitError where there are not as many."""
        self._left -= steps
        if self._left < 0:
            self._left = 0
            raise LimitError(f"this pack does too much: over {self._limit:,} steps")

    def pay_whole(self) -> None:
        """Pay for going through the whole catalogue."""
        self.pay(PER_STEP * self._codes)

    def look(self, value: Any) -> Any:
        """Pay for a value that Python looks at once, and return it."""
        if isinstance(value, str):
            self.pay(len(value) // PER_STEP)
        elif isinstance(value, list | tuple):
            self.pay(len(value) // 16)
        return value

    def weigh(self, value: Any) -> Any:
        """Pay for all that lists and mappings hold, however deep; return the value."""
        stack = [value]
        while stack:
            one = stack.pop()
            if isinstance(one, str):
                self.pay(len(one) // PER_STEP)
            elif isinstance(one, dict | list | tuple | set | frozenset | range):
                self.pay(len(one))
                if not isinstance(one, range):
                    stack += one.values() if isinstance(one, dict) else one
        return value

    def written(self, value: Any) -> Any:
        """Pay for a value that becomes text, and return it.

        TemplateRuntimeError for what reads differently in every run, as objects do.
        """
        self.pay(1)
        stack = [value]
        while stack:
            one = stack.pop()
            if isinstance(one, dict | list | tuple):
                self.pay(len(one))
                stack += [*one, *one.values()] if isinstance(one, dict) else one
            elif isinstance(one, jinja2.Undefined):
                str(one)  # raises, where str of a list that holds it would not
            elif isinstance(one, _PLAIN):
                self.look(one)
                if isinstance(one, str) and not one.isascii() and _HALF.search(one):
                    raise jinja2.TemplateRuntimeError("this writes half a character")
            else:
                hint = "join it" if isinstance(one, Iterator) else "write what it holds"
                hint = "call it" if callable(one) else hint
                raise jinja2.TemplateRuntimeError(
                    f"{named(one)} cannot be written: {hint}"
                )
        return value

    def loop(self, values: Any, price: int) -> Any:
        """Pay for every turn of a loop, at once where their number is known."""
        if isinstance(values, Sized) and not isinstance(values, jinja2.Undefined):
            self.pay(len(values) * price)
            return values
        return self._turns(values, price)

    def _turns(self, values: Iterable[Any], price: int) -> Iterator[Any]:
        for value in values:
            self.pay(price)
            yield value

    def growth(self, name: str, given: Sequence[Any]) -> None:
        """Pay for what a filter or method may make beyond what it was given."""
        sizes = [
            len(value)
            for value in given
            if isinstance(value, Sized) and not isinstance(value, jinja2.Undefined)
        ]
        second, largest = sorted((0, 0, *sizes))[-2:]
        self.pay((largest + 1) * second // PER_STEP)
        if name in _PADS:
            first = given[0]
            lines = first.count("\n") + 1 if isinstance(first, str) else PER_STEP
            widths = sum(abs(n) for n in given[1:] if isinstance(n, int))
            self.pay(widths * lines // PER_STEP)

    def filling(self, form: str, given: Sequence[Any]) -> None:
        """Pay for a text that %-marks in `form` put together."""
        self.written(given)
        widths = [int(width[:9]) for width in re.findall(r"\d+", form)]
        if "*" in form:
            widths += [abs(value) for value in given if isinstance(value, int)]
        longest = max((len(str(value)) for value in given), default=0)
        self.pay((sum(widths) + longest * form.count("%")) // PER_STEP)

    def arithmetic(self, operator: str, left: Any, right: Any) -> None:
        """Pay for what an operator makes of two values, before it makes it."""
        if operator == "%" and isinstance(left, str):
            given = [*right.values()] if isinstance(right, dict) else right
            self.filling(left, given if isinstance(given, list | tuple) else [given])
        elif operator == "+":
            self.weigh((left, right))
        elif isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length()
            bits = bits * right if operator == "**" else bits + right.bit_length()
            if operator != "%" and bits > MAX_BITS:
                raise LimitError(f"this number is longer than {MAX_BITS:,} bits")
        elif operator == "*":
            for many, times in ((left, right), (right, left)):
                if isinstance(many, Sized) and isinstance(times, int):
                    size = len(many) * max(0, times)
                    self.pay(size // (PER_STEP if isinstance(many, str) else 1))


def named(value: Any) -> str:
    """Return what a value is, for a message."""
    kind = type(value).__name__
    kind = {"str": "text", "OwnDict": "dict", "OwnList": "list"}.get(kind, kind)
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"
