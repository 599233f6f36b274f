// What `fromResponse` does with answers of every host: how much of them it reads, what
// becomes of the rest, and what of streams that break.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";

const path = `${process.env.PACKAGES}/gateway`;
const { BusyError, fromWire, NoWaitError, QueueFullError, toWire } =
  await import(`${path}/index.js`);
const copy = await import(`${path}-copy/index.js`);
const { nextDelay } = await import(`${path}/retry.js`);
const { fromProblem, fromResponse, MEDIA_TYPE, ResponseError, toProblem } =
  await import(`${path}/problem.js`);

const LIMIT = 2 ** 20;
const KIB = new Uint8Array(1024).fill(32);
const text = JSON.stringify(toProblem(new NoWaitError("m")).body);

// A response whose stream says how much of it was read, and with what it was cancelled.
function tracked(pull, { status = 502, headers = {}, ...rest } = {}) {
  const seen = { bytes: 0, cancelled: 0 };
  const body = new ReadableStream(
    {
      pull: async (controller) => {
        const chunk = await pull(seen.bytes);
        if (chunk === undefined) return controller.close();
        seen.bytes += chunk.byteLength ?? 0;
        controller.enqueue(chunk);
      },
      cancel: () => {
        seen.cancelled += 1;
        return rest.onCancel?.();
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, response: { status, headers, body } };
}

const refusal = async (response) => {
  const error = await fromResponse(response).catch((thrown) => thrown);
  assert(error instanceof ResponseError, String(error));
  assert(error.message.includes("holds no error of this catalogue"));
  return error;
};

test("a stream without an end is read to the limit, and then cancelled", async () => {
  const { seen, response } = tracked(() => KIB);
  assert.equal((await refusal(response)).status, 502);
  assert.deepEqual(seen, { bytes: LIMIT + KIB.length, cancelled: 1 });
});

test("a stream that ends at the limit is read", async () => {
  const start = new TextEncoder().encode(text.padEnd(1024));
  const { seen, response } = tracked((at) =>
    at === 0 ? start : at < LIMIT ? KIB : undefined,
  );
  assert((await fromResponse(response)) instanceof NoWaitError);
  assert.deepEqual(seen, { bytes: LIMIT, cancelled: 0 });
});

test("of an answer that says that it is too long nothing is read", async () => {
  const headers = { "Content-Length": String(LIMIT + 1) };
  const { seen, response } = tracked(() => KIB, { headers });
  await refusal(response);
  assert.deepEqual(seen, { bytes: 0, cancelled: 1 });
});

test("nor of one that says that it is no JSON", async () => {
  const headers = new Headers({ "content-type": "text/html" });
  const { seen, response } = tracked(() => KIB, { headers });
  await refusal(response);
  assert.deepEqual(seen, { bytes: 0, cancelled: 1 });
});

test("a length that is none is passed over", async () => {
  for (const length of ["", "x", "-1", "NaN", String(LIMIT)]) {
    const headers = new Headers({ "content-length": length });
    const body = new Response(text).body;
    const found = await fromResponse({ status: 502, headers, body });
    assert(found instanceof NoWaitError);
  }
});

test("a cancellation that fails, or never ends, changes nothing", async () => {
  for (const onCancel of [
    () => Promise.reject(new Error("no")),
    () => new Promise(() => {}),
  ]) {
    const { response } = tracked(() => KIB, { onCancel });
    await refusal(response);
  }
});

test("what breaks a stream is the cause", async () => {
  const broken = new TypeError("terminated");
  const { response } = tracked((at) => {
    if (at > 0) throw broken;
    return KIB;
  });
  const error = await refusal(response);
  assert.equal(error.cause, broken);
  assert(!error.message.includes("terminated"));
});

test("an abort comes out as it is", async () => {
  const abort = new DOMException("stop", "AbortError");
  const { response } = tracked(() => {
    throw abort;
  });
  await assert.rejects(fromResponse(response), (error) => error === abort);
});

test("a body that was read before is told", async () => {
  const response = new Response(new TextEncoder().encode(text));
  await response.text();
  assert.match((await refusal(response)).message, /was read before/);
  const locked = new Response(new TextEncoder().encode(text));
  const reader = locked.body.getReader();
  assert((await refusal(locked)).cause instanceof TypeError);
  assert((await reader.read()).value.length > 0); // its reader may go on
});

test("an answer without a body holds no error", async () => {
  const answers = [
    new Response(null, { status: 204 }),
    new Response(new Uint8Array()),
    { status: 304, headers: {}, body: null },
    { status: 304, headers: {} },
  ];
  for (const one of answers) {
    assert.match((await refusal(one)).message, /has no body/);
  }
});

test("what is no answer at all holds none either", async () => {
  const throwing = new Proxy({}, { get: () => assert.fail("read") });
  const [{ proxy, revoke }, text] = [Proxy.revocable({}, {}), "SECRET"];
  revoke();
  const streams = [
    text,
    7,
    {},
    throwing,
    proxy,
    { getReader: () => null },
    { getReader: () => ({ read: async () => null }) },
    { getReader: () => ({ read: async () => ({ done: false }) }) },
    { getReader: () => ({ read: async () => ({ value: text }) }) },
    { getReader: () => ({ read: async () => ({ value: [123] }) }) },
    { [Symbol.asyncIterator]: () => 7 },
    Readable.from([text, text]),
    Readable.from([null, 7], { objectMode: true }),
  ];
  for (const body of streams) {
    const error = await refusal({ status: 502, headers: {}, body });
    assert(!error.message.includes(text));
  }
  const body = Readable.from([text]);
  const { message } = await refusal({ status: 502, headers: {}, body });
  assert.match(message, /its body is not one of bytes/);
  const others = [7, 99, 600, 502.5, Number.NaN, "502", null, throwing].map(
    (status) => ({ status, headers: throwing, body: null }),
  );
  others.push(undefined, null, text, 7, throwing, proxy, [], {});
  for (const one of others) {
    assert.equal((await refusal(one)).status, undefined);
  }
});

test("headers of any kind are found, and hostile ones passed over", () => {
  const read = (headers) =>
    fromProblem(text, { status: 502, headers }).extra.retryAfter;
  const kinds = [
    new Headers({ "Retry-After": "7" }),
    new Map([["Retry-After", "7"]]),
    [["RETRY-AFTER", "7"]],
    { "rEtry-aFter": "7" },
    { "retry-after": 7 },
    { "retry-after": ["7"] },
    { get: (name) => (name === "retry-after" ? "7" : null) },
    { "Retry-After": undefined, "retry-after": "7" },
  ];
  for (const headers of kinds) assert.equal(read(headers), 7);
  const throwing = new Proxy({}, { get: () => assert.fail("read") });
  const others = [
    undefined,
    null,
    "retry-after",
    7,
    throwing,
    { get: () => assert.fail("read") },
    { "retry-after": Symbol("7") },
    { "retry-after": ["7", "8"] },
    { retry_after: "7" },
    [7],
  ];
  for (const headers of others) assert.equal(read(headers), undefined);
});

test("bodies that only a program gives are read, or refused", () => {
  const found = fromProblem(new TextEncoder().encode(text).buffer);
  assert(found instanceof NoWaitError);
  assert(fromProblem(`\uFEFF${text}`) instanceof NoWaitError);
  const circle = { code: "NO_WAIT", detail: "m" };
  circle.self = { circle };
  let shared = [];
  for (let level = 0; level < 90; level++) shared = [shared, shared];
  const good = { code: "NO_WAIT", detail: "m", instance: undefined, shared };
  const read = fromProblem(good);
  assert(read instanceof NoWaitError);
  assert.deepEqual(Object.keys(read.extra), ["shared"]);
  const refused = [
    circle,
    { code: "NO_WAIT", detail: "m", x: 1n },
    { code: "NO_WAIT", detail: "m", x: () => 7 },
    { code: "NO_WAIT", detail: "m", x: Number.NaN },
    new Proxy({}, { ownKeys: () => assert.fail("read") }),
    {
      get code() {
        return assert.fail("read");
      },
    },
    () => text,
    Symbol("m"),
    7n,
  ];
  for (const body of refused) {
    assert.throws(() => fromProblem(body), ResponseError);
  }
});

test("an error crosses a socket", async (t) => {
  const server = createServer((request, response) => {
    const { status, headers, body } = toProblem(
      new NoWaitError("m", { cause: "not to be told" }),
    );
    response.writeHead(status, { ...headers, "Retry-After": "7" });
    response.end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`);
  assert.equal(response.headers.get("content-type"), MEDIA_TYPE);
  const error = await fromResponse(response);
  assert.deepEqual(toWire(error), {
    code: "NO_WAIT",
    message: "m",
    retryable: true,
    retryAfter: 7,
  });
});

test("the retry layer waits as long as an answer asks", () => {
  const knobs = { initialDelayMs: 1, jitter: false };
  const headers = { "Retry-After": "7" };
  const misfit = { code: "QUEUE_FULL", message: "m", retryAfter: 7, note: [] };
  const asking = [
    fromProblem(text, { headers }),
    fromProblem({ code: "QUEUE_FULL", detail: "m" }, { headers }),
    fromProblem({ code: "RENAMED_WAIT", detail: "m" }, { headers }),
    fromProblem({ code: "OF_TOMORROW", detail: "m" }, { headers }),
    fromWire(misfit),
    new BusyError("m", { tryAgainIn: 7 }),
    new copy.BusyError("m", { tryAgainIn: "7" }),
    new QueueFullError("m", { retryAfter: 7 }),
    fromWire({ code: "BUSY", message: "m", tryAgainIn: "x", retryAfter: 7 }),
    new ResponseError("m", { retryAfter: 7 }),
    Object.assign(new NoWaitError("m"), { extra: { retryAfter: 7 } }),
    Object.assign(new Error("m"), { retry_after: 7 }),
  ];
  for (const error of asking) assert.equal(nextDelay(0, error, knobs), 7000);
  const throwing = new Proxy({}, { get: () => assert.fail("read") });
  const others = [
    fromProblem(text, { headers: { "Retry-After": "later" } }),
    Object.assign(new Error("m"), { tryAgainIn: 7, extra: { retryAfter: 7 } }),
    Object.assign(new NoWaitError("m"), { extra: throwing }),
    Object.assign(new NoWaitError("m"), { extra: null }),
    throwing,
    undefined,
  ];
  for (const error of others) assert.equal(nextDelay(0, error, knobs), 1);
});
