"""The command line at odd terminals: the exit code holds, and nothing is a traceback."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

from support import ROOT

ERRSPEC = f"{sys.executable} -m errspec"


def _shell(command: str, cwd: pathlib.Path = ROOT) -> tuple[int, str]:
    """Run a bash command and return its exit code and what both streams said."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (f"{ERRSPEC} list | head -1", 0),
        (f"{ERRSPEC} schema | true", 0),
        (f"{ERRSPEC} explain NOPE 2> >(true)", 2),
        (f"{ERRSPEC} list >&-", 0),
        (f"{ERRSPEC} list --format json | head -1", 0),
        (f"{ERRSPEC} list --format markdown >&-", 0),
        (f"{ERRSPEC} explain CriogenError --json > /dev/full", 2),
        (f"{ERRSPEC} explain CriogenError >&-", 0),
        (f"{ERRSPEC} list 2>&-", 0),
        (f"{ERRSPEC} list > /dev/full", 2),
        (f"{ERRSPEC} --version > /dev/full", 2),
        (f"{ERRSPEC} check --help > /dev/full", 2),
        (f"{ERRSPEC} list > /dev/full 2> /dev/full", 2),
        (f"{ERRSPEC} list 2> /dev/full", 0),
        (f"{ERRSPEC} explain NOPE 2> /dev/full", 2),
        (f"{ERRSPEC} no-such-command 2> /dev/full", 2),
        (f"{ERRSPEC} explain NOPE <&- >&- 2>&-", 2),
        (f"{ERRSPEC} validate --format sarif | head -1", 0),
        (f"{ERRSPEC} validate --format json | true", 0),
        (f"{ERRSPEC} validate --format json >&-", 0),
        (f"{ERRSPEC} validate nope.yaml --format github >&-", 2),
        (f"{ERRSPEC} validate --format sarif > /dev/full", 2),
        (f"{ERRSPEC} validate --format sarif=/dev/full", 2),
        (f"env -u HOME {ERRSPEC} list < /dev/full", 0),
        (f"PYTHONIOENCODING=cp1252 {ERRSPEC} list", 0),
        (f"LC_ALL=C PYTHONUTF8=0 {ERRSPEC} explain MODEL_ERROR", 0),
        (f"COLUMNS=20 NO_COLOR=1 TERM=dumb {ERRSPEC} --help", 0),
    ],
)
def test_the_exit_code_holds(command: str, status: int) -> None:
    """Whoever reads, or stops reading, or cannot show a character."""
    found, said = _shell(command)
    assert found == status, said
    assert "Traceback" not in said and "internal error" not in said


def test_a_folder_that_is_gone_is_one_clear_message(tmp_path: pathlib.Path) -> None:
    """The folder that we are in was removed under us."""
    gone = tmp_path / "gone"
    gone.mkdir()
    found, said = _shell(f"rmdir {gone}; {ERRSPEC} list", cwd=gone)
    assert found == 2
    assert "the current folder cannot be used" in said


def test_a_link_that_leads_to_itself_is_one_clear_message(
    tmp_path: pathlib.Path,
) -> None:
    """A spec that is a loop of links cannot be read."""
    (tmp_path / "loop").symlink_to("loop")
    found, said = _shell(f"{ERRSPEC} validate loop", cwd=tmp_path)
    assert found == 2
    assert "Too many levels of symbolic links" in said


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("errspec val", "validate"),
        ("errspec check --f", "--format"),
        ("errspec check --format sa", "sarif"),
        ("errspec schema fi", "findings"),
        ("errspec explain POLICY_DENI", "POLICY_DENIED"),
        ("errspec explain PolicyD", "PolicyDeniedError"),
    ],
)
def test_bash_completes_as_the_docs_say(
    words: str, expected: str, tmp_path: pathlib.Path
) -> None:
    """The line for ~/.bashrc, then a tab behind some words."""
    shown = (ROOT / "docs/commands.md").read_text("utf-8").split("\n")
    [line] = [each for each in shown if "=bash_source" in each]
    tool = tmp_path / "errspec"
    tool.write_text(f'#!/bin/sh\nexec {ERRSPEC} "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    script = (
        f"PATH={tmp_path}:$PATH; {line}\n"
        f"COMP_WORDS=({words}); COMP_CWORD=$(({len(words.split())} - 1))\n"
        "_errspec_completion errspec\necho ${COMPREPLY[@]}"
    )
    found, said = _shell(script)
    assert (found, said) == (0, f"{expected}\n")
