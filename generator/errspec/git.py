"""Reads a file as it was at a commit. Plumbing only: nothing in a repository is touched.

Every failure says what it is and what helps: a base that cannot be read must never
pass for one in which nothing is different.
"""

from __future__ import annotations

import os
import pathlib
import subprocess

from msgspec import Struct

from .diagnostics import UsageError

_REPOSITORY = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
)
"""What a hook is told of its repository, which need not be that of the file."""


class Base(Struct, frozen=True):
    """A commit of the repository in which a file stands."""

    folder: pathlib.Path
    """The folder of the file, in which git is called."""
    top: str
    ref: str
    """What was asked for, as people know it."""
    commit: str

    def read(self, path: pathlib.Path) -> bytes | None:
        """Return what a file held, or None where there was none; links are followed."""
        inside = os.path.relpath(os.path.realpath(path.parent), self.top)
        name = (pathlib.Path(inside) / path.name).as_posix()
        if name.startswith("../"):
            raise UsageError(
                f"{path.as_posix()} lies outside of the repository {self.top}"
            )
        if "\n" in name:
            raise UsageError(
                f"{name!r} has a line break in its name: git cannot be asked for it"
            )
        asked = f"{self.commit}:{name}"
        command = ("cat-file", "--batch", "--follow-symlinks")
        told = _git(self.folder, *command, stdin=os.fsencode(f"{asked}\n"))
        head, _, rest = told.stdout.partition(b"\n")
        words = head.split(b" ")
        # First: what is missing is told by its name, in which any words may stand.
        if told.returncode == 0 and head.endswith(b" missing"):
            entry = ("rev-parse", "--verify", "--quiet", "--end-of-options", asked)
            if _git(self.folder, *entry).returncode:
                return None
            raise UsageError(
                f"git lacks the contents of {name} at {self.ref}: fetch them"
            )
        if told.returncode == 0 and words[1:2] == [b"blob"]:
            return rest[: int(words[2])]
        if told.returncode:
            raise _failure(told.stderr, self.folder)
        kind = (
            "a folder"
            if words[1:2] == [b"tree"]
            else "no file, but a link that leads nowhere"
        )
        raise UsageError(f"{name} is {kind} at {self.ref}")


def base(spec: pathlib.Path, ref: str) -> Base:
    """Return the commit that a ref names in the repository of a file.

    `main...` is the commit at which HEAD left main. UsageError where there is no
    repository, no such commit, or no git.
    """
    folder = pathlib.Path(os.path.realpath(spec.parent))
    about = _git(folder, "rev-parse", "--is-shallow-repository", "--show-toplevel")
    if about.returncode:
        raise _failure(about.stderr, folder)
    shallow, _, top = os.fsdecode(about.stdout).partition("\n")
    is_shallow = shallow == "true"
    name = ref.removesuffix("...")
    commit = _commit(folder, name, is_shallow)
    if name != ref:
        commit = _merge_base(folder, name, commit, is_shallow)
    return Base(folder, top.removesuffix("\n"), ref, commit)


def _commit(folder: pathlib.Path, name: str, shallow: bool) -> str:
    asked = ("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
    told = _git(folder, *asked)
    if told.returncode == 0 and not told.stdout.startswith(b"^"):  # all but a commit
        return told.stdout.decode("ascii").strip()
    hint = f"fetch it first, such as by `git fetch origin {name}`"
    if shallow:
        hint = "this clone is shallow: `git fetch --unshallow`, or fetch-depth: 0 in CI"
    elif name.startswith("-"):
        hint = "it begins like an option; write refs/heads/… for a branch of that name"
    elif ".." in name:
        hint = "write main... for the commit at which HEAD left main"
    raise UsageError(f"there is no file and no commit {name!r}: {hint}")


def _merge_base(folder: pathlib.Path, name: str, commit: str, shallow: bool) -> str:
    told = _git(folder, "merge-base", "--", commit, "HEAD")
    if told.returncode == 0:
        return told.stdout.decode("ascii").strip()
    if told.returncode > 1:
        raise _failure(told.stderr, folder)
    hint = f"write {name} to compare with its own state"
    if shallow:
        hint = "this clone is shallow: `git fetch --unshallow`, or fetch-depth: 0 in CI"
    raise UsageError(f"HEAD and {name!r} have no commit in common: {hint}")


def _git(
    folder: pathlib.Path, *command: str, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    kept = {k: v for k, v in os.environ.items() if k not in _REPOSITORY}
    # Words that `_failure` knows, and nobody who is asked for a password.
    environment = {**kept, "LC_ALL": "C", "LANGUAGE": "C", "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.run(
            ("git", "-C", os.fspath(folder), *command),
            input=stdin,
            env=environment,
            check=False,
            capture_output=True,
        )
    except FileNotFoundError:
        raise UsageError(
            "git is not installed, or not on PATH: --against takes a file too"
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"git cannot be run: {error}") from None


def _failure(stderr: bytes, folder: pathlib.Path) -> UsageError:
    """Return what git's words mean here, with what helps."""
    said = stderr.decode("utf-8", "replace").strip()
    where = folder.as_posix()
    if "not a git repository" in said:
        return UsageError(
            f"{where} is in no git repository: --against takes a file too"
        )
    if "dubious ownership" in said or "unsafe repository" in said:
        hint = (
            "`git config --global --add safe.directory` and its folder lets git read it"
        )
        return UsageError(f"{where} is in a repository that is somebody else's: {hint}")
    lines = said.splitlines() or ["it said nothing"]
    fatal = [line for line in lines if line.startswith("fatal: ")]
    return UsageError(f"git failed: {(fatal or lines)[-1]}")
