"""What the tests share: compiling a catalogue, finding tools, running commands."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from typing import NoReturn

import pytest

from errspec import source
from errspec.config import Config, Entry
from errspec.output import Package
from errspec.project import Project
from errspec.view import View

ROOT = pathlib.Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases"
CATALOGUES = {
    "agent": ROOT / "spec" / "agent.yaml",
    "criogen": ROOT / "spec" / "criogen.yaml",
    "oma": ROOT / "spec" / "oma.yaml",
    "sink": CASES / "catalogues" / "sink.yaml",
    "family": CASES / "catalogues" / "family.yaml",
    "classified": CASES / "catalogues" / "classified.yaml",
}
"""Catalogues that every language's tests go through: real ones, and ones with every feature."""


def need(tool: str) -> str:
    """Return the path of a tool. Without it: a failure in CI, a loud skip elsewhere."""
    path = shutil.which(
        tool,
        path=f"{pathlib.Path(sys.executable).parent}:{os.defpath}:{os.environ['PATH']}",
    )
    if path is None:
        missing(f"{tool} is not installed")
    return path


def missing(why: str) -> NoReturn:
    """Say that something cannot be tested: a failure in CI, a loud skip elsewhere."""
    message = f"NOT TESTED: {why}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def compile_files(
    spec: pathlib.Path, *packs: str, name: str = "catalogue.yaml"
) -> list[Package]:
    """Compile a catalogue through packs and return the packages; fails on any error."""
    entry = Entry(spec, name, tuple(packs))
    project = Project(Config(pathlib.Path(), pathlib.Path("generated"), (entry,)))
    loaded = project.load_all()
    project.sound(loaded)
    return [package for _, package in project.packages(loaded)]


def view_of(spec: str) -> View:
    """Return the neutral view of a catalogue's text; fails on any error."""
    entry = Entry(pathlib.Path("catalogue.yaml"), "catalogue.yaml")
    project = Project(Config(pathlib.Path(), pathlib.Path("generated"), (entry,)))
    loaded = project.judge(entry, source.parse(spec, entry.name))
    project.sound([loaded])
    return project.renderer.view(loaded.catalogue, entry.name, None)


def write(package: Package, folder: pathlib.Path) -> pathlib.Path:
    """Write a package's files below a folder, and return the package's own folder."""
    root = folder / package.folder
    for path, text in package.files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return root


def forget(name: str) -> None:
    """Take a package out of the imported modules, so that a copy can be imported."""
    for module in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[module]


def run(
    *command: str | pathlib.Path, cwd: pathlib.Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a command and return its result, whatever its exit code."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def errspec(
    *arguments: str | pathlib.Path, cwd: pathlib.Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return run(sys.executable, "-m", "errspec", *arguments, cwd=cwd, **env)
