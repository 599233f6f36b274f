"""Misuse of classes of a contract that starts from classes."""

from __future__ import annotations

from oma_errors import (
    DurableApprovalError,
    EgressPolicyError,
    InvalidMessageError,
    InvalidTaskRequirementsError,
    JournalLineageError,
    LLMCallTimeoutError,
    RoutingTimeoutError,
    RunViewerInputError,
    StructuredOutputValidationError,
    TaskProfileValidationError,
    TaskRequirementIssue,
    TraceStoreError,
    lookup,
)

LLMCallTimeoutError("m", timeout_ms="1s")  # error
LLMCallTimeoutError("m")  # error
RoutingTimeoutError("m", timeout_ms=1, stage="planner")  # error
EgressPolicyError("m", reason="forbidden")  # error
EgressPolicyError("EGRESS_POLICY_DENIED", "m", reason="denied")  # error
JournalLineageError("m", message_index="0", block_index=0, block_type="x")  # error
InvalidMessageError("m", agent="a")  # error
InvalidTaskRequirementsError("m", issues=[{"code": "NO_ELIGIBLE_AGENT"}])  # error
StructuredOutputValidationError("m")  # error
TaskRequirementIssue(code="OTHER")  # error
TaskProfileValidationError(usage={"input_tokens": 1})  # error
TaskProfileValidationError().code  # error

TraceStoreError("MISSING_SOURCE", "m")  # error
RunViewerInputError("INVALID_CURSOR", "m")  # error
RunViewerInputError("MISSING_SOURCE", "m", field="run")  # error
DurableApprovalError("UNSUPPORTED_SCHEMA_VERSION", "m")  # error

lookup("INVALID_CURSOR").attributes["no_such_column"]  # error
LLMCallTimeoutError.attributes["exit_code"].upper()  # error
