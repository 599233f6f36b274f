// `toProblem` of errors that hold anything, and properties of the way there and back.
import assert from "node:assert/strict";
import { test } from "node:test";

const { PACKAGES, NODE_TOOLS } = process.env;
const [errors, problem, copy, criogen, sink, sinks] = await Promise.all(
  [
    "gateway/index.js",
    "gateway/problem.js",
    "gateway-copy/index.js",
    "criogen/index.js",
    "sink/index.js",
    "sink/problem.js",
  ].map((file) => import(`${PACKAGES}/${file}`)),
);
const { default: fc } = await import(
  `${NODE_TOOLS}/fast-check/lib/fast-check.js`
);
const { fromWire, GatewayError, NoWaitError, QueueFullError, RootError } =
  errors;
const { fromProblem, ResponseError, toProblem } = problem;

const deep = (levels) => {
  let value = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
};

function withExtra(extra) {
  const error = new NoWaitError("m");
  error.extra = extra;
  return error;
}

const bare = toProblem(new NoWaitError("m"));

test("fields that JSON cannot hold are left out, and nothing else", () => {
  const circle = {};
  circle.self = circle;
  const values = [
    1n,
    circle,
    () => 7,
    Symbol("m"),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    deep(101),
    deep(1e6),
    new Proxy({}, { ownKeys: () => assert.fail("read") }),
    Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => assert.fail("read"),
    }),
    new (class {
      toJSON() {
        return assert.fail("read");
      }
    })(),
    new (class {
      toJSON() {
        return deep(101);
      }
    })(),
  ];
  for (const value of values) {
    for (const extra of [{ fine: 1, value }, { inner: [[{ value }]] }]) {
      const made = toProblem(withExtra(extra));
      assert.deepEqual(made, bare);
      assert(fromProblem(JSON.stringify(made.body)) instanceof NoWaitError);
    }
  }
  for (const extra of [undefined, null, 7, {}]) {
    assert.deepEqual(toProblem(withExtra(extra)), bare);
  }
});

test("fields as deep as the other side reads them travel", () => {
  const { body } = toProblem(withExtra({ x: deep(100) }));
  assert.deepEqual(body.details, { x: deep(100) });
  assert.deepEqual(fromProblem(JSON.stringify(body)).extra, { x: deep(100) });
});

test("a problem does not change with the error, nor later at all", () => {
  let reads = 0;
  const extra = {
    list: [1],
    get next() {
      return (reads += 1);
    },
  };
  const { body } = toProblem(withExtra(extra));
  const before = JSON.stringify(body);
  extra.list.push(2);
  assert.equal(JSON.stringify(body), before);
});

test("a message may be anything", () => {
  const throwing = { toString: () => assert.fail("read") };
  for (const message of ["\ud800", "", 7, null, undefined, 1n, throwing, []]) {
    const error = new NoWaitError("m");
    Object.defineProperty(error, "message", { value: message });
    const { body } = toProblem(error);
    assert.equal(typeof body.detail, "string");
    const back = fromProblem(JSON.stringify(body));
    assert.equal(back.message, body.detail);
    if (typeof message === "string") assert.equal(back.message, message);
  }
  const error = new NoWaitError("m");
  const get = () => assert.fail("read");
  Object.defineProperty(error, "message", { get });
  assert.equal(typeof toProblem(error).body.detail, "string");
});

test("errors of another catalogue are a TypeError, those of a copy are not", () => {
  assert.deepEqual(toProblem(new copy.NoWaitError("m")), bare);
  const others = [
    new Error("SECRET"),
    new ResponseError("m"),
    new criogen.CriogenError("node_failed", "m"),
    { code: "NO_WAIT", message: "m" },
    undefined,
    null,
    "SECRET",
    7,
    new Proxy({}, { get: () => assert.fail("read") }),
  ];
  for (const other of others) {
    assert.throws(() => toProblem(other), {
      name: "TypeError",
      message: "toProblem takes an error of this catalogue",
    });
  }
});

test("a subclass, a frozen error and a stamped one are told", () => {
  class Mine extends QueueFullError {}
  const mine = new Mine("m", { retryAfter: 3 });
  assert.equal(toProblem(mine).headers["Retry-After"], "3");
  const frozen = Object.freeze(new NoWaitError("m"));
  errors.stampRetryable(frozen, false);
  assert.equal(toProblem(frozen).body.retryable, false);
  assert.equal(toProblem(new RootError("m", { realm: "r" })).status, 403);
});

test("a ResponseError is an error as others are", () => {
  const error = new ResponseError("m", { status: 502, retryAfter: 7 });
  assert.equal(error.name, "ResponseError");
  assert(error.stack.startsWith("ResponseError: m"));
  assert(!Object.hasOwn(error, "cause") && !Object.hasOwn(error, "name"));
  assert.deepEqual([error.status, error.retryAfter], [502, 7]);
  assert.equal(errors.getRetryable(error), undefined);
  assert.equal(errors.isRetryableError(error), false);
  const { cause } = new ResponseError("m", { cause: undefined });
  assert.equal(cause, undefined);
});

const SETTINGS = { seed: 6, numRuns: 300 };
const NAMES = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...["__proto__", "constructor", "toString", "code", "message", "detail"],
    ...["retryable", "details", "title", "status", "type", "instance"],
  ),
);
const JSONS = fc
  .jsonValue({ maxDepth: 4, stringUnit: "binary" })
  .map((value) => JSON.parse(JSON.stringify(value)));
const EXTRA = fc
  .array(fc.tuple(NAMES, JSONS))
  .map((pairs) => Object.fromEntries(pairs));
const TEXT = fc.string({ unit: "binary" });

function same(made, back) {
  assert.equal(back.name, made.name);
  assert.equal(back.code, made.code);
  assert.equal(back.message, made.message);
  assert.equal(back.retryable, made.retryable);
  assert.deepEqual(Object.entries(back), Object.entries(made));
}

test("any text and extra values come back as they were", () => {
  const codes = fc.constantFrom(
    "NO_WAIT",
    "BARE",
    "UNMAPPED",
    "POOL_A",
    "GONE",
  );
  const property = (code, message, extra, verdict) => {
    const error = fromWire({ code, message, retryable: verdict });
    error.extra = extra;
    if (Object.keys(extra).length === 0) delete error.extra;
    same(error, fromProblem(JSON.stringify(toProblem(error).body)));
  };
  const verdicts = fc.option(fc.boolean(), { nil: undefined });
  // A field of the class, or a wait, is one: it would not be extra there.
  const free = EXTRA.filter(
    (extra) => !["note", "size"].some((name) => Object.hasOwn(extra, name)),
  );
  const all = fc.property(codes, TEXT, free, verdicts, property);
  fc.assert(all, SETTINGS);
});

test("any fields come back as they were", () => {
  const some = (values) => fc.option(values, { nil: undefined });
  const issue = fc.letrec((tie) => ({
    issue: fc.record(
      {
        code: fc.constantFrom("NO_AGENT", "MISMATCH"),
        path: fc.array(TEXT),
        inner: fc.array(tie("issue"), { maxLength: 2, depthSize: "small" }),
      },
      { requiredKeys: ["code"] },
    ),
  })).issue;
  const waits = fc.oneof(
    TEXT,
    fc.double({ min: 0, noDefaultInfinity: true, noNaN: true }),
    fc.nat().map(String),
  );
  const fields = fc.record(
    {
      agent: TEXT,
      tokensUsed: fc.maxSafeInteger(),
      took: some(fc.nat()),
      rate: some(
        fc
          .double({ noDefaultInfinity: true, noNaN: true })
          .map((value) => value + 0), // JSON has no -0
      ),
      flags: some(fc.array(fc.constantFrom("a", "b"))),
      issues: some(fc.array(issue, { maxLength: 3 })),
      raw: some(JSONS),
      wait: some(waits),
      scope: some(TEXT),
    },
    { requiredKeys: ["agent", "tokensUsed"] },
  );
  const property = (message, given, cause) => {
    const made = new sink.BudgetError(message, { ...given, cause });
    const { headers, body } = sinks.toProblem(made);
    new Headers(headers); // which refuses what is no header
    const back = sinks.fromProblem(JSON.stringify(body), { headers });
    const { cause: _, ...rest } = made;
    assert.deepEqual({ ...back }, rest);
    assert.equal(back.message, made.message);
    assert(back instanceof sink.BudgetError);
  };
  fc.assert(fc.property(TEXT, fields, some(fc.anything()), property), SETTINGS);
});

test("whatever comes is an error, or refused", () => {
  const almost = fc.record(
    {
      code: fc.oneof(JSONS, fc.constantFrom("NO_WAIT", "QUEUE_FULL", "POOL_A")),
      detail: fc.oneof(JSONS, TEXT),
      title: JSONS,
      status: JSONS,
      retryable: fc.oneof(JSONS, fc.boolean()),
      details: fc.oneof(JSONS, EXTRA),
      retryAfter: JSONS,
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(
    almost,
    almost.map((one) => JSON.stringify(one)),
    fc.anything({ withBigInt: true, withSparseArray: true, withMap: true }),
    fc.uint8Array(),
    TEXT,
  );
  let made = 0;
  const property = (body, answer) => {
    let error;
    try {
      error = fromProblem(body, answer);
    } catch (fault) {
      assert(fault instanceof ResponseError, String(fault));
      return;
    }
    made += 1;
    assert(error instanceof GatewayError);
    JSON.stringify(toProblem(error));
  };
  const answers = fc.oneof(
    fc.anything(),
    fc.record({
      status: fc.anything(),
      headers: fc.dictionary(
        fc.constantFrom("retry-after", "Retry-After", "x"),
        TEXT,
      ),
    }),
  );
  fc.assert(fc.property(bodies, answers, property), { seed: 6, numRuns: 2000 });
  assert(made > 50, String(made));
});
