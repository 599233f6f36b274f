"""When the machine fails: a full disk, no permission, a signal, another run, a clock."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from errspec import lock, manifest
from errspec.output import Package, apply, plan
from support import ROOT, compile_files, errspec

PACKS = ("json", "markdown", "python")
OLD = """\
errspec: 1
id: shop
title: Shop errors
version: 0.1.0
languages: [python]
base_class: ShopError
groups: {orders: {title: Orders}}
codes:
  OUT_OF_STOCK: {group: orders, meaning: Nothing is left., retryable: false}
"""
NEW = OLD.replace("0.1.0", "0.2.0") + (
    "  UNPAID: {group: orders, meaning: Nobody paid., retryable: true}\n"
)
Tree = dict[str, bytes]


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with a catalogue, and in `generated` what its older version gave."""
    return _project(tmp_path)


def _project(folder: pathlib.Path) -> pathlib.Path:
    for name, text in (("old.yaml", OLD), ("new.yaml", NEW)):
        (folder / name).write_text(text, encoding="utf-8")
    apply(plan(folder / "generated", _rendered(folder, "old")))
    return folder


def _rendered(project: pathlib.Path, version: str) -> list[Package]:
    return compile_files(project / f"{version}.yaml", *PACKS, name=f"{version}.yaml")


def _generate(project: pathlib.Path, version: str = "new", **env: str) -> list[str]:
    """Return the command that generates a version of the catalogue."""
    return [*_command(), "generate", f"{version}.yaml", *_targets()]


def _command() -> list[str]:
    return [sys.executable, "-m", "errspec"]


def _targets() -> list[str]:
    return [word for pack in PACKS for word in ("--target", pack)]


def _tree(out: pathlib.Path) -> Tree:
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


def _expected(packages: list[Package]) -> Tree:
    """Return what stands in the output folder after an undisturbed run."""
    texts = {f"{p.folder}/{n}": t for p in packages for n, t in p.files.items()}
    listing = manifest.text(manifest.listing(texts))
    return {
        name: text.encode() for name, text in (texts | {"MANIFEST": listing}).items()
    }


def _sound(project: pathlib.Path) -> None:
    """Assert that each file is old or new in whole, and that the next run mends all."""
    out = project / "generated"
    found = _tree(out)
    old, new = _expected(_rendered(project, "old")), _rendered(project, "new")
    for path, data in found.items():
        if path != manifest.NAME:
            assert data in (old.get(path), _expected(new).get(path)), path
    judged = plan(out, new)
    assert not [c.path for c in judged.changes if "edited" in c.state]
    assert judged.warnings == ()
    apply(judged)
    assert _tree(out) == _expected(new)


def _no_litter(out: pathlib.Path) -> None:
    assert not list(out.rglob(manifest.TEMPORARY))


# --- The disk refuses -----------------------------------------------------------------


def _small_files() -> None:
    """Let no file of this process grow beyond 2,000 bytes: a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))


def _full_half_way(
    command: Sequence[str | pathlib.Path], folder: pathlib.Path
) -> subprocess.CompletedProcess[str]:
    """Run a command where no file can grow beyond a few lines."""
    return subprocess.run(
        command,
        cwd=folder,
        preexec_fn=_small_files,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(
    project: pathlib.Path,
) -> None:
    """The disk is full half-way in a file: exit 2, the file's name, no half of it."""
    done = _full_half_way(_generate(project), project)
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("errspec: generated/") and line.endswith(": File too large")
    _no_litter(project / "generated")
    _sound(project)


@contextlib.contextmanager
def _disk(folder: pathlib.Path, options: str) -> Iterator[None]:
    """Mount a small disk there; skips where that is not permitted."""
    mount = ["mount", "-t", "tmpfs", "-o", options, "errspec-test", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting is not permitted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(not shutil.which("mount"), reason="there is no mount here")
@pytest.mark.parametrize("pages", range(1, 25, 3))
def test_a_full_disk(tmp_path: pathlib.Path, pages: int) -> None:
    """However much still fits: exit 2, one line, no litter, and room mends all."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with _disk(disk, "size=1m"):
        project = _project(disk)
        stuffing = disk / "stuffing"
        room = os.statvfs(disk).f_bavail - pages
        stuffing.write_bytes(b"x" * (room * os.statvfs(disk).f_bsize))
        done = errspec(*_generate(project)[3:], cwd=project)
        if done.returncode:
            assert done.returncode == 2
            [line] = done.stderr.splitlines()
            assert "generated/" in line and line.endswith("No space left on device")
        _no_litter(project / "generated")
        stuffing.unlink()
        _sound(project)


@pytest.mark.skipif(not shutil.which("mount"), reason="there is no mount here")
def test_a_disk_that_became_read_only(tmp_path: pathlib.Path) -> None:
    """Exit 2 and one line that says so; reading goes on."""
    with _disk(tmp_path, "size=1m"):
        project = _project(tmp_path)
        subprocess.run(["mount", "-o", "remount,ro", str(tmp_path)], check=True)
        done = errspec(*_generate(project)[3:], cwd=project)
        assert done.returncode == 2
        [line] = done.stderr.splitlines()
        assert line == "errspec: generated/MANIFEST: Read-only file system"
        assert errspec("check", "old.yaml", *_targets(), cwd=project).returncode == 0
        assert errspec("check", "new.yaml", *_targets(), cwd=project).returncode == 1


def _as_anybody() -> None:
    """Lose what lets root pass over the modes of files; nobody else has it."""
    libc = ctypes.CDLL(None, use_errno=True)
    override, search, owner, drop_bound = 1, 2, 3, 24
    for capability in (override, search, owner):
        if os.getuid() == 0 and libc.prctl(drop_bound, capability, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")


MODES = {
    # what is closed, its mode; the file that the message names, or the exit code
    "the output folder": ("generated", 0o555, "generated/MANIFEST: Permission denied"),
    "a folder in it": (
        "generated/json/shop",
        0o555,
        "generated/json/shop/catalogue.json: Permission denied",
    ),
    "a folder that may not be entered": (
        "generated/json/shop",
        0o000,
        "generated/json/shop/catalogue.json: Permission denied",
    ),
    "a file that may not be read": (
        "generated/json/shop/catalogue.json",
        0o000,
        "generated/json/shop/catalogue.json: Permission denied",
    ),
    "MANIFEST": ("generated/MANIFEST", 0o000, "generated/MANIFEST: Permission denied"),
    "the catalogue": (
        "new.yaml",
        0o000,
        "new.yaml: error[unreadable]: cannot be read: Permission denied",
    ),
    "errspec.yaml": (
        "errspec.yaml",
        0o000,
        "errspec.yaml: error[unreadable]: cannot be read: Permission denied",
    ),
    "the folder of packs": (
        "packs",
        0o000,
        "errspec.yaml:2:13: error[unreadable]: the folder 'packs' cannot be read",
    ),
    "a pack": (
        "packs/own",
        0o000,
        "packs/own/pack.yaml: error[unreadable]: cannot be read: Permission denied",
    ),
    "a pack.yaml": (
        "packs/own/pack.yaml",
        0o000,
        "packs/own/pack.yaml: error[unreadable]: cannot be read: Permission denied",
    ),
    "a template": (
        "packs/own/x.j2",
        0o000,
        "packs/own/pack.yaml:2:31: error[no-template]: 'x.j2' Permission denied",
    ),
}


@pytest.mark.parametrize("case", MODES)
def test_no_permission(project: pathlib.Path, case: str) -> None:
    """Exit 2, a line with the name of what is closed, and everything as it was."""
    closed, mode, said = MODES[case]
    (project / "packs/own").mkdir(parents=True)
    (project / "packs/own/pack.yaml").write_text(
        "pack: 1\nfiles: [{to: a.txt, template: x.j2}]\n", encoding="utf-8"
    )
    (project / "packs/own/x.j2").write_text("x", encoding="utf-8")
    (project / "errspec.yaml").write_text(
        "errspec: 1\ntemplates: [packs]\ncatalogues:\n"
        f"  - {{spec: new.yaml, targets: [{', '.join(PACKS)}, own]}}\n",
        encoding="utf-8",
    )
    before = _tree(project / "generated")
    (project / closed).chmod(mode)
    try:
        done = subprocess.run(
            [*_command(), "generate"],
            cwd=project,
            preexec_fn=_as_anybody,
            capture_output=True,
            text=True,
            check=False,
        )
    except subprocess.SubprocessError:
        pytest.skip("capabilities cannot be dropped here")
    finally:
        (project / closed).chmod(0o755)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr.splitlines()[0]
    assert len(done.stderr.splitlines()) == 1 or "1 error" in done.stderr.splitlines()
    after = _tree(project / "generated")
    assert {**after, "MANIFEST": b""} == {**before, "MANIFEST": b""}


def test_a_folder_where_a_file_should_be(project: pathlib.Path) -> None:
    """Exit 2 with the name, and nothing else is written either."""
    file = project / "generated/markdown/shop/errors.md"
    file.unlink()
    file.mkdir()
    before = _tree(project / "generated")
    done = errspec(*_generate(project)[3:], cwd=project)
    assert done.returncode == 2
    name = "generated/markdown/shop/errors.md"
    assert done.stderr == (
        f"errspec: {name}: a folder stands where the file should be\n"
    )
    assert _tree(project / "generated") == before


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("new.yaml/a", "a file stands where its folder should be"),
        ("loop/a", "Too many levels of symbolic links"),
        ("x" * 256, "File name too long"),
        pytest.param(
            "/proc/none/a",
            "No such file or directory",
            marks=pytest.mark.skipif(
                not pathlib.Path("/proc/self").exists(), reason="there is no /proc here"
            ),
        ),
    ],
)
def test_an_output_folder_that_cannot_be_made(
    project: pathlib.Path, out: str, said: str
) -> None:
    """Exit 2, one line with the reason, and no end of trying."""
    (project / "loop").symlink_to("loop")
    before = sorted(project.rglob("*"))
    done = errspec(*_generate(project)[3:], "--out", out, cwd=project)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert sorted(project.rglob("*")) == before


def test_init_leaves_no_half_of_a_file(tmp_path: pathlib.Path) -> None:
    """A new project on a full disk: exit 2, and what is there is whole."""
    done = _full_half_way([*_command(), "init"], tmp_path)
    assert done.returncode == 2
    assert done.stderr == "errspec: spec/catalogue.schema.json: File too large\n"
    assert not (tmp_path / "spec/catalogue.schema.json").exists()
    _no_litter(tmp_path)


# --- Odd folders and names ------------------------------------------------------------


def test_an_output_folder_that_is_a_link_to_another_disk(
    project: pathlib.Path,
) -> None:
    """Files are replaced beside where they are, so that no disk is in between."""
    shared = pathlib.Path("/dev/shm")
    if not os.access(shared, os.W_OK) or shared.stat().st_dev == project.stat().st_dev:
        pytest.skip("there is no second disk here")
    with _folder(shared / f"errspec-{os.getpid()}") as elsewhere:
        (project / "generated").rename(project / "was")
        shutil.copytree(project / "was", elsewhere, dirs_exist_ok=True)
        (project / "generated").symlink_to(elsewhere)
        assert errspec(*_generate(project)[3:], cwd=project).returncode == 0
        assert (project / "generated").is_symlink()
        assert _tree(elsewhere) == _expected(_rendered(project, "new"))


@contextlib.contextmanager
def _folder(path: pathlib.Path) -> Iterator[pathlib.Path]:
    path.mkdir()
    try:
        yield path
    finally:
        shutil.rmtree(path)


def test_a_name_as_long_as_the_disk_allows(tmp_path: pathlib.Path) -> None:
    """The temporary file beside it has a name of its own, which is short."""
    package = Package("own/shop", {"x" * 255: "text\n", "é" * 127 + "/a": "text\n"})
    apply(plan(tmp_path / "generated", [package]))
    judged = plan(tmp_path / "generated", [package])
    assert judged.drift == ()
    assert len(judged.changes) == 2


def test_names_that_are_no_text(tmp_path: pathlib.Path) -> None:
    """A folder and a catalogue whose names are not UTF-8 work like any other."""
    folder = tmp_path / os.fsdecode(b"d\xff")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this disk takes no such names")
    spec = os.fsdecode(b"shop\xff.yaml")
    (folder / spec).write_text(NEW, encoding="utf-8")
    done = errspec("generate", spec, "--out", os.fsdecode(b"out\xff"), cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / os.fsdecode(b"out\xff") / manifest.NAME).is_file()
    done = errspec("check", spec, "--out", os.fsdecode(b"out\xff"), cwd=folder)
    assert done.returncode == 0, done.stderr


# --- Stopped --------------------------------------------------------------------------

MOMENTS = int(os.environ.get("ERRSPEC_MOMENTS", "60"))
"""How often a run is stopped; test_output stops 50 more, all of them while they write."""
STOPS = {
    signal.SIGINT: (130, "errspec: interrupted\n"),
    signal.SIGTERM: (143, "errspec: terminated\n"),
    signal.SIGKILL: (-9, ""),
}
# The start of Python itself is not ours: the moments begin where ours does.
READY = (
    "from errspec.__main__ import main, prepare; prepare(); print(flush=True); main()"
)


def _started(project: pathlib.Path, version: str) -> subprocess.Popen[str]:
    """Start a run, and return when its first line has run."""
    command = [sys.executable, "-c", READY, *_generate(project, version)[3:]]
    process = subprocess.Popen(
        command,
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "\n"
    return process


def _span(project: pathlib.Path) -> float:
    """Return how many seconds a run takes that is not disturbed."""
    spans = []
    for version in ("new", "old"):
        process = _started(project, version)
        begun = time.perf_counter()
        process.communicate()
        spans.append(time.perf_counter() - begun)
    return min(spans)


def _stopped(folder: pathlib.Path, moments: int, seed: int) -> dict[int, int]:
    """Stop runs at random moments; return how many ended with which exit code."""
    folder.mkdir()
    project = _project(folder)
    span = _span(project)
    rendered = {version: _rendered(project, version) for version in ("old", "new")}
    trees = {version: _expected(rendered[version]) for version in rendered}
    chance = random.Random(seed)
    ends: dict[int, int] = {}
    before, after = "old", "new"
    for number in range(moments):
        stop = [*STOPS][number % len(STOPS)]
        status, said = STOPS[stop]
        process = _started(project, after)
        time.sleep(chance.uniform(0, span))
        process.send_signal(stop)
        _, heard = process.communicate()
        ends[process.returncode] = ends.get(process.returncode, 0) + 1
        assert (process.returncode, heard) in ((status, said), (0, "")), heard

        out = project / "generated"
        found = _tree(out)
        litter = [path for path in found if path.endswith(".tmp")]
        assert not litter or stop is signal.SIGKILL
        for path in found.keys() - {manifest.NAME, *litter}:
            assert found[path] in (trees[before].get(path), trees[after].get(path))
        judged = plan(out, rendered[after])
        assert not [c.path for c in judged.changes if c.state in ("edited", "stray")]
        assert judged.warnings == ()
        apply(judged)
        assert _tree(out) == trees[after]
        before, after = after, before
    return ends


def test_stopped_at_random_moments(tmp_path: pathlib.Path) -> None:
    """Every file old or new, one line at most, no litter, and the next run mends all.

    Only kill -9 leaves a temporary file behind, and that the next run takes away.
    """
    folders = [tmp_path / str(n) for n in range(2)]
    with ThreadPoolExecutor(len(folders)) as pool:
        runs = pool.map(_stopped, folders, [MOMENTS // 2] * 2, (20_240_611, 4))
        ends = [*runs]
    for status, _ in STOPS.values():
        assert any(end.get(status) for end in ends), f"none ended with {status}: {ends}"


WRITING = """
import os, pathlib, signal, sys
from errspec import disk
from errspec.__main__ import prepare
prepare()
original = pathlib.Path.{step}
def stopping(self, *args, **options):
    if "{when}" == "after":
        result = original(self, *args, **options)
    if self.name.startswith(".errspec-"):
        os.kill(os.getpid(), signal.{name})
    return original(self, *args, **options) if "{when}" == "before" else result
pathlib.Path.{step} = stopping
disk.write(pathlib.Path("a"), pathlib.Path("a"), "new")
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", ["open", "chmod", "replace"])
def test_stopped_while_a_file_is_written(
    tmp_path: pathlib.Path, step: str, when: str, name: str
) -> None:
    """Before and after each step of writing: the file is old or new, nothing beside it."""
    (tmp_path / "a").write_text("old", encoding="utf-8")
    code = WRITING.format(step=step, when=when, name=name)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 128 + signal.Signals[name]
    assert done.stderr.startswith(b"errspec: ") and done.stderr.count(b"\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    written = (step, when) == ("replace", "after")
    assert (tmp_path / "a").read_text(encoding="utf-8") == ("new" if written else "old")


def test_stopped_while_waiting_for_another_run(project: pathlib.Path) -> None:
    """A run that waits says so once, and ends as one that works."""
    with _holding(project / "generated"):
        process = _started(project, "new")
        assert process.stderr
        said = process.stderr.readline()
        assert said == "errspec: waiting for another run in generated\n"
        process.send_signal(signal.SIGINT)
        _, heard = process.communicate()
    assert (process.returncode, heard) == STOPS[signal.SIGINT]
    assert _tree(project / "generated") == _expected(_rendered(project, "old"))


def test_a_signal_that_a_run_was_started_to_ignore_stays_ignored(
    project: pathlib.Path,
) -> None:
    """`nohup` and `trap ''` keep their meaning."""
    script = "trap '' HUP INT; exec \"$@\""
    command = [sys.executable, "-c", READY, *_generate(project)[3:]]
    with subprocess.Popen(
        ["sh", "-c", script, "sh", *command],
        cwd=project,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"\n"
        os.killpg(process.pid, signal.SIGHUP)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate()
    assert process.returncode == 0
    assert _tree(project / "generated") == _expected(_rendered(project, "new"))


# --- Two at once ----------------------------------------------------------------------


@contextlib.contextmanager
def _holding(
    folder: pathlib.Path, *, writes: bool = True, wait: bool = True
) -> Iterator[None]:
    """Be a run that holds an output folder."""
    fcntl = pytest.importorskip("fcntl")
    how = fcntl.LOCK_EX if writes else fcntl.LOCK_SH
    holder = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(holder, how if wait else how | fcntl.LOCK_NB)
        yield
    finally:
        os.close(holder)


def _together(project: pathlib.Path, *commands: list[str]) -> list[tuple[int, str]]:
    """Run commands at the same time; return how each ended and what it complained of."""
    started = [
        subprocess.Popen(
            [*_command(), *command],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for command in commands
    ]
    ends = []
    for process in started:
        heard = process.communicate()[1].splitlines()
        told = [line for line in heard if not line.startswith("errspec: waiting for ")]
        ends.append((process.returncode, "\n".join(told)))
    return ends


def _one_each(pack: str) -> list[str]:
    return ["generate", "new.yaml", "--target", pack]


PAIRS: dict[str, Callable[[], list[list[str]]]] = {
    "the same": lambda: [["generate", "new.yaml", *_targets()]] * 2,
    "a pack each": lambda: [_one_each(pack) for pack in PACKS],
    "a catalogue each": lambda: [
        ["generate", "new.yaml", *_targets()],
        ["generate", "other.yaml", *_targets()],
    ],
}


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("case", PAIRS)
def test_runs_at_once_in_one_folder(
    project: pathlib.Path, case: str, there: bool
) -> None:
    """Each finishes; the folder is as if one had followed the other, MANIFEST too."""
    other = NEW.replace("id: shop", "id: other")
    (project / "other.yaml").write_text(other, encoding="utf-8")
    packages = _rendered(project, "new")
    if case == "a catalogue each":
        packages += _rendered(project, "other")
    out = project / "generated"
    for _ in range(3):
        shutil.rmtree(out)
        if there:
            apply(plan(out, _rendered(project, "old")))
        ends = _together(project, *PAIRS[case]())
        assert ends == [(0, "")] * len(ends)
        assert _tree(out) == _expected(packages)


def test_who_waits_for_whom(project: pathlib.Path) -> None:
    """What writes waits for all others, what reads for what writes alone."""
    out, waiting = (
        project / "generated",
        "errspec: waiting for another run in generated\n",
    )
    check = ["check", "new.yaml", *_targets()]
    for writes, command, waits in (
        (True, _generate(project)[3:], True),
        (True, [*_generate(project)[3:], "--dry-run"], True),
        (True, check, True),
        (False, _generate(project)[3:], True),
        (False, [*_generate(project)[3:], "--dry-run"], False),
        (False, check, False),
    ):
        with contextlib.ExitStack() as others:
            others.enter_context(_holding(out, writes=writes))
            process = subprocess.Popen(
                [*_command(), *command],
                cwd=project,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            assert process.stderr
            if waits:
                assert process.stderr.readline() == waiting
                others.close()
            assert process.communicate()[1] == ""
        assert process.returncode in (0, 1)


def test_a_folder_that_is_taken_away_while_a_run_waits(tmp_path: pathlib.Path) -> None:
    """The run that comes next makes it anew, and holds what it made."""
    out, waits = tmp_path / "generated", threading.Event()

    def run() -> None:
        with lock.held(out, waits.set, shared=False):
            before = out.stat().st_ino
            with pytest.raises(BlockingIOError), _holding(out, wait=False):
                pass
            assert out.stat().st_ino == before

    out.mkdir()
    with ThreadPoolExecutor(1) as pool:
        with _holding(out):
            end = pool.submit(run)
            assert waits.wait(60)
            out.rmdir()
        end.result(60)
    assert not out.exists()


def test_a_folder_that_was_made_for_nothing_goes_again(
    tmp_path: pathlib.Path,
) -> None:
    """Where a run is refused or only looks, it leaves no empty folder behind."""
    (tmp_path / "new.yaml").write_text(NEW, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("errspec: 1\n", encoding="utf-8")
    for command in (
        ["generate", "bad.yaml", "--out", "a/b"],
        ["generate", "new.yaml", "--out", "a/b", "--dry-run"],
        ["check", "new.yaml", "--out", "a/b"],
    ):
        errspec(*command, cwd=tmp_path)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.yaml", "new.yaml"]


# --- The clock and the cache ----------------------------------------------------------


def test_nothing_depends_on_the_clock(project: pathlib.Path) -> None:
    """Files from the future and from 1970 are judged by what they hold."""
    out = project / "generated"
    for moment in (0, 2**31 + 10**6):
        for path in [*project.rglob("*"), project]:
            os.utime(path, (moment, moment))
        assert plan(out, _rendered(project, "old")).drift == ()
        stamps = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
        done = errspec(*_generate(project, "old")[3:], cwd=project)
        assert done.returncode == 0
        assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == stamps
    assert errspec(*_generate(project)[3:], cwd=project).returncode == 0
    assert _tree(out) == _expected(_rendered(project, "new"))


@pytest.fixture
def installed(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of errspec as an installer would leave it: without any cache."""
    package = tmp_path / "site/errspec"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "generator/errspec", package, ignore=ignored)
    for name in ("templates", "spec"):
        shutil.copytree(ROOT / name, package / name, ignore=ignored)
    return tmp_path / "site"


def _runs(site: pathlib.Path, project: pathlib.Path) -> None:
    done = errspec(*_generate(project)[3:], cwd=project, PYTHONPATH=str(site))
    assert (done.returncode, done.stderr) == (0, "")
    assert _tree(project / "generated") == _expected(_rendered(project, "new"))
    apply(plan(project / "generated", _rendered(project, "old")))


def _caches(site: pathlib.Path) -> list[pathlib.Path]:
    return sorted((site / "errspec/templates").glob("*/__pycache__/*"))


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "with a byte changed": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "of zeros": lambda data: bytes(len(data)),
    "of something else": lambda data: b"\x80\x04K\x01." * 9,
}


def test_compiled_templates_that_are_torn_are_compiled_again(
    project: pathlib.Path, installed: pathlib.Path
) -> None:
    """Whatever stands in the cache, the output is the same, and the cache is mended."""
    _runs(installed, project)
    whole = {path: path.read_bytes() for path in _caches(installed)}
    assert whole
    for spoil in SPOILT.values():
        for path, data in whole.items():
            path.write_bytes(spoil(data))
        _runs(installed, project)
        assert {path: path.read_bytes() for path in _caches(installed)} == whole


def test_compiled_templates_of_another_version_are_not_read(
    project: pathlib.Path, installed: pathlib.Path
) -> None:
    """What an older errspec compiled is compiled again, and not run."""
    _runs(installed, project)
    before = {path: path.read_bytes() for path in _caches(installed)}
    module = installed / "errspec/builtin.py"
    module.write_bytes(module.read_bytes() + b"\n")
    _runs(installed, project)
    after = {path: path.read_bytes() for path in _caches(installed)}
    assert after.keys() == before.keys()
    assert not [path for path, data in after.items() if data == before[path]]


def test_a_folder_of_errspec_that_cannot_be_written(
    project: pathlib.Path, installed: pathlib.Path
) -> None:
    """Templates are compiled in each run then, and nothing is said of it."""
    for folder in [installed, *installed.rglob("*")]:
        if folder.is_dir():
            folder.chmod(0o555)
    try:
        done = subprocess.run(
            _generate(project),
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(installed)},
            preexec_fn=_as_anybody,
            capture_output=True,
            text=True,
            check=False,
        )
    except subprocess.SubprocessError:
        pytest.skip("capabilities cannot be dropped here")
    finally:
        for folder in [installed, *installed.rglob("*")]:
            if folder.is_dir():
                folder.chmod(0o755)
    assert (done.returncode, done.stderr) == (0, "")
    assert not _caches(installed)


def test_first_runs_at_once_share_the_cache(
    project: pathlib.Path, installed: pathlib.Path
) -> None:
    """Several that compile the same templates leave whole files, and no others."""
    commands = [
        ["generate", "new.yaml", *_targets(), "--out", f"o{n}"] for n in range(4)
    ]
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(installed)
    try:
        ends = _together(project, *commands)
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before
    assert ends == [(0, "")] * 4
    assert {path.suffix for path in _caches(installed)} == {".j2c"}
    _runs(installed, project)
