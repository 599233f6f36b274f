// What an AbortSignal does to a layer, with real timers: rules R1, R12 and R13.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import { setTimeout as sleepOfNode } from "node:timers/promises";

const folder = process.env.PACKAGES;
const retries = await import(`${folder}/retries/index.js`);
const { toolRetryMiddleware, withRetry } = await import(
  `${folder}/retries/retry.js`
);

const LONG = { initialDelayMs: 20_000, maxDelayMs: 20_000, jitter: false };
const later = () => new Promise((resolve) => setImmediate(resolve));
const timers = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
const listeners = (signal) => getEventListeners(signal, "abort").length;

function failing() {
  const handler = () => {
    handler.calls += 1;
    throw new retries.TransientError("m");
  };
  handler.calls = 0;
  return handler;
}

test("R13 nothing is called once the signal is aborted", async () => {
  const handler = failing();
  for (const reason of [new Error("reason"), "text", null, 0, undefined]) {
    const layer = toolRetryMiddleware({ signal: AbortSignal.abort(reason) });
    const told = await layer(1, handler).catch((error) => [error]);
    if (reason === undefined) assert.equal(told[0].name, "AbortError");
    else assert.ok(Object.is(told[0], reason));
  }
  assert.equal(handler.calls, 0);
});

test("R13 an abort ends a wait: no timer, no listener, no call is left", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error("reason");
  const before = timers();
  const handler = failing();
  const waiting = withRetry(handler, { ...LONG, signal })();
  await later();
  assert.equal(timers(), before + 1);
  assert.ok(listeners(signal) > 0);
  controller.abort(reason);
  await assert.rejects(waiting, (error) => error === reason);
  assert.equal(timers(), before);
  assert.equal(listeners(signal), 0);
  await later();
  assert.equal(handler.calls, 1);
});

test("R13 an abort after the result changes nothing", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const layer = toolRetryMiddleware({ ...LONG, initialDelayMs: 1, signal });
  let calls = 0;
  const result = await layer(1, (request) => {
    calls += 1;
    if (calls < 3) throw new retries.TransientError("m");
    return request;
  });
  assert.deepEqual([result, calls, listeners(signal)], [1, 3, 0]);
  controller.abort();
  await later();
  assert.equal(calls, 3);
});

test("R13 a call that gives its result after an abort has given it", async () => {
  const controller = new AbortController();
  const layer = toolRetryMiddleware({ signal: controller.signal });
  assert.equal(
    await layer(1, () => {
      controller.abort();
      return "done";
    }),
    "done",
  );
});

test("R13 an abort that comes while somebody is told ends it before the wait", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const waits = [];
  const layer = toolRetryMiddleware({
    ...LONG,
    signal,
    sleep: (ms) => waits.push(ms),
    onRetry: async () => {
      await later();
      controller.abort();
    },
  });
  await assert.rejects(layer(1, failing()), { name: "AbortError" });
  assert.deepEqual(waits, []);
});

for (const [name, sleep] of Object.entries({
  "hears of it": (ms, signal) => sleepOfNode(ms, undefined, { signal }),
  "does not hear of it": () => new Promise(() => {}),
  "throws at it": (ms, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("another")), {
        once: true,
      });
    }),
})) {
  test(`R13 the abort's own reason comes out of a sleep that ${name}`, async () => {
    const controller = new AbortController();
    const reason = new Error("reason");
    const { signal } = controller;
    const waiting = withRetry(failing(), { ...LONG, signal, sleep })();
    await later();
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    assert.equal(listeners(signal), 0);
  });
}

test("R13 it does so too where the sleep heard of the abort first", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error("reason");
  const sleeping = new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("another")), {
      once: true,
    });
  });
  const options = { ...LONG, signal, sleep: () => sleeping };
  const waiting = withRetry(failing(), options)();
  await later();
  controller.abort(reason);
  await assert.rejects(waiting, (error) => error === reason);
});

test("R13 what a sleep throws of its own comes out", async () => {
  const fault = new Error("fault");
  const { signal } = new AbortController();
  const throwing = () => {
    throw fault;
  };
  for (const sleep of [throwing, async () => throwing()]) {
    for (const options of [{ sleep }, { sleep, signal }]) {
      const waiting = withRetry(failing(), options)();
      await assert.rejects(waiting, (error) => error === fault);
    }
  }
  assert.equal(listeners(signal), 0);
});

test("R13 a signal of an older kind, which has no reason, will do", async () => {
  const signal = {
    aborted: true,
    addEventListener() {},
    removeEventListener() {},
  };
  const waiting = withRetry(failing(), { signal })();
  await assert.rejects(waiting, { name: "AbortError" });
});

test("R1 an aborted signal is no text, whatever the call throws", async () => {
  const controller = new AbortController();
  const reason = new Error("reason");
  const asked = () => assert.fail("asked");
  const layer = toolRetryMiddleware({
    signal: controller.signal,
    retryOn: asked,
    onFailure: asked,
  });
  const call = layer(1, () => {
    controller.abort(reason);
    throw new Error("socket closed");
  });
  await assert.rejects(call, (error) => error === reason);
});

test("R2 R3 control flow and a verdict of false come out of an aborted call", async () => {
  for (const error of [
    new retries.Suspension(),
    new retries.TerminalError("m"),
    new DOMException("m", "AbortError"),
  ]) {
    const controller = new AbortController();
    const layer = toolRetryMiddleware({ signal: controller.signal });
    const call = layer(1, () => {
      controller.abort();
      throw error;
    });
    await assert.rejects(call, (found) => found === error);
  }
});

test("R12 no timer is longer than timers can be, and the wait is whole", async (t) => {
  const parts = [];
  t.mock.method(globalThis, "setTimeout", (run, ms) => {
    parts.push(ms);
    queueMicrotask(run);
    return 0;
  });
  const wait = 2 ** 32 + 0.5;
  const options = { maxRetries: 1, jitter: false, maxDelayMs: 2 ** 40 };
  const layer = toolRetryMiddleware({ ...options, initialDelayMs: wait });
  await assert.rejects(layer(1, failing()), retries.TransientError);
  assert.deepEqual(parts, [2 ** 31 - 1, 2 ** 31 - 1, 3]);
});

test("R13 calls at once through one signal leave it as it was", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const before = timers();
  const layer = toolRetryMiddleware({ ...LONG, signal });
  const calls = Array.from({ length: 5 }, () => layer(1, failing()));
  await later();
  assert.equal(timers(), before + 5);
  controller.abort();
  for (const call of calls) await assert.rejects(call, { name: "AbortError" });
  assert.deepEqual([timers(), listeners(signal)], [before, 0]);
});

test("R13 fifty waits on one signal share a listener, and nobody is warned", async () => {
  const warnings = [];
  const warn = (warning) => warnings.push(warning);
  process.on("warning", warn);
  const controller = new AbortController();
  const { signal } = controller;
  const before = timers();
  const run = withRetry(failing(), { ...LONG, signal });
  const waiting = Promise.allSettled(Array.from({ length: 50 }, run));
  await later();
  assert.deepEqual([timers(), listeners(signal)], [before + 50, 1]);
  controller.abort();
  const ended = (await waiting).map(({ reason }) => reason.name);
  assert.deepEqual(ended, Array(50).fill("AbortError"));
  assert.deepEqual([timers(), listeners(signal)], [before, 0]);
  await later();
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
});

test("R13 a wait that ends leaves those of other calls to their own end", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const short = { ...LONG, initialDelayMs: 1, maxRetries: 1, signal };
  const before = timers();
  const first = withRetry(failing(), short)();
  const waiting = withRetry(failing(), { ...LONG, signal })();
  await assert.rejects(first, retries.TransientError);
  assert.deepEqual([timers(), listeners(signal)], [before + 1, 1]);
  const reason = new Error("reason");
  controller.abort(reason);
  await assert.rejects(waiting, (error) => error === reason);
  assert.deepEqual([timers(), listeners(signal)], [before, 0]);
});
