"""Cases as folders: a command over input files gives this output and leaves this tree.

`tests/cases/{commands,formats}/<name>/` holds `input/`, `cmd` (the arguments), and what is
expected: `exit`, `stdout`, `stderr` and, where the command writes, `tree/`.
`pytest tests/test_cases.py --rewrite` rewrites the expectations.
"""

from __future__ import annotations

import pathlib
import shlex
import shutil

import pytest

from errspec.cli import main
from support import CASES

COMMANDS = sorted(
    path.parent
    for folder in ("commands", "formats")
    for path in (CASES / folder).glob("*/cmd")
)


@pytest.mark.parametrize("case", COMMANDS, ids=lambda p: p.name)
def test_a_command_says_and_writes_what_its_case_expects(
    case: pathlib.Path,
    rewrite: bool,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code, both streams and the files left behind are as recorded."""
    folder = tmp_path / "project"
    shutil.copytree(case / "input", folder)
    (folder / ".git").mkdir()  # the top of a repository, wherever the tests run
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")
    with pytest.raises(SystemExit) as stop:
        main(shlex.split((case / "cmd").read_text(encoding="utf-8")))
    shown = capsys.readouterr()
    found = {
        "exit": f"{stop.value.code}\n",
        "stdout": shown.out,
        "stderr": shown.err,
    } | _tree(case, folder)
    if rewrite:
        _rewrite(case, found)
    assert found == _expected(case)


def _tree(case: pathlib.Path, folder: pathlib.Path) -> dict[str, str]:
    """Return the files that the command wrote or changed."""
    files = (p for p in sorted(folder.rglob("*")) if p.is_file())
    before = case / "input"
    changed = (
        path
        for path in (p.relative_to(folder) for p in files)
        if not (before / path).is_file()
        or (before / path).read_bytes() != (folder / path).read_bytes()
    )
    return {f"tree/{p.as_posix()}": (folder / p).read_bytes().decode() for p in changed}


def _expected(case: pathlib.Path) -> dict[str, str]:
    names = (p.relative_to(case).as_posix() for p in case.rglob("*") if p.is_file())
    kept = {
        name: (case / name).read_bytes().decode()
        for name in names
        if name != "cmd" and not name.startswith("input/")
    }
    return {"stdout": "", "stderr": "", "exit": "0\n"} | kept


def _rewrite(case: pathlib.Path, found: dict[str, str]) -> None:
    shutil.rmtree(case / "tree", ignore_errors=True)
    for name, text in found.items():
        path = case / name
        if text or name not in ("stdout", "stderr"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        else:
            path.unlink(missing_ok=True)
