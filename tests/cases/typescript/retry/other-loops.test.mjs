// p-retry with `shouldRetry` as its predicate decides as the layers do.
import assert from "node:assert/strict";
import test from "node:test";

const folder = process.env.PACKAGES;
const [own, copy] = await Promise.all(
  ["retries", "retries-copy"].map(
    (name) => import(`${folder}/${name}/index.js`),
  ),
);
const { nextDelay, shouldRetry, withRetry } = await import(
  `${folder}/retries/retry.js`
);
const { default: pRetry } = await import(
  `${process.env.NODE_TOOLS}/p-retry/index.js`
);

class Plain extends Error {}
class Timeout extends Error {}
const named = (name) => Object.assign(new Error("m"), { name });
const later = (seconds) => ({ retryAfter: seconds });
const { stampRetryable: stamp } = own;

const ERRORS = {
  plain: () => new Plain("m"),
  timeout: () => new Timeout("m"),
  "plain, stamped true": () => stamp(new Plain("m"), true),
  "plain, stamped false": () => stamp(new Plain("m"), false),
  "frozen, stamped true": () => stamp(Object.freeze(new Plain("m")), true),
  "an abort": () => new DOMException("m", "AbortError"),
  "an abort by name": () => named("AbortError"),
  "an abort, stamped true": () => stamp(named("AbortError"), true),
  suspension: () => new own.Suspension(),
  "suspension, stamped true": () => stamp(new own.Suspension(), true),
  handoff: () => new own.HandoffError("m"),
  "handoff of another copy": () => new copy.HandoffError("m"),
  transient: () => new own.TransientError("m"),
  "transient, told false": () =>
    new own.TransientError("m", { retryable: false }),
  "transient, stamped false": () => stamp(new own.TransientError("m"), false),
  "transient of another copy": () => new copy.TransientError("m"),
  terminal: () => new own.TerminalError("m"),
  "terminal, stamped true": () => stamp(new own.TerminalError("m"), true),
  "terminal of another copy": () => new copy.TerminalError("m"),
  undecided: () => new own.UndecidedError("m"),
  unsafe: () => new own.UnsafeError("m"),
  base: () => new own.RetriesError("NOBODY", "m"),
  "rate limited": () => new own.RateLimitedError("m", later(1)),
  "rate limited too long": () => new own.RateLimitedError("m", later("11")),
  "a timeout too long": () => Object.assign(new Timeout("m"), later(11)),
  "a group of transients": () =>
    new AggregateError([
      new own.TransientError("m"),
      new copy.TransientError("m"),
    ]),
  "a group with a terminal": () =>
    new AggregateError([
      new own.TransientError("m"),
      new own.TerminalError("m"),
    ]),
  "a group with a suspension": () =>
    new AggregateError([new own.TransientError("m"), new own.Suspension()]),
  "a group with an abort": () =>
    new AggregateError([new Plain("m"), named("AbortError")]),
  "a group of plains": () => new AggregateError([new Plain("m")]),
};
const FILTERS = {
  none: undefined,
  "a class": Timeout,
  classes: [Timeout, own.UndecidedError],
  everything: [Error],
  "a predicate": (error) => error instanceof Plain,
};

/** Return how often a function is called, and whether its last error comes out. */
async function outcome(loop, make) {
  const thrown = [];
  const found = await loop(async () => {
    thrown.push(make());
    throw thrown.at(-1);
  }).catch((error) => error);
  return [thrown.length, found === thrown.at(-1)];
}

for (const [name, make] of Object.entries(ERRORS)) {
  test(`p-retry and a layer decide alike: ${name}`, async () => {
    for (const retryOn of Object.values(FILTERS)) {
      for (const context of [undefined, { idempotent: true }]) {
        const options = { retryOn, context, sleep: () => {}, maxRetries: 2 };
        const layer = (fn) => withRetry(fn, options)();
        const other = (fn) =>
          pRetry(fn, {
            retries: 2,
            minTimeout: 0,
            shouldRetry: ({ error, retriesConsumed }) =>
              shouldRetry(error, retryOn, context) &&
              nextDelay(retriesConsumed, error) !== undefined,
          });
        const [calls, isLast] = await outcome(layer, make);
        assert.deepEqual(await outcome(other, make), [calls, isLast]);
        assert.ok(isLast && [1, 3].includes(calls));
      }
    }
  });
}
