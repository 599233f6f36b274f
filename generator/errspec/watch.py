"""Waits until what a project is made of has changed.

watchfiles wakes it, what the files then are decides: so a save in several steps, a
missed event, and files that come and go are all one case. It looks every second also
where no event comes, such as for the target of a link.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from watchfiles import Change, DefaultFilter, watch

from .inputs import Inputs

_STEP = 0.1
"""Seconds in which nothing changes once a save is done."""
_MOST = 20
"""Steps after which a file that never rests is taken as it is."""
_SHARED = ("languages", "markup")
"""Folders beside packs in which all packs find data."""

_is_source = DefaultFilter()
"""Tells files from those that editors and tools leave beside them."""

State = Mapping[Path, tuple[int, ...] | None]
"""What tells one content of a file from the next; None where there is no file."""


def rounds(inputs: Callable[[], Inputs]) -> Iterator[list[Path]]:
    """Yield at once, then whenever what `inputs` names has changed: what that is.

    A change while the caller works is one more round. What it writes into the pages
    among the inputs is none.
    """
    waiting = _Waiting()
    changed: list[Path] = []
    seen = _state(inputs())
    while True:
        yield changed
        written = {page: _stamp(page) for page in inputs().pages}
        seen = {**seen, **{page: written[page] for page in written if page in seen}}
        while (now := _settled(inputs, seen)) == seen:
            waiting.wait(_folders(inputs()))
        differing = [p for p in {**seen, **now} if seen.get(p) != now.get(p)]
        # Not what only comes or goes with the file that names it.
        changed = [p for p in differing if p in seen and p in now] or differing
        seen = now


def _settled(inputs: Callable[[], Inputs], seen: State) -> State:
    """Return the state of the inputs once it has stopped changing."""
    now = _state(inputs())
    for _ in range(_MOST if now != seen else 0):
        time.sleep(_STEP)
        before, now = now, _state(inputs())
        if now == before:
            break
    return now


def _state(inputs: Inputs) -> State:
    found = {file: _stamp(file) for file in (*inputs.files, *inputs.pages)}
    for folder in inputs.folders:
        found[folder] = () if folder.is_dir() else None
        found |= {file: _stamp(file) for file in _sources(folder)}
    return found


def _stamp(file: Path) -> tuple[int, ...] | None:
    try:
        found = file.stat()
    except (OSError, ValueError):
        return None
    # The mode as well: what could not be read can be once it is mended.
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode


def _inside(folder: Path) -> list[Path]:
    """Return the folders in a folder; none where that cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return []


def _sources(folder: Path) -> Iterator[Path]:
    """Yield the files of the packs in a folder, and those that packs share."""
    for part in _inside(folder):
        if part.name in _SHARED or (part / "pack.yaml").is_file():
            for root, folders, names in os.walk(part):
                below = Path(root).relative_to(part)
                folders[:] = [f for f in folders if _is_kept(below / f)]
                yield from (Path(root, n) for n in names if _is_kept(below / n))


def _is_kept(path: Path) -> bool:
    return _is_source(Change.modified, path.as_posix())


def _folders(inputs: Inputs) -> tuple[str, ...]:
    """Return the folders in which something happens when an input changes."""
    found = {file.parent for file in (*inputs.files, *inputs.pages)}
    for folder in inputs.folders:
        found |= {folder.parent, folder, *_inside(folder)}
        found |= {file.parent for file in _sources(folder)}
    there = {next(f for f in (each, *each.parents) if f.is_dir()) for each in found}
    return tuple(sorted(map(str, there)))


class _Waiting:
    """Waits for events in folders, and looks for them also between two waits."""

    def __init__(self) -> None:
        self._folders: tuple[str, ...] = ()
        self._events: Iterator[object] = iter(())

    def wait(self, folders: tuple[str, ...]) -> None:
        """Return when something happened, and at the latest after a second."""
        if folders != self._folders:
            self._folders = folders
            self._events = watch(
                *folders,
                watch_filter=None,
                step=int(_STEP * 500),
                rust_timeout=1000,
                yield_on_timeout=True,
                recursive=False,
                ignore_permission_denied=True,
            )
        try:
            next(self._events)
        except (OSError, RuntimeError, StopIteration):
            # A folder has just gone, or the system watches no more of them.
            self._folders = ()
            time.sleep(1)
