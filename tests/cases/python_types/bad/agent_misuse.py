"""Misuse of the agent catalogue: both checkers report every marked line, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from agent_errors import (
    CODES,
    AgentError,
    HandoffSignal,
    HitlInterrupt,
    ModelError,
    RunTimeoutError,
    SwarmHandoffError,
    codes,
    from_wire,
    is_retryable_error,
    lookup,
    stamp_retryable,
    to_wire,
)

if TYPE_CHECKING:
    from agent_errors.codes import ErrorCode
    from agent_errors.errors import KnownError

ModelError("m", status="503")  # error
ModelError("m", status=5.0)  # error
ModelError("m", stauts=503)  # error
ModelError("m", reason="nope")  # error
ModelError("m", retry_after=[])  # error
ModelError("m", 503)  # error
ModelError(503)  # error
ModelError()  # error
ModelError("m", retryable="yes")  # error
ModelError("MODEL_ERROR", "m")  # error
RunTimeoutError("m", status=503)  # error
AgentError("X")  # error
AgentError("X", "m", "no")  # error
AgentError("X", "m", None)  # error
AgentError(5, "m")  # error
AgentError("X", "m", status=503)  # error
HitlInterrupt(5)  # error
SwarmHandoffError("m")  # error
SwarmHandoffError("m", signal=None)  # error
SwarmHandoffError("m", signal={"to": "x", "message": "y"})  # error
HandoffSignal(to="x")  # error
HandoffSignal("x", "y")  # error
HandoffSignal(to="x", message="y", extra=1)  # error

error = ModelError("m")
error.code = "OTHER"  # error
error.status = "503"  # error
error.nothing = 1  # error
print(error.nothing)  # error
number: int = error.status  # error
other: Literal["OTHER"] = ModelError("m").code  # error

print(CODES["NOPE"])  # error
print(CODES["POLICY_DENY"])  # error
print(codes.NOPE)  # error
key: ErrorCode = "POLICY_DENY"  # error
print(lookup(5.0))  # error
print(lookup("any").code)  # error
print(CODES["MODEL_ERROR"].nothing)  # error

stamp_retryable(ValueError(), "true")  # error
stamp_retryable("no error", True)  # error
print(is_retryable_error("no error"))  # error
from_wire("no mapping")  # error
to_wire(ValueError())  # error
to_wire(HitlInterrupt())  # error


def compare(error: KnownError, model: ModelError) -> None:
    print(model.code == "TIMEOUT")  # error
    if error.code == "MODEL_ERROR":
        print(error.signal)  # error
    elif error.code == "TIMEOUT":
        print(error.status)  # error
