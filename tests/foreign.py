"""Exceptions that no catalogue defines, some of which make a stamp's life hard."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable


class Slotted(Exception):
    """A class with slots."""

    __slots__ = ("status",)

    def __init__(self, status: object) -> None:
        super().__init__(status)
        self.status = status


@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    """A class whose attributes cannot be set."""

    status: int


class Guarded(Exception):
    """A class that lets nobody at its attributes."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(name)

    def __getattribute__(self, name: str) -> object:
        raise AttributeError(name)


# A class whose `__dict__` is not what it seems.
Hidden = type("Hidden", (Exception,), {"__dict__": property(lambda _: {})})


class Reduced(Exception):
    """A class whose own reduce keeps nothing but the message."""

    def __reduce__(self) -> tuple[type[Reduced], tuple[str]]:
        return Reduced, (str(self),)


class Attributed(Exception):
    """An error with any attributes, as those of HTTP clients have them."""

    def __init__(self, **attributes: object) -> None:
        super().__init__("m")
        self.__dict__.update(attributes)


class NumpyBool:
    """Looks like a bool and is none, as numpy's do."""

    def __repr__(self) -> str:
        return "numpy.bool_"

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return bool(other) is True

    def __hash__(self) -> int:
        return 1


ERRORS: dict[str, Callable[[], BaseException]] = {
    "plain": lambda: ValueError("m", 1),
    "os": lambda: FileNotFoundError(2, "no such file", "x"),
    "unicode": lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "m"),
    "slots": lambda: Slotted(503),
    "frozen": lambda: Frozen(503),
    "interrupt": lambda: KeyboardInterrupt("m"),
    "group": lambda: ExceptionGroup("m", [ValueError("inner")]),
    "guarded": lambda: Guarded("m"),
    "hidden": lambda: Hidden("m"),
}
"""One of each kind that can be raised."""

NOT_VERDICTS = [1, 0, "false", "", None, 1.0, NumpyBool(), [True]]
"""What is no bool."""
