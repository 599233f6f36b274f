"""Code that uses the agent catalogue as it is meant; no checker finds anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, assert_type

from agent_errors import (
    CODES,
    AgentError,
    CodeInfo,
    HandoffSignal,
    HitlInterrupt,
    ModelError,
    PolicyDeniedError,
    RunTimeoutError,
    SwarmHandoffError,
    codes,
    from_wire,
    get_retryable,
    is_agent_error,
    is_control,
    is_retryable_error,
    lookup,
    matches,
    stamp_retryable,
    to_wire,
)

if TYPE_CHECKING:
    from agent_errors.codes import ErrorCode, Spelling
    from agent_errors.errors import KnownError, ModelErrorReason


def narrow_by_code(error: KnownError) -> None:
    if error.code == "MODEL_ERROR":
        assert_type(error, ModelError)
        assert_type(error.status, int | None)
        assert_type(error.retry_after, float | str | None)
    elif error.code == "SWARM_HANDOFF":
        assert_type(error, SwarmHandoffError)
        assert_type(error.signal, HandoffSignal)
        assert_type(error.signal.to, str)
    else:
        assert_type(error.message, str)


def narrow_two(error: ModelError | RunTimeoutError) -> int | None:
    if error.code != "MODEL_ERROR":
        assert_type(error, RunTimeoutError)
        return None
    return error.status


def narrow_by_class(error: BaseException) -> None:
    if isinstance(error, ModelError):
        assert_type(error.code, Literal["MODEL_ERROR"])
        assert_type(error.retryable, bool)
        reason: ModelErrorReason | None = error.reason
        print(reason)
    elif is_agent_error(error):
        assert_type(error, AgentError)
        assert_type(error.code, str)
        assert_type(error.extra, Mapping[str, Any])
    assert_type(get_retryable(error), bool | None)
    assert_type(get_retryable(error, idempotent=True), bool | None)
    assert_type(is_retryable_error(error), bool)
    assert_type(is_control(error), bool)


def make(text: str, many: Sequence[str]) -> list[AgentError | HitlInterrupt]:
    return [
        AgentError(text, text),
        AgentError("ANY", "m", True),
        AgentError(code="ANY", message="m", retryable=False),
        ModelError("m"),
        ModelError("m", status=503, reason="network", retry_after="120"),
        ModelError(message="m", retry_after=1.5, retryable=None),
        PolicyDeniedError("m", retryable=True),
        SwarmHandoffError("m", signal=HandoffSignal(to="x", message="y", context=many)),
        HitlInterrupt(),
    ]


class Mine(ModelError):
    def __init__(self, request: str) -> None:
        super().__init__(f"{request} failed", status=503)
        self.request = request


def look_up(code: ErrorCode, spelling: Spelling, text: str) -> None:
    assert_type(CODES[code], CodeInfo)
    assert_type(CODES[codes.POLICY_DENIED], CodeInfo)
    assert_type(lookup("POLICY_DENY"), CodeInfo)
    assert_type(lookup(spelling), CodeInfo)
    assert_type(lookup(text), CodeInfo | None)
    assert_type(lookup(1205), CodeInfo | None)
    assert_type(CODES[code].code, ErrorCode)


def carry(error: AgentError, data: dict[str, Any]) -> None:
    assert_type(stamp_retryable(error, False), AgentError)
    assert_type(stamp_retryable(ValueError(), True), ValueError)
    assert_type(to_wire(error), dict[str, Any])
    assert_type(from_wire(data), AgentError)
    assert_type(matches(error, "POLICY_DENY"), bool)
    assert_type(matches(Mine("x"), codes.MODEL_ERROR), bool)
