"""Runs in a process of its own: what generated Python takes, printed as JSON.

`import NAME` prints the CPU seconds of an import, `memory NAME` the bytes that it
leaves, `calls NAME ROUNDS PLAIN STATUS` the seconds of each call, of generated classes
and of those written by hand. Modules are found in the working folder.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import timeit
import tracemalloc
from typing import Any

CALLS = {
    "construct": "Plain('m')",
    "construct with status": "Status('m', status=503)",
    "raise and catch": "try: raise Plain('m')\nexcept Base: pass",
    "get_retryable": "get_retryable(plain)",
    "get_retryable with status": "get_retryable(status)",
    "to_wire": "to_wire(plain)",
    "to_wire with status": "to_wire(status)",
}


def generated(package: Any, plain: str, status: str) -> dict[str, Any]:
    """Return what the calls name, of a generated package."""
    [of_plain], [of_status] = (
        package.CODES[key].class_names for key in (plain, status)
    )
    return {
        "Base": package.BenchError,
        "Plain": getattr(package, of_plain),
        "Status": getattr(package, of_status),
        "get_retryable": package.get_retryable,
        "to_wire": package.to_wire,
    }


def by_hand() -> dict[str, Any]:
    """Return what the calls name, written by hand."""
    from .by_hand import errors

    return {
        "Base": errors.HandError,
        "Plain": errors.PlainError,
        "Status": errors.StatusError,
        "get_retryable": errors.get_retryable,
        "to_wire": errors.to_wire,
    }


def timed(sides: list[dict[str, Any]], rounds: int) -> list[dict[str, float]]:
    """Return the seconds of each call on each side: the least of all rounds.

    A round is short, and takes every call of every side in turn: so a busy moment of the
    machine meets all of them.
    """
    number = 2_000
    found: list[dict[str, float]] = [{} for _ in sides]
    for names in sides:
        names["plain"] = names["Plain"]("m")
        names["status"] = names["Status"]("m", status=503)
    for _ in range(rounds * 10):
        for call, code in CALLS.items():
            for names, least in zip(sides, found, strict=True):
                took = timeit.timeit(code, globals=names, number=number) / number
                least[call] = min(took, least.get(call, took))
    return found


def main(what: str, name: str, *others: str) -> Any:
    """Measure one thing."""
    sys.path.insert(0, "")
    if what == "import":
        start = time.process_time()
        importlib.import_module(name)
        return time.process_time() - start
    if what == "memory":
        tracemalloc.start()
        importlib.import_module(name)
        return tracemalloc.get_traced_memory()[0]
    rounds, plain, status = others
    package = importlib.import_module(name)
    return timed([generated(package, plain, status), by_hand()], int(rounds))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
