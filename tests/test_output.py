"""What `output` promises about files: whose they are, and that no moment loses one."""

from __future__ import annotations

import errno
import os
import random
import runpy
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errspec import disk, hunks, manifest
from errspec.diagnostics import OutputError
from errspec.output import (
    ACTIONS,
    EditedError,
    Package,
    Plan,
    State,
    apply,
    difference,
    plan,
)

FOLDER = "python/agent"
LITTER = ("__pycache__/", "*.egg-info/", "*.pyc", "target/", "Cargo.lock")

MERGE = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n"


def package(files: dict[str, str], folder: str = FOLDER) -> Package:
    return Package(folder, files, LITTER)


def generate(out: Path, *packages: Package, force: bool = False) -> list[str]:
    return [c.path for c in apply(plan(out, packages), force=force)]


def put(out: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(data)


def tree(out: Path) -> dict[str, bytes]:
    """Everything below `out`, links not followed; a folder counts if it is empty."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in sorted(out.rglob("*"))
        if path.is_symlink() or path.is_file() or not any(path.iterdir())
    }


def stamps(out: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_ino)
        for path in [out, *out.rglob("*")]
    }


def states(judged: Plan) -> dict[str, State]:
    return {change.path: change.state for change in judged.changes}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "generated"


# --- Whose is it? -----------------------------------------------------------------------

OLD, NEW, HAND = b"old 1\nold 2\n", b"new 1\nnew 2\n", b"old 1\nmine\n"
A = f"{FOLDER}/a.py"
GONE = f"{FOLDER}/gone/g.py"

Disk = dict[str, bytes]
ROWS: dict[str, tuple[Disk, Disk, Disk, State, Disk]] = {
    # what is listed; on disk; rendered; told as; on disk afterwards
    "equal and listed": ({A: NEW}, {A: NEW}, {A: NEW}, "fine", {A: NEW}),
    "equal, nothing listed": ({}, {A: NEW}, {A: NEW}, "fine", {A: NEW}),
    "equal, another hash listed": ({A: OLD}, {A: NEW}, {A: NEW}, "fine", {A: NEW}),
    "equal but for CRLF throughout": (
        {A: NEW},
        {A: b"new 1\r\nnew 2\r\n"},
        {A: NEW},
        "fine",
        {A: b"new 1\r\nnew 2\r\n"},
    ),
    "equal but for a CRLF among LFs": (
        {},
        {A: b"new 1\r\nnew 2\n"},
        {A: NEW},
        "mixed-endings",
        {A: NEW},
    ),
    "differs, hash listed": ({A: OLD}, {A: OLD}, {A: NEW}, "outdated", {A: NEW}),
    "differs, checked out with CRLF": (
        {A: OLD},
        {A: b"old 1\r\nold 2\r\n"},
        {A: NEW},
        "outdated",
        {A: NEW},
    ),
    "differs, another hash listed": (
        {A: OLD},
        {A: HAND},
        {A: NEW},
        "edited",
        {A: HAND},
    ),
    "differs, not listed": ({}, {A: OLD}, {A: NEW}, "edited", {A: OLD}),
    "differs, not UTF-8": ({}, {A: b"\xff\xfe"}, {A: NEW}, "edited", {A: b"\xff\xfe"}),
    "not UTF-8, hash listed": (
        {A: b"\xff\xfe"},
        {A: b"\xff\xfe"},
        {A: NEW},
        "outdated",
        {A: NEW},
    ),
    "a byte-order mark was added": (
        {A: NEW},
        {A: b"\xef\xbb\xbf" + NEW},
        {A: NEW},
        "edited",
        {A: b"\xef\xbb\xbf" + NEW},
    ),
    "full of conflict marks": (
        {A: OLD},
        {A: MERGE.encode()},
        {A: NEW},
        "conflicted",
        {A: NEW},
    ),
    "marks that the render holds too": (
        {A: OLD},
        {A: MERGE.encode() + HAND},
        {A: MERGE.encode()},
        "edited",
        {A: MERGE.encode() + HAND},
    ),
    "missing": ({A: OLD}, {}, {A: NEW}, "missing", {A: NEW}),
    "missing, never listed": ({}, {}, {A: NEW}, "missing", {A: NEW}),
    "missing and empty": ({}, {}, {A: b""}, "missing", {A: b""}),
    "left over": ({GONE: OLD}, {GONE: OLD}, {}, "left-over", {}),
    "left over, with CRLF": (
        {GONE: OLD},
        {GONE: OLD.replace(b"\n", b"\r\n")},
        {},
        "left-over",
        {},
    ),
    "left over and edited": (
        {GONE: OLD},
        {GONE: HAND},
        {},
        "left-over-edited",
        {GONE: HAND},
    ),
    "stray": ({}, {A: HAND}, {}, "stray", {A: HAND}),
}


def listing(files: Disk) -> bytes:
    lines = [f"{manifest.digest(data)}  {path}\n" for path, data in files.items()]
    return "".join(sorted(lines, key=lambda line: line[66:])).encode()


@pytest.mark.parametrize("row", ROWS)
def test_each_row_of_the_table(out: Path, row: str) -> None:
    """What is on disk is told, and then left, written, refused or deleted as agreed."""
    listed, before, rendered, state, after = ROWS[row]
    put(out, before | {manifest.NAME: listing(listed)})
    render = package(
        {path.removeprefix(f"{FOLDER}/"): d.decode() for path, d in rendered.items()}
    )
    judged = plan(out, [render])
    assert tree(out) == before | {manifest.NAME: listing(listed)}, "plan only reads"
    assert list(states(judged).values()) == [state]
    if ACTIONS[state] == "refuse":
        with pytest.raises(EditedError, match=r"a\.py"):
            apply(judged)
        assert tree(out) == before | {manifest.NAME: listing(listed)}
        apply(judged, force=True)
        after = rendered
    else:
        apply(judged)
    kept = {GONE: listed[GONE]} if state == "left-over-edited" else {}
    assert tree(out) == after | {manifest.NAME: listing(rendered | kept)}


@pytest.mark.parametrize("row", ROWS)
def test_a_second_run_writes_nothing(out: Path, row: str) -> None:
    """Without a change no file, folder or manifest is touched, whatever came before."""
    listed, before, rendered, _, _ = ROWS[row]
    put(out, before | {manifest.NAME: listing(listed)})
    render = package(
        {path.removeprefix(f"{FOLDER}/"): d.decode() for path, d in rendered.items()}
    )
    apply(plan(out, [render]), force=True)
    stamped = stamps(out)
    again = plan(out, [render])
    assert apply(again) == ()
    assert stamps(out) == stamped
    assert {c.state for c in again.drift} <= {"left-over-edited"}
    assert again.manifest.state == "fine"


def test_a_run_without_packages_leaves_no_trace(out: Path) -> None:
    """Nothing to write means not even a folder or an empty manifest."""
    assert generate(out) == []
    assert not out.exists()


def test_the_output_folder_may_be_missing(out: Path) -> None:
    """All is missing, is named, and is created with its folders."""
    judged = plan(out / "deep" / "er", [package({"b.py": "b\n", "sub/a.py": "a\n"})])
    assert states(judged) == {
        f"{FOLDER}/b.py": "missing",
        f"{FOLDER}/sub/a.py": "missing",
    }
    assert [c.path for c in judged.drift] == [f"{FOLDER}/b.py", f"{FOLDER}/sub/a.py"]
    assert judged.warnings == ()
    apply(judged)
    assert set(tree(out / "deep" / "er")) == {*states(judged), manifest.NAME}


def test_one_edit_stops_the_whole_run(out: Path) -> None:
    """Every edited file is named, and not even the innocent ones are written."""
    generate(out, package({"a.py": "1\n", "b.py": "1\n", "c.py": "1\n", "d.py": "1\n"}))
    put(out, {A: HAND, f"{FOLDER}/c.py": HAND})
    (out / FOLDER / "d.py").unlink()
    before = tree(out)
    new = package({"a.py": "2\n", "b.py": "2\n", "c.py": "2\n", "d.py": "2\n"})
    with pytest.raises(EditedError) as caught:
        generate(out, new)
    assert [c.path for c in caught.value.changes] == [A, f"{FOLDER}/c.py"]
    assert "a.py\n" in str(caught.value)
    assert "--force" in str(caught.value)
    assert tree(out) == before
    generate(out, new, force=True)
    assert plan(out, [new]).drift == ()


# --- Left over, stray, litter ---------------------------------------------------------


def test_emptied_folders_go_and_others_stay(out: Path) -> None:
    """A left-over file takes its empty folders along, never one with anything in it."""
    generate(out, package({"x/y/z/a.py": "a\n", "x/b.py": "b\n", "q/c.py": "c\n"}))
    put(out, {f"{FOLDER}/x/note.txt": b"by hand\n"})
    generate(out, package({}))
    assert set(tree(out)) == {manifest.NAME, f"{FOLDER}/x/note.txt"}
    (out / FOLDER / "x/note.txt").unlink()
    assert out.is_dir()


def test_everything_left_over(out: Path) -> None:
    """The output folder itself stays when its last package is emptied."""
    generate(out, package({"a.py": "a\n"}))
    generate(out, package({}))
    assert tree(out) == {manifest.NAME: b""}


def test_a_left_over_that_is_gone_is_forgotten(out: Path) -> None:
    """Whoever deleted it by hand, or put a folder in its place, hears nothing of it."""
    generate(out, package({"a.py": "a\n", "b/c.py": "c\n"}))
    (out / A).unlink()
    put(out, {f"{A}/mine.txt": b"mine\n"})
    (out / FOLDER / "b/c.py").unlink()
    (out / FOLDER / "b").rmdir()
    put(out, {f"{FOLDER}/b": b"mine\n"})
    judged = plan(out, [package({})])
    assert states(judged) == {A + "/": "stray", f"{FOLDER}/b": "stray"}
    apply(judged)
    assert (out / manifest.NAME).read_bytes() == b""


def test_strays_are_told_and_litter_is_not(out: Path) -> None:
    """Tools' droppings are passed over at any depth; a strange folder is told once."""
    generate(out, package({"a.py": "a\n", "sub/b.py": "b\n"}))
    litter = ["__pycache__/a.pyc", "sub/__pycache__/x", "sub/z.pyc", "Cargo.lock"]
    litter += ["target/debug/bin", "agent.egg-info/PKG", "empty/__pycache__/a.pyc"]
    strays = ["note.txt", "sub/mine.py", "tests/a.py", "tests/deep/b.py"]
    put(out, {f"{FOLDER}/{path}": b"x" for path in litter + strays})
    (out / FOLDER / "link").symlink_to("nowhere")
    (out / "elsewhere").mkdir()
    (out / "elsewhere/z").write_text("not judged")
    judged = plan(out, [package({"a.py": "a\n", "sub/b.py": "b\n"})])
    assert [c.path for c in judged.changes if c.state == "stray"] == [
        f"{FOLDER}/{path}" for path in ("link", "note.txt", "sub/mine.py", "tests/")
    ]
    assert judged.drift == ()
    stamped = stamps(out)
    assert apply(judged) == ()
    assert stamps(out) == stamped


def test_a_run_judges_only_its_own_packages(out: Path) -> None:
    """Other packages' files and lines stay, also where a name only begins alike."""
    one, two, alike = (
        package({"a": "1\n"}, folder) for folder in ("py/a", "ts/a", "py/ab")
    )
    generate(out, one, two, alike)
    lines = (out / manifest.NAME).read_text().splitlines()
    assert generate(out, package({"b": "2\n"}, "py/a")) == [
        "py/a/b",
        "py/a/a",
        "MANIFEST",
    ]
    kept = [line for line in lines if not line.endswith(" py/a/a")]
    assert set(kept) < set((out / manifest.NAME).read_text().splitlines())
    assert set(tree(out)) == {"MANIFEST", "py/a/b", "py/ab/a", "ts/a/a"}


def test_a_whole_run_knows_a_dropped_target(out: Path) -> None:
    """When all packages are given, a listed file outside of them is left over."""
    one, two = package({"a": "1\n"}, "py/a"), package({"a": "1\n"}, "ts/a")
    generate(out, one, two)
    put(out, {"ts/a/mine": b"by hand\n"})
    assert states(plan(out, [one])) == {"py/a/a": "fine"}
    judged = plan(out, [one], whole=True)
    assert states(judged) == {"py/a/a": "fine", "ts/a/a": "left-over"}
    apply(judged)
    assert set(tree(out)) == {"MANIFEST", "py/a/a", "ts/a/mine"}


# --- The manifest ---------------------------------------------------------------------


def test_without_a_manifest(out: Path) -> None:
    """Nothing is deleted, what differs is refused, what is equal is listed anew."""
    old = package({"a.py": "1\n", "b.py": "1\n", "c.py": "1\n"})
    generate(out, old)
    (out / manifest.NAME).unlink()
    fine = plan(out, [old])
    assert [c.path for c in fine.drift] == [manifest.NAME]
    assert fine.manifest.state == "missing"
    judged = plan(out, [package({"a.py": "1\n", "b.py": "2\n"})])
    assert list(states(judged).values()) == ["fine", "edited", "stray"]
    assert "is missing" in " ".join(judged.warnings)
    with pytest.raises(EditedError, match=r"b\.py"):
        apply(judged)
    stamp = (out / A).stat().st_mtime_ns
    apply(fine)
    assert (out / A).stat().st_mtime_ns == stamp
    assert plan(out, [old]).drift == ()


BROKEN = {
    "no hash": b"python/agent/a.py\n",
    "one space": b"0" * 64 + b" python/agent/a.py\n",
    "upper case": b"ABCDEF" + b"0" * 58 + b"  python/agent/a.py\n",
    "outside, from within": b"0" * 64 + b"  python/agent/../../../x\n",
    "absolute": b"0" * 64 + b"  /etc/passwd\n",
    "not UTF-8": b"0" * 64 + b"  python/agent/\xff.py\n",
    "binary": b"\x00\x01\x02\n",
    "trailing space": b"0" * 64 + b"  python/agent/a.py \n",
}


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_deletes_nothing(out: Path, line: str) -> None:
    """Such a line is passed over with a warning that names it, and the rest counts."""
    generate(out, package({"a.py": "1\n", "b.py": "1\n"}))
    record = out / manifest.NAME
    keep = [x for x in record.read_bytes().splitlines(keepends=True) if b"b.py" in x]
    zeros = manifest.digest((out / A).read_bytes()).encode()
    record.write_bytes(BROKEN[line].replace(b"0" * 64, zeros) + b"".join(keep))
    judged = plan(out, [package({"b.py": "2\n"})])
    assert states(judged) == {A: "stray", f"{FOLDER}/b.py": "outdated"}
    assert len(judged.warnings) == 1
    assert "line 1:" in judged.warnings[0]
    apply(judged)
    assert (out / A).exists()
    assert not plan(out, [package({"b.py": "2\n"})]).warnings


def test_a_merged_manifest(out: Path) -> None:
    """Conflict marks are no fault, and of two hashes of one path either is ours."""
    generate(out, package({"a.py": "1\n"}, "ts/agent"))
    other = (out / manifest.NAME).read_bytes()
    put(out, {A: b"theirs\n", f"{FOLDER}/b.py": b"ours\n"})
    ours = listing({A: b"mine\n", f"{FOLDER}/b.py": b"ours\n"})
    base, theirs = listing({A: b"base\n"}), listing({A: b"theirs\n"})
    (out / manifest.NAME).write_bytes(
        b"<<<<<<< HEAD\n%b||||||| base\n%b=======\n%b>>>>>>> branch\n\n%b"
        % (ours, base, theirs, other)
    )
    new = package({"a.py": "new\n", "b.py": "new\n"})
    judged = plan(out, [new])
    assert set(states(judged).values()) == {"outdated"}
    assert judged.warnings == ()
    apply(judged)
    assert (out / manifest.NAME).read_bytes() == listing(
        {A: b"new\n", f"{FOLDER}/b.py": b"new\n", "ts/agent/a.py": b"1\n"}
    )


def test_a_union_merge_alone_is_mended(out: Path) -> None:
    """Where only the manifest is behind it is what drifted, and all that is written."""
    generate(out, package({"a.py": "1\n"}))
    with (out / manifest.NAME).open("ab") as record:
        record.write(listing({A: b"theirs\n"}))
    judged = plan(out, [package({"a.py": "1\n"})])
    assert [(c.path, c.state) for c in judged.drift] == [("MANIFEST", "outdated")]
    assert [c.path for c in apply(judged)] == ["MANIFEST"]
    assert (out / manifest.NAME).read_bytes() == listing({A: b"1\n"})


def test_the_manifest_checked_out_with_crlf(out: Path) -> None:
    """Its line endings are no drift either."""
    generate(out, package({"a.py": "1\n", "b.py": "2\n"}))
    record = out / manifest.NAME
    record.write_bytes(record.read_bytes().replace(b"\n", b"\r\n"))
    judged = plan(out, [package({"a.py": "1\n", "b.py": "2\n"})])
    assert (judged.drift, judged.warnings) == ((), ())


def test_sha256sum_reads_the_manifest(out: Path) -> None:
    """The format is the one that a common tool checks."""
    generate(out, package({"a.py": "1\n", "ü b.py": "é\r\n2\r"}))
    tool = ["sha256sum", "--check", "--strict", "--quiet", manifest.NAME]
    try:
        subprocess.run(tool, cwd=out, check=True)
    except FileNotFoundError:
        pytest.skip("no sha256sum here")


# --- Paths ----------------------------------------------------------------------------

BAD: dict[str, tuple[list[tuple[str, ...]], str]] = {
    "two packages, one path": ([("py/a", "x"), ("py/a", "x")], "one path"),
    "a dot in the folder": ([("py/a", "x"), ("./py/a", "x")], "one path"),
    "a dot in the name": ([("py/a", "x", "./x")], "one path"),
    "equal but for case": ([("py/a", "Read.md", "READ.md")], "one path"),
    "folders equal but for case": ([("py/a", "x"), ("PY/a", "y")], "one path"),
    "equal but for composition": ([("py/a", "\xe9", "e\u0301")], "one path"),
    "a folder in another": ([("py", "x"), ("py/a", "y")], "inside"),
    "file and folder": ([("py/a", "x", "X/y")], "inside"),
    "file and folder, far below": ([("py/a", "x/y/z/w", "x")], "inside"),
    "the manifest's name": ([("manifest", "x")], "inside"),
    "above": ([("py/a", "../b")], "leaves"),
    "far above": ([("py/a", "x/../../../../etc/x")], "leaves"),
    "a folder above": ([("../py", "x")], "leaves"),
    "an absolute file": ([("py/a", "/etc/x")], "empty segment"),
    "an absolute folder": ([("/etc", "x")], "absolute"),
    "a drive": ([("py/a", "C:x")], "not allowed"),
    "a drive as a folder": ([("C:/py", "x")], "not allowed"),
    "backslashes": ([("py/a", "..\\x")], "not allowed"),
    "a line break": ([("py/a", "x\ny")], "not allowed"),
    "half a character": ([("py/a", "\ud800")], "not allowed"),
    "a star": ([("py/a", "*.py")], "not allowed"),
    "CON": ([("py/a", "CON")], "reserves"),
    "con with an extension": ([("py/a", "con.tar.gz")], "reserves"),
    "nul in between": ([("py/a", "Nul/x")], "reserves"),
    "COM1": ([("py/a", "com1.py")], "reserves"),
    "LPT of a superscript": ([("py/a", "LPT²")], "reserves"),
    "aux as a folder": ([("py/aux", "x")], "reserves"),
    "a trailing dot": ([("py/a", "x.")], "ends with '.'"),
    "a trailing space": ([("py/a", "x /y")], "ends with ' '"),
    "three dots": ([("py/a", "...")], "ends with '.'"),
    "nothing between slashes": ([("py/a", "x//y")], "empty segment"),
    "a slash at the end": ([("py/a", "x/")], "empty segment"),
    "no name": ([("py/a", "")], "empty segment"),
    "two slashes in a folder": ([("py//a", "x")], "empty segment"),
    "only a dot": ([(".", "x")], "empty segment"),
    "the name of a temporary file": ([("py/a", ".errspec-x.tmp")], "temporary"),
}


def test_a_package_may_share_the_output_folder_itself(out: Path) -> None:
    """Without a folder of its own: what others put there is no stray, and what it does
    not write any more is left over."""

    def packages(*names: str) -> list[Package]:
        top = Package("", dict.fromkeys(names, "x\n"))
        return [top, Package("py/a", {"a.py": "a\n"})]

    apply(plan(out, packages("x", "y"), whole=True))
    (out / "theirs").write_text("t\n", encoding="utf-8")
    judged = plan(out, packages("x"), whole=True)
    assert states(judged) == {"x": "fine", "y": "left-over", "py/a/a.py": "fine"}
    apply(judged)
    names = sorted(path.name for path in out.iterdir())
    assert names == ["MANIFEST", "py", "theirs", "x"]


@pytest.mark.parametrize("case", BAD)
def test_bad_paths_are_refused_before_anything_is_written(out: Path, case: str) -> None:
    """What cannot stand on every system, or clashes, is an error that names the path."""
    paths, reason = BAD[case]
    with pytest.raises(OutputError, match=reason):
        plan(
            out, [package(dict.fromkeys(names, ""), folder) for folder, *names in paths]
        )
    assert not out.exists()


def test_all_bad_paths_are_named_at_once(out: Path) -> None:
    """One run tells of every path that is at fault, and of text without a form."""
    files = {"../x": "", "CON": "", "ok.py": "", "half.py": "\ud800"}
    with pytest.raises(OutputError) as caught:
        plan(out, [package(files)])
    assert [line.split("'")[1] for line in str(caught.value).splitlines()] == [
        f"{FOLDER}/{name}" for name in ("../x", "CON", "half.py")
    ]


@pytest.mark.parametrize(
    "name", ["console.py", "com.py", "com10", "a.con", ".hidden", "...x", "é/日本.py"]
)
def test_good_paths(out: Path, name: str) -> None:
    """A name that only resembles a reserved one is written."""
    generate(out, package({name: "x\n"}))
    assert plan(out, [package({name: "x\n"})]).drift == ()


@pytest.mark.parametrize(
    ("path", "kind", "reason"),
    [
        ("", "file", "not a folder"),
        (A, "folder", "a folder stands where the file"),
        (A, "pipe", "a special file stands where the file"),
        (A, "loop", "symbolic links"),
        (FOLDER, "file", "a file stands where its folder"),
        (manifest.NAME, "folder", "a folder stands where the file"),
    ],
)
def test_what_stands_in_the_way(out: Path, path: str, kind: str, reason: str) -> None:
    """Something else in a file's place is an error that says what, not a hang."""
    (out / path).parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(out / path)
    elif kind == "loop":
        (out / path).symlink_to("a.py")
    elif kind == "folder":
        (out / path).mkdir()
    else:
        (out / path).write_text("x")
    with pytest.raises(OutputError, match=reason):
        plan(out, [package({"a.py": "x\n"})])


def test_a_parent_of_the_output_folder_is_a_file(out: Path) -> None:
    """An output folder that cannot be made is a clean error too."""
    out.write_text("x")
    with pytest.raises(OutputError, match="generated"):
        generate(out / "below", package({"a.py": "x\n"}))


# --- Links, modes, and a disk that refuses --------------------------------------------


def test_a_link_is_kept_and_its_target_rewritten(out: Path) -> None:
    """The output folder, its folders and its files may be links within it."""
    generate(out, package({"a.py": "1\n", "sub/b.py": "1\n"}))
    (out / A).rename(out / "shared.py")
    (out / A).symlink_to("../../shared.py")
    (out / FOLDER / "sub").rename(out / "shared")
    (out / FOLDER / "sub").symlink_to(out.resolve() / "shared")
    (out / FOLDER / "c.py").symlink_to("not/yet.py")
    link = out.with_name("link")
    link.symlink_to(out)
    new = package({"a.py": "2\n", "sub/b.py": "2\n", "c.py": "2\n"})
    assert set(states(plan(link, [new])).values()) == {"outdated", "missing"}
    generate(link, new)
    assert (out / A).is_symlink()
    assert (out / FOLDER / "sub").is_symlink()
    assert (out / FOLDER / "c.py").is_symlink()
    texts = ["shared.py", "shared/b.py", f"{FOLDER}/not/yet.py"]
    assert [(out / path).read_text() for path in texts] == ["2\n"] * 3
    assert set(states(plan(out, [new])).values()) == {"fine", "stray"}


@pytest.mark.parametrize("path", [A, FOLDER, "python", manifest.NAME])
def test_a_link_that_leads_outside(out: Path, path: str) -> None:
    """Nothing outside the output folder is written, nor deleted as left over."""
    generate(out, package({"a.py": "1\n"}))
    outside = out.with_name("outside")
    (out / path).rename(outside)
    (out / path).symlink_to(outside)
    before = tree(out.parent)
    for files in ({"a.py": "2\n"}, {}):
        with pytest.raises(OutputError, match="leads outside"):
            plan(out, [package(files)])
    assert tree(out.parent) == before


def test_two_paths_that_are_one_file(out: Path) -> None:
    """Two files whose links meet would overwrite each other: refused."""
    generate(out, package({"a.py": "1\n"}))
    (out / FOLDER / "b.py").symlink_to("a.py")
    with pytest.raises(OutputError, match="one file"):
        plan(out, [package({"a.py": "1\n", "b.py": "2\n"})])


def test_a_left_over_link(out: Path) -> None:
    """The link is deleted, what it points to is somebody's."""
    generate(out, package({"a.py": "1\n"}))
    (out / A).rename(out / "mine.py")
    (out / A).symlink_to("../../mine.py")
    generate(out, package({}))
    assert set(tree(out)) == {manifest.NAME, "mine.py"}


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o444])
def test_the_mode_is_kept(out: Path, mode: int) -> None:
    """An executable stays one, and a read-only file is replaced and stays read-only."""
    generate(out, package({"a.py": "1\n"}))
    (out / A).chmod(mode)
    generate(out, package({"a.py": "2\n"}))
    assert (out / A).stat().st_mode & 0o7777 == mode
    assert (out / A).read_text() == "2\n"


@pytest.mark.parametrize("umask", [0o022, 0o002, 0o077])
def test_a_new_file_gets_the_mode_that_the_umask_leaves(out: Path, umask: int) -> None:
    """Nothing ends up 0600 just because it went through a temporary file."""
    before = os.umask(umask)
    try:
        generate(out, package({"a.py": "1\n"}))
    finally:
        os.umask(before)
    for path in (A, manifest.NAME):
        assert (out / path).stat().st_mode & 0o7777 == 0o666 & ~umask


REFUSALS: dict[str, tuple[str, int, str]] = {
    "a bind mount": ("replace", errno.EBUSY, "busy"),
    "a read-only disk": ("open", errno.EROFS, "Read-only"),
    "a folder not ours": ("open", errno.EACCES, "Permission"),
    "a full disk": ("open", errno.ENOSPC, "No space"),
    "a folder that cannot be made": ("mkdir", errno.EACCES, "Permission"),
    "a file that cannot be deleted": ("unlink", errno.EPERM, "not permitted"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_the_disk_refuses(
    out: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """The error names file and reason, no litter stays, and the next run goes on."""
    method, number, reason = REFUSALS[case]
    generate(out, package({"a.py": "1\n", "b.py": "1\n", "old/c.py": "1\n"}))
    new = package({"a.py": "2\n", "b.py": "2\n", "sub/d.py": "2\n"})
    original = getattr(Path, method)

    def refusing(self: Path, *args: Any, **options: Any) -> Any:
        if method == "mkdir":
            at_fault = self.name == "sub" and not self.exists()
        elif method == "unlink":
            at_fault = self.name == "c.py"
        else:
            at_fault = len(list(self.parent.glob("b.py"))) == 1
        if at_fault:
            raise OSError(number, os.strerror(number), str(self))
        return original(self, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Path, method, refusing)
        with pytest.raises(
            OutputError, match=rf"generated/{FOLDER}/.*\.py: .*{reason}"
        ):
            generate(out, new)
    assert not list(out.rglob(manifest.TEMPORARY))
    assert "edited" not in states(plan(out, [new])).values()
    generate(out, new)
    assert plan(out, [new]).drift == ()


# --- Killed at any moment -------------------------------------------------------------


class Interruptions:
    """Raises KeyboardInterrupt before or after the n-th step that changes the disk."""

    def __init__(self, stop: int, *, after: bool) -> None:
        self.left = stop
        self.after = after

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        for method in ("mkdir", "chmod", "replace", "unlink", "rmdir"):
            patch.setattr(Path, method, self.around(getattr(Path, method)))

    def around(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def interrupted(*args: Any, **options: Any) -> Any:
            self.left -= 1
            if self.left == 0 and not self.after:
                raise KeyboardInterrupt
            result = step(*args, **options)
            if self.left == 0:
                raise KeyboardInterrupt
            return result

        return interrupted


def test_interrupted_before_and_after_every_step(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control-C at each step in turn leaves old or new files, never an edit."""
    old = {"a.py": "1\n", "sub/b.py": "1\n", "gone/deep/d.py": "1\n"}
    new = {"a.py": "2\n", "sub/b.py": "2\n", "more/c.py": "2\n"}
    texts = {f"{FOLDER}/{path}": {old.get(path), new.get(path)} for path in old | new}
    for stop in range(1, 100):
        for after in (False, True):
            generate(out, package(old))
            interruptions = Interruptions(stop, after=after)
            with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
                interruptions.patch(patch)
                generate(out, package(new))
            found = {path: data for path, data in tree(out).items() if data}
            assert not [path for path in found if path.endswith(".tmp")]
            for path in found.keys() & texts:
                assert found[path].decode() in texts[path]
            # On with the spec as it is, or as it was, or as it became meanwhile.
            for files in (new, old, {"a.py": "3\n"}):
                judged = plan(out, [package(files)])
                assert not {"edited", "left-over-edited"} & set(states(judged).values())
                shutil.copytree(out, out.with_name("copy"))
                generate(out.with_name("copy"), package(files))
                names = {manifest.NAME, *(f"{FOLDER}/{name}" for name in files)}
                assert tree(out.with_name("copy")).keys() == names
                shutil.rmtree(out.with_name("copy"))
        if interruptions.left > 0:
            assert stop > 15, "manifest, three files, one deletion, manifest"
            return
    pytest.fail("never ran to its end")


def test_leavings_of_a_killed_run_are_cleared(out: Path) -> None:
    """Temporary files beside outputs go, also where nothing else is to be done."""
    new = package({"sub/a.py": "1\n"})
    generate(out, new)
    litter = [f"{FOLDER}/sub/.errspec-0a1b.tmp", ".errspec-ffff.tmp"]
    kept = [f"{FOLDER}/.errspec-note.txt", f"{FOLDER}/sub/errspec-x.tmp"]
    put(out, dict.fromkeys(litter + kept, b"half"))
    (out / ".errspec-folder.tmp").mkdir()
    judged = plan(out, [new])
    assert judged.drift == ()
    assert [c.path for c in judged.changes if c.state == "stray"] == kept
    assert {path.name for path in judged.temporary} == {Path(p).name for p in litter}
    assert apply(judged) == ()
    assert set(tree(out)) == {
        ".errspec-folder.tmp",
        *kept,
        f"{FOLDER}/sub/a.py",
        manifest.NAME,
    }


CHILD = """
    import sys
    from pathlib import Path
    from errspec.output import Package, apply, plan

    def packages(version):
        return [
            Package(f"python/{n}", {
                f"{version if i % 10 == 0 else 'm'}/{i}.py": f"{version} {i}\\n" * 60
                for i in range(20)
            })
            for n in range(5)
        ]

    if __name__ == "__main__":
        judged = plan(Path(sys.argv[1]), packages(sys.argv[2]))
        print("ready", flush=True)
        apply(judged)
"""


def test_kill_at_random_moments(out: Path, tmp_path: Path) -> None:
    """After kill -9 every file is old or new in whole and the next run is clean."""
    child = tmp_path / "child.py"
    child.write_text(textwrap.dedent(CHILD))
    packages = runpy.run_path(str(child))["packages"]
    rendered = {name: packages(name) for name in ("one", "two")}
    texts = {
        name: {f"{p.folder}/{path}": p.files[path] for p in made for path in p.files}
        for name, made in rendered.items()
    }

    apply(plan(out, rendered["one"]))
    begun = time.perf_counter()
    apply(plan(out, rendered["two"]))
    span = time.perf_counter() - begun
    chance = random.Random(20_240_611)
    killed = 0
    before, after = "two", "one"
    for _ in range(50):
        with subprocess.Popen(
            [sys.executable, str(child), str(out), after], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
            time.sleep(chance.uniform(0, min(span * 1.3, 0.1)))
            process.kill()
        killed += process.returncode != 0

        found = tree(out)
        for path in texts[before].keys() | texts[after].keys():
            agreed = texts[before].get(path), texts[after].get(path)
            assert path not in found or found[path].decode() in agreed, path
        judged = plan(out, rendered[after])
        assert not {"edited", "left-over-edited"} & set(states(judged).values())
        assert judged.warnings == ()
        apply(judged)
        again = plan(out, rendered[after])
        assert (again.drift, again.temporary) == ((), ())
        before, after = after, before
    assert killed, "no run was killed in time, so this proved nothing"


def test_same_bytes_everywhere(tmp_path: Path) -> None:
    """Hash seed, locale, time zone, width and working folder leave no trace."""
    child = tmp_path / "child.py"
    child.write_text(textwrap.dedent(CHILD))
    found = []
    for number, (seed, locale) in enumerate([("0", "C"), ("1", "tr_TR.UTF-8")]):
        (tmp_path / f"cwd{number}").mkdir()
        subprocess.run(
            [sys.executable, str(child), f"../out{number}", "one"],
            cwd=tmp_path / f"cwd{number}",
            env=os.environ
            | {
                "PYTHONHASHSEED": seed,
                "LC_ALL": locale,
                "TZ": "Asia/Tokyo" if number else "UTC",
                "COLUMNS": "200" if number else "80",
            },
            check=True,
            capture_output=True,
        )
        found.append(tree(tmp_path / f"out{number}"))
    assert found[0] == found[1]
    assert len(found[0]) == 101


def test_line_endings_of_a_render(out: Path) -> None:
    """Whatever a template wrote, files are UTF-8 with LF."""
    generate(out, package({"a.py": "é\r\nb\rc\n"}))
    assert (out / A).read_bytes() == "é\nb\nc\n".encode()
    assert plan(out, [package({"a.py": "é\r\nb\rc\n"})]).drift == ()


# --- Diffs ----------------------------------------------------------------------------


def patched(old: str, diff: hunks.Diff) -> str:
    """What a strict `patch` makes of `old`, checking each line and number it passes."""
    lines = hunks._lines(old)
    result: list[str] = []
    at = 0
    for hunk in diff.hunks:
        _, left, right, _ = hunk.header.split(" ")
        start, count = (int(n) for n in left[1:].split(","))
        new_start, new_count = (int(n) for n in right[1:].split(","))
        start -= count > 0
        result += lines[at:start]
        at = start
        assert len(result) == new_start - (new_count > 0)
        first_change = None
        body: list[tuple[str, str]] = []
        for line in hunk.lines:
            if line.startswith("\\"):
                mark, text = body.pop()
                body.append((mark, text.removesuffix("\n")))
            else:
                body.append((line[0], line[1:] + "\n"))
        assert sum(mark != "+" for mark, _ in body) == count
        assert sum(mark != "-" for mark, _ in body) == new_count
        for mark, text in body:
            if mark != " " and first_change is None:
                first_change = len(result) + 1
            if mark != "+":
                assert lines[at] == text
                at += 1
            if mark != "-":
                result.append(text)
        assert hunk.line == first_change
        assert " " * 7 not in "".join(mark for mark, _ in body), "two hunks in one"
    return "".join(result + lines[at:])


def two_texts(letters: str) -> st.SearchStrategy[tuple[str, str]]:
    """Two texts, of lines that stand on both sides, unique or not, or on one."""
    common = st.sampled_from(letters.split(" ")).map(lambda x: (x, x))
    own = st.sampled_from(letters.split(" ")).map(lambda x: (x, f"{x}'"))
    pair = common | own | st.sampled_from([("#", "#"), (None, "+"), ("-", None)])

    def joined(
        pairs: list[tuple[str | None, str | None]], ends: tuple[str, str]
    ) -> tuple[str, str]:
        old, new = (
            [f"{x}{n}" if x == "#" else x for n, x in enumerate(side) if x is not None]
            for side in (zip(*pairs, strict=True) if pairs else ((), ()))
        )
        return "\n".join(old) + ends[0], "\n".join(new) + ends[1]

    ending = st.sampled_from(["", "\n"])
    return st.builds(joined, st.lists(pair, max_size=80), st.tuples(ending, ending))


@pytest.mark.parametrize(("short", "effort"), [(120, 12_000), (6, 1), (0, 0)])
@pytest.mark.parametrize(
    "letters", ["a b", "a b c d e f g h i j k l", "x \u2028 \x0c {"]
)
def test_a_diff_turns_old_into_new(
    monkeypatch: pytest.MonkeyPatch, letters: str, short: int, effort: int
) -> None:
    """Hunks apply cleanly, whichever of its ways the comparison went."""
    monkeypatch.setattr(hunks, "_SHORT", short)
    monkeypatch.setattr(hunks, "_EFFORT", effort)

    @given(two_texts(letters))
    def check(texts: tuple[str, str]) -> None:
        old, new = texts
        diff = hunks.compare(old, new)
        assert patched(old, diff) == new
        assert (diff.hunks == ()) == (old == new)
        assert diff.more == 0

    check()


def test_far_changes_in_a_long_file_are_small_hunks() -> None:
    """A new version at the top and changed codes far below are so many small hunks."""
    old = ["# version 1", *(f'    "CODE_{i}": "text",' for i in range(140_000)), "1"]
    new = ["# version 2", *old[1:-1], "2"]
    for at in (30_000, 60_000, 90_000):
        new[at] = "    changed"
    new.insert(120_000, "    added")
    diff = hunks.compare("\n".join(old), "\n".join(new))
    lines = [1, 30_001, 60_001, 90_001, 120_001, 140_003]
    assert [hunk.line for hunk in diff.hunks] == lines
    assert [len(hunk.lines) for hunk in diff.hunks] == [5, 8, 8, 8, 7, 7]
    assert diff.more == 0


HUGE: dict[str, Callable[[int], tuple[str, str]]] = {
    "all changed": lambda i: (f"a {i}", f"b {i}"),
    "every second": lambda i: (f"{i}", f"{i}" + "x" * (i % 2)),
    "dense, then sparse": lambda i: (
        f"{i}",
        f"{i}" + "x" * (i % (2 if i < 15_000 else 100) == 1),
    ),
    "few different lines": lambda i: ("ab"[i % 2], "abb"[i % 3]),
    "reversed": lambda i: (f"{i}", f"{30_000 - i}"),
    "repeats in short gaps": lambda i: (
        ("a", "ab"[i % 2]) if i % 50 else (f"{i}", f"{i}")
    ),
}


@pytest.mark.parametrize("case", HUGE)
def test_a_long_diff_is_cut_off(case: str) -> None:
    """At most so many lines come, with the number of those that were left out."""
    pairs = [HUGE[case](i) for i in range(30_000)]
    old, new = (
        "".join(f"{line}\n" for line in side) for side in zip(*pairs, strict=True)
    )
    diff = hunks.compare(old, new, most=2_000)
    assert sum(len(hunk.lines) for hunk in diff.hunks) == 2_000
    whole = hunks.compare(old, new, most=1_000_000)
    assert patched(old, whole) == new
    assert diff.more == sum(len(hunk.lines) for hunk in whole.hunks) - 2_000
    assert list(diff.text("a"))[-1] == f"… {diff.more:,} more"


def test_the_text_of_a_diff(out: Path) -> None:
    """It is a unified diff, and line endings on disk play no part in it."""
    generate(out, package({"a.py": "".join(f"{i}\n" for i in range(20))}))
    data = (out / A).read_bytes().replace(b"\n", b"\r\n")
    (out / A).write_bytes(data.replace(b"4\r\n", b"four\n", 1))
    new = "".join(f"{i}\n" for i in range(1, 20)) + "end"
    change = plan(out, [package({"a.py": new})]).changes[0]
    assert change.state == "edited"
    assert list(difference(change).text(A)) == [
        *(f"--- {A}", f"+++ {A}", "@@ -1,8 +1,7 @@", "-0"),
        *(" 1", " 2", " 3", "-four", "+4", " 5", " 6", " 7"),
        *("@@ -18,3 +17,4 @@", " 17", " 18", " 19"),
        *("+end", "\\ No newline at end of file"),
    ]


def test_a_diff_of_mixed_endings_is_empty(out: Path) -> None:
    """Mixed line endings are told as such, not as a file that changed throughout."""
    put(out, {A: b"1\r\n2\n3\r\n"})
    change = plan(out, [package({"a.py": "1\n2\n3\n"})]).changes[0]
    assert change.state == "mixed-endings"
    assert list(difference(change).text(A)) == []


def test_a_diff_of_a_missing_and_of_a_left_over_file(out: Path) -> None:
    """One is all additions, the other all deletions."""
    generate(out, package({"b.py": "1\n"}))
    added, deleted = plan(out, [package({"a.py": "2\n"})]).changes
    assert list(difference(added).text("x"))[2:] == ["@@ -0,0 +1,1 @@", "+2"]
    assert list(difference(deleted).text("x"))[2:] == ["@@ -1,1 +0,0 @@", "-1"]


def test_writing_does_not_follow_a_planted_temporary_file(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A temporary name that is taken, if only by a link, is an error, not a way out."""
    out.mkdir()
    monkeypatch.setattr(os, "urandom", lambda n: b"\0" * n)
    victim = out.with_name("victim")
    (out / f".errspec-{'00' * 8}.tmp").symlink_to(victim)
    with pytest.raises(OutputError, match="exists"):
        disk.write(out / "a", out / "a", "text")
    assert not victim.exists()
