// Stamps, brands, pins and groups: rules V1 to V10, P1 to P5, H1 and H2.
import assert from "node:assert/strict";
import test from "node:test";
import vm from "node:vm";

const folder = process.env.PACKAGES;
const load = (name, copy = "") => import(`${folder}/${name}${copy}/index.js`);
const [agent, sink, family] = await Promise.all(
  ["agent", "sink", "family"].map((n) => load(n)),
);
const STAMP = Symbol.for("errspec.retryable");

test("V1 the base takes any code and says false unless told", () => {
  for (const [given, verdict] of [
    [["ANY", "m"], false],
    [["ANY", "m", true], true],
    [["ANY", "m", false], false],
    [["MODEL_ERROR", "m"], false],
    [["ANY", "m", undefined, { cause: 1 }], false],
  ]) {
    const error = new agent.AgentError(...given);
    assert.deepEqual(
      [error.code, error.message, error.retryable],
      [given[0], "m", verdict],
    );
    assert.equal(agent.getRetryable(error), verdict);
  }
});

test("V1 a base with codes of its own says what the catalogue says of them", () => {
  assert.equal(new sink.SinkError("node_timeout", "m").retryable, true);
  assert.equal(new sink.SinkError("timeout_of_node", "m").retryable, true);
  assert.equal(new sink.SinkError("rate_limited", "m").retryable, true);
  assert.equal(new sink.SinkError("nope", "m").retryable, false);
  assert.equal(new sink.SinkError("nope", "m", true).retryable, true);
});

test("V1 a class below the base takes an explicit verdict", () => {
  assert.equal(
    new agent.ModelError("m", { retryable: false }).retryable,
    false,
  );
  assert.equal(
    new agent.PolicyDeniedError("m", { retryable: true }).retryable,
    true,
  );
  for (const wrong of [1, "false", {}, 0]) {
    assert.throws(
      () => new agent.ModelError("m", { retryable: wrong }),
      TypeError,
    );
    assert.throws(() => new agent.AgentError("X", "m", wrong), TypeError);
  }
});

test("V2 pin, stamp, own verdict, nothing: in this order", () => {
  const { getRetryable, stampRetryable } = agent;
  assert.equal(getRetryable(new Error("m")), undefined);
  assert.equal(getRetryable(stampRetryable(new Error("m"), true)), true);
  assert.equal(getRetryable(new agent.PolicyDeniedError("m")), false);
  assert.equal(
    getRetryable(stampRetryable(new agent.PolicyDeniedError("m"), true)),
    true,
  );
  assert.equal(
    getRetryable(
      stampRetryable(
        new agent.SwarmHandoffError("m", { signal: { to: "a", message: "b" } }),
        true,
      ),
    ),
    false,
  );
  assert.equal(sink.getRetryable(new sink.HTTPConnectError("m")), undefined);
});

test("V2 no error of the catalogue is without a verdict, unless that is unset", () => {
  for (const info of agent.ERRORS.values()) {
    const error = agent.fromWire({ code: info.code, message: "m" });
    assert.equal(typeof agent.getRetryable(error), "boolean");
  }
});

// Everything that can be thrown, and more.
const THROWN = {
  error: () => new Error("m"),
  "our error": () => new agent.ModelError("m"),
  object: () => ({ message: "m" }),
  function: () => () => {},
  array: () => [1],
  "no prototype": () => Object.create(null),
  frozen: () => Object.freeze(new Error("m")),
  sealed: () => Object.seal(new agent.ModelError("m")),
  proxy: () => new Proxy(new Error("m"), {}),
  "a proxy that refuses": () =>
    new Proxy(new Error("m"), { defineProperty: () => false }),
  "a proxy that lies": () =>
    new Proxy(new Error("m"), { defineProperty: () => true }),
  "a proxy that throws": () =>
    new Proxy(new Error("m"), {
      get() {
        throw new Error("get");
      },
      has() {
        throw new Error("has");
      },
      defineProperty() {
        throw new Error("define");
      },
      getPrototypeOf() {
        throw new Error("prototype");
      },
      getOwnPropertyDescriptor() {
        throw new Error("own");
      },
    }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a getter that throws": () => ({
    get name() {
      throw new Error("name");
    },
  }),
  "of another realm": () => vm.runInNewContext("new TypeError('m')"),
};

for (const [name, make] of Object.entries(THROWN)) {
  test(`V7 whatever is thrown takes a stamp, and the last one counts: ${name}`, () => {
    const value = make();
    for (const verdict of [true, false, true]) {
      assert.ok(agent.stampRetryable(value, verdict) === value);
      assert.equal(agent.getRetryable(value), verdict);
      assert.equal(sink.getRetryable(value), verdict);
      assert.equal(agent.isRetryableError(value), verdict);
      assert.equal(agent.isControl(value), false);
    }
  });
}

test("V7 nothing happens to primitives", () => {
  for (const value of [
    null,
    undefined,
    0,
    NaN,
    "text",
    true,
    7n,
    Symbol("s"),
  ]) {
    assert.ok(Object.is(agent.stampRetryable(value, true), value));
    assert.equal(agent.getRetryable(value), undefined);
    assert.equal(agent.isRetryableError(value), false);
    assert.equal(agent.isControl(value), false);
    assert.equal(agent.isAgentError(value), false);
    assert.equal(agent.matches(value, "MODEL_ERROR"), false);
    assert.equal(agent.isCode(value, "MODEL_ERROR"), false);
  }
});

test("V7 a stamp from before an error was frozen gives way to one from after", () => {
  const error = agent.stampRetryable(new Error("m"), true);
  Object.freeze(error);
  assert.equal(agent.getRetryable(error), true);
  agent.stampRetryable(error, false);
  assert.equal(agent.getRetryable(error), false);
  assert.equal(sink.getRetryable(error), false);
});

test("V7 the channel has the names that the contract gives it", () => {
  const error = agent.stampRetryable(new Error("m"), true);
  assert.deepEqual(Object.getOwnPropertyDescriptor(error, STAMP), {
    value: true,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  const frozen = agent.stampRetryable(Object.freeze(new Error("m")), true);
  assert.equal(globalThis[Symbol.for("errspec.stamps")].get(frozen), true);
});

test("V3 a stamp changes nothing that anybody sees", () => {
  const make = () =>
    new agent.ModelError("m", { status: 503, cause: new Error("inner") });
  const [plain, stamped] = [make(), agent.stampRetryable(make(), false)];
  for (const see of [
    (e) => JSON.stringify(e),
    (e) => Object.keys(e).join(),
    (e) => Reflect.ownKeys(structuredClone(e)).join(),
    (e) => structuredClone(e).message,
    (e) => String(e),
    (e) => Object.getPrototypeOf(e) === agent.ModelError.prototype,
    (e) => {
      const keys = [];
      for (const key in e) keys.push(key);
      return keys.join();
    },
    (e) => JSON.stringify({ ...e }),
    (e) => JSON.stringify(agent.toWire(e)).replace(/"retryable":\w+/, ""),
  ]) {
    assert.equal(see(stamped), see(plain));
  }
});

test("V4 only true and false are stamps", () => {
  for (const wrong of [
    1,
    0,
    "false",
    null,
    undefined,
    new Boolean(true),
    {},
    NaN,
  ]) {
    assert.throws(() => agent.stampRetryable(new Error("m"), wrong), TypeError);
    assert.throws(() => agent.stampRetryable(null, wrong), TypeError);
    const error = new Error("m");
    error[STAMP] = wrong;
    assert.equal(agent.getRetryable(error), undefined);
  }
});

test("V6 a pinned code is its pinned verdict, whatever one says", () => {
  const signal = { to: "a", message: "b" };
  for (const error of [
    new agent.SwarmHandoffError("m", { signal }),
    new agent.SwarmHandoffError("m", { signal, retryable: true }),
    new agent.AgentError("SWARM_HANDOFF", "m", true),
    agent.fromWire({ code: "SWARM_HANDOFF", message: "m", retryable: true }),
    agent.fromWire({
      code: "SWARM_HANDOFF",
      message: "m",
      retryable: true,
      signal,
    }),
  ]) {
    agent.stampRetryable(error, true);
    assert.equal(agent.getRetryable(error), false);
    assert.equal(error.retryable, false);
    assert.equal(agent.isControl(error), true);
    assert.equal(agent.toWire(error).retryable, false);
  }
  const pinned = new sink.BudgetError(undefined, {
    agent: "a",
    tokensUsed: 1,
    retryable: true,
  });
  assert.deepEqual([pinned.retryable, sink.isControl(pinned)], [false, false]);
});

test("V6 what a class pins, a class below it may not pin", () => {
  const {
    FreeError,
    PinError,
    GoError,
    StopError,
    ManyError,
    stampRetryable,
    getRetryable,
    isControl,
  } = family;
  const stamped = (error) => getRetryable(stampRetryable(error, false));
  assert.deepEqual(
    [stamped(new PinError("m")), stamped(new FreeError("m"))],
    [true, false],
  );
  assert.deepEqual(
    [
      stamped(new ManyError("MANY_FREE", "m")),
      stamped(new ManyError("MANY_PIN", "m")),
    ],
    [false, true],
  );
  assert.deepEqual(
    [isControl(new StopError("m")), isControl(new GoError("m"))],
    [true, false],
  );
});

test("V9 two copies and two versions in one process understand each other", async () => {
  const signal = { to: "a", message: "b" };
  const others = [await load("agent", "-copy"), await load("agent", "-next")];
  for (const other of others) {
    assert.notEqual(other.AgentError, agent.AgentError);
    for (const make of [
      (p) => new p.ModelError("m", { status: 503 }),
      (p) => new p.PolicyDeniedError("m"),
      (p) => new p.SwarmHandoffError("m", { signal }),
      (p) => Object.freeze(new p.AgentError("ANY", "m", true)),
      (p) => p.fromWire({ code: "MODEL_ERROR", message: "m", status: "x" }),
    ]) {
      for (const [maker, reader] of [
        [agent, other],
        [other, agent],
      ]) {
        const error = make(maker);
        assert.equal(error instanceof reader.AgentError, false);
        assert.equal(reader.isAgentError(error), true);
        assert.equal(reader.matches(error, error.code), true);
        assert.equal(reader.getRetryable(error), maker.getRetryable(error));
        assert.equal(reader.isControl(error), maker.isControl(error));
        assert.deepEqual(reader.toWire(error), maker.toWire(error));
        for (const verdict of [true, false]) {
          reader.stampRetryable(error, verdict);
          assert.equal(maker.getRetryable(error), reader.getRetryable(error));
        }
      }
    }
  }
  // What only the other version knows is judged by it.
  const late = new others[1].LaterCodeError("m");
  assert.equal(agent.getRetryable(late), false);
  assert.equal(agent.getRetryable(late, { idempotent: true }), true);
  assert.equal(agent.getRetryable(late, { idempotent: false }), undefined);
  assert.equal(agent.isAgentError(late), true);
});

test("V9 errors of another catalogue have verdicts, and are not ours", () => {
  const error = new sink.HandoffError("m", { signal: { code: "NO_AGENT" } });
  assert.deepEqual(
    [
      agent.isAgentError(error),
      agent.matches(error, "handoff"),
      agent.isControl(error),
      agent.getRetryable(error),
    ],
    [false, false, true, false],
  );
  assert.throws(() => agent.toWire(error), TypeError);
  assert.equal(agent.isControl(new sink.Interrupt()), true);
  assert.equal(agent.isAgentError(new agent.HitlInterrupt("m")), false);
});

test("V10 a group is false if any is, true if all are", () => {
  const [yes, no, unknown] = [true, false, undefined].map((verdict) => {
    const error = new Error("m");
    return verdict === undefined ? error : agent.stampRetryable(error, verdict);
  });
  const group = (...errors) => new AggregateError(errors);
  for (const [errors, verdict] of [
    [[yes, yes], true],
    [[yes, no], false],
    [[no, unknown], false],
    [[yes, unknown], undefined],
    [[yes, null], undefined],
    [[], undefined],
    [[group(yes), yes], true],
    [[group(yes, group(no)), yes], false],
    [[agent.stampRetryable(group(no), true), yes], true],
  ]) {
    assert.equal(agent.getRetryable(group(...errors)), verdict);
  }
  assert.equal(
    agent.getRetryable(agent.stampRetryable(group(yes), false)),
    false,
  );
  const stop = new agent.HitlInterrupt("m");
  assert.equal(agent.isControl(group(yes, group(stop))), true);
  assert.equal(agent.isControl(group(yes)), false);
  const foreign = vm.runInNewContext("new AggregateError([1])");
  foreign.errors = [yes, stop];
  assert.deepEqual(
    [agent.getRetryable(foreign), agent.isControl(foreign)],
    [agent.getRetryable(stop) ?? false, true],
  );
});

test("V10 a group that holds itself has an end", () => {
  const error = new AggregateError([]);
  error.errors.push(error);
  assert.equal(agent.getRetryable(error), undefined);
  assert.equal(agent.isControl(error), false);
});

test("V10 the functions can be given to those of arrays", () => {
  const errors = [1, 2, 3].map(
    () => new AggregateError([new agent.HitlInterrupt()]),
  );
  assert.equal(errors.filter(agent.isControl).length, 3);
  assert.deepEqual(errors.map(agent.getRetryable), [false, false, false]);
  assert.deepEqual(errors.filter(agent.isRetryableError), []);
});

test("P1 stamp, then explicit verdict, then rules, then the rest", () => {
  const error = new agent.ModelError("m", { status: 503, retryable: false });
  assert.equal(agent.getRetryable(error), false);
  assert.equal(agent.getRetryable(agent.stampRetryable(error, true)), true);
  assert.equal(
    new agent.ModelError("m", { reason: "empty_truncation", status: 503 })
      .retryable,
    false,
  );
  assert.equal(new agent.ModelError("m").retryable, true);
});

test("P2 the verdict of a code beats its HTTP status", () => {
  assert.equal(sink.ERRORS.get("auth").http, 401);
  const error = sink.fromWire({
    code: "overloaded",
    message: "m",
    details: { status: 404 },
  });
  assert.equal(sink.isRetryableError(error), true);
});

test("P3 a verdict is judged once, when the error is made", () => {
  const error = new agent.ModelError("m", { status: 503 });
  error.status = 404;
  assert.equal(agent.getRetryable(error), true);
});

test("P4 a verdict follows the code that a field names", () => {
  for (const [modelError, verdict] of [
    ["overloaded", true],
    ["auth", false],
    ["nope", false],
    [undefined, false],
    ["toString", false],
  ]) {
    assert.equal(new sink.ModelError("m", { modelError }).retryable, verdict);
  }
});

test("P5 what only the caller knows is judged when asked", () => {
  const make = (options) => new sink.HTTPConnectError("m", options);
  const ask = (error, context) => sink.getRetryable(error, context);
  assert.equal(ask(make({ status: 503 })), undefined);
  assert.equal(ask(make({ status: 503 }), {}), undefined);
  assert.equal(ask(make({ status: 503 }), { idempotent: true }), true);
  assert.equal(ask(make({ status: 503 }), { idempotent: 1 }), undefined);
  assert.equal(ask(make({ status: 404 }), { idempotent: true }), false);
  assert.equal(ask(make(), { attempt: 2 }), true);
  assert.equal(ask(make(), { attempt: 2.5 }), undefined);
  assert.equal(
    ask(make({ status: 503, retryable: false }), { idempotent: true }),
    false,
  );
  assert.equal(
    ask(sink.stampRetryable(make({ status: 503 }), false), {
      idempotent: true,
    }),
    false,
  );
  assert.equal(
    sink.isRetryableError(make({ status: 503 }), { idempotent: true }),
    true,
  );
});

test("H1 an error that nobody defines is judged by its status, after what is known", () => {
  const abort = new DOMException("m", "AbortError");
  for (const [error, verdict] of [
    [new Error("m"), true],
    [Object.assign(new Error("m"), { status: 503 }), true],
    [Object.assign(new Error("m"), { status: 404 }), false],
    [Object.assign(new Error("m"), { statusCode: 429 }), true],
    [Object.assign(new Error("m"), { response: { status: 400 } }), false],
    [abort, false],
    [Object.assign(new Error("m"), { name: "AbortError", status: 503 }), false],
    [sink.stampRetryable(new DOMException("m", "AbortError"), true), true],
    [
      sink.stampRetryable(
        Object.assign(new Error("m"), { status: 503 }),
        false,
      ),
      false,
    ],
    [new sink.SinkError("any", "m"), false],
    ["text", true],
    [null, true],
  ]) {
    assert.equal(sink.isRetryableError(error), verdict);
  }
  assert.equal(sink.getRetryable(abort), undefined);
  assert.equal(agent.isRetryableError(new Error("m")), false);
});

test("H2 what is no status from 400 to 599 counts as none", () => {
  for (const status of [
    true,
    NaN,
    "404",
    399,
    600,
    404.5,
    null,
    {},
    Infinity,
  ]) {
    assert.equal(sink.isRetryableError({ status }), true);
  }
  assert.equal(
    sink.isRetryableError({ status: "404", response: { statusCode: 404 } }),
    false,
  );
});

test("V10 an aggregate that is there twice votes twice, one in itself does not", () => {
  const { getRetryable } = agent;
  const never = new AggregateError([new agent.PolicyDeniedError("m")]);
  const again = new AggregateError([
    new agent.ModelError("m", { status: 503 }),
  ]);
  assert.equal(getRetryable(new AggregateError([again, again])), true);
  assert.equal(
    getRetryable(new AggregateError([again, new AggregateError([again])])),
    true,
  );
  assert.equal(getRetryable(new AggregateError([again, never, again])), false);
  const circle = new AggregateError([again]);
  circle.errors.push(circle, new AggregateError([circle, again]));
  assert.equal(getRetryable(circle), true);
  const alone = new AggregateError([]);
  alone.errors.push(alone);
  assert.deepEqual(
    [getRetryable(alone), agent.isControl(alone)],
    [undefined, false],
  );
});

test("V10 no value makes a question about it fail", () => {
  const fail = () => {
    throw new Error("hostile");
  };
  const revoked = Proxy.revocable([], {});
  revoked.revoke();
  const holder = (errors) => Object.assign(new AggregateError([]), { errors });
  let deep = new agent.ModelError("m", { status: 503 });
  for (let level = 0; level < 20_000; level++)
    deep = new AggregateError([deep]);
  const foreign = Object.assign(new Error("m"), {
    [Symbol.for("errspec.brand")]: "other",
    [Symbol.for("errspec.judge")]: fail,
    retryable: true,
  });
  for (const [value, verdict] of [
    [holder(revoked.proxy), undefined],
    [holder(new Proxy([1], { get: fail })), undefined],
    [new Proxy(new AggregateError([]), { get: fail }), undefined],
    [deep, true],
    [foreign, true],
  ]) {
    assert.equal(agent.getRetryable(value, { idempotent: true }), verdict);
    assert.equal(agent.isRetryableError(value, {}), verdict === true);
    assert.equal(agent.isControl(value), false);
  }
  const error = new sink.HTTPConnectError("m", { status: 503 });
  const facts = new Proxy({}, { get: fail });
  assert.equal(sink.getRetryable(error, facts), error.retryable);
});

test("a rule counts a record that has other names on the wire", () => {
  const data = { code: "METERED", message: "m", usage: { input_tokens: 1 } };
  assert.equal(family.fromWire(data).retryable, true);
  assert.equal(
    family.fromWire({ ...data, usage: { inputTokens: 1 } }).retryable,
    false,
  );
});

test("isCode says no for an error that does not fit the class of its code", () => {
  const data = { code: "MODEL_ERROR", message: "m" };
  for (const [status, fits] of [
    [503, true],
    ["503", false],
  ]) {
    const error = agent.fromWire({ ...data, status });
    assert.deepEqual(
      [agent.isCode(error, "MODEL_ERROR"), agent.matches(error, "MODEL_ERROR")],
      [fits, true],
    );
  }
  const away = agent.fromWire({ code: "LOCK_ERROR", message: "m" });
  assert.equal(agent.isCode(away, "LOCK_ERROR"), true);
});

test("an abstract class may have subclasses of anybody's", () => {
  class Mine extends sink.TransportError {}
  const error = new Mine("m", { status: 503 });
  assert.deepEqual([error.message, error.status], ["m", 503]);
  assert.ok(error instanceof sink.SinkError);
});

test("nobody changes what the catalogue says", () => {
  const info = sink.ERRORS.get("http.connect");
  for (const change of [
    () => info.rules.push(1),
    () => (info.rules[0].then = false),
    () => info.rules[0].when.status.push("1xx"),
    () => (info.attributes.more = 1),
    () => (info.absent.python = "x"),
    () => info.spellings.pop(),
    () => sink.ERRORS.delete("http.connect"),
    () => sink.ERRORS.set("more", info),
    () => sink.ERRORS.clear(),
  ]) {
    assert.throws(change, TypeError);
  }
  assert.equal(sink.lookup("http.connect"), info);
});
