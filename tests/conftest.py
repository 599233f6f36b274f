"""Options and fixtures of the tests; plain helpers are in `support`."""

from __future__ import annotations

import importlib
import itertools
import os
import pathlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from javascript import install
from packages import generate, imported
from support import CASES, ROOT, compile_files, forget, write

if TYPE_CHECKING:  # few processes of the tests need one
    from playwright.sync_api import Browser

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


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package of spec/agent.yaml."""
    root = generate(ROOT / "spec" / "agent.yaml", tmp_path_factory.mktemp("agent"))
    with imported(root) as package:
        yield package


@pytest.fixture(scope="module")
def sink(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package of a catalogue that uses every feature."""
    spec = CASES / "catalogues" / "sink.yaml"
    with imported(generate(spec, tmp_path_factory.mktemp("sink"))) as package:
        yield package


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package of a catalogue whose classes extend each other in every way."""
    spec = CASES / "catalogues" / "family.yaml"
    with imported(generate(spec, tmp_path_factory.mktemp("family"))) as package:
        yield package


@pytest.fixture(params=["agent", "sink", "family"])
def package(request: pytest.FixtureRequest) -> ModuleType:
    """Each of the three packages."""
    found: ModuleType = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module.

    No longer: as long as it runs, its driver's loop is the one of this thread, and
    other tests have loops of their own.
    """
    from browsing import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def node_tools(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder of the tools that tests/node/package.json names, installed by npm."""
    lock = None
    if "PYTEST_XDIST_WORKER" in os.environ:  # the workers of a session share a folder
        lock = tmp_path_factory.getbasetemp().parent / "npm-install"
    return install(lock)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what tests recorded as `says`: figures that a reader of the run wants."""
    for report in terminalreporter.getreports("passed"):
        for name, said in report.user_properties:
            if name == "says":
                terminalreporter.write_line(str(said))
