"""Retry layers keep the signature of what they wrap, and say what a failure gives."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar, assert_type

from agent_errors.retry import (
    Answering,
    ModelMessage,
    Retry,
    ToolMessage,
    model_retry,
    next_delay,
    retrying,
    should_retry,
    tool_retry,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@tool_retry(retry_on=[TimeoutError], max_retries=5, context={"idempotent": True})
def decorated(number: int, *, text: str = "") -> float:
    return number + len(text)


@model_retry(on_failure="continue")
async def answered(number: int) -> bytes:
    return bytes(number)


T = TypeVar("T")


@retrying()
def untyped(number: int) -> Any:
    return number


@retrying()
def first(items: list[T]) -> T:
    return items[0]


async def on_failure_async(error: Exception) -> bytes:
    return str(error).encode()


def handle(request: str) -> int:
    return len(request)


async def handle_async(request: str) -> int:
    return len(request)


def on_failure(error: Exception) -> list[str]:
    return [str(error)]


def to_message(text: str, error: Exception, request: object) -> tuple[str, object]:
    return text, request


async def use() -> None:
    assert_type(decorated(1, text="x"), float)
    assert_type(await answered(1), bytes | ModelMessage)
    assert_type(tool_retry(), Retry)
    assert_type(tool_retry()("x", handle), int)
    assert_type(await tool_retry()("x", handle_async), int)
    assert_type(tool_retry(on_failure="continue")("x", handle), int | ToolMessage)
    assert_type(untyped(1), Any)
    assert_type(first([1]), int)
    waiting = retrying(on_failure=on_failure_async)
    assert_type(await waiting("x", handle_async), int | bytes | str)
    layer = retrying(on_failure=on_failure, sleep=lambda seconds: None)
    assert_type(layer("x", handle), int | list[str] | str)
    built = tool_retry(on_failure="continue", to_message=to_message)
    assert_type(built("x", handle), int | tuple[str, object])
    answer = model_retry(on_failure="continue")("x", handle)
    if not isinstance(answer, int):
        assert_type(answer["content"], str)
    assert_type(should_retry(OSError(), retry_on=OSError, idempotent=True), bool)
    assert_type(next_delay(0, OSError(), jitter=False), float | None)


class Client:
    @retrying(retry_on=lambda error: "again" in str(error))
    async def send(self, text: str) -> int:
        return len(text)


def method(client: Client) -> Coroutine[Any, Any, int]:
    return client.send("x")


def any_layer(layer: Answering[str], function: Callable[[int], int]) -> int | str:
    return layer(function)(1)
