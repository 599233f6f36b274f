"""Layers that cannot be, and calls that a wrapped function does not take."""

from __future__ import annotations

from agent_errors.retry import next_delay, retrying, should_retry, tool_retry


@tool_retry(on_failure="continue")
def decorated(number: int) -> int:
    return number


def handle(request: int) -> int:
    return request


total: int = decorated(1)  # error
decorated("x")  # error
tool_retry(on_failure="ignore")  # error
tool_retry(retry_on="TimeoutError")  # error
tool_retry(retry_on=[int])  # error
tool_retry(max_retry=3)  # error
tool_retry(to_message=lambda text, error, request: text)  # error
retrying()("x", handle)  # error
should_retry("error")  # error
seconds: float = next_delay(0)  # error
