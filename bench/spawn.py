"""Runs a command and prints its exit code, CPU and wall-clock seconds, and peak bytes.

A process of its own, that imports next to nothing: Linux counts what a parent holds
when it makes a child into the child's peak.
"""

import os
import sys
import time


def main(words: list[str]) -> None:
    """Run the command, whose first word is a path."""
    quiet = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    start = time.perf_counter()
    process = os.posix_spawn(words[0], words, os.environ, file_actions=[quiet])
    _, status, used = os.wait4(process, 0)
    wall = time.perf_counter() - start
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, wall, peak)


if __name__ == "__main__":
    main(sys.argv[1:])
