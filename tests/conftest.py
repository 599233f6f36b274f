"""What the tests share: compiling a catalogue, importing the result, finding tools."""

from __future__ import annotations

import importlib
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from errspec.config import Config, Entry
from errspec.output import Package
from errspec.project import Project

ROOT = pathlib.Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases"

_numbers = itertools.count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite",
        action="store_true",
        help="rewrite the expectations of tests/cases from what errspec does now",
    )


@pytest.fixture
def rewrite(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are rewritten instead of compared."""
    return bool(request.config.getoption("--rewrite"))


def need(tool: str) -> str:
    """Return the path of a tool. Without it: a failure in CI, a loud skip elsewhere."""
    path = shutil.which(
        tool,
        path=f"{pathlib.Path(sys.executable).parent}:{os.defpath}:{os.environ['PATH']}",
    )
    if path is None:
        message = f"NOT TESTED: {tool} is not installed"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path


def compile_files(
    spec: pathlib.Path, *packs: str, name: str = "catalogue.yaml"
) -> list[Package]:
    """Compile a catalogue through packs and return the packages; fails on any error."""
    entry = Entry(spec, name, tuple(packs))
    project = Project(Config(pathlib.Path(), pathlib.Path("generated"), (entry,)))
    loaded = project.load_all()
    project.sound(loaded)
    return [package for _, package in project.packages(loaded)]


def write(package: Package, folder: pathlib.Path) -> pathlib.Path:
    """Write a package's files below a folder, and return the package's own folder."""
    root = folder / package.folder
    for path, text in package.files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return root


@pytest.fixture
def python_package(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], ModuleType]]:
    """A function that compiles catalogue text to Python and imports the package.

    The text's `id` names the module: `id: x` gives x_errors.
    """
    imported: list[str] = []

    def load(text: str) -> ModuleType:
        folder = tmp_path / f"package{next(_numbers)}"
        folder.mkdir()
        spec = folder / "catalogue.yaml"
        spec.write_text(text, encoding="utf-8")
        [package] = compile_files(spec, "python")
        root = write(package, folder)
        name = f"{package.folder.partition('/')[2].replace('-', '_')}_errors"
        forget(name)
        imported.append(name)
        monkeypatch.syspath_prepend(str(root))
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield load
    for name in imported:
        forget(name)


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
