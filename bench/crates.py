"""What cargo takes to compile the generated crate."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Sequence

from .commands import commands, prepare
from .measure import Command, best, usage
from .sections import Row, Section

_WAYS = {
    "cargo check": ("check",),
    "cargo build": ("build",),
    "cargo build --release": ("build", "--release"),
}


def costs(folder: pathlib.Path, sizes: Sequence[int], rounds: int) -> Section:
    """Measure the crate of each catalogue, each time from nothing."""
    title = "Generated crate: compile"
    cargo = shutil.which("cargo")
    if cargo is None:
        return Section("crates", title, (), ("Not measured: no cargo.",))
    rows: list[Row] = []
    for size in sizes:
        home = folder / "crates"
        home.mkdir(exist_ok=True)
        home = prepare(home, size)
        usage(commands(home)["generate"])
        crate = home / "generated" / "rust" / "bench"

        def clean(crate: pathlib.Path = crate) -> None:
            shutil.rmtree(crate / "target", ignore_errors=True)

        asked = {
            way: Command((cargo, *words, "--offline", "--quiet"), crate, clean)
            for way, words in _WAYS.items()
        }
        rows += [
            {
                "command": way,
                "codes": size,
                "cpu_s": used.cpu,
                "wall_s": used.wall,
                "peak_mb": used.peak,
            }
            for way, used in best(asked, min(rounds, 2)).items()
        ]
    return Section("crates", title, rows)
