"""Broken YAML: every finding at its place, and never a traceback or a hang. `make fuzz`
breaks much more."""

from __future__ import annotations

import itertools
import pathlib

import pytest

from fuzz import judged
from fuzz.aimed import AIMED
from fuzz.broken import catalogues, jobs
from fuzz.mutations import Mutant


def test_a_broken_file_is_told_of_at_its_place(tmp_path: pathlib.Path) -> None:
    """Whatever is done to a file, errspec exits with 0, 1 or 2, and what it finds stands
    in the file, at the beginning of a word, and on the key or value that was broken."""
    seen: set[str] = set()
    for mutant, file, command in itertools.islice(jobs(catalogues(), tmp_path, 0), 500):
        wrong = list(judged.faults(mutant, file, *command))
        assert wrong == [], (mutant, command)
        if mutant.place:
            seen.add(mutant.how.partition(" ")[0])
    assert len(seen) == len(AIMED)


def test_a_process_is_quick_and_small(tmp_path: pathlib.Path) -> None:
    """In a process of its own, with 2 s and 512 MiB, a broken file does no more."""
    for mutant, file, command in itertools.islice(jobs(catalogues(), tmp_path, 1), 6):
        assert list(judged.alone(mutant, file, *command)) == []


TEXT = "errspec: 1\nid: ab cd\n"


@pytest.mark.parametrize(
    ("line", "column", "wrong"),
    [
        (2, 1, ""),
        (2, 5, ""),
        (2, 8, ""),
        (2, 2, "within a word"),
        (2, 9, "within a word"),
        (2, 7, "at a blank"),
        (2, 10, "at a blank"),
        (2, 12, "outside the file"),
        (4, 1, "outside the file"),
        (0, 1, "outside the file"),
    ],
)
def test_a_wrong_place_would_be_seen(line: int, column: int, wrong: str) -> None:
    """The judge of places knows the beginning of a word from everything else."""
    text = f"x.yaml:{line}:{column}: error[wrong-type]: words\n"
    found = list(judged.misplaced(TEXT.encode(), text, "x.yaml"))
    assert [w for w in found if w.startswith(wrong)] == found
    assert bool(found) is bool(wrong)


def test_a_crash_and_a_hang_would_be_seen(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is raised, and what takes too long, is a fault."""

    def crash(arguments: list[str]) -> None:
        raise KeyError("crash")

    def hang(arguments: list[str]) -> None:
        while True:
            pass

    monkeypatch.setattr(judged, "SECONDS", 0.1)
    for act, words in (crash, "KeyError: 'crash'"), (hang, "a hang"):
        monkeypatch.setattr(judged, "main", act)
        mutant = Mutant(b"", "")
        [fault] = judged.faults(mutant, tmp_path / "x.yaml", "validate")
        assert words in fault
