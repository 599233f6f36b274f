"""The retry layer of a generated Python package, row by row of the table."""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from foreign import Attributed
from packages import generate, imported
from scenarios import SCENARIOS, without_a_row
from support import CASES

NOW = 784111770.0  # 1994-11-06T08:49:30Z

LAYERS = {
    "tool": "tool_retry",
    "model": "model_retry",
    "job": "job_retry",
    "any": "retrying",
}

FOREIGN: dict[str, Callable[..., BaseException]] = {
    "plain": lambda: ValueError("m"),
    "timeout": lambda: TimeoutError("m"),
    "interrupt": lambda: asyncio.CancelledError("m"),
    "future-cancelled": lambda: concurrent.futures.CancelledError("m"),
    "retry-later": Attributed,
}
OURS = {
    "suspension": "Suspension",
    "handoff": "HandoffError",
    "transient": "TransientError",
    "terminal": "TerminalError",
    "undecided": "UndecidedError",
    "rate-limited": "RateLimitedError",
    "unsafe": "UnsafeError",
}


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ModuleType]]:
    """Two copies of one package."""
    spec = CASES / "catalogues" / "retry.yaml"
    roots = [generate(spec, tmp_path_factory.mktemp(name)) for name in ("one", "two")]
    with imported(roots[1]) as other, imported(roots[0]) as package:
        importlib.import_module(f"{package.__name__}.retry")
        yield [package, other]


class Run:
    """One row: its errors, what was called and waited, and what came out."""

    def __init__(self, row: dict[str, Any], copies: list[ModuleType]) -> None:
        self.row = row
        self.copies = copies
        self.calls = 0
        self.asked = 0
        self.waits: list[float] = []
        self.told: list[tuple[int, Exception, float]] = []
        self.thrown: list[BaseException] = []

    def error(self, about: dict[str, Any]) -> BaseException:
        """Make the error that a call is said to raise."""
        kind = about["error"]
        fields = dict(about.get("fields", {}))
        if isinstance(fields.get("retry_after"), dict):
            fields["retry_after"] = "9" * fields["retry_after"]["digits"]
        made: BaseException
        if kind == "group":
            made = BaseExceptionGroup("m", [self.error(inner) for inner in about["of"]])
        elif kind == "base":
            made = self.copies[0].RetriesError("NOBODY_KNOWS", "m")
        elif kind in FOREIGN:
            made = FOREIGN[kind](**fields)
        else:
            package = self.copies[kind.startswith("foreign-")]
            cls = getattr(package, OURS[kind.removeprefix("foreign-")])
            stated = {"retryable": about["retryable"]} if "retryable" in about else {}
            made = cls("m", **fields, **stated)
        if "stamp" in about:
            self.copies[0].stamp_retryable(made, about["stamp"])
        return made

    def kind(self, name: str) -> type[BaseException]:
        """Return the class of a kind of errors."""
        return type(self.error({"error": name}))

    def call(self, *_: object) -> object:
        """Do what the next call does."""
        step = self.row["calls"][min(self.calls, len(self.row["calls"]) - 1)]
        self.calls += 1
        if "returns" in step:
            return step["returns"]
        self.thrown.append(self.error(step))
        raise self.thrown[-1]

    def options(self) -> dict[str, Any]:
        """Return what the layer is made with."""
        given = dict(self.row.get("options", {}))
        jitter = given.pop("jitter", None)
        options: dict[str, Any] = {
            "jitter": jitter is not None,
            "random": lambda: float(jitter),
            "clock": lambda: NOW,
            "sleep": self.waits.append,
            "on_retry": lambda *told: self.told.append(told),
        }
        for name, value in given.items():
            if name == "retry_on":
                value = self.filter(value)
            elif name == "on_failure" and isinstance(value, dict):
                value = self.answer(value)
            elif value in ("NaN", "Infinity"):
                value = float(value.lower())
            options[name] = value
        return options

    def filter(self, about: Any) -> Any:
        if isinstance(about, str):
            return self.kind(about)
        if isinstance(about, list):
            return [self.kind(name) for name in about]
        if "things" in about:
            return about["things"]

        def predicate(error: Exception) -> bool:
            self.asked += 1
            assert error is self.thrown[-1]
            if about["predicate"] == "raises":
                raise self.error({"error": "timeout"})
            return bool(about["predicate"])

        return predicate

    def answer(self, about: Any) -> Callable[[Exception], object]:
        def on_failure(error: Exception) -> object:
            self.asked += 1
            assert error is self.thrown[-1]
            if "raises" in about:
                raise self.error({"error": about["raises"]})
            return about["returns"]

        return on_failure

    def layer(self) -> Any:
        make = getattr(self.copies[0].retry, LAYERS[self.row.get("layer", "tool")])
        return make(**self.options())

    def check(self, outcome: object, raised: BaseException | None) -> None:
        """Compare what came out with the row."""
        then = self.row["then"]
        assert self.calls == then["calls"]
        if "waits" in then:
            assert [wait * 1000 for wait in self.waits] == pytest.approx(then["waits"])
            numbers = [told[0] for told in self.told]
            assert numbers == list(range(1, len(self.waits) + 1))
            assert [told[2] for told in self.told] == self.waits
            assert all(told[1] in self.thrown for told in self.told)
        assert self.asked == then.get("asked", self.asked)
        if then.get("raises") == "last":
            self.check_untouched(raised)
        elif "raises" in then:
            expected = self.kind(then["raises"]["raised"])
            assert type(raised) is expected
            assert raised is not None and raised.__context__ is self.thrown[-1]
        else:
            assert raised is None
            self.check_answer(outcome, then["gives"])

    def check_untouched(self, raised: BaseException | None) -> None:
        assert raised is self.thrown[-1]
        assert raised is not None
        assert raised.__cause__ is None and raised.__context__ is None
        assert not hasattr(raised, "__notes__")
        frames = traceback.extract_tb(raised.__traceback__)
        assert frames[-1].name == "call"

    def check_answer(self, outcome: Any, expected: object) -> None:
        forms = {
            "tool-message": {"role": "tool", "status": "error"},
            "model-message": {"role": "assistant", "finish_reason": "error"},
        }
        if expected == "text":
            text = outcome
        elif isinstance(expected, str) and expected in forms:
            text = outcome.pop("content")
            assert outcome == forms[expected]
        else:
            assert outcome == expected
            return
        calls = f"{self.calls} call{'s' * (self.calls != 1)}"
        assert text == f"Failed after {calls}: ValueError: m"


def as_decorator(run: Run) -> object:
    def function(a: int, *, b: int) -> object:
        assert (a, b) == (1, 2)
        return run.call()

    wrapped = run.layer()(function)
    assert wrapped.__name__ == "function"
    return wrapped(1, b=2)


def as_async_decorator(run: Run) -> object:
    async def function(a: int, *, b: int) -> object:
        assert (a, b) == (1, 2)
        return run.call()

    return asyncio.run(run.layer()(function)(1, b=2))


def as_middleware(run: Run) -> object:
    return run.layer()("request", run.call)


def as_async_middleware(run: Run) -> object:
    async def handler(request: str) -> object:
        assert request == "request"
        return run.call()

    return asyncio.run(run.layer()("request", handler))


def as_disguised_async(run: Run) -> object:
    async def handler(request: str) -> object:
        return run.call()

    async def main() -> object:
        return await run.layer()("request", lambda request: handler(request))

    return asyncio.run(main())


FORMS = [
    as_decorator,
    as_async_decorator,
    as_middleware,
    as_async_middleware,
    as_disguised_async,
]

ROWS = [r for r in SCENARIOS if "calls" in r and "abort" not in r]
REFUSED = [r for r in SCENARIOS if r["then"].get("refused") and "wraps" not in r]


def name_of(row: object) -> str:
    return str(row["name"]) if isinstance(row, dict) else getattr(row, "__name__", "")


@pytest.mark.parametrize("form", FORMS, ids=name_of)
@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_a_row_of_the_table(
    row: dict[str, Any], form: Callable[[Run], object], copies: list[ModuleType]
) -> None:
    """A layer calls, waits, asks and answers as the row says, however it is used."""
    run = Run(row, copies)
    outcome, raised = None, None
    try:
        outcome = form(run)
    except BaseException as error:
        raised = error
    run.check(outcome, raised)


@pytest.mark.parametrize("row", REFUSED, ids=name_of)
def test_what_no_layer_can_be_made_with(
    row: dict[str, Any], copies: list[ModuleType]
) -> None:
    """A knob or a filter that makes no sense is refused when the layer is made."""
    with pytest.raises((ValueError, TypeError)) as refused:
        Run(row, copies).layer()
    [name] = row["options"]
    assert name in str(refused.value)


def test_every_rule_has_a_row() -> None:
    """No rule of the contract on retries is left unproved."""
    assert without_a_row() == []
