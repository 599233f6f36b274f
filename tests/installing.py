"""Installing errspec as its users do, from a copy of this checkout, without a network."""

from __future__ import annotations

import pathlib
import shutil
import sysconfig

import pytest

from support import ROOT, run

GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org")


def checkout(folder: pathlib.Path) -> pathlib.Path:
    """Copy what git knows, or would, of this checkout into a folder."""
    listed = run("git", "ls-files", "-z", "-co", "--exclude-standard", cwd=ROOT)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def commit(folder: pathlib.Path) -> str:
    """Commit all that a folder holds, as a repository if it is none; return the commit."""
    if not (folder / ".git").exists():
        run(*GIT, "init", "--quiet", "--initial-branch=main", cwd=folder)
    run(*GIT, "add", "--all", cwd=folder)
    done = run(*GIT, "commit", "--quiet", "--allow-empty", "-m", "x", cwd=folder)
    assert done.returncode == 0, done.stderr
    return run("git", "rev-parse", "HEAD", cwd=folder).stdout.strip()


def offline(folder: pathlib.Path) -> dict[str, str]:
    """Return variables with which pip installs errspec from what the tests have.

    Its dependencies and its build back end are found in `folder`, errspec is not.
    """
    for path in pathlib.Path(sysconfig.get_path("purelib")).iterdir():
        own = path.name.lower().startswith(("errspec", "_errspec", "pip", "setuptools"))
        if not own and path.suffix != ".pth" and path.name != "_virtualenv.py":
            (folder / path.name).symlink_to(path)
    return {
        "PYTHONPATH": str(folder),
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # this is how pip reads "no" of a "no"
    }
