// How errors are made, what they look like, and the wire: rules E2 to E8.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const folder = process.env.PACKAGES;
const load = (name) => import(`${folder}/${name}/index.js`);
const [agent, sink, family] = await Promise.all(
  ["agent", "sink", "family"].map(load),
);

const ISSUE = { code: "MISMATCH", path: ["a"], inner: [{ code: "NO_AGENT" }] };
const LEAST = { agent: "a", tokensUsed: 7 };
const FULL = {
  ...LEAST,
  took: 250,
  at: "2027-01-31T12:00:00Z",
  rate: 0.5,
  flags: ["a", "b"],
  issues: [ISSUE],
  raw: { k: [1, null, { x: true }], ["__proto__"]: 1 },
  args: ["x"],
  wait: "Wed, 21 Oct 2026 07:28:00 GMT",
  scope: "another",
};

test("each shape of constructor", () => {
  const inner = new Error("inner");
  for (const [error, name, code, message] of [
    [
      new sink.SinkError("ANY", "m", true, { cause: inner }),
      "SinkError",
      "ANY",
      "m",
    ],
    [
      new sink.HTTPConnectError("m", { status: 503, cause: inner }),
      "HTTPConnectError",
      "http.connect",
      "m",
    ],
    [
      new sink.StorageError("storage_corrupt", "m", { line: 3, cause: inner }),
      "StorageError",
      "storage_corrupt",
      "m",
    ],
    [
      new sink.PolicyError("m", { reason: "denied", cause: inner }),
      "PolicyError",
      "POLICY_DENY",
      "m",
    ],
    [
      new sink.OpenError("anything", "m", { cause: inner }),
      "OpenError",
      "anything",
      "m",
    ],
    [
      new sink.BudgetError(undefined, { ...LEAST, cause: inner }),
      "BudgetError",
      "budget",
      "Agent a used 7 of {budget} tokens",
    ],
    [
      new sink.BudgetError("own", { ...LEAST, cause: inner }),
      "BudgetError",
      "budget",
      "own",
    ],
    [new family.ListedError(), "ListedError", "LISTED", "{x}, true, 3"],
    [new agent.PolicyDeniedError("m"), "PolicyDeniedError", "POLICY_DENY", "m"],
  ]) {
    assert.deepEqual(
      [error.name, error.code, error.message],
      [name, code, message],
    );
    assert.ok(error instanceof Error);
    if (error.cause) assert.equal(error.cause, inner);
  }
  assert.deepEqual(
    [new sink.Interrupt().message, new sink.Interrupt("m").code],
    ["", undefined],
  );
});

test("E6 the name is right wherever one looks, and the cause is there only when given", () => {
  const error = new agent.ModelError("no\nway", { status: 503 });
  assert.ok(error.stack.startsWith("ModelError: no\nway\n    at "));
  assert.match(error.stack.split("\n")[2], /values\.test\.mjs/);
  assert.equal(String(error), "ModelError: no\nway");
  assert.equal(Object.hasOwn(error, "name"), false);
  assert.equal("cause" in error, false);
  assert.equal(new agent.ModelError("m", { cause: 0 }).cause, 0);
  assert.equal(
    Object.hasOwn(new agent.ModelError("m", { cause: 1 }), "cause"),
    true,
  );
  assert.equal(
    Object.keys(new agent.ModelError("m", { cause: 1 })).join(),
    "code,retryable",
  );
  class Mine extends agent.ModelError {
    constructor() {
      super("mine", { status: 400 });
      this.name = "Mine";
    }
  }
  const mine = new Mine();
  assert.deepEqual(
    [mine.name, mine.code, mine.retryable, mine.status],
    ["Mine", "MODEL_ERROR", false, 400],
  );
  assert.ok(agent.isCode(mine, "MODEL_ERROR"));
  assert.equal(
    agent.fromWire({ code: "x", message: "m" }).stack.split("\n")[0],
    "AgentError: m",
  );
});

test("E2 equality is identity", () => {
  const [one, other] = [new agent.ModelError("m"), new agent.ModelError("m")];
  assert.equal(new Set([one, other, one]).size, 2);
});

test("E6 lookups know the catalogue's codes and nothing else", () => {
  for (const text of [
    "toString",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "",
    "nope",
    "size",
    true,
    1.5,
    undefined,
    null,
  ]) {
    assert.equal(sink.lookup(text), undefined);
    assert.equal(agent.lookup(text), undefined);
    assert.equal(agent.ERRORS.get(text), undefined);
    assert.equal(
      agent.matches(new agent.AgentError("MODEL_ERROR", "m"), text),
      false,
    );
  }
  assert.equal(agent.lookup("POLICY_DENY").code, "POLICY_DENIED");
  assert.equal(sink.lookup(1205).code, "node_timeout");
  assert.equal(sink.lookup("1205"), undefined);
  assert.equal(sink.lookup("timeout_of_node"), sink.ERRORS.get("node_timeout"));
});

test("any spelling or alias matches", () => {
  const error = new agent.PolicyDeniedError("m");
  assert.equal(error.code, "POLICY_DENY");
  for (const code of ["POLICY_DENY", "POLICY_DENIED"]) {
    assert.equal(agent.matches(error, code), true);
    assert.equal(agent.isCode(error, "MODEL_ERROR", code), true);
  }
  assert.equal(agent.isCode(error), false);
  assert.equal(agent.isCode(error, "MODEL_ERROR", "FS_ESCAPE"), false);
  assert.equal(agent.matches(new agent.AgentError("OWN", "m"), "OWN"), true);
});

// What is wrong with an option of BudgetError, and how it is told.
for (const [wrong, fault] of [
  [{ agent: 5 }, TypeError],
  [{ agent: undefined }, TypeError],
  [{ agent: null }, TypeError],
  [{ tokensUsed: "7" }, TypeError],
  [{ tokensUsed: true }, TypeError],
  [{ tokensUsed: 7.5 }, RangeError],
  [{ tokensUsed: 2 ** 53 }, RangeError],
  [{ took: -1 }, RangeError],
  [{ at: "yesterday" }, RangeError],
  [{ at: new Date() }, TypeError],
  [{ rate: NaN }, RangeError],
  [{ rate: -Infinity }, RangeError],
  [{ rate: 1n }, TypeError],
  [{ flags: "a" }, TypeError],
  [{ flags: ["a", "z"] }, RangeError],
  [{ flags: [5] }, TypeError],
  [{ flags: [,] }, TypeError],
  [{ issues: [ISSUE, {}] }, TypeError],
  [{ issues: { 0: ISSUE } }, TypeError],
  [{ issues: [{ ...ISSUE, more: 1 }] }, TypeError],
  [{ issues: [{ code: "toString" }] }, RangeError],
  [{ raw: () => {} }, TypeError],
  [{ raw: { k: undefined } }, TypeError],
  [{ raw: [NaN] }, RangeError],
  [{ raw: new Date() }, TypeError],
  [{ raw: new Map() }, TypeError],
  [{ args: ["x", Symbol("s")] }, TypeError],
  [{ wait: -1 }, RangeError],
  [{ wait: {} }, TypeError],
  [{ scope: 5 }, TypeError],
  [{ class_: true }, TypeError],
  [{ tokens_used: 7 }, TypeError],
  [{ toString: 1 }, TypeError],
]) {
  const shown = Object.entries(wrong).map(
    ([k, v]) => `${k} ${typeof v === "object" ? JSON.stringify(v) : String(v)}`,
  );
  test(`a value outside its type is refused, with its name: ${shown}`, () => {
    const [name] = Object.keys(wrong);
    assert.throws(
      () => new sink.BudgetError("m", { ...LEAST, ...wrong }),
      (error) => error instanceof fault && error.message.includes(name),
    );
  });
}

test("what is not given rightly is told as such", () => {
  for (const [make, fault, message] of [
    [
      () => new agent.ModelError(),
      TypeError,
      "the message of ModelError must be a string: it is missing",
    ],
    [
      () => new agent.ModelError(5),
      TypeError,
      "the message of ModelError must be a string: it is 5",
    ],
    [
      () => new agent.ModelError("m", "no"),
      TypeError,
      'the options of ModelError must be an object, not "no"',
    ],
    [
      () => new agent.ModelError("m", new Error("inner")),
      TypeError,
      "the options of ModelError must be an object, not Error: inner",
    ],
    [
      () => new agent.ModelError("m", { statsu: 1 }),
      TypeError,
      'ModelError has no option "statsu"',
    ],
    [
      () => new agent.SwarmHandoffError("m"),
      TypeError,
      "SwarmHandoffError needs signal",
    ],
    [
      () => new agent.AgentError(5, "m"),
      TypeError,
      "the code of AgentError must be a string, not 5",
    ],
    [
      () => new sink.TransportError("m"),
      TypeError,
      "TransportError is abstract: make one of its subclasses",
    ],
    [
      () => new sink.StorageError("nope", "m"),
      RangeError,
      'StorageError has no code "nope"',
    ],
    [
      () => new sink.StorageError("toString", "m"),
      RangeError,
      'StorageError has no code "toString"',
    ],
    [
      () => new sink.StorageError("storage_corrupt", "m"),
      TypeError,
      "StorageError with the code storage_corrupt needs line",
    ],
    [
      () => new sink.PolicyError("m", { reason: "x" }),
      RangeError,
      'reason must be one of invalid, denied, unre"solved, not "x"',
    ],
    [
      () => new family.MixedError("MIXED", "m", { tags: ["a"] }),
      RangeError,
      "tags is b for the code MIXED",
    ],
  ]) {
    assert.throws(make, (error) => {
      assert.deepEqual([error.constructor, error.message], [fault, message]);
      return true;
    });
  }
});

test("values are copied and frozen", () => {
  const signal = { to: "a", message: "b", context: { k: [1] } };
  const error = new agent.SwarmHandoffError("m", { signal });
  assert.deepEqual(error.signal, signal);
  assert.ok(error.signal !== signal && Object.isFrozen(error.signal));
  assert.equal(JSON.stringify(error.signal), JSON.stringify(signal));
  signal.context.k.push(2);
  assert.deepEqual(error.signal.context, { k: [1] });
  assert.ok(Object.isFrozen(new sink.BudgetError("m", FULL).issues));
  const tags = new family.MixedError("MIXED", "m").tags;
  assert.deepEqual(tags, ["b"]);
  assert.throws(() => tags.push("a"), TypeError);
});

test("no text is a way into a prototype", () => {
  const hostile = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": 1}',
  );
  const error = new sink.BudgetError("m", { ...LEAST, raw: hostile });
  assert.deepEqual(Object.keys(error.raw), ["__proto__", "constructor"]);
  const read = sink.fromWire(
    JSON.parse(
      '{"code": "__proto__", "message": "m", "__proto__": {"code": "x"}, "details": {"__proto__": {"y": 1}}}',
    ),
  );
  assert.deepEqual(
    [read.code, Object.getPrototypeOf(read.extra)],
    ["__proto__", Object.prototype],
  );
  assert.deepEqual(
    sink.toWire(read).details,
    JSON.parse('{"__proto__": {"y": 1}}'),
  );
  assert.equal({}.polluted, undefined);
});

for (const [code, details, cls, spelling] of [
  ["nope", {}, "SinkError", "nope"],
  [99, {}, "SinkError", "99"],
  ["toString", {}, "SinkError", "toString"],
  ["node_timeout", {}, "SinkError", "node_timeout"],
  ["timeout_of_node", {}, "SinkError", "node_timeout"],
  [1205, {}, "SinkError", "node_timeout"],
  ["1205", {}, "SinkError", "1205"],
  ["08P01", { path: "a" }, "StorageError", "storage_odd"],
  ["POLICY_DENIED", {}, "PolicyError", "POLICY_DENY"],
  ["POLICY_DENY", { reason: "denied" }, "PolicyError", "POLICY_DENY"],
  ["POLICY_DENY", { reason: "invalid" }, "SinkError", "POLICY_DENY"],
  ["POLICY_DENY", { reason: ["denied"] }, "SinkError", "POLICY_DENY"],
  ["open_one", { path: "x" }, "OpenError", "open_one"],
  ["shared_code", { path: "x" }, "SinkError", "shared_code"],
  ["rate_limited", { any: 1 }, "SinkError", "rate_limited"],
  ["only_ts", { any: 1 }, "OnlyTsError", "only_ts"],
  ["OLD", { any: 1 }, "SinkError", "OLD"],
  ["http.connect", { status: 503 }, "HTTPConnectError", "http.connect"],
  ["http.connect", { status: null }, "HTTPConnectError", "http.connect"],
  ["http.connect", { status: true }, "SinkError", "http.connect"],
  ["http.connect", { status: 600 }, "SinkError", "http.connect"],
  ["model_failed", { modelError: "auth" }, "ModelError", "model_failed"],
  ["eval_failed", {}, "SinkError", "eval_failed"],
  ["storage_corrupt", { line: 3 }, "StorageError", "storage_corrupt"],
  ["storage_corrupt", {}, "SinkError", "storage_corrupt"],
  ["handoff", { signal: ISSUE }, "HandoffError", "handoff"],
  ["handoff", { signal: { ...ISSUE, new: 1 } }, "SinkError", "handoff"],
  ["handoff", { signal: [ISSUE] }, "SinkError", "handoff"],
  ["handoff", { signal: {} }, "SinkError", "handoff"],
  ["handoff", "text", "SinkError", "handoff"],
  ["budget", LEAST, "BudgetError", "budget"],
  ["budget", { ...LEAST, tokensUsed: "7" }, "SinkError", "budget"],
  ["budget", { ...LEAST, class: false }, "SinkError", "budget"],
  ["budget", { ...LEAST, "Retry-After": "120" }, "BudgetError", "budget"],
  ["budget", { ...LEAST, "Retry-After": -1 }, "SinkError", "budget"],
  ["budget", { ...LEAST, cause: "text" }, "BudgetError", "budget"],
  ["budget", { ...LEAST, extra: { x: 1 } }, "BudgetError", "budget"],
  ["budget", { ...LEAST, issues: [{ ...ISSUE }] }, "BudgetError", "budget"],
]) {
  test(`E4 the class follows from code and fields: ${code} ${JSON.stringify(details)}`, () => {
    const data = { code, message: "m", details };
    const before = JSON.stringify(data);
    const error = sink.fromWire(data);
    assert.deepEqual(
      [error.name, error.code, error.message],
      [cls, spelling, "m"],
    );
    assert.ok(error instanceof sink[cls] && sink.isSinkError(error));
    assert.equal(JSON.stringify(data), before);
    const wire = sink.toWire(error);
    assert.deepEqual(JSON.parse(JSON.stringify(wire)), wire);
    const again = sink.fromWire(wire);
    assert.deepEqual(
      [again.name, { ...again }, sink.toWire(again)],
      [cls, { ...error }, wire],
    );
    // Nothing of what came is lost.
    const came = typeof details === "string" ? { details } : details;
    for (const [key, value] of Object.entries(came)) {
      if (value !== null) assert.deepEqual(wire.details[key], value);
    }
  });
}

test("E4 values of any depth are read", () => {
  let issue = { code: "MISMATCH" };
  let raw = [];
  for (let depth = 0; depth < 100_000; depth++) {
    issue = { code: "MISMATCH", inner: [issue] };
    raw = [raw];
  }
  for (const details of [
    { ...LEAST, issues: [issue] },
    { ...LEAST, raw },
  ]) {
    const { name, extra } = sink.fromWire({
      code: "budget",
      message: "m",
      details,
    });
    assert.equal(name, "SinkError");
    assert.ok(extra.raw === details.raw && extra.issues === details.issues);
  }
});

test("E4 what has no code or no message is refused", () => {
  for (const [data, fault] of [
    [{}, RangeError],
    [{ message: "m" }, RangeError],
    [{ code: "budget" }, RangeError],
    [{ code: null, message: "m" }, RangeError],
    [{ code: "budget", message: null }, RangeError],
    [{ code: true, message: "m" }, TypeError],
    [{ code: 1.5, message: "m" }, TypeError],
    [{ code: ["budget"], message: "m" }, TypeError],
    [{ code: {}, message: "m" }, TypeError],
    [{ code: "budget", message: 5 }, TypeError],
    [null, TypeError],
    ["budget", TypeError],
    [5, TypeError],
    [["code", "message"], TypeError],
    [undefined, TypeError],
  ]) {
    for (const pack of [agent, sink, family])
      assert.throws(() => pack.fromWire(data), fault);
  }
});

test("E4 a bool on the wire is an explicit verdict, anything else an extra", () => {
  for (const [told, verdict, extra] of [
    [true, true, {}],
    [false, false, {}],
    [null, false, {}],
    ["yes", false, { retryable: "yes" }],
    [1, false, { retryable: 1 }],
  ]) {
    for (const code of ["node_failed", "nope"]) {
      const error = sink.fromWire({ code, message: "m", retryable: told });
      assert.deepEqual(
        [sink.getRetryable(error), error.extra],
        [verdict, extra],
      );
    }
  }
});

test("E4 the wire has code, message and verdict first, then the fields", () => {
  const error = new sink.BudgetError("m", { ...LEAST, args: ["x"], wait: 2 });
  assert.equal(
    JSON.stringify(sink.toWire(error)),
    '{"code":"budget","message":"m","retryable":false,"details":' +
      '{"agent":"a","tokensUsed":7,"args":["x"],"class":true,"Retry-After":2}}',
  );
  assert.deepEqual(sink.toWire(new sink.HTTPConnectError("m")), {
    code: "http.connect",
    message: "m",
    retryable: null,
  });
  assert.equal(
    JSON.stringify(
      agent.toWire(new agent.ModelError("m", { retryAfter: 2, status: 503 })),
    ),
    '{"code":"MODEL_ERROR","message":"m","retryable":true,"status":503,"retry_after":2}',
  );
  const full = new sink.BudgetError("m", FULL);
  assert.deepEqual({ ...sink.fromWire(sink.toWire(full)) }, { ...full });
});

test("E5 every code is read, under every text that stands for it", () => {
  for (const pack of [agent, sink, family]) {
    for (const info of pack.ERRORS.values()) {
      for (const text of [...info.spellings, ...info.aliases, info.wire]) {
        const error = pack.fromWire({ code: text, message: "m" });
        assert.deepEqual(
          [pack.lookup(text), error.code],
          [info, info.spelling],
        );
        assert.equal(pack.toWire(error).code, info.wire);
        assert.equal(pack.matches(error, info.code), true);
      }
    }
  }
});

test("E5 what TypeScript never raises is read, and has no class", () => {
  const info = agent.ERRORS.get("LOCK_ERROR");
  assert.deepEqual(info.classNames, []);
  assert.deepEqual(info.absent, {
    typescript: "only Python has `with_file_lock`",
  });
  assert.equal(agent.LockError, undefined);
  assert.equal(
    agent.fromWire({ code: "LOCK_ERROR", message: "m" }).name,
    "AgentError",
  );
});

test("E8 nothing is imported but the package's own files", () => {
  for (const name of ["agent", "sink"]) {
    const own = readdirSync(`${folder}/${name}`).map((file) => `./${file}`);
    for (const file of own.filter((path) => path.endsWith(".js"))) {
      const text = readFileSync(`${folder}/${name}/${file}`, "utf8");
      const found = [...text.matchAll(/^(?:import|export) .* from "(.*)";$/gm)];
      for (const [, source] of found) assert(own.includes(source));
      assert.doesNotMatch(text, /^import "|\bimport\(|\brequire\(/m);
    }
    const { dependencies } = JSON.parse(
      readFileSync(`${folder}/${name}/package.json`, "utf8"),
    );
    assert.equal(dependencies, undefined);
  }
});

test("what the catalogue says of a code", () => {
  const info = sink.ERRORS.get("budget");
  assert.deepEqual(
    [info.pinned, info.control, info.wire, info.raisedBy],
    [true, false, "budget", []],
  );
  assert.deepEqual(info.deprecated, {
    since: "1.2",
    use: "eval_failed",
    reason: "gone soon.",
    sunset: "2027-01-31",
  });
  assert.deepEqual(sink.ERRORS.get("http.connect").rules[1], {
    when: { status: ["404", "410"] },
    then: false,
    hint: "the page is gone",
  });
  assert.deepEqual([...sink.ERRORS.keys()].slice(0, 2), [
    "node_failed",
    "node_timeout",
  ]);
});

test("E3 an error tells the page of its code, which is no part of it", () => {
  const page = "https://example.org/errors#";
  for (const [error, code] of [
    [new sink.SinkError("node_timeout", "m"), "node_timeout"],
    [new sink.SinkError("timeout_of_node", "m"), "node_timeout"],
    [new sink.SinkError("POLICY_DENIED", "m"), "POLICY_DENIED"],
    [new sink.PolicyError("m", { reason: "denied" }), "POLICY_DENIED"],
    [new sink.HTTPConnectError("m", { status: 503 }), "http.connect"],
  ]) {
    assert.equal(error.docsUrl, page + code);
    assert.equal(error.docsUrl, sink.lookup(error.code).docsUrl);
    assert(!Reflect.ownKeys(error).includes("docsUrl"));
    for (const name in error) assert.notEqual(name, "docsUrl");
    assert(!JSON.stringify(error).includes(page));
  }
  for (const error of [
    new sink.SinkError("auth", "internal: the docs do not show it"),
    new sink.SinkError("NOWHERE", "m"),
    new sink.ProfileError("no code at all"),
    new agent.PolicyDeniedError("no pages"),
  ]) {
    assert.equal(error.docsUrl, undefined);
  }
});
