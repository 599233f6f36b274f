// A contract that starts from classes: what its consumers write, and what is refused.
import {
  DurableApprovalError,
  EgressPolicyError,
  FileTraceStoreError,
  InvalidTaskRequirementsError,
  isCode,
  JournalLineageError,
  LLMCallTimeoutError,
  lookup,
  RoutingTimeoutError,
  RunViewerInputError,
  StructuredOutputValidationError,
  TaskProfileValidationError,
  TraceStoreError,
} from "oma-errors";
import type { ErrorAttributes, KnownError, TokenUsage } from "oma-errors";
// @ts-expect-error: it is internal
import { OmaValidationError } from "oma-errors";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
function same<A, B>(_: Same<A, B>): void {}

export function narrow(error: KnownError): unknown {
  if (error.code === "LLM_CALL_TIMEOUT") {
    same<typeof error, LLMCallTimeoutError>(true);
    return error.timeoutMs;
  }
  if (error.code === "ROUTING_TIMEOUT") {
    same<typeof error.stage, "router" | "profiler">(true);
    return error.stage;
  }
  if (error.code === "MISSING_CONTEXT_REPLACE") {
    same<typeof error, JournalLineageError>(true);
    return error.blockIndex;
  }
  if (error.code === "EGRESS_POLICY_DENIED") {
    return error.origin;
  }
  if (error.code === "INVALID_CURSOR") {
    return error.field;
  }
  // @ts-expect-error: no such code
  if (error.code === "JOURNAL_LINEAGE") return undefined;
  // @ts-expect-error: nothing is known of what it carries
  return error.timeoutMs;
}

export function guard(error: unknown): unknown {
  if (isCode(error, "UNSUPPORTED_SCHEMA_VERSION")) {
    if (error instanceof TraceStoreError) return error.field;
    // @ts-expect-error: the Run Viewer tells no field
    return error instanceof RunViewerInputError ? error.field : error.code;
  }
  return undefined;
}

new LLMCallTimeoutError(undefined, { timeoutMs: 250, agent: "a" });
new EgressPolicyError("m", { reason: "denied", origin: "https://a.b" });
new TraceStoreError("INVALID_CURSOR", "m", { field: "cursor" });
new FileTraceStoreError("ANY", "m", { lineNumber: 3 });
new StructuredOutputValidationError("m", { cause: new Error("why") });
new InvalidTaskRequirementsError("m", { issues: [{ code: "NO_ELIGIBLE_AGENT" }] });
const usage: TokenUsage = { inputTokens: 1, outputTokens: 2 };
new TaskProfileValidationError("m", { usage });

// @ts-expect-error: not a number
new LLMCallTimeoutError("m", { timeoutMs: "1s" });
// @ts-expect-error: it needs a time
new LLMCallTimeoutError("m");
// @ts-expect-error: no such stage
new RoutingTimeoutError("m", { timeoutMs: 1, stage: "planner" });
// @ts-expect-error: no such reason
new EgressPolicyError("m", { reason: "forbidden" });
// @ts-expect-error: the reason decides the code
new EgressPolicyError("EGRESS_POLICY_DENIED", "m", { reason: "denied" });
// @ts-expect-error: no such issue
new InvalidTaskRequirementsError("m", { issues: [{ code: "OTHER" }] });
// @ts-expect-error: a code of the Run Viewer
new TraceStoreError("MISSING_SOURCE", "m");
// @ts-expect-error: a code of stores
new RunViewerInputError("INVALID_CURSOR", "m");
// @ts-expect-error: what stores carry
new RunViewerInputError("MISSING_SOURCE", "m", { field: "run" });
// @ts-expect-error: no approval has this code
new DurableApprovalError("UNSUPPORTED_SCHEMA_VERSION", "m");
// @ts-expect-error: it has no code
new TaskProfileValidationError("m").code;

const attributes: ErrorAttributes = lookup("LLM_CALL_TIMEOUT").attributes;
same<typeof attributes.definedIn, string | undefined>(true);
same<typeof attributes.raised, "thrown" | "value" | undefined>(true);
same<typeof LLMCallTimeoutError.attributes, ErrorAttributes>(true);
same<typeof TaskProfileValidationError.attributes, ErrorAttributes>(true);
const surface = LLMCallTimeoutError.attributes.surfaces?.[0];
same<typeof surface, "thrown" | "result" | "tool_result" | "event" | undefined>(true);
// @ts-expect-error: no such column
attributes.statusText;
// @ts-expect-error: it is read only
attributes.raised = "value";
export const unused = OmaValidationError;
