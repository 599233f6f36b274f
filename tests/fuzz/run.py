"""Draws catalogues and breaks files for as long as it is told: what `make fuzz` runs.

The environment says how much: COUNT catalogues (1000; every fourth goes through tsc and
node, and 25 files are broken for each), or as many as SECONDS allow; SEED repeats a run,
which prints its own. What fails is kept in .fuzz/, with what is wrong with it.
"""

from __future__ import annotations

import itertools
import math
import os
import pathlib
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests")]

import pytest  # noqa: E402

from errspec.diagnostics import Findings  # noqa: E402
from fuzz import broken, judged, typescript  # noqa: E402
from fuzz.compiled import Compiled, Compiler, faults, refusal  # noqa: E402
from fuzz.drawn import drawn  # noqa: E402
from javascript import install  # noqa: E402

KEPT = ROOT / ".fuzz"
ROUND = 40
BROKEN = 25
ALONE = 500
"""One of so many broken files goes through a process of its own too."""
MEANT = ("name-collision", "shadowed", "look-alike")
"""What a drawn catalogue may be refused for: whether names meet is for errspec to say."""


class Campaign:
    """One long run: what it counts, and what it keeps."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.compiler = Compiler(folder)
        try:
            self.tools: pathlib.Path | None = install()
        except (pytest.skip.Exception, pytest.fail.Exception) as missing:
            print(missing)
            self.tools = None
        self.start = time.monotonic()

    def draw(self, number: int, count: int) -> list[Compiled]:
        """Draw a round of catalogues, and compile them."""
        sound: list[Compiled] = []
        for text, data, cases in drawn(count, number):
            self.counts["catalogues drawn"] += 1
            try:
                sound.append(self.compiler.compile(text, data, cases))
            except Findings as findings:
                self.counts["refused"] += 1
                reason = refusal(findings)
                if not any(word in reason for word in MEANT):
                    self.keep(text.encode(), [f"refused: {reason}"])
            except Exception:
                self.keep(text.encode(), [traceback.format_exc()])
        return sound

    def round(self, number: int, count: int) -> None:
        """Draw so many catalogues, check what comes of them, and break them."""
        batch = self.draw(number, count)
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = pathlib.Path(name)
            for at, compiled in enumerate(batch):
                try:
                    wrong = list(faults(compiled, folder / f"python{at}"))
                except Exception:
                    wrong = [traceback.format_exc()]
                self.counts["through Python, JSON and pages"] += 1
                self.keep(compiled.text.encode(), wrong)
            if number % 4 == 0 and self.tools:
                told = typescript.faults(batch, folder / "typescript", self.tools)
                for compiled, wrong in zip(batch, told, strict=True):
                    self.counts["through tsc and node"] += 1
                    self.keep(compiled.text.encode(), wrong)
        own = [c.text for c in batch if "\r" not in c.text and c.text[0] != "\ufeff"]
        texts = [
            *broken.catalogues(),
            *random.Random(number).sample(own, len(own) // 2),
        ]
        jobs = broken.jobs(texts, self.folder, number)
        for mutant, file, command in itertools.islice(jobs, count * BROKEN):
            self.counts["files broken"] += 1
            wrong = list(judged.faults(mutant, file, *command))
            if self.counts["files broken"] % ALONE == 0:
                self.counts["in a process of their own"] += 1
                wrong += judged.alone(mutant, file, *command)
            self.keep(
                mutant.raw, [*wrong, f"{mutant.how}: {command}"][: 2 * bool(wrong)]
            )

    def keep(self, raw: bytes, wrong: Iterable[str]) -> None:
        """Write down what fails, and say where."""
        wrong = list(wrong)
        if not wrong:
            return
        KEPT.mkdir(exist_ok=True)
        self.counts["failures"] += 1
        file = KEPT / f"{self.counts['failures']:04}.yaml"
        file.write_bytes(raw)
        file.with_suffix(".txt").write_text("\n".join(wrong), encoding="utf-8")
        print(f"{file}: {wrong[0][:200]!r}")

    def report(self) -> None:
        seconds = time.monotonic() - self.start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        for what, count in self.counts.items():
            print(f"{count:8,} {what}")
        print(f"{seconds:8.0f} seconds, {memory} MiB at most", flush=True)


def number(name: str, least: int) -> int | None:
    """Return a number of the environment; None where it has none."""
    given = os.environ.get(name, "")
    if not given:
        return None
    if given.isdecimal() and int(given) >= least:
        return int(given)
    sys.exit(f"{name}={given}: must be a whole number, {least} or more")


def main() -> int:
    seconds = number("SECONDS", 1)
    count = number("COUNT", 1) or (math.inf if seconds else 1000)
    first = number("SEED", 0)
    if first is None:
        first = time.time_ns() // 10**9
    print(f"SEED={first}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(pathlib.Path(folder))
        for this in itertools.count(first):
            left = count - campaign.counts["catalogues drawn"]
            if left < 1 or time.monotonic() - campaign.start > (seconds or math.inf):
                break
            campaign.round(this, int(min(left, ROUND)))
            if (this - first) % 10 == 9:
                campaign.report()
        campaign.report()
    return int(campaign.counts["failures"] > 0)


if __name__ == "__main__":
    sys.exit(main())
