// Runs the scenarios of tests/cases/retry/scenarios.yaml, as that file explains them,
// through the generated retry layers: {own, copy, rows} in, what happened to each row out.
import { getEventListeners } from "node:events";
import { readFileSync } from "node:fs";

const { own, copy, rows } = JSON.parse(readFileSync(0, "utf8"));
const [errors, foreign, retry] = await Promise.all(
  [`${own}/index.js`, `${copy}/index.js`, `${own}/retry.js`].map(
    (file) => import(file),
  ),
);
const NOW = Date.UTC(1994, 10, 6, 8, 49, 30);

class PlainError extends Error {
  name = "PlainError";
}
class TimedOutError extends Error {
  name = "TimedOutError";
}
class FutureAbort extends Error {
  name = "AbortError";
}
class RetryLaterError extends Error {
  constructor(message, fields) {
    super(message);
    Object.assign(this, fields);
  }
}

// What each kind of error is: the class for filters, and what makes one.
const of = (cls) => [cls, (message, options) => new cls(message, options)];
const KINDS = {
  plain: of(PlainError),
  timeout: of(TimedOutError),
  interrupt: [DOMException, (m) => new DOMException(m, "AbortError")],
  "future-cancelled": of(FutureAbort),
  "retry-later": of(RetryLaterError),
  suspension: of(errors.Suspension),
  handoff: of(errors.HandoffError),
  transient: of(errors.TransientError),
  terminal: of(errors.TerminalError),
  undecided: of(errors.UndecidedError),
  "rate-limited": of(errors.RateLimitedError),
  unsafe: of(errors.UnsafeError),
  base: [errors.RetriesError, (m) => new errors.RetriesError("NOBODY", m)],
  "foreign-transient": of(foreign.TransientError),
  "foreign-terminal": of(foreign.TerminalError),
  "foreign-handoff": of(foreign.HandoffError),
  group: [AggregateError],
};

function make({ error: kind, stamp, retryable, fields = {}, of: inner }) {
  const options = retryable === undefined ? {} : { retryable };
  for (const [name, value] of Object.entries(fields)) {
    const key = kind === "retry-later" ? name : camel(name);
    options[key] = value?.digits ? "9".repeat(value.digits) : value;
  }
  const given = Object.keys(options).length > 0 ? [options] : [];
  const error = inner
    ? new AggregateError(inner.map(make), "m")
    : KINDS[kind][1]("m", ...given);
  return stamp === undefined ? error : errors.stampRetryable(error, stamp);
}

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

// All that may not change of an error on its way through a layer.
function look(error) {
  return JSON.stringify([
    error.stack,
    Reflect.ownKeys(error).map(String),
    error.cause === undefined,
  ]);
}

// Turn the options of a row into those of a layer; what is asked, and what that
// throws, goes into `seen`.
function optionsOf({ options = {}, abort }, seen, signal) {
  const made = { jitter: false, clock: () => NOW, signal };
  const raise = (kind) => {
    seen.special = make({ error: kind });
    throw seen.special;
  };
  for (const [name, value] of Object.entries(options)) {
    made[camel(name)] = value;
  }
  const { retry_on: filter, on_failure: answer, jitter } = options;
  if (filter?.predicate !== undefined) {
    made.retryOn = () => {
      seen.asked += 1;
      return filter.predicate === "raises"
        ? raise("timeout")
        : filter.predicate;
    };
  } else if (filter?.things) {
    made.retryOn = filter.things.map((one) =>
      one === 1 ? one : TimedOutError,
    );
  } else if (filter !== undefined) {
    const classes = [filter].flat().map((kind) => KINDS[kind][0]);
    made.retryOn = Array.isArray(filter) ? classes : classes[0];
  }
  if (typeof answer === "object") {
    made.onFailure = () => {
      seen.asked += 1;
      // What is nothing in Python is undefined here.
      return answer.raises
        ? raise(answer.raises)
        : (answer.returns ?? undefined);
    };
  }
  if (typeof jitter === "number") {
    made.jitter = true;
    made.random = () => jitter;
  }
  for (const name of ["maxRetries", "initialDelayMs", "maxDelayMs"]) {
    if (typeof made[name] === "string") made[name] = Number(made[name]);
  }
  made.onRetry = (attempt, error, ms) =>
    seen.told.push([attempt, ms, error === seen.thrown.at(-1)]);
  made.sleep = (ms) => {
    seen.waits.push(ms);
    if (abort !== "during") return Promise.resolve();
    seen.controller.abort(seen.special);
    return new Promise(() => {}); // which nobody may wait for
  };
  return made;
}

// The ways in which a call goes through a layer, each with a handler of its kind.
const WAYS = {
  "request and handler": async (layer, handler) =>
    layer(5, async (request) => handler(request)),
  "wrapped function": async (layer, handler) =>
    layer(async (request) => handler(request))(5),
  "handler that is not async": async (layer, handler) => layer(5, handler),
};

function layerOf(row, options) {
  const layers = {
    tool: retry.toolRetryMiddleware,
    model: retry.modelRetryMiddleware,
    job: retry.jobRetryMiddleware,
  };
  if (row.layer !== "any") return layers[row.layer ?? "tool"](options);
  return (...given) =>
    given.length === 1
      ? retry.withRetry(given[0], options)
      : retry.withRetry(given[1], options)(given[0]);
}

async function run(row, way, signalled) {
  const controller = new AbortController();
  const signal = signalled ? controller.signal : undefined;
  const seen = {
    calls: 0,
    waits: [],
    told: [],
    asked: 0,
    thrown: [],
    controller,
  };
  const told = {};
  try {
    const layer = layerOf(row, optionsOf(row, seen, signal));
    const wraps = {
      generator: function* () {},
      "async-generator": async function* () {},
    };
    if (row.wraps) layer(wraps[row.wraps]);
    if (row.then.refused) return { refused: false };
    if (row.abort) seen.special = new Error("aborted");
    if (row.abort === "before") controller.abort(seen.special);
    told.gives = await WAYS[way](layer, (request) => {
      if (request !== 5) throw new Error("another request");
      const call = row.calls[Math.min(seen.calls, row.calls.length - 1)];
      seen.calls += 1;
      if (row.abort === "by-call") controller.abort(seen.special);
      if (!("error" in call)) return call.returns;
      const error = make(call);
      seen.thrown.push(error);
      seen.look = look(error);
      throw error;
    });
  } catch (error) {
    if (row.then.refused) return { refused: error.name };
    if (error === seen.thrown.at(-1)) {
      told.raises = look(error) === seen.look ? "last" : "last, changed";
    } else {
      told.raises = error === seen.special ? "special" : String(error);
    }
  }
  const { calls, waits, asked } = seen;
  const listeners = getEventListeners(controller.signal, "abort").length;
  return { ...told, calls, waits, told: seen.told, asked, listeners };
}

const all = {};
for (const row of rows) {
  all[row.name] = [];
  for (const way of Object.keys(WAYS)) {
    for (const signalled of row.abort ? [true] : [true, false]) {
      all[row.name].push({ way, ...(await run(row, way, signalled)) });
    }
  }
}
console.log(JSON.stringify(all));
