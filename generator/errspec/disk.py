"""The output folder as it stands: find, read, list, write and delete below it.

Nothing here leaves the folder, and whatever the system refuses is an OutputError that
names the file as the user knows it.
"""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path

from errspec import manifest
from errspec.diagnostics import OutputError


@contextmanager
def blaming(shown: Path) -> Iterator[None]:
    """Turn an OSError into an OutputError that names `shown`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{shown.as_posix()}: {reason}") from error


def located(out: Path, paths: Iterable[str]) -> dict[str, Path]:
    """Return, for each path below `out`, the file itself: links are followed.

    Raises OutputError where a link leads outside `out`, and where that is no folder.
    """
    real = functools.cache(os.path.realpath)
    root = Path(real(out))
    with blaming(out):
        if root.exists() and not root.is_dir():
            raise OutputError(f"{out.as_posix()}: not a folder that can be written to")
    files = {}
    for path in paths:
        shown = out / path
        with blaming(shown):
            file = Path(real(shown.parent), shown.name)
            if file.is_symlink():
                file = Path(real(file))
        if not file.is_relative_to(root):
            raise OutputError(
                f"{shown.as_posix()}: a link leads outside {out.as_posix()}"
            )
        files[path] = file
    return files


def named(path: Path) -> Path:
    """Return a path from the root, through no link but the last part, if that is one."""
    with blaming(path):
        return Path(os.path.realpath(path.parent), path.name)


def real(path: Path) -> Path:
    """Return the file itself that a path leads to."""
    with blaming(path):
        return Path(os.path.realpath(path))


def refuse_shared(files: Mapping[str, Path]) -> None:
    """Raise OutputError where links make two paths one file."""
    owners: dict[Path, str] = {}
    for path, file in files.items():
        if (owner := owners.setdefault(file, path)) != path:
            raise OutputError(f"{path} and {owner} are one file, through a link")


def read(shown: Path, file: Path, *, wanted: bool = True) -> bytes | None:
    """Return what `file` holds, or None where there is no file.

    Raises OutputError where something else stands in its place, if it is `wanted`.
    """
    with blaming(shown):
        try:
            mode = file.stat().st_mode
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            fault = "a file stands where its folder should be"
        else:
            # Asked first, because opening a named pipe waits for ever.
            if stat.S_ISREG(mode):
                return file.read_bytes()
            what = "folder" if stat.S_ISDIR(mode) else "special file"
            fault = f"a {what} stands where the file should be"
    if wanted:
        raise OutputError(f"{shown.as_posix()}: {fault}")
    return None


def strays(
    out: Path, folder: str, known: Set[str], litter: Sequence[str]
) -> Iterator[str]:
    """Yield, in order, what stands in `folder` but is neither `known` nor litter.

    `known` holds files and all their folders. A folder in which nothing is known is
    yielded once, as `name/`, however much it holds.
    """
    with blaming(out / folder):
        try:
            with os.scandir(out / folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return
    for entry in entries:
        path = f"{folder}/{entry.name}"
        name = f"{entry.name}/" if _leads_to_folder(entry) else entry.name
        if any(fnmatchcase(name, each) for each in (*litter, manifest.TEMPORARY)):
            continue
        inside: Iterator[str] = iter(())
        if entry.is_dir(follow_symlinks=False):
            inside = strays(out, path, known, litter)
        if path in known:
            yield from inside
        elif not entry.is_dir(follow_symlinks=False):
            yield path
        elif any(True for _ in inside):
            yield f"{path}/"


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry is a folder or a link to one; a loop of links is neither."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def temporary(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that killed runs left in these folders."""
    for folder in sorted(folders):
        found = sorted(folder.glob(manifest.TEMPORARY))
        yield from (file for file in found if not file.is_dir())


_unfinished: Path | None = None
"""The temporary file that is being written."""


def abandon() -> None:
    """Take away what `write` has not finished: for a run that ends here and now."""
    if _unfinished is not None:
        with suppress(OSError):
            _unfinished.unlink()


def write(shown: Path, file: Path, text: str) -> None:
    """Put `text` into `file`, as `put` does."""
    put(shown, file, text.encode())


def put(shown: Path, file: Path, data: bytes) -> None:
    """Put `data` into `file` in one step, keeping the mode of the file it replaces."""
    global _unfinished
    # Not tempfile: its files are 0600, where the umask should decide.
    new = file.with_name(manifest.TEMPORARY.replace("*", os.urandom(8).hex()))
    with blaming(shown):
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            _unfinished = new  # before there is one: a signal may come in between
            with new.open("xb") as stream:
                stream.write(data)
            with suppress(FileNotFoundError):
                new.chmod(stat.S_IMODE(file.stat().st_mode))
            new.replace(file)
        except BaseException:
            abandon()
            raise
        finally:
            _unfinished = None


def delete(out: Path, path: str) -> None:
    """Delete the file or link at `path`, a folder never."""
    with blaming(out / path):
        (out / path).unlink(missing_ok=True)


def prune(out: Path, path: str) -> None:
    """Delete the folders between `out` and `path` that are empty."""
    for folder in (out / path).parents:
        if folder == out:
            return
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            return
