// What a consumer of the package writes, and what the compiler must refuse.
import {
  AgentError,
  ERRORS,
  fromWire,
  getRetryable,
  HitlInterrupt,
  isAgentError,
  isCode,
  isRetryableError,
  lookup,
  matches,
  ModelError,
  PolicyDeniedError,
  stampRetryable,
  SwarmHandoffError,
  toWire,
} from "agent-errors";
import type {
  CodeInfo,
  ErrorCode,
  ErrorOf,
  HandoffSignal,
  KnownError,
  ModelCode,
  ModelErrorOptions,
  ModelErrorReason,
  Rule,
  Spelling,
} from "agent-errors";

/** Compiles only where both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
function same<A, B>(_: Same<A, B>): void {}

export function narrow(error: KnownError): unknown {
  switch (error.code) {
    case "MODEL_ERROR":
      same<typeof error, ModelError>(true);
      same<typeof error.status, number | undefined>(true);
      same<typeof error.reason, ModelErrorReason | undefined>(true);
      return error.status;
    case "SWARM_HANDOFF":
      same<typeof error, SwarmHandoffError>(true);
      return error.signal.to;
    case "POLICY_DENY":
      same<typeof error, PolicyDeniedError>(true);
      return error.message;
    // @ts-expect-error: TypeScript spells it otherwise
    case "POLICY_DENIED":
    // @ts-expect-error: only Python raises it
    case "LOCK_ERROR":
      return undefined;
    default:
      // @ts-expect-error: these errors carry no status
      return error.signal;
  }
}

export function guard(error: unknown): string | number | undefined {
  if (isCode(error, "POLICY_DENY")) {
    same<typeof error, PolicyDeniedError>(true);
    return error.code;
  }
  if (isCode(error, "POLICY_DENIED", "MODEL_ERROR")) {
    same<typeof error, ModelError | PolicyDeniedError>(true);
    return error.code === "MODEL_ERROR" ? error.status : error.code;
  }
  if (isCode(error, "LOCK_ERROR")) {
    same<typeof error.code, "LOCK_ERROR">(true);
    return error.message;
  }
  // @ts-expect-error: no such code
  isCode(error, "POLICY_DENYD");
  // @ts-expect-error: no code at all
  isCode(error);
  if (isAgentError(error)) {
    same<typeof error, AgentError>(true);
    same<typeof error.retryable, boolean>(true);
    return error.code;
  }
  // @ts-expect-error: nothing is known of it
  return error.code;
}

same<ModelCode, "MODEL_ERROR" | "MODEL_CAPABILITY">(true);
same<ErrorOf<"POLICY_DENY">, ErrorOf<"POLICY_DENIED">>(true);
const code: ErrorCode = "FS_ESCAPE";
const spelling: Spelling = "POLICY_DENY";
// @ts-expect-error: a spelling is no key
export const wrongCode: ErrorCode = "POLICY_DENY";

const info: CodeInfo = lookup(spelling);
const maybe: CodeInfo | undefined = lookup("anything");
const rules: readonly Rule[] = info.rules;
export const found: CodeInfo | undefined = ERRORS.get(code) ?? maybe;
// @ts-expect-error: it may not be there
export const lost: CodeInfo = lookup("any" as string);
// @ts-expect-error: what the catalogue says is read only
info.retryable = true;
// @ts-expect-error: nobody adds codes
ERRORS.set("X", info);

const signal: HandoffSignal = { to: "a", message: "b", context: { any: 1 } };
const options: ModelErrorOptions = {
  status: 503,
  reason: undefined,
  cause: new Error("inner"),
};
export const errors: AgentError[] = [
  new AgentError("ANY", "m"),
  new AgentError("MODEL_ERROR", "m", true, { cause: 1 }),
  new ModelError("m"),
  new ModelError("m", options),
  new ModelError("m", { retryAfter: "120", retryable: false }),
  new PolicyDeniedError("m", { cause: undefined }),
  new SwarmHandoffError("m", { signal }),
];
const thrown: Error = new HitlInterrupt();
export const isControlFlow: boolean = !(thrown instanceof AgentError);

// @ts-expect-error: a message is wanted
new ModelError();
// @ts-expect-error: no number is a message
new ModelError(5);
// @ts-expect-error: the code is fixed
new ModelError("MODEL_ERROR", "m");
// @ts-expect-error: no such option
new ModelError("m", { statsu: 503 });
// @ts-expect-error: no text is a status
new ModelError("m", { status: "503" });
// @ts-expect-error: an error is no options, but a cause
new PolicyDeniedError("m", new Error("inner"));
// @ts-expect-error: nor is it those of the base
new AgentError("ANY", "m", true, new Error("inner"));
// @ts-expect-error: no such word
new ModelError("m", { reason: "other" });
// @ts-expect-error: the signal is missing
new SwarmHandoffError("m");
// @ts-expect-error: the record lacks a field
new SwarmHandoffError("m", { signal: { to: "a" } });
// @ts-expect-error: the record has no such field
new SwarmHandoffError("m", { signal: { ...signal, more: 1 } });
// @ts-expect-error: a verdict is a boolean
new AgentError("ANY", "m", "yes");
// @ts-expect-error: the verdict of the base has its place
new AgentError("ANY", "m", true, { retryable: true });
// @ts-expect-error: fields are read only
new ModelError("m").status = 503;
// @ts-expect-error: so is the code
new AgentError("ANY", "m").code = "OTHER";
// @ts-expect-error: no class has this code here
export type None = import("agent-errors").LockError;

export const stamped: ModelError = stampRetryable(new ModelError("m"), true);
// @ts-expect-error: a stamp is a boolean
stampRetryable(new Error("m"), 1);
export const answers: (boolean | undefined)[] = [
  getRetryable("anything"),
  getRetryable(new Error("m"), { idempotent: true }),
  isRetryableError(undefined),
  matches(null, "ANY"),
];
const wire = toWire(new ModelError("m"));
same<typeof wire.retryable, boolean | null>(true);
const read: AgentError = fromWire(JSON.parse(JSON.stringify(wire)));
same<typeof read.extra, Readonly<Record<string, unknown>>>(true);
// @ts-expect-error: only errors of this catalogue
toWire(new Error("m"));
export class Mine extends ModelError {
  constructor() {
    super("mine", { status: 400 });
  }
}
export { read, rules };
