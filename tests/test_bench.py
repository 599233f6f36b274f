"""The benchmark measures what it says: its catalogues, and its results. Not how fast."""

from __future__ import annotations

import json
import pathlib
import sys
import zlib
from typing import Any

import pytest
import yaml

from bench.catalogue import catalogue
from bench.stages import FUNCTIONS
from browsing import need_browser
from errspec.config import Config, Entry
from errspec.project import Project
from support import ROOT, need, run

SIZE = 100
CODES: dict[str, Any] = yaml.safe_load(catalogue(SIZE))["codes"]
AGENT: dict[str, Any] = yaml.safe_load((ROOT / "spec/agent.yaml").read_text("utf-8"))


def test_its_catalogues_compile_without_a_diagnostic(tmp_path: pathlib.Path) -> None:
    """What is measured is the way through, not the telling of faults."""
    spec = tmp_path / "bench.yaml"
    for size in (SIZE, 1_000):
        spec.write_text(catalogue(size), encoding="utf-8")
        [loaded] = Project(Config(tmp_path, tmp_path, (Entry(spec, "b"),))).load_all()
        assert not loaded.diagnostics
        assert len(loaded.catalogue.codes) == size


def test_its_catalogues_are_the_same_every_time() -> None:
    """Two runs, and two machines, measure one thing."""
    program = (
        "import zlib; from bench.catalogue import catalogue; "
        f"print(zlib.crc32(catalogue({SIZE}).encode()))"
    )
    for seed in ("1", "2"):
        told = run(sys.executable, "-c", program, cwd=ROOT, PYTHONHASHSEED=seed)
        assert told.stdout == f"{zlib.crc32(catalogue(SIZE).encode())}\n", told.stderr


def _languages(codes: dict[str, Any], key: str) -> int:
    """Count the codes that say so much in one of their languages."""
    told = (code.get("languages", {}).values() for code in codes.values())
    return sum(any(key in one for one in local) for local in told)


def _rules(codes: dict[str, Any]) -> int:
    """Count the codes with fields and with rules on them."""
    return sum(
        isinstance(code.get("retryable"), dict) and "fields" in code
        for code in codes.values()
    )


@pytest.mark.parametrize(
    ("share", "counted"),
    [
        pytest.param(10, _rules(CODES), id="fields and rules"),
        pytest.param(20, _languages(CODES, "absent"), id="absent in a language"),
        pytest.param(2, _languages(CODES, "code"), id="spelt otherwise"),
        pytest.param(20, sum("hint" in c for c in CODES.values()), id="hint"),
        pytest.param(2, sum("control" in c for c in CODES.values()), id="control"),
    ],
)
def test_its_catalogues_have_the_shape_of_agent(share: int, counted: int) -> None:
    """So many codes in a hundred have what makes the work."""
    assert counted == share


def test_its_texts_are_as_long_as_those_of_agent() -> None:
    """Meanings and names are of the length that people write."""
    for length in (lambda k, c: len(c["meaning"]), lambda k, c: k.count("_")):
        ours, theirs = (
            sum(length(*item) for item in codes.items()) / len(codes)
            for codes in (CODES, AGENT["codes"])
        )
        assert ours == pytest.approx(theirs, rel=0.2)


COLUMNS = {
    "start": {"command", "cpu_ms", "wall_ms", "times_bare"},
    "commands": {"command", "codes", "cpu_ms", "wall_ms", "peak_mb", "times_a_tenth"},
    "breaking": {
        "command",
        "codes",
        "cpu_ms",
        "validate_both_ms",
        "times_validate",
    },
    "stages": {"stage", "codes", "cpu_ms", "share_percent"},
    "imports": {
        "import",
        "classes",
        "us_a_class",
        "by_hand_us",
        "times_by_hand",
        "kb_a_class",
        "by_hand_kb",
    },
    "calls": {"call", "ns", "by_hand_ns", "times_by_hand"},
    "crates": {"command", "codes", "cpu_s", "wall_s", "peak_mb"},
    "layers": {
        "call_through_a_layer",
        "ns",
        "bare_ns",
        "tenacity_ns",
        "times_tenacity",
    },
    "pages": {
        "codes",
        "page_kb",
        "first_script_ms",
        "first_paint_ms",
        "key_script_ms",
        "key_work_ms",
    },
}


def test_a_quick_run_prints_json_with_every_figure() -> None:
    """Whoever keeps figures over time finds them under keys that name their units."""
    need("cargo")  # without it there are no figures of crates
    need_browser()
    parts = ("commands", "breaking", "stages", "generated", "crates", "layers", "pages")
    done = run(
        *(sys.executable, "-m", "bench", "--quick", "--json", "--only", *parts),
        cwd=ROOT,
    )
    assert not done.returncode, done.stderr
    told = json.loads(done.stdout)
    assert told.pop("machine")
    assert {name: set(part["rows"][0]) for name, part in told.items()} == COLUMNS
    stages = {row["stage"] for row in told["stages"]["rows"]}
    assert stages >= {stage for stage in FUNCTIONS.values() if stage != "render:"}
    figures = [
        value
        for part in told.values()
        for row in part["rows"]
        for value in row.values()
        if isinstance(value, int | float)
    ]
    assert len(figures) > 50
