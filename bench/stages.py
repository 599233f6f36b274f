"""Runs errspec in this process and prints, as JSON, the CPU seconds of each stage.

`python -m bench.stages generate …`: functions of the pipeline are wrapped from outside;
a stage's time is without that of the stages it calls.
"""

from __future__ import annotations

import functools
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

# The function, as its caller finds it, and the stage that its time counts to. A stage
# that ends with a colon is told apart by the pack of the job that the function is given.
FUNCTIONS = {
    "errspec.source:read": "read",
    "errspec.schema:check": "schema",
    "errspec.project:build": "build",
    "errspec.render:Renderer.view": "views",
    "errspec.rules:check": "rules",
    "errspec.render:Renderer.render": "render:",
    "errspec.templates:environment_of": "templates",
    "errspec.render:environment_of": "templates",
    "errspec.templates:resolved": "resolved",
    "errspec.templates:vectors": "vectors",
    "errspec.output:plan": "compare with disk",
    "errspec.output:apply": "write",
}

# Imported before the clock of the other stages starts, as each is needed in the end.
MODULES = ("errspec.cli", "errspec.config", "errspec.project", "errspec.report")


class Clock:
    """CPU time by stage; of stages within each other the inner one has it."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._stack: list[str] = []
        self._last = time.process_time()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what is done inside to a stage."""
        self._tick()
        self._stack.append(name)
        try:
            yield
        finally:
            self._tick()
            self._stack.pop()

    def _tick(self) -> None:
        now = time.process_time()
        if self._stack:
            name = self._stack[-1]
            self.spent[name] = self.spent.get(name, 0.0) + now - self._last
        self._last = now


def wrap(clock: Clock, place: str, stage: str) -> None:
    """Put a function that counts its time in a function's place."""
    module, _, path = place.partition(":")
    *holders, name = path.split(".")
    holder: Any = importlib.import_module(module)
    for step in holders:
        holder = getattr(holder, step)
    inner: Callable[..., Any] = getattr(holder, name)

    @functools.wraps(inner)
    def outer(*args: Any, **more: Any) -> Any:
        full = f"render {args[1].pack.name}" if stage == "render:" else stage
        with clock.stage(full):
            return inner(*args, **more)

    setattr(holder, name, outer)


def main(arguments: list[str]) -> None:
    """Run errspec with the arguments and print the times."""
    clock = Clock()
    with clock.stage("imports"):
        for name in MODULES:
            importlib.import_module(name)
    for place, stage in FUNCTIONS.items():
        wrap(clock, place, stage)
    cli: Any = importlib.import_module("errspec.cli")
    with redirect_stdout(sys.stderr), clock.stage("other"):
        try:
            cli.main(arguments)
        except SystemExit as stop:
            if stop.code:
                raise
    print(json.dumps(clock.spent))


if __name__ == "__main__":
    main(sys.argv[1:])
