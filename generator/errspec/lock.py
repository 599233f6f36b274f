"""One run at a time in an output folder: the others wait for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows: runs at the same time are then not told apart
    fcntl = None


@contextmanager
def held(out: Path, waiting: Callable[[], None], *, shared: bool) -> Iterator[None]:
    """Hold an output folder while the block runs; `waiting` is called if others do.

    Runs that only read hold it `shared`. One that writes makes the folder, and takes it
    away again where nothing was written. The folder itself is locked, so that no file
    is left behind, and the system opens it when a run is killed. Where it cannot be
    locked, as on some network disks, the run goes on without.
    """
    made: list[Path] = []
    holder = _locked(out, waiting, None if shared else made)
    try:
        yield
    finally:
        for folder in made:
            with suppress(OSError):  # something was written into it
                folder.rmdir()
        if holder is not None:
            os.close(holder)


def _locked(
    out: Path, waiting: Callable[[], None], made: list[Path] | None
) -> int | None:
    """Lock the folder and return what holds the lock; None where that is not possible.

    It is made where it is missing, and what was made added to `made`, unless that is
    None: then the lock is shared.
    """
    while True:
        if made is not None:
            above = (out, *out.parents)
            made += [folder for folder in above if not os.path.lexists(folder)]
            try:
                out.mkdir(parents=True, exist_ok=True)
            except OSError:  # who writes there says what is wrong
                return None
        if fcntl is None:
            return None
        try:
            holder = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            if made is None:
                return None
            continue  # another run took away the folder that it had made
        except OSError:
            return None
        how = fcntl.LOCK_SH if made is None else fcntl.LOCK_EX
        try:
            try:
                fcntl.flock(holder, how | fcntl.LOCK_NB)
            except BlockingIOError:
                waiting()
                fcntl.flock(holder, how)
            if os.path.samestat(os.fstat(holder), out.stat()):
                return holder
        except FileNotFoundError:
            pass
        except OSError:
            os.close(holder)
            return None
        os.close(holder)
