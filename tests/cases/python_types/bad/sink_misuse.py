"""Misuse of classes of every shape: both checkers report the marked lines alone."""

from __future__ import annotations

from family_errors import DeepError, ManyError, RoundError, SizedError
from sink_errors import (
    BudgetError,
    FlaggedError,
    Interrupt,
    Issue,
    PolicyError,
    ProfileError,
    SinkError,
    StorageError,
    Usage,
)

StorageError("POLICY_DENIED", "m")  # error
StorageError("m")  # error
StorageError("storage_odd", "m", line="3")  # error
StorageError("storage_odd", "m", reason="denied")  # error

PolicyError("m")  # error
PolicyError("m", reason="other")  # error
PolicyError("POLICY_DENIED", "m", reason="denied")  # error

BudgetError(agent="a")  # error
BudgetError("m")  # error
BudgetError(agent="a", tokens_used="7")  # error
BudgetError(agent="a", tokens_used=7, flags=["z"])  # error
BudgetError(agent="a", tokens_used=7, flags="a")  # error
BudgetError(agent="a", tokens_used=7, issues=[{"code": "MISMATCH"}])  # error
BudgetError(agent="a", tokens_used=7, class_=True)  # error
BudgetError(agent="a", tokens_used=7, args=["x"])  # error
BudgetError(agent="a", tokens_used=7, cause="text")  # error
BudgetError(agent="a", tokens_used=7, took="1s")  # error
BudgetError(agent="a", tokens_used=7, args_=[1])  # error
BudgetError(agent="a", tokens_used=7, at=5)  # error
BudgetError(agent="a", tokens_used=7, rate="1")  # error
BudgetError(agent="a", tokens_used=7, scope=5)  # error

FlaggedError("m", must=None)  # error
FlaggedError("m", must="p", tags=["d"])  # error
FlaggedError("m", must="p", on="yes")  # error

Issue(code="X")  # error
Issue(code="MISMATCH", inner=["x"])  # error
Usage(input_tokens=1, by_model={"m": "1"})  # error
ProfileError(usage={"input_tokens": 1})  # error
Interrupt(code="X")  # error
SinkError("eval_failed", "m", failures=[1])  # error
SinkError("eval_failed", "m", True, ["x"])  # error

DeepError("any", "m")  # error
ManyError("PIN", "m")  # error
RoundError("m", kind="round")  # error
SizedError("m", kind="square")  # error
