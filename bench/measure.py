"""What a command costs: CPU, wall clock and memory of a process of its own."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).parent.parent

# Bytecode is kept, as on a machine in daily use.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT["PYTHONPATH"] = f"{ROOT / 'generator'}{os.pathsep}{ROOT}"

_SPAWN = (sys.executable, "-S", "-E", str(ROOT / "bench" / "spawn.py"))


@dataclass(frozen=True)
class Usage:
    """What a command took."""

    cpu: float
    """Seconds, of the user and of the system."""

    wall: float
    """Seconds."""

    peak: float
    """Megabytes (of 1024 * 1024 bytes)."""


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
    told = output(*_SPAWN, *command.words, folder=command.folder)
    status, cpu, wall, peak = told.stdout.split()
    if status != "0":
        raise Failed(f"{' '.join(command.words)}: exit {status}\n{told.stderr}")
    return Usage(float(cpu), float(wall), int(peak) / 2**20)


def best(commands: Mapping[str, Command], rounds: int) -> dict[str, Usage]:
    """Return the least that each command took in so many rounds, figure by figure.

    A round runs each command once, so that a busy moment of the machine meets all of
    them; one round before that is not counted, and leaves bytecode and warm files.
    """
    if rounds > 1:
        for command in commands.values():
            usage(command)
    found: dict[str, list[Usage]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(usage(command))
    return {
        name: Usage(
            min(run.cpu for run in runs),
            min(run.wall for run in runs),
            min(run.peak for run in runs),
        )
        for name, runs in found.items()
    }


def output(*words: str, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Run a command that measures by itself and return what it prints."""
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
    return done
