"""Runs errspec on a broken file, and says what is wrong with what it says."""

from __future__ import annotations

import contextlib
import gc
import io
import pathlib
import re
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from types import FrameType

from errspec.cli import main
from fuzz.mutations import Mutant, Place

SECONDS = 2
BYTES = 512 * 2**20
_PLACE = re.compile(r"^(.+?):(\d+):(\d+): (?:error|warning|note)", re.MULTILINE)
_LINE = re.compile(r"^( +\d+) \| (.*)\n +\| ( *)(\^+)", re.MULTILINE)
_WORD = re.compile(r"\w\w")
INSIDE = ("control-character", "tab", "line-end", "comment-cut", "syntax")
"""Findings about characters, which may stand anywhere in a text."""


class Hang(BaseException):
    """Nothing came within the time."""


def _stop(signum: int, frame: FrameType | None) -> None:
    raise Hang


def said(*arguments: str) -> tuple[int | str, str]:
    """Return the exit code, or what was raised, and all that was printed."""
    out = io.StringIO()
    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main(["--debug", *arguments])
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0, out.getvalue()
    except Hang:
        return f"a hang: {traceback.format_exc()}", out.getvalue()
    except Exception:
        return traceback.format_exc(), out.getvalue()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()  # which a short run does without
    return "no exit", out.getvalue()


def faults(mutant: Mutant, file: pathlib.Path, *command: str) -> Iterator[str]:
    """Return what is wrong with what a command says of a mutant, a line each.

    The mutant is written to the file, and the command runs in that one's folder.
    """
    file.write_bytes(mutant.raw)
    with contextlib.chdir(file.parent):
        code, text = said(*command)
    if code not in (0, 1, 2):
        yield f"{command}: {code}"
        return
    yield from misplaced(mutant.raw, text, file.name)
    if mutant.place is not None and mutant.place not in places(text):
        yield f"nothing at {mutant.place} of {mutant.how}: exit {code}\n{text[:2000]}"


def alone(mutant: Mutant, file: pathlib.Path, *command: str) -> Iterator[str]:
    """Return what is wrong with a process of its own, which has little time and memory."""
    file.write_bytes(mutant.raw)
    done = subprocess.run(
        [sys.executable, "-m", "errspec", *command],
        cwd=file.parent,
        capture_output=True,
        check=False,
        preexec_fn=_limit,
    )
    text = done.stderr.decode()
    if (
        done.returncode not in (0, 1, 2)
        or "Traceback" in text
        or "internal error" in text
    ):
        yield f"{command}: exit {done.returncode}: {text[-2000:]}"


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def places(text: str) -> list[Place]:
    return [(int(m[2]), int(m[3])) for m in _PLACE.finditer(text)]


def misplaced(raw: bytes, text: str, name: str) -> Iterator[str]:
    """Yield each finding of a file that stands nowhere, or in the middle of a word."""
    try:
        read = raw.decode().lstrip("\ufeff")
    except UnicodeDecodeError:
        return
    lines = read.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for found in _PLACE.finditer(text):
        if found[1] != name:
            continue
        number, column = int(found[2]), int(found[3])
        shown = text[found.start() :].split("\n")[:3]
        if not (
            1 <= number <= len(lines) and 1 <= column <= len(lines[number - 1]) + 1
        ):
            yield f"outside the file: {shown}"
            continue
        line = lines[number - 1]
        here = line[column - 1 : column]
        if any(f"[{id}]" in shown[0] for id in INSIDE):
            continue
        if here in ("", " ") and line.strip():
            yield f"at a blank: {shown}"
        if _WORD.fullmatch(line[max(0, column - 2) : column]) and column > 1:
            yield f"within a word: {shown}"
    for frame in _LINE.finditer(text):
        if len(frame[3]) > len(frame[2]) * 2 + 1:
            yield f"a caret beyond the line: {frame[0]!r}"
