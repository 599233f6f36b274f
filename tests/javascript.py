"""Generated TypeScript packages in tests: compiled, and run under node."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import time
from typing import Any

from support import CATALOGUES, ROOT, compile_files, missing, need, run, write

FOLDER = ROOT / "tests" / "node"
"""Where package.json names the tools, and where they are installed."""


def catalogue(name: str) -> str:
    """Return the text of a catalogue, for TypeScript too."""
    text = CATALOGUES[name].read_text(encoding="utf-8")
    return re.sub(
        r"^languages: \[python\]$", "languages: [python, typescript]", text, flags=re.M
    )


def files_of(text: str, folder: pathlib.Path, *packs: str) -> list[dict[str, str]]:
    """Compile catalogue text, and return the files of each pack's package."""
    spec = folder / "catalogue.yaml"
    spec.write_text(text, encoding="utf-8")
    return [dict(package.files) for package in compile_files(spec, *packs)]


def generate(text: str, folder: pathlib.Path, name: str) -> pathlib.Path:
    """Compile catalogue text to TypeScript; the package's folder gets this name."""
    spec = folder / f"{name}.yaml"
    spec.write_text(text, encoding="utf-8")
    [package] = compile_files(spec, "typescript")
    written = write(package, folder / "written")
    return pathlib.Path(shutil.move(written, folder / name))


def run_node(*arguments: str | pathlib.Path, input: Any = None, **env: str) -> str:
    """Run node, give it data as JSON, and return what it prints; fails where it does."""
    done = subprocess.run(
        [need("node"), *map(str, arguments)],
        input=json.dumps(input),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **env},
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    return done.stdout


def install(lock: pathlib.Path | None = None) -> pathlib.Path:
    """Install the tools with npm, unless they are there; return their node_modules.

    Of several processes the one that makes the folder `lock` installs.
    """
    npm = need("npm")
    done = FOLDER / "node_modules" / ".installed"
    wanted = (FOLDER / "package.json").read_text(encoding="utf-8")

    def is_done() -> bool:
        return done.is_file() and done.read_text(encoding="utf-8") == wanted

    failed = lock / "failed" if lock is not None else None
    if not is_done() and (lock is None or _made(lock)):
        quiet = ("--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
        found = run(npm, "install", *quiet, cwd=FOLDER)
        if found.returncode == 0:
            done.write_text(wanted, encoding="utf-8")
        elif failed is not None:
            failed.touch()
    while not is_done():
        if failed is None or failed.exists():
            missing("npm could not install what tests/node/package.json names")
        time.sleep(0.5)
    return done.parent


def _made(lock: pathlib.Path) -> bool:
    try:
        lock.mkdir()
    except FileExistsError:
        return False
    return True
