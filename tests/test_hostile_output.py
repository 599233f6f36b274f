"""What errspec says, and what it leaves on disk, in odd surroundings."""

from __future__ import annotations

import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from errspec import terminal
from support import errspec

SPEC = """\
errspec: 1
id: shop
title: Shop errors
version: 0.1.0
languages: [python, typescript]
base_class: ShopError
groups: {orders: {title: Orders}}
codes:
  OUT_OF_STOCK: {group: orders, meaning: Nothing of it is left., retryable: false}
  UNPAID: {group: orders, meaning: Nobody paid., retryable: true}
"""
WRONG = SPEC + "".join(
    f"  E_{n}: {{group: orders, meaning: A., retryable: yes}}\n" for n in range(300)
)
CONFIG = "errspec: 1\ncatalogues: [{spec: shop.yaml}]\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A small project with its output, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "shop.yaml").write_text(SPEC, encoding="utf-8")
    (folder / "wrong.yaml").write_text(WRONG, encoding="utf-8")
    (folder / "errspec.yaml").write_text(CONFIG, encoding="utf-8")
    found = errspec("generate", cwd=folder)
    assert found.returncode == 0, found.stderr
    return folder


@pytest.fixture
def project(made: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of that project."""
    return shutil.copytree(made, tmp_path / "project")


def tree(folder: pathlib.Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    files = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


# ----------------------------------------------------------------------- what is said

ERRSPEC = f"{sys.executable} -m errspec"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (f"{ERRSPEC} validate wrong.yaml 2>&1 | head -1", 1),
        (f"{ERRSPEC} validate none.yaml 2>&1 | true", 2),
        (f"rm -r generated; {ERRSPEC} check | head -1", 1),
        (f"echo >> generated/json/shop/schema.json; {ERRSPEC} check | true", 1),
        (f"{ERRSPEC} check | true", 0),
        (f"{ERRSPEC} validate wrong.yaml 2>&-", 1),
        (f"PYTHONIOENCODING=cp1252 {ERRSPEC} validate wrong.yaml", 1),
        (f"PYTHONIOENCODING=ascii {ERRSPEC} check wrong.yaml", 1),
        (f"COLUMNS=20 {ERRSPEC} validate wrong.yaml", 1),
        (f"COLUMNS=1 TERM=none {ERRSPEC} list < /dev/null", 0),
        (f"{ERRSPEC} check --no-such-option", 2),
    ],
)
def test_the_exit_code_holds_whoever_reads(
    command: str, status: int, project: pathlib.Path
) -> None:
    """A reader that stops, a console that lacks characters, a terminal of one column."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=project,
        capture_output=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == status, said
    assert b"Traceback" not in said and b"internal error" not in said
    assert b"\x1b" not in said


def on_terminal(project: pathlib.Path, *arguments: str, **env: str) -> bytes:
    """Run a command with a terminal at the other end, and return what that shows."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "errspec", *arguments],
        cwd=project,
        env={k: v for k, v in os.environ.items() if k != "NO_COLOR"} | env,
        stdout=theirs,
        stderr=theirs,
    ):
        os.close(theirs)
        said = b""
        while True:
            try:
                said += os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    return said


@pytest.mark.parametrize(
    ("env", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"COLUMNS": "20"}, True)],
    ids=str,
)
def test_only_a_terminal_that_wants_them_gets_colours(
    env: dict[str, str], coloured: bool, project: pathlib.Path
) -> None:
    """And the text is the same with and without."""
    said = on_terminal(project, "validate", "wrong.yaml", **env)
    assert (b"\x1b[" in said) is coloured
    plain = re.sub(rb"\x1b\[[0-9;]*m", b"", said).replace(b"\r\n", b"\n").decode()
    assert plain == errspec("validate", "wrong.yaml", cwd=project).stderr


ORDERS = {
    "\x1b]0;title\x07 \x1b[2J": r"\x1b]0;title\x07 \x1b[2J",
    "\u202etxt.exe": r"\u202etxt.exe",
    "a\rb\nc": r"a\rb\nc",
    "::add-mask::x": r"\x3a:add-mask::x",
    " \t::error file=a,line=1::x%0Ay": r" \t::error file=a,line=1::x%0Ay",
    "  ::stop-commands::x": r"  \x3a:stop-commands::x",
    "a ##vso[task.setvariable variable=a]b": r"a \x23#vso[task.setvariable variable=a]b",
    "##[error]x": r"\x23#[error]x",
    "##teamcity[message text='x']": r"\x23#teamcity[message text='x']",
    "[/] [bold]x[/bold] %s {x}": "[/] [bold]x[/bold] %s {x}",
    "a::b #1 ## x": "a::b #1 ## x",
}


@pytest.mark.parametrize("text", ORDERS)
def test_nothing_that_is_said_is_an_order_to_who_shows_it(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Terminals get no controls, CI servers no commands, and all else is left alone."""
    terminal.say(text)
    assert capsys.readouterr().out == ORDERS[text] + "\n"


def test_texts_of_a_catalogue_give_no_orders(project: pathlib.Path) -> None:
    """Not where a command shows them, nor in the diff of what would be generated."""
    hostile = '"::error::x\\n::add-mask::y \\e[31m ##vso[a]b."'
    spec = SPEC.replace("Nobody paid.", hostile)
    (project / "shop.yaml").write_text(spec, encoding="utf-8")
    for command in (["explain", "UNPAID"], ["check"], ["list"], ["validate"]):
        found = errspec(*command, cwd=project)
        for line in (found.stdout + found.stderr).splitlines():
            assert not line.lstrip().startswith("::"), command
            assert "##vso[" not in line and "\x1b" not in line, command


def test_a_finding_without_a_line_names_its_file(project: pathlib.Path) -> None:
    """A file that is missing has no line to show, and no line number is made up."""
    found = errspec("validate", "none.yaml", cwd=project)
    assert found.stderr == (
        "none.yaml: error[unreadable]: cannot be read: No such file or directory\n"
        "1 error\n"
    )


# ------------------------------------------------------------------- what is on disk


@pytest.mark.parametrize(
    "env",
    [
        {"PATH": "/nowhere"},
        {"PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nowhere", "PYTHONOPTIMIZE": "2"},
    ],
    ids=str,
)
def test_no_surroundings_change_a_byte(
    env: dict[str, str], project: pathlib.Path
) -> None:
    """Nor do tools that are missing: no formatter runs, so none can be wrong or absent."""
    found = errspec("generate", "--out", "other", cwd=project, **env)
    assert found.returncode == 0, found.stderr
    assert tree(project / "other") == tree(project / "generated")
    assert errspec("check", cwd=project, **env).returncode == 0


def test_the_folder_that_we_are_in_changes_nothing(project: pathlib.Path) -> None:
    """From below, and by a path from elsewhere, the same files are right."""
    below = project / "a" / "b"
    below.mkdir(parents=True)
    before = tree(project / "generated")
    assert errspec("generate", cwd=below).stdout.startswith("no files changed")
    assert errspec("check", "../../shop.yaml", cwd=below).returncode == 0
    assert tree(project / "generated") == before


def edit(path: str, old: str, new: str) -> Callable[[pathlib.Path], None]:
    """Return what edits a file of the output."""

    def edited(out: pathlib.Path) -> None:
        raw = (out / path).read_bytes()
        assert old.encode() in raw
        (out / path).write_bytes(raw.replace(old.encode(), new.encode(), 1))

    return edited


def crlf(out: pathlib.Path) -> None:
    for path in out.rglob("*.*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def aligned(out: pathlib.Path) -> None:
    """Do what a formatter does: pad the cells of a table, and break a long line."""
    page = out / "markdown/shop/errors.md"
    text = page.read_text("utf-8").replace(
        "| --- | ---", "| ------- | :------".replace(":", "-")
    )
    text = text.replace("| UNPAID", "|  UNPAID ").replace(" |\n", "     |\n")
    page.write_text(text.replace("Catch its", "Catch\nits"), encoding="utf-8")


PAGE = "generated/markdown/shop/errors.md"
TOLD: dict[str, tuple[Callable[[pathlib.Path], None], int, tuple[str, ...]]] = {
    "mixed line ends are one line, and no diff": (
        edit("markdown/shop/errors.md", "\n", "\r\n"),
        1,
        (f"{PAGE}: mixed line endings", "1 file differ"),
    ),
    "line ends of Windows throughout are fine": (crlf, 0, ("are what the spec says",)),
    "a header taken out is an edit": (
        edit("typescript/shop/index.js", "Generated by errspec", "Written by me"),
        1,
        ("index.js: edited by hand", "--force"),
    ),
    "a formatter's work is told as such": (
        aligned,
        1,
        (
            f"{PAGE}: edited by hand, only its formatting",
            "keep formatters off generated",
        ),
    ),
    "a changed word is more than formatting": (
        edit("markdown/shop/errors.md", "Nobody paid.", "Nobody  payed."),
        1,
        (f"{PAGE}: edited by hand\n", "move the edits into the spec"),
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_what_happened_to_an_output_is_told(case: str, project: pathlib.Path) -> None:
    """In words that say what to do, and mended by the command that they name."""
    change, status, messages = TOLD[case]
    before = tree(project / "generated")
    change(project / "generated")
    found = errspec("check", cwd=project)
    assert found.returncode == status
    for message in messages:
        assert message in found.stdout
    if "mixed" in case:
        assert "@@" not in found.stdout
    if status:
        assert errspec("generate", "--force", cwd=project).returncode == 0
        assert tree(project / "generated") == before


def test_an_output_folder_that_is_gone_is_missing_files(project: pathlib.Path) -> None:
    """Each is named, exit 1; and `generate` makes it again."""
    before = tree(project / "generated")
    for path in before:
        (project / "generated" / path).unlink()
    for folder in sorted((project / "generated").rglob("*"), reverse=True):
        folder.rmdir()
    (project / "generated").rmdir()
    found = errspec("check", cwd=project)
    assert found.returncode == 1
    assert found.stdout.count(": missing\n") == len(before) - 1
    assert not (project / "generated").exists()
    assert errspec("generate", cwd=project).returncode == 0
    assert tree(project / "generated") == before


def test_the_file_of_a_removed_code_goes_and_its_neighbour_stays(
    project: pathlib.Path,
) -> None:
    """Only what the manifest lists, with its hash, is removed: a header alone is no
    reason, and without a manifest nothing is."""
    (project / "packs/own").mkdir(parents=True)
    (project / "packs/own/pack.yaml").write_text(
        "pack: 1\nfiles: [{to: '{code}.txt', template: x.j2, each: code}]\n"
    )
    (project / "packs/own/x.j2").write_text("{{ header }}\n{{ item.meaning }}\n")
    config = "errspec: 1\ntemplates: [packs]\ncatalogues: [{spec: shop.yaml, targets: [own]}]\n"
    (project / "errspec.yaml").write_text(config)
    assert errspec("generate", cwd=project).returncode == 0
    out = project / "generated/own/shop"
    assert {p.name for p in out.iterdir()} == {"out_of_stock.txt", "unpaid.txt"}
    (out / "mine.txt").write_bytes((out / "unpaid.txt").read_bytes())
    less = "".join(x for x in SPEC.splitlines(keepends=True) if "UNPAID" not in x)
    (project / "shop.yaml").write_text(less, encoding="utf-8")
    found = errspec("check", cwd=project)
    assert found.returncode == 1
    assert "unpaid.txt: left over: nothing generates it any more" in found.stdout
    manifest = (project / "generated/MANIFEST").read_bytes()
    (project / "generated/MANIFEST").unlink()
    found = errspec("generate", cwd=project)
    assert "MANIFEST is missing" in found.stderr
    assert {"unpaid.txt", "mine.txt"} <= {p.name for p in out.iterdir()}
    (project / "generated/MANIFEST").write_bytes(manifest)
    assert errspec("generate", cwd=project).returncode == 0
    assert {p.name for p in out.iterdir()} == {"out_of_stock.txt", "mine.txt"}


@pytest.mark.parametrize(
    ("targets", "options", "status", "said"),
    [
        ("python", "python: {package: aux}", 2, "aux"),
        ("python", "python: {package: class}", 1, "package must be"),
        ("python", "python: {package: ../x}", 1, "package"),
        ("python", "python: {package: /tmp/x}", 1, "package"),
        ("python, python", "", 1, "repeat"),
        ("python", "pyhton: {}", 1, "did you mean python?"),
    ],
)
def test_a_set_up_that_names_no_good_path_writes_nothing(
    targets: str, options: str, status: int, said: str, project: pathlib.Path
) -> None:
    """Devices of Windows, ways out of the folder, and one path twice, before any write."""
    entry = f"{{spec: shop.yaml, targets: [{targets}], options: {{{options}}}}}"
    config = f"errspec: 1\nout: other\ncatalogues: [{entry}]\n"
    (project / "errspec.yaml").write_text(config, encoding="utf-8")
    found = errspec("generate", cwd=project)
    assert (found.returncode, said in found.stderr) == (status, True), found.stderr
    assert not (project / "other").exists()
