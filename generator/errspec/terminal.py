"""The terminal at the other end: colours, missing characters, a pipe that closes."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, TextIO

import click

from .diagnostics import OutputError
from .escapes import escape

_COLOURS: Mapping[str, Mapping[str, Any]] = {
    "place": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan"},
    "caret": {"fg": "green"},
}

# How lines begin, and words, that CI servers take for orders: ::add-mask, ##vso[.
_ORDER = re.compile(r"^[ \t]*:(?=:)|#(?=#\w*\[)", re.MULTILINE)


def style(stream: Any) -> Callable[[str, str], str]:
    """Return what colours a text by its role: nothing, unless a terminal shows it."""
    if stream is None or not stream.isatty() or os.environ.get("NO_COLOR"):
        return lambda role, text: text
    return lambda role, text: click.style(text, **_COLOURS[role])


def prepare() -> None:
    """Let a console that lacks a character show its escape rather than a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a closed one is None
            stream.reconfigure(errors="backslashreplace")


def say(line: str, *, err: bool = False) -> None:
    """Print a line, with escapes for what a terminal might obey.

    Texts of a catalogue and names of files get here, and both may be hostile.
    """
    put("".join(c if c.isprintable() else escape(c) for c in line), err=err)


def put(text: str, *, err: bool = False) -> None:
    """Print text as it is, colours included, but for what a CI server would obey.

    A reader that is gone changes nothing. OutputError where a result cannot be written;
    that a message cannot is nobody's to know.
    """
    _emit(_ORDER.sub(_hidden, text), err=err)


def write(text: str) -> None:
    """Print the text of a format, in which nothing but the format is an order."""
    _emit(text, nl=False, err=False)


def _emit(text: str, *, nl: bool = True, err: bool) -> None:
    try:
        click.echo(text, nl=nl, err=err)
    except OSError as error:
        if not err and not isinstance(error, BrokenPipeError):
            raise unwritable(error) from None
        _discard(sys.stderr if err else sys.stdout)


def show(error: click.ClickException) -> None:
    """Print what is wrong with the command line, with its usage."""
    try:
        error.show()
    except OSError:
        _discard(sys.stderr)


def _hidden(order: re.Match[str]) -> str:
    return rf"{order[0][:-1]}\x{ord(order[0][-1]):x}"


def finish() -> None:
    """Write out what is still held back. OutputError where that cannot be done."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as error:
        raise unwritable(error) from None


def unwritable(error: OSError) -> OutputError:
    """Return what to say where stdout takes no more; what is held back is thrown away."""
    _discard(sys.stdout)
    return OutputError(f"the output cannot be written: {error.strerror}")


def _discard(stream: TextIO) -> None:
    """Throw away what is still to be written to a stream."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
