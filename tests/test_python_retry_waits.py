"""How long the retry layer of a generated Python package waits, and what ends a wait."""

from __future__ import annotations

import asyncio
import contextvars
import importlib
import logging
import math
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages import generate, imported
from scenarios import SCENARIOS
from support import CASES, ROOT, run


@pytest.fixture(scope="module")
def retries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A package with a retry layer."""
    spec = CASES / "catalogues" / "retry.yaml"
    with imported(generate(spec, tmp_path_factory.mktemp("retries"))) as package:
        importlib.import_module(f"{package.__name__}.retry")
        yield package


knobs = st.fixed_dictionaries(
    {
        "initial_delay_ms": st.floats(0, 1e9) | st.integers(0, 10**9),
        "backoff_factor": st.floats(1, 1e6) | st.integers(1, 10**6),
        "max_delay_ms": st.floats(0, 1e9) | st.integers(0, 10**9),
    }
)
attempts = st.integers(0, 40) | st.integers(0, 10**9) | st.just(10**400)


@given(knobs, attempts, st.floats(0, 1))
def test_a_delay_stays_in_its_bounds(
    retries: ModuleType, knobs: dict[str, float], attempt: int, share: float
) -> None:
    """R10: without jitter it is never below 0, never above the cap, and never shorter
    than the one before; jitter takes up to half of it away."""
    plain = retries.retry.next_delay(attempt, jitter=False, **knobs)
    assert 0 <= plain <= knobs["max_delay_ms"] / 1000
    assert plain >= retries.retry.next_delay(max(0, attempt - 1), jitter=False, **knobs)
    drawn = retries.retry.next_delay(
        attempt, jitter=True, random=lambda: share, **knobs
    )
    assert plain / 2 * (1 - 1e-9) <= drawn <= plain


def test_jitter_is_drawn_anew_for_each_delay(retries: ModuleType) -> None:
    """R10: layers in many processes do not come back in one moment."""
    drawn = {retries.retry.next_delay(0) for _ in range(20)}
    assert len(drawn) > 10
    assert all(0.5 <= delay <= 1 for delay in drawn)


@given(st.text(max_size=40) | st.from_regex(r"[0-9.,+-]{1,8}", fullmatch=True))
def test_any_text_of_a_retry_after_is_bearable(retries: ModuleType, text: str) -> None:
    """R12: whatever a server sends, a delay is a finite number from 0, or none at all."""
    error = retries.RateLimitedError("m", retry_after=text)
    delay = retries.retry.next_delay(0, error, jitter=False)
    assert delay is None or (math.isfinite(delay) and 1 <= delay <= 10)


@given(st.integers(0, 2**33), st.integers(0, 2**33))
def test_a_date_is_read_as_others_write_it(
    retries: ModuleType, now: int, ahead: int
) -> None:
    """R12: the date that Python's own library writes gives the seconds until then."""
    error = retries.RateLimitedError(
        "m", retry_after=formatdate(now + ahead, usegmt=True)
    )
    delay = retries.retry.next_delay(
        0, error, initial_delay_ms=0, max_delay_ms=1e14, clock=lambda: now + 0.5
    )
    assert delay == max(0, ahead - 0.5)


@pytest.mark.parametrize(
    ("attempt", "knobs", "expected"),
    [
        (10**9, {"initial_delay_ms": 0, "backoff_factor": 10}, 0),
        (10**9, {"backoff_factor": 1.000001}, 10),
        (10**9, {"backoff_factor": 1}, 1),
        (10**400, {"backoff_factor": 1}, 1),
        (10**400, {}, 10),
    ],
)
def test_a_delay_after_endless_attempts(
    retries: ModuleType, attempt: int, knobs: dict[str, float], expected: float
) -> None:
    """R10: however often it was tried, nothing overflows, and nothing times something is
    nothing."""
    assert retries.retry.next_delay(attempt, jitter=False, **knobs) == expected


@pytest.mark.parametrize("attempt", [-1, True, 1.5, "1", None])
def test_an_attempt_is_a_whole_number(retries: ModuleType, attempt: object) -> None:
    """R10: what is no number of an attempt is refused."""
    with pytest.raises(ValueError, match="attempt is a whole number from 0"):
        retries.retry.next_delay(attempt)


class Aborted:
    """A task that is cancelled at a moment that a row names."""

    def __init__(self, retries: ModuleType, when: str) -> None:
        self.retries = retries
        self.when = when
        self.calls = 0
        self.waits: list[float] = []

    async def call(self, request: object) -> object:
        self.calls += 1
        if self.when == "by-call":
            current = asyncio.current_task()
            assert current is not None
            current.cancel()
        raise self.retries.TransientError("m")

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds * 1000)
        await asyncio.sleep(3600)

    async def run(self) -> None:
        layer = self.retries.retry.tool_retry(
            on_failure="continue", jitter=False, sleep=self.sleep
        )
        task = asyncio.ensure_future(layer("request", self.call))
        while self.when == "during" and not self.waits:
            await asyncio.sleep(0)
        if self.when != "by-call":
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "row", [r for r in SCENARIOS if "abort" in r], ids=lambda row: row["name"]
)
def test_a_cancelled_task_calls_nothing_more(
    retries: ModuleType, row: dict[str, Any]
) -> None:
    """R13: a cancelled task ends where it waits, and the error that it waited for is
    not turned into an answer."""
    aborted = Aborted(retries, row["abort"])
    asyncio.run(aborted.run())
    assert aborted.calls == row["then"]["calls"]
    assert aborted.waits == row["then"].get("waits", aborted.waits)


def test_a_key_that_interrupts_a_wait_ends_it(retries: ModuleType) -> None:
    """R13: KeyboardInterrupt goes through, from a wait as from a call."""
    calls = []

    def call(request: object) -> None:
        calls.append(request)
        raise retries.TransientError("m")

    def sleep(seconds: float) -> None:
        raise KeyboardInterrupt

    layer = retries.retry.tool_retry(on_failure="continue", sleep=sleep)
    with pytest.raises(KeyboardInterrupt):
        layer("request", call)
    assert calls == ["request"]


def test_waits_are_real_and_leave_the_loop_free(retries: ModuleType) -> None:
    """R13: without a `sleep` of one's own the wait is that of asyncio, and of time."""
    layer = retries.retry.retrying(initial_delay_ms=20, jitter=False, max_retries=1)
    beats = []

    async def fail() -> None:
        raise retries.TransientError("m")

    async def main() -> None:
        task = asyncio.ensure_future(layer(fail)())
        while not task.done():
            beats.append(1)
            await asyncio.sleep(0.001)
        with pytest.raises(retries.TransientError):
            await task

    asyncio.run(main())
    assert len(beats) > 2

    def fail_too() -> None:
        raise retries.TransientError("m")

    started = time.monotonic()
    with pytest.raises(retries.TransientError):
        layer(fail_too)()
    assert time.monotonic() - started >= 0.02


def test_calls_at_once_share_nothing(retries: ModuleType) -> None:
    """R13: 10,000 calls through one layer each have their own count and context."""
    name = contextvars.ContextVar[int]("name")
    layer = retries.retry.retrying(initial_delay_ms=0, max_retries=3)
    calls: dict[int, int] = {}

    async def call(number: int) -> int:
        assert name.get() == number
        calls[number] = calls.get(number, 0) + 1
        await asyncio.sleep(0)
        if calls[number] <= number % 4:
            raise retries.TransientError(str(number))
        return number

    wrapped = layer(call)

    async def one(number: int) -> int:
        name.set(number)
        answer: int = await wrapped(number)
        return answer

    async def main() -> list[int]:
        return await asyncio.gather(*map(one, range(10_000)))

    assert asyncio.run(main()) == list(range(10_000))
    assert all(times == number % 4 + 1 for number, times in calls.items())


def test_threads_share_nothing(retries: ModuleType) -> None:
    """R13: calls of many threads through one layer each have their own count."""
    layer = retries.retry.retrying(initial_delay_ms=0, max_retries=3)
    seen = threading.local()

    @layer  # type: ignore[untyped-decorator]
    def call(number: int) -> int:
        seen.calls = getattr(seen, "calls", 0) + 1
        if seen.calls <= number % 4:
            raise retries.TransientError("m")
        seen.calls = 0
        return number

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, range(2_000))) == list(range(2_000))


def test_the_log_names_retry_wait_and_error(
    retries: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    """Each retry is a line of the package's own log, and nothing is printed."""
    caplog.set_level(logging.INFO, "retries_errors")
    layer = retries.retry.retrying(max_retries=1, jitter=False, sleep=lambda _: None)
    with pytest.raises(retries.TransientError):
        layer(None, lambda _: (_ for _ in ()).throw(retries.TransientError("no luck")))
    [record] = caplog.records
    assert record.getMessage() == (
        "retry 1 in 1.000 s, after TransientError(code='TRANSIENT', message='no luck')"
    )


def generator(number: int) -> Iterator[int]:
    yield number


async def async_generator(number: int) -> AsyncIterator[int]:
    yield number


class Generating:
    def __call__(self, number: int) -> Iterator[int]:
        yield number


WRAPPED: dict[str, object] = {
    "generator": generator,
    "async-generator": async_generator,
    "an object that generates": Generating(),
    "a class": ValueError,
    "nothing": None,
    "text": "function",
}


@pytest.mark.parametrize(
    "name",
    dict.fromkeys([*(r["wraps"] for r in SCENARIOS if "wraps" in r), *WRAPPED]),
)
def test_what_cannot_be_called_again_is_refused(retries: ModuleType, name: str) -> None:
    """R15: generator functions, and what is no function, are refused when wrapped."""
    layer = retries.retry.retrying()
    with pytest.raises(TypeError):
        layer(WRAPPED[name])
    with pytest.raises(TypeError):
        layer("request", WRAPPED[name])


def test_methods_and_callables_are_functions_too(retries: ModuleType) -> None:
    """A layer wraps a method as it stands in its class, and any object that is called."""
    layer = retries.retry.retrying(initial_delay_ms=0)

    class Client:
        calls = 0

        @layer  # type: ignore[untyped-decorator]
        def send(self, text: str) -> str:
            """Send it."""
            self.calls += 1
            if self.calls < 3:
                raise retries.TransientError("m")
            return text

        async def __call__(self, text: str) -> str:
            return self.send(text)  # type: ignore[no-any-return]

    client = Client()
    assert client.send("x") == "x" and client.calls == 3
    assert client.send.__doc__ == "Send it."
    assert asyncio.run(layer(Client())("y")) == "y"


def test_no_layer_where_the_catalogue_asks_for_none(
    retries: ModuleType, family: ModuleType
) -> None:
    """Without a `retry` section there is no module, and the package imports none."""
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"{family.__name__}.retry")


def test_a_package_is_imported_without_its_layer() -> None:
    """What raises errors does not pay for the layer: it is a module of its own."""
    code = "import agent_errors, sys; sys.exit('logging' in sys.modules)"
    done = run(
        "python", "-S", "-c", code, PYTHONPATH=str(ROOT / "generated/python/agent")
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["tool_retry", "model_retry", "retrying"])
def test_the_knobs_of_the_catalogue_are_the_defaults(
    agent: ModuleType, name: str
) -> None:
    """R6, R10: agent retries three times in Python, after 1, 2 and 4 seconds."""
    layers = importlib.import_module(f"{agent.__name__}.retry")
    waits: list[float] = []
    layer = getattr(layers, name)(sleep=waits.append, random=lambda: 0.0)
    with pytest.raises(agent.ModelError):
        layer(None, throwing(agent.ModelError("m", status=503)))
    assert waits == [1.0, 2.0, 4.0]


def throwing(error: BaseException) -> Any:
    """Return a handler that raises the error."""

    def handler(request: object) -> None:
        raise error

    return handler


@pytest.mark.parametrize("name", ["HitlInterrupt", "SwarmHandoffError"])
def test_control_flow_passes_three_layers(
    agent: ModuleType, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """R2: what suspends or hands over arrives as the identical object through layers of
    this copy and of another, and nobody is asked."""
    called: list[object] = []
    root = generate(ROOT / "spec" / "agent.yaml", tmp_path_factory.mktemp("second"))
    mine = importlib.import_module(f"{agent.__name__}.retry")
    with imported(root) as copy:
        other = importlib.import_module(f"{copy.__name__}.retry")
    assert other is not mine
    thrown = control_error(agent, name)
    handler = throwing(thrown)
    for module in (mine, other, mine):
        layer = module.tool_retry(
            retry_on=called.append, on_failure=called.append, on_retry=called.append
        )
        handler = wrapped(layer, handler)
    with pytest.raises(BaseException) as raised:
        handler("request")
    assert raised.value is thrown
    assert thrown.__cause__ is None and thrown.__context__ is None
    assert called == []


def wrapped(layer: Any, handler: Any) -> Any:
    return lambda request: layer(request, handler)


def control_error(agent: ModuleType, name: str) -> BaseException:
    """Make a control error of agent."""
    error: BaseException
    if name == "HitlInterrupt":
        error = agent.HitlInterrupt("approve")
    else:
        signal = agent.HandoffSignal(to="writer", message="go on")
        error = agent.SwarmHandoffError("m", signal=signal)
    return error


def test_the_layer_of_the_contract(agent: ModuleType) -> None:
    """R2, R3, R5, R7: what `tool_retry(retry_on=[TimeoutError], on_failure="continue")`
    makes of a timeout, of a terminal error, of a stamp, and of control flow."""
    layers = importlib.import_module(f"{agent.__name__}.retry")
    waits: list[float] = []
    layer = layers.tool_retry(
        retry_on=[TimeoutError], on_failure="continue", sleep=waits.append
    )
    answer = layer(None, throwing(TimeoutError("slow")))
    assert answer == {
        "role": "tool",
        "status": "error",
        "content": "Failed after 4 calls: TimeoutError: slow",
    }
    assert len(waits) == 3
    waits.clear()
    for thrown in (
        agent.BudgetExceededError("m"),
        agent.stamp_retryable(ValueError("m"), False),
        control_error(agent, "HitlInterrupt"),
        control_error(agent, "SwarmHandoffError"),
    ):
        with pytest.raises(type(thrown)) as raised:
            layer(None, throwing(thrown))
        assert raised.value is thrown
    assert waits == []
    assert layer(None, throwing(ValueError("m")))["content"].startswith(
        "Failed after 1"
    )


def test_a_host_builds_its_own_message(agent: ModuleType) -> None:
    """R7: `to_message` gets the text, the error and the request, and its value is the
    answer; of a decorated function the request is the first argument."""
    layers = importlib.import_module(f"{agent.__name__}.retry")
    thrown = ValueError("m")

    def to_message(text: str, error: Exception, request: object) -> object:
        assert error is thrown
        return ("mine", text, request)

    layer = layers.tool_retry(on_failure="continue", to_message=to_message)
    text = "Failed after 1 call: ValueError: m"
    assert layer("request", throwing(thrown)) == ("mine", text, "request")
    assert layer(throwing(thrown))("first") == ("mine", text, "first")


def test_an_async_function_may_answer(agent: ModuleType) -> None:
    """R8: what an async `on_failure` gives is awaited; None gives a text too."""
    layers = importlib.import_module(f"{agent.__name__}.retry")
    answers: list[object] = ["answer", None]

    async def on_failure(error: Exception) -> object:
        return answers.pop(0)

    async def fail(request: object) -> None:
        raise ValueError("m")

    layer = layers.retrying(on_failure=on_failure)
    assert asyncio.run(layer(None, fail)) == "answer"
    assert asyncio.run(layer(None, fail)) == "Failed after 1 call: ValueError: m"


@pytest.mark.parametrize(
    ("make", "context", "expected"),
    [
        (lambda m: m.TransientError("m"), {}, True),
        (lambda m: m.TerminalError("m"), {}, False),
        (lambda m: m.UndecidedError("m"), {}, False),
        (lambda m: m.UnsafeError("m"), {}, False),
        (lambda m: m.UnsafeError("m"), {"idempotent": True}, True),
        (lambda m: m.HandoffError("m"), {}, False),
        (lambda m: m.stamp_retryable(OSError(), True), {}, True),
        (lambda m: OSError(), {}, False),
        (lambda m: OSError(), {"retry_on": OSError}, True),
        (lambda m: OSError(), {"retry_on": [ValueError]}, False),
        (lambda m: m.TerminalError("m"), {"retry_on": lambda error: True}, False),
        (lambda m: asyncio.CancelledError(), {"retry_on": BaseException}, False),
        (lambda m: KeyboardInterrupt(), {"retry_on": BaseException}, False),
    ],
)
def test_a_loop_of_ones_own_asks_the_same(
    retries: ModuleType, make: Any, context: dict[str, Any], expected: bool
) -> None:
    """R1 to R5, P5: `should_retry` decides as the layers do."""
    assert retries.retry.should_retry(make(retries), **context) is expected
