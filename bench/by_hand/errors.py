"""Error classes written by hand, with the constructors that the generated ones have."""

from __future__ import annotations

from typing import Any, ClassVar

STAMP = "__retryable__"


class HandError(Exception):
    """Base of all errors of this package."""

    code: ClassVar[str]
    fields: ClassVar[tuple[str, ...]] = ()
    pinned: ClassVar[bool | None] = None
    message: str
    retryable: bool

    def __init__(self, message: str, *, retryable: bool | None = None) -> None:
        super().__init__(message)
        self.message = message
        if retryable is not None:
            if not isinstance(retryable, bool):
                raise TypeError(f"retryable must be a bool, not {retryable!r}")
            self.retryable = retryable


class PlainError(HandError):
    """The meaning of the code stands here."""

    code = "PLAIN"
    retryable = False


class StatusError(HandError):
    """The meaning of the code stands here; no retry where the status is 4xx."""

    code = "STATUS"
    fields = ("status",)

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retryable: bool | None = None,
    ) -> None:
        super().__init__(message, retryable=retryable)
        if status is not None:
            if not isinstance(status, int) or isinstance(status, bool):
                raise TypeError(f"status must be an int, not {status!r}")
            if not 100 <= status <= 599:
                raise ValueError(f"status must be from 100 to 599, not {status!r}")
        self.status = status
        if retryable is None:
            self.retryable = status is None or not 400 <= status <= 499


def stamp_retryable(error: BaseException, verdict: bool) -> None:
    """Mark any exception as worth a retry, or not."""
    error.__dict__[STAMP] = verdict


def get_retryable(error: object) -> bool | None:
    """Return what is pinned for an error, what it is stamped with, or what it says."""
    if not isinstance(error, BaseException):
        return None
    if isinstance(error, HandError) and error.pinned is not None:
        return error.pinned
    stamp = error.__dict__.get(STAMP)
    if isinstance(stamp, bool):
        return stamp
    return error.retryable if isinstance(error, HandError) else None


def to_wire(error: HandError) -> dict[str, Any]:
    """Return an error as a dict that JSON can hold."""
    if not isinstance(error, HandError):
        raise TypeError(f"{error!r} is no error of this package")
    data: dict[str, Any] = {
        "code": error.code,
        "message": error.message,
        "retryable": get_retryable(error),
    }
    for name in error.fields:
        value = getattr(error, name)
        if value is not None:
            data[name] = value
    return data
