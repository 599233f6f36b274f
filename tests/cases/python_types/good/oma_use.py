"""Classes of a contract that starts from classes; no checker finds anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, assert_type

from oma_errors import (
    DurableApprovalError,
    EgressPolicyError,
    FileTraceStoreError,
    InvalidTaskRequirementsError,
    JournalLineageError,
    LLMCallTimeoutError,
    RoutingTimeoutError,
    RunViewerInputError,
    StructuredOutputValidationError,
    TaskProfileValidationError,
    TaskRequirementIssue,
    TokenUsage,
    TraceStoreError,
    lookup,
)

if TYPE_CHECKING:
    from oma_errors.codes import ErrorAttributes
    from oma_errors.errors import KnownError


def narrow(error: KnownError) -> object:
    if error.code == "ROUTING_TIMEOUT":
        assert_type(error, RoutingTimeoutError)
    if error.code == "MISSING_CONTEXT_REPLACE":
        assert_type(error, JournalLineageError)
    return error


def narrow_some(
    error: (
        LLMCallTimeoutError
        | RoutingTimeoutError
        | EgressPolicyError
        | DurableApprovalError
        | TraceStoreError
        | RunViewerInputError
    ),
) -> object:
    if error.code == "LLM_CALL_TIMEOUT":
        assert_type(error, LLMCallTimeoutError)
        return error.timeout_ms
    if error.code == "ROUTING_TIMEOUT":
        assert_type(error, RoutingTimeoutError)
        assert_type(error.stage, Literal["router", "profiler"])
        return error.stage
    if error.code == "EGRESS_POLICY_DENIED":
        assert_type(error, EgressPolicyError)
        return error.origin
    if error.code == "APPROVAL_CONFLICT":
        assert_type(error, DurableApprovalError)
    if error.code == "INVALID_CURSOR":
        assert_type(error, TraceStoreError)
        return error.field
    if error.code == "UNSUPPORTED_SCHEMA_VERSION":
        assert_type(error, TraceStoreError | RunViewerInputError)
    return None


def make() -> None:
    EgressPolicyError("m", reason="denied", origin="https://a.b")
    TraceStoreError("INVALID_CURSOR", "m", field="cursor")
    FileTraceStoreError("ANY", "m", line_number=3)
    StructuredOutputValidationError("m", cause=ValueError())
    InvalidTaskRequirementsError(
        "m", issues=[TaskRequirementIssue(code="NO_ELIGIBLE_AGENT", task_id="t")]
    )
    TaskProfileValidationError(usage=TokenUsage(input_tokens=1, output_tokens=2))
    LLMCallTimeoutError(timeout_ms=250)


def attributes(error: LLMCallTimeoutError) -> ErrorAttributes:
    found = lookup("LLM_CALL_TIMEOUT").attributes
    assert_type(found, "ErrorAttributes")
    assert_type(found.get("defined_in"), str | None)
    assert_type(found.get("exit_code"), int | None)
    assert_type(found.get("raised"), Literal["thrown", "value"] | None)
    assert_type(
        found.get("surfaces"),
        tuple[Literal["thrown", "result", "tool_result", "event"], ...] | None,
    )
    assert_type(TaskProfileValidationError.attributes, "ErrorAttributes")
    return error.attributes
