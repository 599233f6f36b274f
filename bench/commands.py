"""What errspec's commands cost, for catalogues of several sizes, above a bare Python."""

from __future__ import annotations

import json
import pathlib
import shutil
import sys
from collections.abc import Sequence

from .catalogue import catalogue
from .measure import ROOT, Command, Usage, best, output, python
from .sections import Row, Section

PACKS = sorted(path.parent.name for path in ROOT.glob("templates/*/pack.yaml"))
NAMES = ("validate", "generate", "generate again", "check")


def prepare(folder: pathlib.Path, size: int) -> pathlib.Path:
    """Make a project with a catalogue of so many codes, for all built-in packs."""
    home = folder / str(size)
    home.mkdir()
    (home / "bench.yaml").write_text(catalogue(size), encoding="utf-8")
    (home / "errspec.yaml").write_text(
        "errspec: 1\nout: generated\ncatalogues:\n"
        f"  - {{spec: bench.yaml, targets: [{', '.join(PACKS)}]}}\n",
        encoding="utf-8",
    )
    return home


def commands(home: pathlib.Path) -> dict[str, Command]:
    """Return errspec's commands in a project, in an order in which each has its work."""

    def empty() -> None:
        shutil.rmtree(home / "generated", ignore_errors=True)

    generate = python("-m", "errspec", "generate", folder=home)
    return {
        "validate": python("-m", "errspec", "validate", folder=home),
        "generate": Command(generate.words, home, empty),
        "generate again": generate,
        "check": python("-m", "errspec", "check", folder=home),
    }


def starts(folder: pathlib.Path, rounds: int) -> tuple[Section, Usage]:
    """Measure what starting costs; also returns what a bare Python takes."""
    found = best(
        {
            "python -c pass": python("-c", "pass", folder=folder),
            "errspec --version": python("-m", "errspec", "--version", folder=folder),
        },
        rounds * 2,
    )
    bare = found["python -c pass"]
    rows: list[Row] = [
        {
            "command": name,
            "cpu_ms": used.cpu * 1000,
            "wall_ms": used.wall * 1000,
            "times_bare": used.cpu / bare.cpu,
        }
        for name, used in found.items()
    ]
    return Section("start", "Start", rows), bare


def costs(
    folder: pathlib.Path, sizes: Sequence[int], rounds: int, bare: Usage
) -> Section:
    """Measure the commands for each size of catalogue."""
    found: dict[tuple[str, int], Usage] = {}
    for size in sizes:
        some = rounds if size < 10_000 else max(1, rounds // 2)
        home = prepare(folder, size)
        for name, used in best(commands(home), some).items():
            found[name, size] = used
    rows: list[Row] = []
    for name in NAMES:
        for size in sizes:
            used = found[name, size]
            cpu = used.cpu - bare.cpu
            tenth = found.get((name, size // 10))
            rows.append(
                {
                    "command": name,
                    "codes": size,
                    "cpu_ms": cpu * 1000,
                    "wall_ms": (used.wall - bare.wall) * 1000,
                    "peak_mb": used.peak,
                    "times_a_tenth": cpu / (tenth.cpu - bare.cpu) if tenth else None,
                }
            )
    return Section(
        "commands",
        "Commands, all packs",
        rows,
        (
            "CPU and wall clock are above those of `python -c pass`. generate: into an "
            "empty folder; generate again: nothing to do.",
        ),
    )


def shares(folder: pathlib.Path, size: int, rounds: int) -> Section:
    """Measure what each stage of `generate` takes, into an empty folder."""
    home = folder / str(size)
    if not home.exists():
        home = prepare(folder, size)
    least: dict[str, float] = {}
    for _ in range(rounds):
        shutil.rmtree(home / "generated", ignore_errors=True)
        told = output(sys.executable, "-m", "bench.stages", "generate", folder=home)
        for stage, seconds in json.loads(told.stdout).items():
            least[stage] = min(seconds, least.get(stage, seconds))
    whole = sum(least.values())
    rows: list[Row] = [
        {
            "stage": stage,
            "codes": size,
            "cpu_ms": seconds * 1000,
            "share_percent": seconds / whole * 100,
        }
        for stage, seconds in least.items()
    ]
    return Section(
        "stages",
        f"Stages of generate, {size:,} codes",
        rows,
        ("What is made when first asked for counts where it was asked for.",),
    )
