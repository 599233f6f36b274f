"""Classes of every shape used as they are meant; no checker finds anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, assert_type

from family_errors import BranchError, DeepError, FamilyError, ManyError, SeaError
from family_errors import from_wire as family_from_wire
from family_errors import to_wire as family_to_wire
from sink_errors import (
    BudgetError,
    FlaggedError,
    HTTPConnectError,
    Issue,
    ModelError,
    OpenError,
    PolicyError,
    ProfileError,
    SinkError,
    StorageError,
    Usage,
)

if TYPE_CHECKING:
    from sink_errors.errors import BudgetErrorFlags, PolicyErrorReason


def many(error: StorageError) -> None:
    StorageError("storage_corrupt", "m", path="x", line=3)
    StorageError(code="shared_code", message="m")
    assert_type(error.line, int | None)
    assert_type(
        error.code,
        Literal["storage_unavailable", "storage_corrupt", "storage_odd", "shared_code"],
    )
    assert_type(error.retryable, bool | None)
    assert_type(error.docs_url, str | None)


def pages(error: SinkError, root: ProfileError, family: FamilyError) -> None:
    assert_type(error.docs_url, str | None)
    assert_type(root.docs_url, str | None)
    assert_type(family.docs_url, str | None)  # a catalogue without pages


def derived(reason: PolicyErrorReason) -> None:
    error = PolicyError("m", reason=reason)
    PolicyError("m", reason='unre"solved', provider=None)
    assert_type(error.code, Literal["POLICY_INVALID", "POLICY_DENIED", "POLICY_ODD"])
    assert_type(error.reason, Literal["invalid", "denied", 'unre"solved'])


def every_type(flags: list[BudgetErrorFlags]) -> None:
    error = BudgetError(
        agent="a",
        tokens_used=1,
        took=250,
        at="2027-01-31T12:00:00Z",
        rate=1,
        flags=flags,
        issues=[Issue(code="MISMATCH", inner=(Issue(code="NO_AGENT"),))],
        raw={"k": [None]},
        args_=("x",),
        wait=2,
        cause=ValueError(),
        scope="any text",
    )
    assert_type(error.flags, tuple[Literal["a", "b"], ...] | None)
    assert_type(error.issues, tuple[Issue, ...] | None)
    assert_type(error.rate, float | None)
    assert_type(error.class_, bool | None)
    assert_type(error.args_, tuple[str, ...] | None)
    assert_type(ProfileError().usage, Usage | None)
    assert_type(Usage(input_tokens=1, by_model={"m": 1}).by_model, Mapping[str, int] | None)


def narrow(error: ModelError | FlaggedError | HTTPConnectError | StorageError) -> None:
    if error.code == "flagged":
        assert_type(error, FlaggedError)
    elif error.code == "storage_odd":
        assert_type(error, StorageError)
    SinkError("any", "m", None)
    SinkError("eval_failed", "m", failures=["x"])
    OpenError("any text", "m", path="x", retryable=False)


def kin(many: ManyError, deep: DeepError) -> None:
    assert_type(many.code, Literal["MANY_FREE", "MANY_PIN"])
    assert_type(deep.code, str)
    assert_type(deep.depth, int)
    family_to_wire(deep)
    error: FamilyError | SeaError | BranchError = family_from_wire({})
    family_to_wire(error)
