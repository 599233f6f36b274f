"""`list` and `explain`: as JSON, on a terminal, and through a pager."""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import sys
import termios
from collections.abc import Mapping, Sequence
from typing import Any

import jsonschema_rs
import pytest
from wcwidth import width as columns_of

from support import CATALOGUES, ROOT, compile_files, errspec, need

SCHEMA = json.loads((ROOT / "spec" / "codes.schema.json").read_text("utf-8"))
CODES = jsonschema_rs.Draft202012Validator(SCHEMA)

SPEC = """
errspec: 1
id: desk
title: Errors of the desk
version: 1.0.0
languages: [python, typescript]
base_class: DeskError
codes:
  GONE: {meaning: "机の上には何もなくて、引き出しの中にも、床の上にも、何も見つからない。", retryable: false}
  BUSY: {meaning: "Somebody sits at the desk, and nobody knows when it will be free again.", retryable: true}
  ODD: {meaning: "It is \\e[31mred\\e[0m.", retryable: unset, ignore: {control-text: a test}}
"""
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def desk(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with a catalogue of three codes, desk.yaml."""
    (tmp_path / "desk.yaml").write_text(SPEC, encoding="utf-8")
    return tmp_path


def _started(
    arguments: Sequence[str],
    cwd: pathlib.Path,
    rows: int,
    columns: int,
    env: Mapping[str, str],
) -> tuple[int, int]:
    """Run errspec on a terminal of its own; return its process and the terminal's end."""
    unset = ("NO_COLOR", "PAGER", "LESS", "COLUMNS", "LINES")
    kept = {key: value for key, value in os.environ.items() if key not in unset}
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(cwd)
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(1, termios.TIOCSWINSZ, size)
        command = [sys.executable, "-m", "errspec", *arguments]
        os.execve(sys.executable, command, {**kept, "TERM": "xterm", **env})
    return process, terminal


def _rest(terminal: int) -> str:
    """Read what a terminal shows until nobody writes any more."""
    shown = b""
    try:
        while some := os.read(terminal, 65536):
            shown += some
    except OSError:  # how a terminal says that nobody is left
        pass
    os.close(terminal)
    return shown.decode().replace("\r\n", "\n")


def _terminal(
    *arguments: str,
    cwd: pathlib.Path,
    rows: int = 24,
    columns: int = 80,
    env: Mapping[str, str] = {},
) -> tuple[int, str]:
    """Run errspec on a terminal of its own; return its exit code and what was shown."""
    process, terminal = _started(arguments, cwd, rows, columns, env)
    shown = _rest(terminal)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), shown


def _pager(folder: pathlib.Path, script: str) -> str:
    """Make a pager of a script, and return its command."""
    path = folder / "pager"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


# ------------------------------------------------------------------------------ JSON


@pytest.mark.parametrize("spec", CATALOGUES.values(), ids=CATALOGUES)
def test_codes_as_json_are_what_their_schema_says(spec: pathlib.Path) -> None:
    """`list` and `explain` give one shape, an array, in the catalogue's order."""
    listed = json.loads(errspec("list", "--format", "json", spec).stdout)
    CODES.validate(listed)
    one = listed[len(listed) // 2]
    explained = json.loads(errspec("explain", one["code"], spec, "--json").stdout)
    CODES.validate(explained)
    assert one in explained


def test_a_code_is_the_same_in_every_json() -> None:
    """A code of a list is that of the published catalogue, and of whose it is."""
    [package] = compile_files(CATALOGUES["sink"], "json", name="sink.yaml")
    published = json.loads(package.files["catalogue.json"])
    schema = json.loads(package.files["schema.json"])["$defs"]["code"]
    spec = CATALOGUES["sink"].relative_to(ROOT).as_posix()
    listed = json.loads(errspec("list", spec, "--format", "json", cwd=ROOT).stdout)
    whose = {key: published[key] for key in ("id", "title", "version")}
    for one, same in zip(listed, published["codes"], strict=True):
        assert one.pop("catalogue") == {**whose, "spec": spec}
        assert one.pop("verdict_words")
        assert one == same
    described: dict[str, Any] = SCHEMA["items"]["properties"]
    assert set(described) == {*schema["properties"], "catalogue", "verdict_words"}


def test_the_schema_of_codes_is_printed() -> None:
    """`errspec schema codes` is what list and explain keep to."""
    assert json.loads(errspec("schema", "codes").stdout) == SCHEMA


# -------------------------------------------------------------------- on a terminal


@pytest.mark.parametrize(
    ("columns", "headings"),
    [
        (200, ["code", "retry", "raised in", "meaning"]),
        (66, ["code", "retry", "raised in", "meaning"]),
        (50, ["code", "retry", "meaning"]),
        (20, ["code", "retry"]),
    ],
)
def test_a_list_fits_into_the_terminal(
    columns: int, headings: list[str], desk: pathlib.Path
) -> None:
    """Meanings are cut off by what they take on the screen, then columns are left out."""
    status, shown = _terminal("list", "desk.yaml", cwd=desk, columns=columns)
    assert status == 0
    _, head, *rows = ESCAPES.sub("", shown).split("\n")[:5]
    assert re.split(r"  +", head.strip()) == headings
    for row in rows:
        assert columns_of(row) <= columns, row
    assert ("…" in rows[0]) == (columns < 100 and "meaning" in headings)
    if "…" in rows[0]:
        assert columns_of(rows[0]) >= columns - 1  # no room is given away
    assert [row.split()[:2] for row in rows] == [
        ["GONE", "no"],
        ["BUSY", "yes"],
        ["ODD", "unset"],
    ]


@pytest.mark.parametrize(
    "command", [["list", "desk.yaml"], ["explain", "ODD", "desk.yaml"]]
)
def test_only_terminals_get_colours(command: list[str], desk: pathlib.Path) -> None:
    """None with NO_COLOR or in a pipe; a colour of the catalogue's is text everywhere."""
    coloured = _terminal(*command, cwd=desk, columns=200)[1]
    plain = _terminal(*command, cwd=desk, columns=200, env={"NO_COLOR": "1"})[1]
    piped = errspec(*command, cwd=desk).stdout
    assert ESCAPES.search(coloured) and ESCAPES.sub("", coloured) == plain
    assert "\x1b" not in plain + piped
    assert all(r"\x1b[31mred\x1b[0m" in text for text in (coloured, plain, piped))


def test_a_list_in_a_pipe_is_whole_whatever_the_terminal_is(desk: pathlib.Path) -> None:
    """Who searches it finds every word, and the same bytes at any width."""
    wide = errspec("list", "desk.yaml", cwd=desk, COLUMNS="200").stdout
    assert errspec("list", "desk.yaml", cwd=desk, COLUMNS="20").stdout == wide
    assert "nobody knows when it will be free again." in wide


def test_an_answer_is_broken_between_words(desk: pathlib.Path) -> None:
    """No line of an answer is wider than the terminal, in any script."""
    for code, words in ("GONE", "床の上にも"), ("BUSY", "nobody knows"):
        status, shown = _terminal("explain", code, "desk.yaml", cwd=desk, columns=40)
        lines = ESCAPES.sub("", shown).split("\n")
        assert status == 0 and max(map(columns_of, lines)) <= 40
        joined = ("" if code == "GONE" else " ").join(line.strip() for line in lines)
        assert words in joined


# ------------------------------------------------------------------------- the pager


def test_what_does_not_fit_goes_through_the_pager(desk: pathlib.Path) -> None:
    """It gets the whole answer, colours included, and what less needs to show them."""
    pager = _pager(desk, 'echo "LESS=$LESS"; sed "s/^/> /"')
    status, shown = _terminal(
        "explain", "BUSY", "desk.yaml", cwd=desk, rows=4, env={"PAGER": pager}
    )
    assert status == 0
    first, *lines = shown.rstrip("\n").split("\n")
    assert first == "LESS=FRX" and all(line.startswith(">") for line in lines)
    direct = _terminal("explain", "BUSY", "desk.yaml", "--no-pager", cwd=desk, rows=4)[
        1
    ]
    assert [line[2:] for line in lines] == direct.rstrip("\n").split("\n")


@pytest.mark.parametrize(
    ("options", "rows", "env"),
    [
        (["--no-pager"], 4, {}),
        ([], 24, {}),
        ([], 4, {"TERM": "dumb"}),
        ([], 4, {"PAGER": ""}),
        ([], 4, {"PAGER": "cat"}),
        ([], 4, {"PAGER": "no-such-pager --with 'options'"}),
        ([], 4, {"PAGER": "a 'quote without its end"}),
        (["--json"], 4, {}),
    ],
)
def test_there_is_no_pager(
    options: list[str], rows: int, env: dict[str, str], desk: pathlib.Path
) -> None:
    """Not for what fits, not for programs, not where none is wanted or can be had."""
    env = {"PAGER": _pager(desk, "echo paged; cat"), **env}
    command = ["explain", "BUSY", "desk.yaml", *options]
    status, shown = _terminal(*command, cwd=desk, rows=rows, env=env)
    assert status == 0
    assert "BUSY" in shown and "paged" not in shown and "rror:" not in shown


def test_nobody_pages_in_a_pipe(desk: pathlib.Path) -> None:
    """A pipe gets the answer itself."""
    pager = _pager(desk, "echo paged; cat")
    done = errspec("explain", "BUSY", "desk.yaml", cwd=desk, PAGER=pager, LINES="2")
    assert done.returncode == 0 and "paged" not in done.stdout


@pytest.mark.parametrize(
    "script",
    [
        "exit 0",
        "exit 3",
        "read line; exit 1",
        "kill -INT $PPID; sleep 0.2; cat",
        "kill -9 $$",
    ],
)
def test_a_pager_that_ends_as_it_likes_changes_nothing(
    script: str, desk: pathlib.Path
) -> None:
    """It may leave early, fail, or get the Ctrl-C that is meant for it."""
    many = "".join(
        f"  CODE_{n}: {{class: DeskError, meaning: {'word ' * 40}{n}., retryable: true}}\n"
        for n in range(400)
    )
    (desk / "desk.yaml").write_text(SPEC + many, encoding="utf-8")
    pager = _pager(desk, script)
    command = ["explain", "DeskError", "desk.yaml"]
    status, shown = _terminal(*command, cwd=desk, rows=4, env={"PAGER": pager})
    assert status == 0
    assert "Traceback" not in shown and "interrupted" not in shown
    assert ("CODE_399" in shown) == script.endswith("cat")


def test_a_message_is_shown_as_errors_have_it(desk: pathlib.Path) -> None:
    """Braces that are doubled in the catalogue are one brace in the text."""
    text = SPEC.replace("retryable: true}", "retryable: true, message: 'No {{x}}'}")
    (desk / "desk.yaml").write_text(text, encoding="utf-8")
    done = errspec("explain", "BUSY", "desk.yaml", cwd=desk)
    assert re.search(r"^  Message: +No \{x\}$", done.stdout, re.MULTILINE)


def test_less_shows_it_and_ends_with_q(desk: pathlib.Path) -> None:
    """The usual pager, with the key that everyone knows."""
    need("less")
    command = ["explain", "BUSY", "desk.yaml"]
    process, terminal = _started(command, desk, 4, 40, {})
    shown = b""
    while b"BUSY" not in shown:
        shown += os.read(terminal, 65536)
    assert os.waitpid(process, os.WNOHANG) == (0, 0)  # the end is yet to be seen
    os.write(terminal, b"q")
    assert "Raised by" not in _rest(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
