"""The console script, and `python -m errspec`.

Before anything else is imported, which takes longest, it makes sure that a run which is
stopped ends at once, in one line, and leaves no file half-written.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from types import FrameType

from . import __version__

_WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}


def main() -> None:
    """Run errspec and exit."""
    if sys.argv[1:] in (["--version"], ["-V"]):  # asked often, and needs no imports
        with contextlib.suppress(OSError):  # what is wrong with stdout is told below
            os.write(1, f"errspec {__version__}\n".encode())
            return
    gc.disable()  # a short run: looking for garbage costs more than the garbage
    held = prepare()
    try:
        from .cli import main as run

        run()
    finally:  # what is finished is not stopped any more, least of all by Python's own end
        for number in held:
            signal.signal(number, signal.SIG_IGN)


def prepare() -> list[int]:
    """Have `_stop` called by signals, without those that the run is to ignore."""
    known = (getattr(signal, name, None) for name in _WORDS)  # Windows has no SIGHUP
    held = [n for n in known if n is not None and signal.getsignal(n) != signal.SIG_IGN]
    for number in held:
        signal.signal(number, _stop)
    return held


def _stop(number: int, frame: FrameType | None) -> None:
    """End the process with the exit code that shells give a stopped one.

    No exception: that may rise where Python cannot but drop it, such as in an import.
    """
    disk = sys.modules.get("errspec.disk")
    if disk is not None and hasattr(disk, "abandon"):
        disk.abandon()
    with contextlib.suppress(OSError):  # nobody listens
        os.write(2, f"errspec: {_WORDS[signal.Signals(number).name]}\n".encode())
    os._exit(128 + number)


if __name__ == "__main__":
    main()
