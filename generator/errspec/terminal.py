"""The terminal at the other end: colours, missing characters, a pipe that closes."""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TextIO

import click

from .diagnostics import OutputError
from .escapes import display_width, printable

_COLOURS: Mapping[str, Mapping[str, Any]] = {
    "place": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan"},
    "caret": {"fg": "green"},
    "heading": {"bold": True},
    "yes": {"fg": "green"},
    "no": {"fg": "red"},
    "depends": {"fg": "yellow"},
    "unset": {"dim": True},
    "faint": {"dim": True},
    "plain": {},
}

# How lines begin, and words, that CI servers take for orders: ::add-mask, ##vso[.
_ORDER = re.compile(r"^[ \t]*:(?=:)|#(?=#\w*\[)", re.MULTILINE)


def style(stream: Any) -> Callable[[str, str], str]:
    """Return what colours a text by its role: nothing, unless a terminal shows it."""
    if stream is None or not stream.isatty() or os.environ.get("NO_COLOR"):
        return lambda role, text: text
    return lambda role, text: (
        click.style(text, **how) if (how := _COLOURS[role]) else text
    )


def prepare() -> None:
    """Let a console that lacks a character show its escape rather than a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a closed one is None
            stream.reconfigure(errors="backslashreplace")


def say(line: str, *, err: bool = False) -> None:
    """Print a line, with escapes for what a terminal might obey.

    Texts of a catalogue and names of files get here, and both may be hostile.
    """
    put(printable(line), err=err)


def put(text: str, *, err: bool = False) -> None:
    """Print text as it is, colours included, but for what a CI server would obey.

    A reader that is gone changes nothing. OutputError where a result cannot be written;
    that a message cannot is nobody's to know.
    """
    _emit(_ORDER.sub(_hidden, text), err=err)


def width() -> int | None:
    """Return how many columns the terminal has that shows stdout; None if none does."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def page(lines: Sequence[str], *, pager: bool = True) -> None:
    """Print lines, through the user's pager where they do not fit on the terminal.

    The pager is $PAGER, else less, which is told as git tells it to keep colours. Where
    it is missing the lines are printed; what becomes of it changes nothing.
    """
    text = "\n".join(lines)
    command = _pager() if pager and width() and not _fits(lines) else []
    if not command or not _paged(command, _ORDER.sub(_hidden, text)):
        put(text)


def _fits(lines: Sequence[str]) -> bool:
    """Tell whether the terminal shows these lines at once, with a prompt below."""
    import shutil

    columns, rows = shutil.get_terminal_size()
    widths = (display_width(click.unstyle(line)) for line in lines)
    return sum(max(1, math.ceil(width / columns)) for width in widths) < rows


def _pager() -> list[str]:
    """Return the command of the pager; nothing where none can be used."""
    import shlex

    if os.environ.get("TERM", "dumb" if os.name != "nt" else "") == "dumb":
        return []
    try:
        command = shlex.split(os.environ.get("PAGER", "less"), posix=os.name != "nt")
    except ValueError:  # a quote without its end
        return []
    return [] if command == ["cat"] else command


def _paged(command: Sequence[str], text: str) -> bool:
    """Show a text in a pager until that ends. False where it cannot be started."""
    import signal
    import subprocess

    environment = {"LESS": "FRX", **os.environ}
    # Ctrl-C is the pager's, which lives on: were we gone, two would read the keyboard.
    # No SIG_IGN, which a pager would inherit.
    kept = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    except OSError:
        return False
    else:
        with contextlib.suppress(OSError):  # it read no more than it wanted
            pager.communicate(
                f"{text}\n".encode(sys.stdout.encoding, "backslashreplace")
            )
        pager.wait()
        return True
    finally:
        signal.signal(signal.SIGINT, kept)


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
