"""`make bench`: measures, and prints a table or JSON. Asserts nothing."""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import tempfile

from . import commands, comparing, crates, generated, pages, peers
from .sections import Section, Value, as_json, as_table

EPILOG = """\
Figures are the least of all rounds; those of commands are of processes of their own,
above what `python -c pass` takes.

JSON is an object: `machine`, and for each part of the table `{rows, notes}`. The keys of
a row are the table's columns, with their units:
  cpu_ms wall_ms peak_mb      of a command: user and system time, clock, resident memory
  times_bare times_a_tenth    CPU as a multiple of `python -c pass`, of a tenth the codes
  times_errspec               CPU as a multiple of errspec's, all packs
  validate_both_ms            CPU of validating the two catalogues that are compared
  times_validate              CPU as a multiple of that
  share_percent               of the stages of one run
  us_a_class kb_a_class       of an import: microseconds, and memory that stays
  cpu_s wall_s                of a compiler: seconds
  page_kb                     kilobytes (of 1000 bytes) of a page
  first_script_ms key_script_ms   of its script: until it is shown, for the slowest key
  first_paint_ms key_work_ms  until something is seen; all work for the slowest key
  ns times_by_hand            of a call: nanoseconds, and as a multiple of by_hand_ns
"""
SECTIONS = (
    "commands",
    "breaking",
    "stages",
    "peers",
    "generated",
    "crates",
    "layers",
    "pages",
)


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="How fast errspec is, and what it generates.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    parser.add_argument(
        "--quick", action="store_true", help="100 codes, and each figure measured once"
    )
    parser.add_argument(
        "--codes",
        type=int,
        nargs="+",
        metavar="N",
        help="sizes of the catalogues (100 1000 10000)",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="how often each figure is measured; the least counts (5)",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=SECTIONS,
        default=SECTIONS,
        metavar="PART",
        help=f"only these: {' '.join(SECTIONS)}",
    )
    found = parser.parse_args(arguments)
    found.codes = found.codes or ([100] if found.quick else [100, 1_000, 10_000])
    found.rounds = found.rounds or (1 if found.quick else 5)
    return found


def measure(found: argparse.Namespace, folder: pathlib.Path) -> list[Section]:
    """Measure what the options ask for."""
    rounds: int = found.rounds
    typical = 1_000 if 1_000 in found.codes else max(found.codes)
    start, bare = commands.starts(folder, rounds)
    sections = [start]
    if "commands" in found.only:
        sections.append(commands.costs(folder, found.codes, rounds, bare))
    if "breaking" in found.only:
        sections.append(comparing.costs(folder, found.codes, rounds, bare))
    if "stages" in found.only:
        sections.append(commands.shares(folder, typical, rounds))
    if "peers" in found.only:
        sections.append(peers.costs(folder, typical, rounds, bare))
    if "generated" in found.only:
        sections += generated.costs(folder, typical, rounds)
    if "crates" in found.only:
        sections.append(crates.costs(folder, found.codes, rounds))
    if "layers" in found.only:
        sections.append(generated.layers(folder, rounds))
    if "pages" in found.only:
        sections.append(pages.costs(folder, found.codes, rounds))
    return sections


def machine() -> dict[str, Value]:
    """Say what figures of other machines differ by: versions, and the processor's kind."""
    found: dict[str, Value] = {
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
    if node := shutil.which("node"):
        told = subprocess.run([node, "--version"], check=True, capture_output=True)
        found["node"] = told.stdout.decode().strip().removeprefix("v")
    if cargo := shutil.which("cargo"):
        told = subprocess.run([cargo, "--version"], check=True, capture_output=True)
        found["cargo"] = told.stdout.decode().split()[1]
    return found | peers.versions()


def main() -> None:
    """Measure and print."""
    found = options()
    with tempfile.TemporaryDirectory() as name:
        sections = measure(found, pathlib.Path(name))
    print((as_json if found.json else as_table)(machine(), sections))


if __name__ == "__main__":
    main()
