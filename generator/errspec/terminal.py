"""The terminal at the other end: colours, missing characters, a pipe that closes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import click

_COLOURS: Mapping[str, Mapping[str, Any]] = {
    "place": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan"},
    "caret": {"fg": "green"},
}


def style(stream: Any) -> Callable[[str, str], str]:
    """Return what colours a text by its role: nothing, unless a terminal shows it."""
    if not stream.isatty() or os.environ.get("NO_COLOR"):
        return lambda role, text: text
    return lambda role, text: click.style(text, **_COLOURS[role])


def prepare() -> None:
    """Let a console that lacks a character show its escape rather than a traceback."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def discard() -> None:
    """Throw away what is still to be written to a reader that is gone."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
