"""Runs in a process of its own: what a call takes that needs no retry, as JSON.

`run_layers ROUNDS` prints the seconds of a call of a function that returns at once: as
it is, through a layer of the package in the working folder, and through tenacity.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

NUMBER = 5_000


def plain(value: int) -> int:
    """Return the value."""
    return value


async def plain_async(value: int) -> int:
    """Return the value."""
    return value


def layers() -> dict[str, Callable[[Any], Any]]:
    """Return what wraps a function, by name: nothing, ours, tenacity if it is there."""
    sys.path.insert(0, "")
    found: dict[str, Callable[[Any], Any]] = {"bare": lambda function: function}
    found["errspec"] = importlib.import_module("bench_errors.retry").retrying()
    try:
        import tenacity
    except ModuleNotFoundError:
        return found
    found["tenacity"] = tenacity.retry(stop=tenacity.stop_after_attempt(4))
    return found


def sync_seconds(function: Callable[[int], int]) -> float:
    start = time.perf_counter()
    for _ in range(NUMBER):
        function(1)
    return (time.perf_counter() - start) / NUMBER


def async_seconds(function: Callable[[int], Any]) -> float:
    async def calls() -> float:
        start = time.perf_counter()
        for _ in range(NUMBER):
            await function(1)
        return (time.perf_counter() - start) / NUMBER

    return asyncio.run(calls())


def main(rounds: int) -> dict[str, dict[str, float]]:
    """Measure each wrapped function, in turns; the least of all rounds counts."""
    found: dict[str, dict[str, float]] = {"a function": {}, "an async function": {}}
    for _ in range(rounds * 3):
        for name, layer in layers().items():
            for kind, seconds in (
                ("a function", sync_seconds(layer(plain))),
                ("an async function", async_seconds(layer(plain_async))),
            ):
                found[kind][name] = min(seconds, found[kind].get(name, seconds))
    return found


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
