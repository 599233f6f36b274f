"""What the generated classes cost, beside classes written by hand."""

from __future__ import annotations

import json
import pathlib
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from .by_hand import many
from .catalogue import catalogue
from .commands import commands, prepare
from .measure import ROOT, output, usage
from .sections import Row, Section

_HERE = ROOT / "bench"


@dataclass(frozen=True)
class Imported:
    """What importing a module of many classes takes."""

    seconds: float
    bytes: float


class Python:
    """Measures the generated Python package, in processes of this Python."""

    name = "Python"

    def __init__(self, home: pathlib.Path, codes: Mapping[str, Any]) -> None:
        self.codes = _raised(codes, "python")
        self._folder = home / "generated" / "python" / "bench"
        hand = many.module(self.codes, "py")
        (self._folder / "by_hand.py").write_text(hand, encoding="utf-8")

    def imports(self, rounds: int) -> list[Imported]:
        """Measure the import, with warm bytecode, of what is generated and by hand."""
        modules = ("bench_errors", "by_hand")
        for name in modules:
            self._run("import", name)  # writes the bytecode
        left = [self._run("memory", name) for name in modules]
        runs = [[self._run("import", name) for name in modules] for _ in range(rounds)]
        times = [min(figures) for figures in zip(*runs, strict=True)]
        return [Imported(*figures) for figures in zip(times, left, strict=True)]

    def calls(self, rounds: int) -> list[dict[str, float]]:
        """Measure calls of what is generated and by hand."""
        found: list[dict[str, float]]
        found = self._run("calls", "bench_errors", str(rounds), *_examples(self.codes))
        return found

    def _run(self, *arguments: str) -> Any:
        words = (sys.executable, "-m", "bench.run_python", *arguments)
        return json.loads(output(*words, folder=self._folder).stdout)


class JavaScript:
    """Measures the generated JavaScript package, in processes of node."""

    name = "JavaScript"

    def __init__(self, home: pathlib.Path, codes: Mapping[str, Any]) -> None:
        self.codes = _raised(codes, "typescript")
        self._folder = home / "generated" / "typescript" / "bench"
        hand = many.module(self.codes, "mjs")
        (self._folder / "by_hand.mjs").write_text(hand, encoding="utf-8")

    def imports(self, rounds: int) -> list[Imported]:
        """Measure the import of what is generated and by hand."""
        files = ("index.js", "by_hand.mjs")
        runs = [[self._run("import", name) for name in files] for _ in range(rounds)]
        return [
            Imported(*(min(figures) for figures in zip(*one, strict=True)))
            for one in zip(*runs, strict=True)
        ]

    def calls(self, rounds: int) -> list[dict[str, float]]:
        """Measure calls of what is generated and by hand."""
        hand = str(_HERE / "by_hand" / "errors.mjs")
        examples = _examples(self.codes)
        found: list[dict[str, float]]
        found = self._run("calls", "index.js", hand, str(rounds), *examples)
        return found

    def _run(self, *arguments: str) -> Any:
        words = ("node", "--expose-gc", str(_HERE / "run_node.mjs"), *arguments)
        return json.loads(output(*words, folder=self._folder).stdout)


def costs(folder: pathlib.Path, size: int, rounds: int) -> tuple[Section, Section]:
    """Measure imports and calls, in each language that can be run here."""
    home = folder / "generated"
    home.mkdir()
    home = prepare(home, size)
    usage(commands(home)["generate"])
    codes = yaml.load(catalogue(size), yaml.CSafeLoader)["codes"]
    runners: list[Callable[[pathlib.Path, Mapping[str, Any]], Python | JavaScript]]
    runners = [Python, *([JavaScript] if shutil.which("node") else [])]
    imports: list[Row] = []
    calls: list[Row] = []
    for runner in runners:
        language = runner(home, codes)
        ours, hand = language.imports(rounds)
        classes = len(language.codes)
        imports.append(
            {
                "import": language.name,
                "classes": classes,
                "us_a_class": ours.seconds * 1e6 / classes,
                "by_hand_us": hand.seconds * 1e6 / classes,
                "times_by_hand": ours.seconds / hand.seconds,
                "kb_a_class": ours.bytes / 1024 / classes,
                "by_hand_kb": hand.bytes / 1024 / classes,
            }
        )
        generated, written = language.calls(rounds)
        calls += [
            {
                "call": f"{language.name}: {call}",
                "ns": seconds * 1e9,
                "by_hand_ns": written[call] * 1e9,
                "times_by_hand": seconds / written[call],
            }
            for call, seconds in generated.items()
        ]
    missing = () if len(runners) > 1 else ("JavaScript not measured: no node.",)
    about = (
        "By hand: the same constructors and one table of codes. What is generated also "
        "holds all that the catalogue says of each code."
    )
    bare = (
        "By hand: pins and stamps too, but no errors of other packages, no groups of "
        "errors, no context, and of fields only what their constructor checks."
    )
    return (
        Section("imports", "Generated classes: import", imports, (about, *missing)),
        Section("calls", "Generated classes: calls", calls, (bare, *missing)),
    )


def layers(folder: pathlib.Path, rounds: int) -> Section:
    """Measure a call through a retry layer that succeeds at once, beside tenacity's."""
    home = folder / "layers"
    home.mkdir()
    home = prepare(home, 100)
    usage(commands(home)["generate"])
    home = home / "generated" / "python" / "bench"
    words = (sys.executable, "-m", "bench.run_layers", str(rounds))
    rows: list[Row] = [
        {
            "call_through_a_layer": kind,
            "ns": seconds["errspec"] * 1e9,
            "bare_ns": seconds["bare"] * 1e9,
            "tenacity_ns": seconds["tenacity"] * 1e9 if "tenacity" in seconds else None,
            "times_tenacity": (
                seconds["errspec"] / seconds["tenacity"]
                if "tenacity" in seconds
                else None
            ),
        }
        for kind, seconds in json.loads(output(*words, folder=home).stdout).items()
    ]
    return Section("layers", "Retry layers: a call that succeeds at once", rows)


def _raised(codes: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the codes that have a class in a language."""
    return {
        key: code
        for key, code in codes.items()
        if "absent" not in code.get("languages", {}).get(language, {})
    }


def _examples(codes: Mapping[str, Any]) -> tuple[str, str]:
    """Return a code without fields, and one with a status and two rules on it."""
    plain = next(key for key, code in codes.items() if code.get("retryable") is False)
    status = next(
        key
        for key, code in codes.items()
        if isinstance(code.get("retryable"), dict)
        and list(code["fields"]) == ["status"]
        and len(code["retryable"]["rules"]) == 2
    )
    return plain, status
