"""Catalogues on their way through errspec, in one process and without a command line."""

from __future__ import annotations

import json
import pathlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from errspec.config import Config, Entry
from errspec.diagnostics import Findings
from errspec.project import Project
from fuzz import checks
from fuzz.oracle import Case, Data, Oracle
from fuzz.page import markdown
from fuzz.screen import html
from packages import imported

PACKS = ("python", "typescript", "markdown", "html", "json")


@dataclass(frozen=True)
class Compiled:
    """A catalogue with the files of its packages, by the pack."""

    text: str
    oracle: Oracle
    cases: list[Case]
    files: dict[str, dict[str, str]]

    @cached_property
    def vectors(self) -> Any:
        return json.loads(self.files["json"]["vectors.json"])


class Compiler:
    """Compiles one catalogue after the other, with packs that are read once."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.spec = folder / "catalogue.yaml"
        entry = Entry(self.spec, "catalogue.yaml", PACKS)
        self.project = Project(Config(pathlib.Path(), pathlib.Path("out"), (entry,)))

    def compile(self, text: str, data: Data, cases: list[Case]) -> Compiled:
        """Compile a text. Findings where errspec refuses it."""
        self.spec.write_text(text, encoding="utf-8", newline="")
        loaded = self.project.load_all()
        self.project.sound(loaded)
        packages = [p for _, p in self.project.packages(loaded)]
        files = {p.folder.partition("/")[0]: dict(p.files) for p in packages}
        return Compiled(text, Oracle(data), cases, files)


def refusal(found: Findings) -> str:
    """Return what a catalogue was refused for."""
    errors = [d for d in found.diagnostics if d.severity == "error"]
    return "; ".join(f"{d.id}: {d.message}" for d in errors)


def faults(compiled: Compiled, folder: pathlib.Path) -> Iterator[str]:
    """Return what is wrong in Python, JSON and on both pages, a line each."""
    for path, text in compiled.files["python"].items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for file in folder.rglob("*.py"):
            compile(file.read_bytes(), str(file), "exec")
        with imported(folder) as package:
            yield from checks.python(
                compiled.oracle, compiled.cases, package, compiled.vectors
            )
    catalogue = json.loads(compiled.files["json"]["catalogue.json"])
    yield from checks.documents(compiled.oracle, catalogue, compiled.vectors)
    yield from markdown(compiled.oracle, compiled.files["markdown"]["errors.md"])
    yield from html(compiled.oracle, compiled.files["html"]["index.html"])
