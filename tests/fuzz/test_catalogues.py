"""Whole catalogues drawn at random: every text, verdict and name comes back, in Python,
TypeScript, JSON and pages. `make fuzz` draws many more."""

from __future__ import annotations

import pathlib
import tempfile
from functools import cache

import pytest

from errspec.diagnostics import Findings
from fuzz import typescript
from fuzz.compiled import Compiled, Compiler, faults, refusal
from fuzz.drawn import drawn
from fuzz.dump import dump
from fuzz.found import FOUND, found
from javascript import run_node
from support import need, run

COUNT = 40


def test_what_was_found_stays_mended(tmp_path: pathlib.Path) -> None:
    """Catalogues that once came out wrong come out right."""
    for name in FOUND:
        assert list(faults(_compile(tmp_path, name), tmp_path / name)) == [], name
    wide = tmp_path / "a parameter that just fits without its indent"
    assert run(need("black"), "--check", wide).returncode == 0


def test_what_was_found_stays_mended_in_typescript(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The same catalogues come out right in TypeScript."""
    batch = [_compile(tmp_path, name) for name in FOUND]
    wrong = typescript.faults(batch, tmp_path / "typescript", node_tools)
    assert {n: w for n, w in zip(FOUND, wrong, strict=True) if w} == {}


def _compile(folder: pathlib.Path, name: str) -> Compiled:
    data, cases = found(name)
    return Compiler(folder).compile(dump(data, 1), data, cases)


@pytest.mark.parametrize("seed", range(15))
def test_a_style_of_yaml_changes_nothing(seed: int, tmp_path: pathlib.Path) -> None:
    """Block or flow, however quoted, LF or CRLF: the same data give the same bytes."""
    data, _ = found("rules of a retired code")
    compiler = Compiler(tmp_path)
    assert compiler.compile(dump(data, seed), data, []).files == (
        compiler.compile(dump(data, 1), data, []).files
    )


@cache
def _drawn() -> tuple[list[Compiled], list[str]]:
    """Return the catalogues that were drawn, and why others were refused."""
    sound: list[Compiled] = []
    refused: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(pathlib.Path(folder))
        for text, data, cases in drawn(COUNT, 0):
            try:
                sound.append(compiler.compile(text, data, cases))
            except Findings as findings:
                refused.append(refusal(findings))
    return sound, refused


def test_most_catalogues_are_valid() -> None:
    """Few of the catalogues that are meant to be valid are refused."""
    sound, refused = _drawn()
    assert len(refused) < len(sound) / 5, refused


def test_whole_catalogues_come_back(tmp_path: pathlib.Path) -> None:
    """Python, JSON and pages say of each code what its catalogue says, twice the
    same, and black has nothing to change."""
    batch, _ = _drawn()
    for number, compiled in enumerate(batch):
        wrong = list(faults(compiled, tmp_path / str(number)))
        assert wrong == [], compiled.text
    for compiled in batch[:6]:
        again = Compiler(tmp_path).compile(compiled.text, compiled.oracle.data, [])
        assert again.files == compiled.files
    formatted = [tmp_path / str(number) for number in range(6)]
    done = run(need("black"), "--check", "--quiet", *formatted)
    assert done.returncode == 0, done.stderr


def test_whole_catalogues_come_back_in_typescript(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The declarations compile, the module says of each code what its catalogue says,
    and prettier has nothing to change."""
    batch, _ = _drawn()
    wrong = typescript.faults(batch, tmp_path, node_tools)
    for compiled, told in zip(batch, wrong, strict=True):
        assert told == [], compiled.text
    formatted = [tmp_path / f"p{number}" for number in range(6)]
    run_node(node_tools / "prettier/bin/prettier.cjs", "--check", *formatted)
