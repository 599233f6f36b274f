"""What `errspec breaking` costs, beside validating the two catalogues that it compares."""

from __future__ import annotations

import pathlib
import random
import re
from collections.abc import Sequence

from .catalogue import catalogue
from .measure import Command, Usage, best, python
from .sections import Row, Section


def prepare(folder: pathlib.Path, size: int) -> pathlib.Path:
    """Write two states of a catalogue, between which a tenth of the codes changed.

    Their promise is none: a command that finds what breaks has not failed then.
    """
    home = folder / f"compared-{size}"
    home.mkdir()
    new = catalogue(size).replace("compatibility: additive", "compatibility: none")
    draw = random.Random(f"earlier {size}")
    codes = re.split(r"(?m)^(?=  [A-Z_]+:$)", new)
    for at in draw.sample(range(1, len(codes)), len(codes) // 10):
        code = codes[at].replace("retryable: false", "retryable: true", 1)
        if draw.randrange(10) == 0:
            code = code.replace(":", "_BEFORE:", 1)
        codes[at] = code
    (home / "new.yaml").write_text(new, encoding="utf-8")
    (home / "old.yaml").write_text("".join(codes), encoding="utf-8")
    return home


def commands(home: pathlib.Path) -> dict[str, Command]:
    """Return the commands that are set against each other."""

    def errspec(*words: str) -> Command:
        return python("-m", "errspec", *words, folder=home)

    return {
        "old": errspec("validate", "old.yaml"),
        "new": errspec("validate", "new.yaml"),
        "both": errspec("breaking", "new.yaml", "--against", "old.yaml"),
    }


def costs(
    folder: pathlib.Path, sizes: Sequence[int], rounds: int, bare: Usage
) -> Section:
    """Measure the comparison for each size of catalogue."""
    rows: list[Row] = []
    for size in sizes:
        some = rounds if size < 10_000 else max(1, rounds // 2)
        found = best(commands(prepare(folder, size)), some)
        cpu = {name: used.cpu - bare.cpu for name, used in found.items()}
        validating = cpu["old"] + cpu["new"]
        rows.append(
            {
                "command": "breaking",
                "codes": size,
                "cpu_ms": cpu["both"] * 1000,
                "validate_both_ms": validating * 1000,
                "times_validate": cpu["both"] / validating,
            }
        )
    return Section(
        "breaking",
        "Comparing two catalogues, of which a tenth differs",
        rows,
        ("CPU above that of `python -c pass`, of which `validate` pays for two.",),
    )
