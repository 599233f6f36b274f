"""The retry layer of a generated Python package beside errors and callables that do odd
things: what was raised comes out, and nothing else."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import importlib
import itertools
import logging
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from packages import generate, imported
from support import CASES


@pytest.fixture(scope="module")
def retries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A package with a retry layer."""
    spec = CASES / "catalogues" / "retry.yaml"
    with imported(generate(spec, tmp_path_factory.mktemp("hostile"))) as package:
        importlib.import_module(f"{package.__name__}.retry")
        yield package


class Mapped(Exception):
    """Answers for any attribute from a mapping that does not have it."""

    def __getattr__(self, name: str) -> object:
        nothing: dict[str, object] = {}
        return nothing[name]


class Silent(Exception):
    """Cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class Masked(Exception):
    """Hides its class."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError


@pytest.mark.parametrize("kind", [Mapped, Silent, Masked])
def test_an_odd_error_is_an_error_like_any_other(
    retries: ModuleType, kind: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    """R7, R14: whatever it does when it is looked at, it is raised, answered or retried."""
    caplog.set_level(logging.INFO)
    thrown = kind("m")

    def fail() -> None:
        raise thrown

    with pytest.raises(Exception) as raised:
        retries.retry.retrying()(fail)()
    assert raised.value is thrown
    answer = retries.retry.retrying(on_failure="continue")(fail)()
    assert answer.startswith(f"Failed after 1 call: {kind.__name__}: ")
    retries.stamp_retryable(thrown, True)
    waits: list[float] = []
    with pytest.raises(Exception) as raised:
        retries.retry.retrying(sleep=waits.append)(fail)()
    assert raised.value is thrown and len(waits) == 2
    assert len(caplog.records) == 2


def nested(error: BaseException, depth: int) -> BaseException:
    for _ in range(depth):
        error = BaseExceptionGroup("g", [error])
    return error


def shared(error: BaseException, times: int) -> BaseException:
    for _ in range(times):
        error = BaseExceptionGroup("g", [error, error])
    return error


class Circle(ExceptionGroup[Exception]):
    """Holds itself."""

    @property
    def exceptions(self) -> Any:
        return (self,)


def test_groups_of_any_shape_are_looked_through(retries: ModuleType) -> None:
    """V10, R2: deep, shared and circular groups answer as flat ones do, and at once."""
    for build, size in ((nested, 2_000), (shared, 60)):
        for make, verdict in (
            (retries.TransientError, True),
            (retries.TerminalError, False),
            (ValueError, None),
        ):
            error = build(make("m"), size)
            assert retries.get_retryable(error) is verdict
            assert not retries.is_control(error)
        assert retries.is_control(build(retries.Suspension("m"), size))
    assert retries.get_retryable(Circle("g", [ValueError()])) is None


def test_a_group_is_told_by_its_name(retries: ModuleType) -> None:
    """V10, R2: before Python 3.11 groups are of a library's class of that name."""

    class BaseExceptionGroup(Exception):
        def __init__(self, *exceptions: BaseException) -> None:
            self.exceptions = exceptions

    assert retries.is_control(BaseExceptionGroup(retries.Suspension("m")))
    assert (
        retries.get_retryable(BaseExceptionGroup(retries.TerminalError("m"))) is False
    )


def test_a_group_of_cancellations_is_one(retries: ModuleType) -> None:
    """R1: it is never retried, and never turned into an answer."""
    thrown = ExceptionGroup("g", [ValueError(), concurrent.futures.CancelledError()])
    layer = retries.retry.retrying(retry_on=Exception, on_failure="continue")
    with pytest.raises(ExceptionGroup) as raised:
        layer(None, throwing(thrown))
    assert raised.value is thrown
    assert not retries.is_retryable_error(thrown)


def throwing(error: BaseException) -> Any:
    def handler(request: object) -> None:
        raise error

    return handler


def test_what_a_function_gives_is_left_alone(retries: ModuleType) -> None:
    """A sync function may give a task or a future: it is not awaited in its place."""

    async def main() -> None:
        @retries.retry.retrying()  # type: ignore[untyped-decorator]
        def start() -> asyncio.Task[int]:
            return asyncio.ensure_future(asyncio.sleep(0, 7))

        task = start()
        assert isinstance(task, asyncio.Task)
        assert await task == 7

    asyncio.run(main())


def test_a_handler_may_be_async_at_one_time_only(retries: ModuleType) -> None:
    """R13: a failing coroutine first, a plain value then: the value is the result."""
    numbers = itertools.count()

    async def fail() -> None:
        raise retries.TransientError("m")

    def handler(request: object) -> Any:
        return fail() if next(numbers) == 0 else "cached"

    async def main() -> object:
        return await retries.retry.retrying(initial_delay_ms=0)(None, handler)

    assert asyncio.run(main()) == "cached"


@pytest.mark.parametrize("deliver", [False, True], ids=["swallowed", "under way"])
def test_a_cancelled_task_calls_no_more_whatever_its_error_became(
    retries: ModuleType, deliver: bool
) -> None:
    """R1, R13: a driver that turns the cancellation into an error of its own."""
    calls: list[int] = []

    async def call() -> None:
        calls.append(1)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        raise retries.TransientError("connection lost")

    async def main() -> None:
        task = asyncio.ensure_future(retries.retry.retrying(initial_delay_ms=0)(call)())
        await asyncio.sleep(0)
        task.cancel()
        if deliver:
            await asyncio.sleep(0)
        with pytest.raises(retries.TransientError):
            await task

    asyncio.run(main())
    assert calls == [1]


def test_async_callables_are_awaited_where_somebody_awaits(retries: ModuleType) -> None:
    """R8: on_retry, sleep, on_failure and to_message may all be async."""
    seen: list[object] = []

    async def note(*given: object) -> str:
        seen.append(given[0])
        return "answer"

    async def fail(request: object) -> None:
        raise ValueError("m")

    make = retries.retry.tool_retry
    knobs = {"retry_on": ValueError, "max_retries": 1, "on_retry": note, "sleep": note}
    layer = make(on_failure="continue", to_message=note, **knobs)
    assert asyncio.run(layer(None, fail)) == "answer"
    assert seen[0] == 1 and len(seen) == 3
    assert asyncio.run(make(on_failure=note)(None, fail)) == "answer"


@pytest.mark.parametrize("name", ["on_retry", "sleep", "on_failure", "to_message"])
def test_async_callables_are_refused_where_nobody_awaits(
    retries: ModuleType, name: str
) -> None:
    """A wait that is not waited for, and an answer that is a coroutine, are faults."""

    async def answer(*given: object) -> None:
        raise AssertionError

    options: dict[str, Any] = {"retry_on": ValueError, "sleep": lambda _: None}
    if name == "to_message":
        options["on_failure"] = "continue"
    layer = retries.retry.tool_retry(**{**options, name: answer})
    with pytest.raises(TypeError, match=f"{name} is async") as raised:
        layer(None, throwing(ValueError("m")))
    assert isinstance(raised.value.__context__, ValueError)


async def async_predicate(error: Exception) -> bool:
    raise AssertionError


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("retry_on", async_predicate),
        ("retry_on", b""),
        ("sleep", 5),
        ("on_retry", "log"),
        ("random", 3),
        ("clock", 3),
        ("to_message", 3),
        ("context", {1: True}),
    ],
)
def test_what_no_option_can_be_is_refused_at_once(
    retries: ModuleType, option: str, value: object
) -> None:
    """A layer that cannot work is not made: its first failure would hide the error."""
    with pytest.raises(TypeError):
        retries.retry.tool_retry(on_failure="continue", **{option: value})


@pytest.mark.parametrize("share", [float("nan"), -1.0, 2.0])
def test_a_share_that_is_none_takes_nothing(retries: ModuleType, share: float) -> None:
    """R10: whatever `random` gives, a delay stays in its bounds."""
    assert 0.5 <= retries.retry.next_delay(0, random=lambda: share) <= 1


@pytest.mark.parametrize("now", [float("nan"), float("inf"), -1e308])
def test_a_clock_that_is_none_hides_no_error(retries: ModuleType, now: float) -> None:
    """R12: a date cannot be judged then, so it is passed over or asks for too much."""
    date = "Sunday, 06-Nov-94 08:49:37 GMT"
    error = retries.RateLimitedError("m", retry_after=date)
    delay = retries.retry.next_delay(0, error, jitter=False, clock=lambda: now)
    assert delay in (1.0, None)


def test_what_a_wait_raises_has_the_error_as_its_context(retries: ModuleType) -> None:
    """R14: where the wait fails, one still sees what it waited for."""
    thrown = retries.TransientError("m")

    def sleep(seconds: float) -> None:
        raise RuntimeError("no loop runs")

    with pytest.raises(RuntimeError) as raised:
        retries.retry.retrying(sleep=sleep)(None, throwing(thrown))
    assert raised.value.__context__ is thrown


def generator() -> Iterator[int]:
    yield 1


@pytest.mark.parametrize(
    "wrap",
    [functools.lru_cache, staticmethod, lambda f: functools.wraps(f)(lambda: f())],
)
def test_a_wrapped_generator_function_is_one(
    retries: ModuleType, wrap: Callable[..., Any]
) -> None:
    """R15: what decorators hide is found."""
    with pytest.raises(TypeError, match="generates"):
        retries.retry.retrying()(wrap(generator))


def test_the_request_of_a_call_by_keyword(retries: ModuleType) -> None:
    """R7: `to_message` gets the first argument, however it is given."""
    layer = retries.retry.tool_retry(
        on_failure="continue", to_message=lambda text, error, request: request
    )
    assert layer(throwing(ValueError("m")))(request="q") == "q"
