"""`make bench`: measures, and prints a table or JSON. Asserts nothing."""

from __future__ import annotations

import argparse
import pathlib
import platform
import tempfile

from . import commands, generated, peers
from .sections import Section, as_json, as_table

SECTIONS = ("commands", "stages", "peers", "generated")


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="How fast errspec is, and what it generates.",
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
    if "stages" in found.only:
        sections.append(commands.shares(folder, typical, rounds))
    if "peers" in found.only:
        sections.append(peers.costs(folder, typical, rounds, bare))
    if "generated" in found.only:
        sections += generated.costs(folder, typical, rounds)
    return sections


def main() -> None:
    """Measure and print."""
    found = options()
    with tempfile.TemporaryDirectory() as name:
        sections = measure(found, pathlib.Path(name))
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    print((as_json if found.json else as_table)(machine, sections))


if __name__ == "__main__":
    main()
