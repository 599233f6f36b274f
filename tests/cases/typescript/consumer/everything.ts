// The same for a catalogue that uses every feature.
import {
  BudgetError,
  fromWire,
  getRetryable,
  HandoffError,
  HTTPConnectError,
  Interrupt,
  isCode,
  lookup,
  OpenError,
  PolicyError,
  ProfileError,
  SinkError,
  StorageError,
  TransportError,
} from "sink-errors";
import { isCode as isFamilyCode } from "family-errors";
import type { HeirError } from "family-errors";
import type {
  BudgetErrorScope,
  Issue,
  KnownError,
  ModelCode,
  PolicyErrorReason,
} from "sink-errors";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
function same<A, B>(_: Same<A, B>): void {}

export function pages(error: KnownError, root: ProfileError): unknown {
  same<typeof error.docsUrl, string | undefined>(true);
  same<typeof root.docsUrl, string | undefined>(true);
  return error.docsUrl;
}

export function narrow(error: KnownError): unknown {
  switch (error.code) {
    case "storage_corrupt":
      same<typeof error.line, number | undefined>(true);
      return error.line;
    case "http.connect":
      same<typeof error, HTTPConnectError>(true);
      return error.status;
    case "budget":
      same<typeof error.class_, true>(true);
      same<typeof error.issues, readonly Issue[] | undefined>(true);
      return error.tokensUsed;
    case "POLICY_DENY":
      same<typeof error.reason, PolicyErrorReason>(true);
      return error.provider;
    case "node_failed":
      return error.failures;
    // @ts-expect-error: it is retired
    case "OLD":
      return undefined;
    default:
      return error.retryable;
  }
}

const issue: Issue = {
  code: "MISMATCH",
  path: ["a"],
  inner: [{ code: "NO_AGENT" }],
};
const least = { agent: "a", tokensUsed: 7 };
const scope: BudgetErrorScope = "any text";
export const errors = [
  new SinkError("ANY", "m", undefined, { failures: ["x"] }),
  new HTTPConnectError("m", { status: 503 }),
  new StorageError("storage_corrupt", "m", { line: 3 }),
  new PolicyError("m", { reason: "denied" }),
  new OpenError("anything", "m"),
  new BudgetError(undefined, least),
  new BudgetError("m", {
    ...least,
    scope,
    wait: "120",
    raw: [1, { x: null }],
    issues: [issue],
  }),
  new HandoffError("m", { signal: issue }),
  new Interrupt(),
  new ProfileError("m", { usage: { inputTokens: 1, byModel: { a: 1 } } }),
];
same<ModelCode, "http.connect" | "rate_limited" | "overloaded" | "auth">(true);
getRetryable(errors[0], { idempotent: true, attempt: 2 });
lookup(1205);

// @ts-expect-error: it is abstract
new TransportError("m");
export class Mine extends TransportError {
  constructor() {
    super("mine", { status: 503 });
  }
}
// @ts-expect-error: none of its codes
new StorageError("nope", "m");
// @ts-expect-error: a word is missing
new PolicyError("m", {});
// @ts-expect-error: the code fixes that field
new BudgetError("m", { ...least, class_: true });
// @ts-expect-error: fields are missing
new BudgetError("m", { agent: "a" });
// @ts-expect-error: facts have types
getRetryable(errors[0], { attempt: "2" });
// @ts-expect-error: no such alias among the spellings
isCode(errors[0], "timeout_of_node");
const read = fromWire({});
same<typeof read.retryable, boolean | undefined>(true);
export { read };

export function others(error: HeirError): string {
  if (isFamilyCode(error, "HEIR")) return error.code;
  // What is left over are the subclasses, which carry other codes.
  same<typeof error, HeirError>(true);
  return error.message;
}
