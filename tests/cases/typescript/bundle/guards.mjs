import {
  fromWire,
  getRetryable,
  isAgentError,
  isCode,
  ModelError,
  PolicyDeniedError,
  SwarmHandoffError,
  isControl,
} from "agent-errors";

const told = [];
for (const error of [
  new ModelError("m", { status: 503 }),
  new PolicyDeniedError("m"),
  new SwarmHandoffError("m", { signal: { to: "a", message: "b" } }),
  fromWire({ code: "FS_ESCAPE", message: "m" }),
]) {
  told.push([
    error.name,
    error.code,
    error.stack.split("\n")[0],
    isAgentError(error),
    isCode(error, "POLICY_DENY"),
    getRetryable(error) ?? null,
    isControl(error),
  ]);
}
console.log(JSON.stringify(told));
