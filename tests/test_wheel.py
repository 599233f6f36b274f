"""What ships: the wheel's content, and that it works outside a checkout."""

from __future__ import annotations

import pathlib
import sys
import zipfile

import pytest

from errspec import __version__
from support import ROOT, run


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The wheel, built from this checkout with the build back end at hand."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        folder,
        ROOT,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    [found] = folder.glob("*.whl")
    return found


def test_the_wheel_holds_the_compiler_templates_and_schemas_and_nothing_else(
    wheel: pathlib.Path,
) -> None:
    """File by file: every tracked file of the three folders, at its place."""
    info = f"errspec-{__version__}.dist-info"
    expected = {
        f"{info}/{name}"
        for name in (
            "METADATA",
            "RECORD",
            "WHEEL",
            "entry_points.txt",
            "licenses/LICENSE",
        )
    }
    for folder, inside, pattern in (
        ("generator/errspec", "errspec", "*"),
        ("templates", "errspec/templates", "*"),
        ("spec", "errspec/spec", "*.schema.json"),
    ):
        for path in (ROOT / folder).rglob(pattern):
            if path.is_file() and "__pycache__" not in path.parts:
                expected.add(f"{inside}/{path.relative_to(ROOT / folder).as_posix()}")
    with zipfile.ZipFile(wheel) as archive:
        assert set(archive.namelist()) == expected


def test_an_installed_wheel_works_outside_the_checkout(
    wheel: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """init, generate and check run from the wheel alone, without a network."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    project = tmp_path / "project"
    project.mkdir()
    for arguments in (["init", "--id", "shop"], ["generate"], ["check"], ["list"]):
        # -S and our own path: the checkout's editable install must not be found.
        code = (
            f"import sys; sys.path[:0] = [{str(site)!r}]; import site; site.main();"
            f"from errspec.cli import main; import errspec;"
            f"assert errspec.__file__.startswith({str(site)!r}), errspec.__file__;"
            f"main({arguments!r})"
        )
        done = run(sys.executable, "-S", "-c", code, cwd=project)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (project / "generated/python/shop/shop_errors/errors.py").is_file()
