"""The generated Python on every Python that it promises to run on: 3.10 and later."""

from __future__ import annotations

import pathlib
import shutil
import sys

import pytest

from support import CATALOGUES, ROOT, compile_files, run, write

RUNNER = ROOT / "tests" / "vector_runner.py"


def python(version: str) -> str:
    """Return a Python of that version that really runs (pyenv's shims may not).

    Only the one that runs the tests is sure to be there: others are tried where present.
    """
    name = f"python{version}"
    versions = pathlib.Path.home() / ".pyenv" / "versions"
    on_path = shutil.which(name)
    candidates = [sys.executable, *([on_path] if on_path else [])]
    candidates += map(str, versions.glob(f"{version}.*/bin/{name}"))
    for path in candidates:
        asked = run(path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
        if asked.stdout.strip() == version:
            return path
    pytest.skip(f"NOT TESTED: no {name} runs here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the packages, each beside its vectors."""
    folder = tmp_path_factory.mktemp("versions")
    for spec in CATALOGUES.values():
        for package in compile_files(spec, "python", "json"):
            write(package, folder)
    return folder


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_E1_E8_a_package_runs_on(
    version: str, name: str, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Import without a warning, every vector, every error through pickle and back."""
    done = run(
        python(version),
        *("-W", "error", "-S"),
        *(RUNNER, folder / "python" / name, f"{name}_errors"),
        folder / "json" / name / "vectors.json",
        PYTHONPYCACHEPREFIX=str(tmp_path),
    )
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_E8_a_retry_layer_runs_on(
    version: str, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Without a warning, and with the standard library alone, sync and async."""
    script = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from agent_errors import ModelError
from agent_errors.retry import model_retry

def fail(request):
    raise ModelError("m", status=503)

async def fail_too(request):
    fail(request)

waits = []
layer = model_retry(sleep=waits.append, jitter=False)
for run in (lambda: layer(1, fail), lambda: asyncio.run(layer(1, fail_too))):
    try:
        run()
    except ModelError:
        pass
print(waits)
"""
    done = run(
        *(python(version), "-W", "error", "-I", "-c", script),
        folder / "python" / "agent",
        PYTHONPYCACHEPREFIX=str(tmp_path),
    )
    assert (done.stdout.strip(), done.stderr) == (
        "[1.0, 2.0, 4.0, 1.0, 2.0, 4.0]",
        "",
    )


def test_a_package_compiles_without_a_warning(folder: pathlib.Path) -> None:
    """The text of every module is free of what Python warns about."""
    done = run(sys.executable, *("-W", "error", "-m", "compileall", "-fq"), folder)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
