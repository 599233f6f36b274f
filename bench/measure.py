"""What a command costs: CPU, wall clock and memory of a process of its own.

This process imports little and stays small: Linux counts what a parent held when it
made a child into the child's peak.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).parent.parent

# Bytecode is kept, as on a machine in daily use.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT["PYTHONPATH"] = f"{ROOT / 'generator'}{os.pathsep}{ROOT}"

_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Usage:
    """What a command took."""

    cpu: float
    """Seconds, of the user and of the system."""

    wall: float
    """Seconds."""

    peak: float
    """Megabytes (of 1024 * 1024 bytes)."""

    def best(self, other: Usage | None) -> Usage:
        """Return the least of two runs, figure by figure: the rest is the machine's."""
        if other is None:
            return self
        return Usage(
            min(self.cpu, other.cpu),
            min(self.wall, other.wall),
            min(self.peak, other.peak),
        )


@dataclass(frozen=True)
class Command:
    """A command to measure, in a folder; `before` makes the folder ready, unmeasured."""

    words: Sequence[str]
    folder: pathlib.Path
    before: Callable[[], None] | None = None


class Failed(Exception):
    """A command that was to be measured did not do its work."""


def python(*arguments: str, folder: pathlib.Path) -> Command:
    """Return a command of this Python."""
    return Command((sys.executable, *arguments), folder)


def usage(command: Command) -> Usage:
    """Run a command once and return what it took; Failed where its exit code is not 0."""
    if command.before:
        command.before()
    log = command.folder / "stderr.log"
    with log.open("wb") as file:
        start = time.perf_counter()
        process = subprocess.Popen(
            command.words,
            cwd=command.folder,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        told = log.read_text(encoding="utf-8", errors="replace")
        raise Failed(f"{' '.join(command.words)}: exit {process.returncode}\n{told}")
    peak = used.ru_maxrss * _UNIT / 2**20
    return Usage(used.ru_utime + used.ru_stime, wall, peak)


def best(commands: Mapping[str, Command], rounds: int) -> dict[str, Usage]:
    """Return the least that each command took in so many rounds.

    A round runs each command once, so that a busy moment of the machine meets all of
    them; one round before that is not counted, and leaves bytecode and warm files.
    """
    found: dict[str, Usage] = {}
    for number in range(rounds + 1):
        for name, command in commands.items():
            if number:
                found[name] = usage(command).best(found.get(name))
            elif rounds > 1:
                usage(command)
    return found


def output(*words: str, folder: pathlib.Path) -> str:
    """Run a command that measures itself and return what it prints."""
    done = subprocess.run(
        words,
        cwd=folder,
        env=ENVIRONMENT,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise Failed(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout
