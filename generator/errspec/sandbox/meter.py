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
MAX_DIGITS = 1_000
"""That a number is rounded to."""
MAX_TEXT = 2**25
"""How many characters may be made at once, or stand in one text."""
MAX_OUTPUT = 2**25
MAX_OUTPUT_PER_CODE = 2**15
"""How many characters a pack may write for one catalogue, in all its files."""

_OF_WIDTH = "batch center comment doc indent ljust rjust round slice zfill"
_PADS = frozenset(_OF_WIDTH.split())
"""Filters and methods that make as much as a number says."""
_WRITERS = frozenset({"comment", "doc", "literal", "string"})
_WIDEST = 12
"""What a language writes for a character, `\\U0001f600` and the like, at most."""
_HALF = re.compile("[\ud800-\udfff]")
_PLAIN = (str, int, float, type(None))


class LimitError(jinja2.TemplateRuntimeError):
    """A template asks for more than it may have."""


class Meter:
    """Counts down the steps of one pack for one catalogue."""

    def __init__(self) -> None:
        self._left = self._limit = self._codes = self._room = 0

    def allow(self, codes: int) -> None:
        """Begin anew, with the steps for a catalogue of so many codes."""
        self._codes = codes
        self._left = self._limit = STEPS + STEPS_PER_CODE * codes
        self._room = MAX_OUTPUT + MAX_OUTPUT_PER_CODE * codes

    def pay(self, steps: int) -> None:
        """Take steps away. LimitError where there are not as many."""
        self._left -= steps
        if self._left < 0:
            self._left = 0
            raise LimitError(f"this pack does too much: over {self._limit:,} steps")

    def make(self, characters: int) -> None:
        """Pay for a text before it is made."""
        if characters > MAX_TEXT:
            raise LimitError(f"this text is longer than {MAX_TEXT:,} characters")
        self.pay(characters // PER_STEP)

    def output(self, parts: Iterable[str]) -> Iterator[str]:
        """Pass on what is written to a file, as long as there is room for it."""
        for part in parts:
            self._room -= len(part)
            if self._room < 0:
                limit = MAX_OUTPUT + MAX_OUTPUT_PER_CODE * self._codes
                raise LimitError(
                    f"this pack writes too much: over {limit:,} characters"
                )
            yield part

    def pay_whole(self) -> None:
        """Pay for going through the whole catalogue."""
        self.pay(PER_STEP * self._codes)

    def look(self, value: Any) -> Any:
        """Pay for a value that Python looks at once, and return it."""
        if isinstance(value, str):
            self.make(len(value))
        elif isinstance(value, list | tuple):
            self.pay(len(value) // 16)
        elif isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise LimitError(f"this number is longer than {MAX_BITS:,} bits")
        return value

    def compare(self, value: Any) -> Any:
        """Pay for comparing a value with another, however deep, and return it."""
        return self.weigh(value, 16)

    def find(self, value: Any) -> Any:
        """Pay for looking for something in a value, and return it."""
        return self.look(value) if isinstance(value, dict) else self.compare(value)

    def weigh(self, value: Any, per_step: int = 1) -> Any:
        """Pay for all that lists and mappings hold, however deep; return the value.

        A step is paid for so many entries, and for each list or mapping.
        """
        stack = [value]
        while stack:
            one = stack.pop()
            if isinstance(one, str):
                self.make(len(one))
            elif isinstance(one, dict | list | tuple | set | frozenset | range):
                self.pay(len(one) // per_step + (per_step > 1))
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
            # A list may grow while it is looped over: what was paid for is what it has.
            return tuple(values) if isinstance(values, list) else values
        return self.turns(values, price)

    def turns(self, values: Iterable[Any], price: int = 1) -> Iterator[Any]:
        """Pay for every value as it comes."""
        for value in values:
            self.pay(price)
            yield value

    def held(self, values: Any) -> Any:
        """Take all values of an iterator, each paid for; return anything else as it is."""
        return [*self.turns(values)] if isinstance(values, Iterator) else values

    def growth(self, name: str, given: Sequence[Any]) -> None:
        """Pay for what a filter or method may make beyond what it was given."""
        sizes = [
            len(value)
            for value in given
            if isinstance(value, Sized) and not isinstance(value, jinja2.Undefined)
        ]
        second, largest = sorted((0, 0, *sizes))[-2:]
        self.make((largest + 1) * second)
        if name in _PADS:
            widths = sum(abs(n) for n in given[1:] if isinstance(n, int))
            if name == "round" and widths > MAX_DIGITS:
                raise LimitError(f"a number has at most {MAX_DIGITS:,} digits here")
            self.make(widths * self._lines(name, given[0]))
        if name in _WRITERS:
            self.make(_WIDEST * self._characters(given[0]))

    def _lines(self, name: str, value: Any) -> int:
        """Return how many lines of a text, or values, a width may stand beside."""
        if not isinstance(value, str):
            values = value if isinstance(value, list | tuple) else ()
            return PER_STEP + sum(self._lines(name, each) for each in values)
        wraps = name in _WRITERS  # at any space
        return 1 + len(value.split() if wraps else value.splitlines())

    def _characters(self, value: Any) -> int:
        """Return how long a text is, or all that a list holds."""
        if isinstance(value, list | tuple):
            return sum(map(self._characters, value))
        return len(value) if isinstance(value, str) else 0

    def filling(self, form: str, given: Sequence[Any]) -> None:
        """Pay for a text that %-marks in `form` put together."""
        self.written(given)
        widths = [int(width[:9]) for width in re.findall(r"\d+", form)]
        if "*" in form:
            widths += [abs(value) for value in given if isinstance(value, int)]
        longest = max((len(str(value)) for value in given), default=0)
        self.make(sum(widths) + longest * form.count("%"))

    def arithmetic(self, operator: str, left: Any, right: Any) -> None:
        """Pay for what an operator makes of two values, before it makes it."""
        if operator == "%" and isinstance(left, str):
            given = [*right.values()] if isinstance(right, dict) else right
            self.filling(left, given if isinstance(given, list | tuple) else [given])
        elif operator == "+" and not isinstance(left, int):
            self.weigh((left, right))
        elif isinstance(left, int) and isinstance(right, int):
            self.look(left)
            self.look(right)
            bits = left.bit_length()
            bits = bits * right if operator == "**" else bits + right.bit_length()
            if operator in ("*", "**") and bits > MAX_BITS:
                raise LimitError(f"this number is longer than {MAX_BITS:,} bits")
        elif operator == "*":
            for many, times in ((left, right), (right, left)):
                if isinstance(many, Sized) and isinstance(times, int):
                    size = len(many) * max(0, times)
                    (self.make if isinstance(many, str) else self.pay)(size)


def named(value: Any) -> str:
    """Return what a value is, for a message."""
    kind = type(value).__name__
    kind = {"str": "text", "OwnDict": "dict", "OwnList": "list"}.get(kind, kind)
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"
