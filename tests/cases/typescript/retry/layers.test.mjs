// What a layer is, and what it is made of: rules R2, R5 to R9, R12 to R15.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import test from "node:test";
import vm from "node:vm";

const folder = process.env.PACKAGES;
const load = (path) => import(`${folder}/${path}.js`);
const retries = await load("retries/index");
const retry = await load("retries/retry");
const { toolRetryMiddleware, withRetry, shouldRetry, nextDelay } = retry;

const AT_ONCE = { sleep: () => {}, jitter: false };
const never = (name) => () => assert.fail(`${name} was called`);
const failOnce = (error, result) => {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === 1) throw error;
    return result;
  };
};

for (const copy of ["agent", "agent-copy"]) {
  test(`R2 interrupts of ${copy} pass three nested layers untouched`, async () => {
    const { HitlInterrupt, SwarmHandoffError, stampRetryable } = await load(
      `${copy}/index`,
    );
    const layers = ["agent", "agent-copy", "agent"].map((name) =>
      load(`${name}/retry`),
    );
    const callbacks = ["onFailure", "toMessage", "onRetry", "sleep", "random"];
    const [outer, middle, inner] = (await Promise.all(layers)).map(
      (module, at) => {
        const make = at === 1 ? "modelRetryMiddleware" : "toolRetryMiddleware";
        return module[make]({
          ...Object.fromEntries(callbacks.map((name) => [name, never(name)])),
          retryOn: never("retryOn"),
        });
      },
    );
    const signal = { to: "a", message: "b" };
    for (const error of [
      new HitlInterrupt(),
      new SwarmHandoffError("m", { signal }),
      stampRetryable(new HitlInterrupt(), true),
      stampRetryable(new SwarmHandoffError("m", { signal }), true),
      Object.freeze(new HitlInterrupt()),
    ]) {
      const look = () =>
        JSON.stringify([
          error.stack,
          error.cause,
          Reflect.ownKeys(error).map(String),
        ]);
      const before = look();
      let calls = 0;
      const handler = async () => {
        calls += 1;
        throw error;
      };
      const asMiddleware = outer(1, (two) =>
        middle(two, (three) => inner(three, handler)),
      );
      await assert.rejects(asMiddleware, (found) => found === error);
      const asFunction = outer(middle(inner(handler)))(1);
      await assert.rejects(asFunction, (found) => found === error);
      assert.deepEqual([calls, look()], [2, before]);
    }
  });
}

test("R13 ten thousand calls at once through one layer share nothing", async () => {
  const context = new AsyncLocalStorage();
  const layer = toolRetryMiddleware({ ...AT_ONCE, maxRetries: 4 });
  const calls = new Map();
  const handler = async (request) => {
    await null;
    assert.equal(context.getStore(), request);
    const call = (calls.get(request) ?? 0) + 1;
    calls.set(request, call);
    if (call <= request % 6) throw new retries.TransientError(`${request}`);
    return request;
  };
  const all = Array.from({ length: 10_000 }, (_, request) =>
    context.run(request, () => layer(request, handler)),
  );
  const results = await Promise.allSettled(all);
  for (const [request, { value, reason }] of results.entries()) {
    const isLost = request % 6 === 5;
    assert.equal(value, isLost ? undefined : request);
    assert.equal(reason?.message, isLost ? `${request}` : undefined);
    assert.equal(calls.get(request), isLost ? 5 : (request % 6) + 1);
  }
});

test("a wrapped function is called as it would be, and looks like it", async () => {
  const host = {
    factor: 2,
    times: toolRetryMiddleware()(function times(a, b) {
      return this.factor * a * b;
    }),
    plus: withRetry(function plus(a, b, c = 1) {
      return Promise.resolve(this.factor + a + b + c);
    }),
  };
  assert.deepEqual([await host.times(3, 4), await host.plus(3, 4)], [24, 10]);
  const { name, length } = Object.getOwnPropertyDescriptors(host.times);
  const shared = { writable: false, enumerable: false, configurable: true };
  assert.deepEqual(name, { value: "times", ...shared });
  assert.deepEqual(length, { value: 2, ...shared });
  const odd = Object.assign(() => 7, { apply: never("apply") });
  assert.equal(await withRetry(odd)(), 7);
  assert.deepEqual([host.plus.name, host.plus.length], ["plus", 2]);
});

test("a result may be any value, and any thenable is awaited", async () => {
  const layer = toolRetryMiddleware({ onFailure: "continue" });
  for (const value of [undefined, null, 0, "", NaN, Symbol.iterator]) {
    assert.ok(Object.is(await layer(1, () => value), value));
  }
  const thenable = { then: (resolve) => resolve(7) };
  assert.equal(await layer(1, () => thenable), 7);
  const rejected = { then: (_, reject) => reject(new Error("m")) };
  assert.equal((await layer(1, () => rejected)).status, "error");
});

// Everything that can be thrown, and how the text names it.
const THROWN = [
  [new TypeError("m"), "TypeError: m"],
  [new Error(""), "Error: "],
  ["text", '"text"'],
  [undefined, "undefined"],
  [null, "null"],
  [7n, "7"],
  [Symbol("s"), "Symbol(s)"],
  [{ name: "N", message: "m" }, "N: m"],
  [Object.create(null), "object"],
  [vm.runInNewContext("new RangeError('m')"), "RangeError: m"],
  [
    new Proxy(new Error("m"), {
      get() {
        throw new Error("get");
      },
      getPrototypeOf() {
        throw new Error("prototype");
      },
    }),
    "object",
  ],
];

test("R7 R14 whatever is thrown comes out as it is, or is named in the text", async () => {
  for (const [thrown, named] of THROWN) {
    const handler = () => {
      throw thrown;
    };
    const found = await withRetry(handler, {
      ...AT_ONCE,
      retryOn: [Error],
    })().catch((e) => [e]);
    assert.ok(Object.is(found[0], thrown));
    const told = await withRetry(handler, { onFailure: "continue" })();
    assert.equal(told, `Failed after 1 call: ${named}`);
  }
});

test("R7 a message of the host's own, made of text, error and request", async () => {
  const error = new Error("m");
  const fail = async () => {
    throw error;
  };
  const toMessage = async (...given) => given;
  const options = { onFailure: "continue", toMessage };
  const wanted = ["Failed after 1 call: Error: m", error];
  for (const make of [retry.toolRetryMiddleware, retry.jobRetryMiddleware]) {
    assert.deepEqual(await make(options)("request", fail), [
      ...wanted,
      "request",
    ]);
    assert.deepEqual(await make(options)(fail)("first", 2), [
      ...wanted,
      "first",
    ]);
  }
  assert.deepEqual(await withRetry(fail, options)(), [...wanted, undefined]);
});

test("R8 a function may answer later; undefined alone is no answer", async () => {
  const fail = () => {
    throw new Error("m");
  };
  const ask = (answer) => withRetry(fail, { onFailure: () => answer })();
  const text = "Failed after 1 call: Error: m";
  assert.equal(await ask(Promise.resolve(7)), 7);
  assert.equal(await ask(Promise.resolve(undefined)), text);
  assert.equal(await ask(null), null);
  assert.equal(await ask(false), false);
  await assert.rejects(ask(Promise.reject(new RangeError("r"))), RangeError);
});

test("what is told of a retry is awaited, and what that throws comes out", async () => {
  const order = [];
  const layer = toolRetryMiddleware({
    jitter: false,
    onRetry: async (...told) => {
      await null;
      order.push(told);
    },
    sleep: (ms) => order.push(ms),
  });
  const error = new retries.TransientError("m");
  assert.equal(await layer(1, failOnce(error, 7)), 7);
  assert.deepEqual(order, [[1, error, 1000], 1000]);
  const onRetry = async () => {
    throw new RangeError("r");
  };
  await assert.rejects(withRetry(failOnce(error), { onRetry })(), RangeError);
});

class Old extends Error {}
function Older() {
  this.stack = new Error("m").stack;
}
Older.prototype = Object.create(Error.prototype, { name: { value: "Older" } });
const foreign = vm.runInNewContext("[TypeError, new TypeError('m')]");

test("R9 classes of any kind are classes, functions of any kind are predicates", async () => {
  for (const [cls, error, other] of [
    [Error, new Old("m"), { message: "m" }],
    [Old, new Old("m"), new Error("m")],
    [Older, new Older(), new Error("m")],
    [AggregateError, new AggregateError([]), new Error("m")],
    [DOMException, new DOMException("m", "DataError"), new Error("m")],
    [retries.UndecidedError, new retries.UndecidedError("m"), new Error("m")],
    [foreign[0], foreign[1], new TypeError("m")],
  ]) {
    for (const filter of [cls, [cls], Object.freeze([SyntaxError, cls])]) {
      assert.equal(shouldRetry(error, filter), true);
      assert.equal(shouldRetry(other, filter), false);
      assert.equal(
        await withRetry(failOnce(error, 7), { ...AT_ONCE, retryOn: filter })(),
        7,
      );
    }
  }
  const predicates = [
    (error) => error.message === "yes",
    function (error) {
      return error.message === "yes";
    },
    { of: (error) => error.message === "yes" }.of,
    function (error) {
      return this.wanted === error.message;
    }.bind({ wanted: "yes" }),
  ];
  for (const predicate of predicates) {
    assert.equal(shouldRetry(new Error("yes"), predicate), true);
    assert.equal(shouldRetry(new Error("no"), predicate), false);
  }
  for (const [answer, verdict] of [
    ["yes", true],
    [undefined, false],
  ]) {
    assert.equal(
      shouldRetry(new Error("m"), () => answer),
      verdict,
    );
  }
});

test("R9 an array of classes is taken as it is when the layer is made", async () => {
  const filter = [Old];
  const run = withRetry(failOnce(new Old("m"), 7), {
    ...AT_ONCE,
    retryOn: filter,
  });
  filter.length = 0;
  assert.equal(await run(), 7);
});

test("R9 R15 what is no filter, no function and no option is refused", () => {
  const generators = [function* () {}, async function* () {}, { *m() {} }.m];
  const wrong = [
    1,
    "Error",
    {},
    /Error/,
    true,
    [1],
    [Error, "x"],
    [() => true],
    [null],
  ];
  wrong.push(class {}, String, Boolean, async () => true, ...generators);
  for (const retryOn of wrong) {
    assert.throws(() => toolRetryMiddleware({ retryOn }), TypeError);
    assert.throws(() => withRetry(() => {}, { retryOn }), TypeError);
    assert.throws(() => shouldRetry(new Error("m"), retryOn), TypeError);
  }
  for (const fn of [
    ...generators,
    generators[0].bind(null),
    undefined,
    1,
    {},
  ]) {
    assert.throws(() => toolRetryMiddleware()(fn), TypeError);
    assert.throws(() => withRetry(fn), TypeError);
  }
  assert.throws(() => toolRetryMiddleware()(), TypeError);
});

const CLASSES = [
  class {},
  class Foo {},
  class extends Error {},
  class/**/ Bar {
    static name = 7;
  },
  retries.TransientError,
  vm.runInNewContext("(class Foo {})"),
];

test("R15 a class is no function to wrap", async () => {
  for (const cls of CLASSES) {
    assert.throws(() => withRetry(cls), TypeError);
    assert.throws(() => toolRetryMiddleware()(cls), TypeError);
    const call = toolRetryMiddleware({ onFailure: "continue" })(1, cls);
    await assert.rejects(call, TypeError);
  }
});

test("R15 whatever can be called is a function to wrap", async () => {
  const class$ = (value) => value;
  const frozen = Object.freeze(function (value) {
    return value;
  });
  const method = {
    class(value) {
      return value;
    },
  };
  const proxy = new Proxy(class$, {});
  for (const fn of [class$, frozen, method.class, proxy, Object, Number]) {
    assert.equal(Number(await withRetry(fn)(7)), 7);
  }
});

test("R15 a handler that no layer can wrap rejects, and is not called", async () => {
  for (const handler of [
    function* () {},
    async function* () {},
    undefined,
    1,
  ]) {
    const call = toolRetryMiddleware({ onFailure: "continue" })(1, handler);
    await assert.rejects(call, TypeError);
  }
});

const WRONG = {
  maxRetries: [-1, 0.5, NaN, Infinity, 2 ** 53, "3", true, null, 3n],
  initialDelayMs: [-1, NaN, Infinity, "3", true, null],
  backoffFactor: [0.5, 0, -2, NaN, Infinity, "2", null],
  maxDelayMs: [-1, NaN, Infinity, "3", false, null],
  onFailure: ["raise", "", null, true, {}],
};
const ILL_TYPED = {
  jitter: [1, "yes", null],
  random: [1, null],
  clock: [0, null],
  sleep: [1, null],
  onRetry: [1, null],
  toMessage: ["text", null],
  context: [1, "idempotent", null],
  signal: [1, {}, null, new AbortController()],
  maxRetry: [1],
  max_retries: [1],
  constructor: [1],
};

test("R6 R10 wrong options are refused when the layer is made", () => {
  const makers = [
    (options) => toolRetryMiddleware(options),
    (options) => withRetry(() => {}, options),
  ];
  for (const [table, fault] of [
    [WRONG, RangeError],
    [ILL_TYPED, TypeError],
  ]) {
    for (const [name, values] of Object.entries(table)) {
      for (const value of values) {
        for (const make of makers) {
          assert.throws(
            () => make({ [name]: value }),
            fault,
            `${name}: ${String(value)}`,
          );
        }
      }
    }
  }
  for (const options of [1, "options", () => {}, true]) {
    assert.throws(() => toolRetryMiddleware(options), TypeError);
  }
  for (const attempt of [-1, 0.5, NaN, Infinity, "1", true, undefined]) {
    assert.throws(() => nextDelay(attempt), RangeError);
  }
  assert.throws(() => nextDelay(0, undefined, { maxDelayMs: NaN }), RangeError);
  assert.throws(() => nextDelay(0, undefined, { maxRetries: 1 }), TypeError);
});

test("an option that is undefined is not given", async () => {
  const names = [
    ...Object.keys(WRONG),
    ...Object.keys(ILL_TYPED).slice(0, 8),
    "retryOn",
  ];
  const nothing = Object.fromEntries(names.map((name) => [name, undefined]));
  const waits = [];
  const options = {
    ...nothing,
    random: () => 0,
    sleep: (ms) => waits.push(ms),
  };
  const fail = () => {
    throw new retries.TransientError("m");
  };
  await assert.rejects(withRetry(fail, options)(), retries.TransientError);
  assert.deepEqual(waits, [1000, 2000]);
});

test("P5 facts count for a predicate of one's own, and are read when given", async () => {
  const error = new retries.UnsafeError("m");
  assert.equal(shouldRetry(error), false);
  assert.equal(shouldRetry(error, undefined, { idempotent: true }), true);
  assert.equal(shouldRetry(error, [Error], { idempotent: false }), false);
  const context = { idempotent: true };
  const run = withRetry(failOnce(error, 7), { ...AT_ONCE, context });
  context.idempotent = false;
  assert.equal(await run(), 7);
});

test("R1 R2 what passes every layer is never worth a retry", () => {
  const { stampRetryable } = retries;
  const named = Object.assign(new Error("m"), { name: "AbortError" });
  const circle = new AggregateError([new AggregateError([named])]);
  circle.errors.unshift(circle);
  for (const error of [
    named,
    new DOMException("m", "AbortError"),
    new retries.Suspension(),
    new AggregateError([new retries.HandoffError("m")]),
    new AggregateError([new Error("m"), named]),
    circle,
  ]) {
    assert.equal(
      shouldRetry(stampRetryable(error, true), () => true),
      false,
    );
  }
});

test("R6 each catalogue's own knobs are the defaults", async () => {
  const agent = await load("agent/retry");
  const waits = [];
  const options = { random: () => 0, sleep: (ms) => waits.push(ms) };
  const layer = agent.modelRetryMiddleware({ ...options, retryOn: Error });
  await assert.rejects(layer(1, () => Promise.reject(new Error("m"))));
  assert.deepEqual(waits, [1000, 2000]);
  assert.equal(agent.nextDelay(9, undefined, { random: () => 1 }), 30_000);
  assert.deepEqual(Object.keys(agent).sort(), [
    "modelRetryMiddleware",
    "nextDelay",
    "shouldRetry",
    "toolRetryMiddleware",
    "withRetry",
  ]);
});
