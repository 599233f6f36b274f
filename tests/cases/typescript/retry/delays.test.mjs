// How long a layer waits, for any knobs and any Retry-After: rules R10 to R12.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";

const fc = createRequire(`${process.env.NODE_TOOLS}/`)("fast-check");
const { nextDelay } = await import(`${process.env.PACKAGES}/retries/retry.js`);
const { RateLimitedError } = await import(
  `${process.env.PACKAGES}/retries/index.js`
);

const check = (...given) =>
  fc.assert(fc.property(...given), { seed: 5, numRuns: 2000 });
const delay = fc.oneof(
  fc.constantFrom(0, 1, 1000, Number.MAX_VALUE),
  // not so small that halves are not exact
  fc.double({ min: 1e-300, noNaN: true, noDefaultInfinity: true }),
);
const factor = fc.oneof(
  fc.constantFrom(1, 2, 1.000001, Number.MAX_VALUE),
  fc.double({ min: 1, noNaN: true, noDefaultInfinity: true }),
);
const attempt = fc.oneof(
  fc.nat(40),
  fc.nat(1e9),
  fc.constantFrom(1e9, Number.MAX_SAFE_INTEGER),
);
const knobs = fc.record({
  initialDelayMs: delay,
  backoffFactor: factor,
  maxDelayMs: delay,
});
// What `random` may give, wrong ones included.
const share = fc.oneof(fc.double(), fc.constantFrom(0, 1, undefined, "x", {}));

test("R10 no wait is negative or above the cap, and jitter takes half at most", () => {
  check(knobs, attempt, share, (given, n, random) => {
    const plain = nextDelay(n, undefined, { ...given, jitter: false });
    assert.ok(plain >= 0 && plain <= given.maxDelayMs);
    const jittered = nextDelay(n, undefined, {
      ...given,
      jitter: true,
      random: () => random,
    });
    assert.ok(jittered >= plain / 2 && jittered <= plain);
  });
});

test("R10 without jitter no wait is shorter than the one before", () => {
  check(knobs, attempt, fc.nat(100), (given, n, more) => {
    const at = (number) =>
      nextDelay(number, undefined, { ...given, jitter: false });
    assert.ok(at(Math.min(n + more, Number.MAX_SAFE_INTEGER)) >= at(n));
  });
});

test("R10 an attempt far out waits for the cap, and at no delay for nothing", () => {
  const options = { jitter: false, backoffFactor: 2, maxDelayMs: 10_000 };
  assert.equal(nextDelay(1e9, undefined, options), 10_000);
  const none = { ...options, initialDelayMs: 0 };
  assert.equal(nextDelay(1e9, undefined, none), 0);
});

const NOW = Date.UTC(1994, 10, 6, 8, 49, 30);
const options = { jitter: false, initialDelayMs: 1000, maxDelayMs: 10_000 };
const after = (value, spelling = "retryAfter", more = {}) =>
  nextDelay(
    0,
    { [spelling]: value },
    { ...options, clock: () => NOW, ...more },
  );

test("R10 R12 chance and time are the host's at the time of asking", (t) => {
  t.mock.method(Math, "random", () => 0.25);
  t.mock.method(Date, "now", () => NOW);
  assert.equal(nextDelay(0), 875);
  const error = { retryAfter: "Sun, 06 Nov 1994 08:49:35 GMT" };
  assert.equal(nextDelay(0, error), 5000);
});

test("R11 a Retry-After is the least wait up to the cap, and nothing above it", () => {
  const seconds = fc.double({ min: 0, max: 1e6, noNaN: true });
  check(knobs, attempt, seconds, (given, n, asked) => {
    const error = { retryAfter: asked };
    const told = { ...given, jitter: true, random: () => 1 };
    const wait = nextDelay(n, error, told);
    if (asked > given.maxDelayMs / 1000) {
      assert.equal(wait, undefined);
    } else {
      assert.ok(wait >= Math.min(asked * 1000, given.maxDelayMs));
      assert.ok(wait <= given.maxDelayMs);
    }
  });
});

test("R11 a Retry-After of just the cap is waited for, however it rounds", () => {
  for (let ms = 1; ms <= 10_000; ms++) {
    const wait = after(ms / 1000, "retryAfter", { maxDelayMs: ms });
    assert.equal(Math.ceil(wait), ms);
  }
});

test("R11 errors of others may spell it their way; ours comes first", () => {
  assert.equal(after(5, "retryAfter"), 5000);
  assert.equal(after("5", "retry_after"), 5000);
  const both = { retryAfter: 3, retry_after: 5 };
  assert.equal(nextDelay(0, both, options), 3000);
  const unset = { retryAfter: null, retry_after: 5 };
  assert.equal(nextDelay(0, unset, options), 5000);
  const error = new RateLimitedError("m", { retryAfter: "4" });
  assert.equal(nextDelay(0, error, options), 4000);
  const throwing = {
    get retryAfter() {
      throw new Error("m");
    },
  };
  for (const thrown of [throwing, null, undefined, "text", 5]) {
    assert.equal(nextDelay(0, thrown, options), 1000);
  }
});

test("R12 whatever else a Retry-After may be, it is passed over", () => {
  const others = [
    NaN,
    Infinity,
    -5,
    true,
    7n,
    {},
    [5],
    new Date(NOW + 5000),
    () => 5,
  ];
  for (const other of others) assert.equal(after(other), 1000);
  for (const [text, ms] of [
    ["5", 5000],
    ["5.", 1000],
    [".5", 1000],
    ["5\n", 1000],
    ["\u00a05", 1000],
    ["5.5.5", 1000],
    ["", 1000],
    [" ", 1000],
    ["\u0665", 1000],
    ["\uff15", 1000],
    ["Sun, 06 Nov 1994 08:49:35 GMT", 5000],
    [" \tSun, 06 Nov 1994 08:49:35 GMT\t", 5000],
    ["Sun, 06 Nov 1994 08:49:35 GMT\n", 1000],
    ["sun, 06 nov 1994 08:49:35 gmt", 1000],
    ["Sun, 6 Nov 1994 08:49:35 GMT", 1000],
    ["Sun, 00 Nov 1994 08:49:35 GMT", 1000],
    ["Sun, 06 Nov 1994 08:60:35 GMT", 1000],
    ["Sun, 06 Nov 1994 24:49:35 GMT", 1000],
    ["Mon, 06 Nou 1995 08:49:35 GMT", 1000],
    ["Wed, 00 Mar 1995 08:49:35 GMT", 1000],
    ["Wed, 29 Feb 1995 08:49:35 GMT", 1000],
    ["Wed, 29 Feb 1996 08:49:35 GMT", undefined],
    ["Sun, 06 Nov 1994 08:49:29 GMT", 1000],
    ["Sunday, 06-Nov-94 08:49:35 GMT", 5000],
    ["Sun Nov  6 08:49:35 1994", 5000],
    ["Sun Nov 06 08:49:35 1994", 5000],
    ["Sun Nov 6 08:49:35 1994", 1000],
  ]) {
    assert.equal(after(text), ms, text);
  }
});

test("R12 any text gives a wait that is none, or what it says", () => {
  const character = fc.constantFrom(
    ..."0123456789.,-+eExX_ \t\n:SunNovGMT\u0665",
  );
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: character }),
    fc.nat().map(String),
    fc.string({
      unit: fc.constantFrom(..."0123456789"),
      minLength: 300,
      maxLength: 500,
    }),
  );
  check(text, (value) => {
    const wait = after(value);
    const digits = /^[ \t]*([0-9]+(?:\.[0-9]+)?)[ \t]*$/.exec(value)?.[1];
    const seconds = Number(digits);
    if (digits === undefined || seconds === Infinity) {
      assert.equal(wait, 1000);
    } else if (seconds > 10) {
      assert.equal(wait, undefined);
    } else {
      assert.equal(wait, Math.max(1000, seconds * 1000));
    }
  });
});

const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(
  " ",
);

test("R12 every date of HTTP is read, in each of its three forms", () => {
  const second = fc.integer({
    min: Date.UTC(1970, 0) / 1000,
    max: Date.UTC(2400, 0) / 1000,
  });
  check(second, fc.integer({ min: 0, max: 9 }), (now, ahead) => {
    const date = new Date((now + ahead) * 1000);
    const imf = date.toUTCString();
    const [, day, month, year, time] = imf.split(/,? /);
    const name = DAYS[date.getUTCDay()];
    const clock = () => now * 1000;
    for (const text of [
      imf,
      `${name}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
      `${name.slice(0, 3)} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`,
    ]) {
      const wait = after(text, "retryAfter", { clock, initialDelayMs: 0 });
      assert.equal(wait, ahead * 1000, text);
    }
  });
});

test("R12 a leap second is the one before it", () => {
  const clock = () => Date.UTC(1998, 11, 31, 23, 59, 50);
  const text = "Thu, 31 Dec 1998 23:59:60 GMT";
  assert.equal(after(text, "retryAfter", { clock }), 9000);
});

test("R12 a clock that knows no time makes no wait of a date", () => {
  const text = "Sun, 06 Nov 1994 08:49:35 GMT";
  for (const clock of [
    () => NaN,
    () => "x",
    () => undefined,
    () => -Infinity,
  ]) {
    assert.equal(after(text, "retryAfter", { clock }), 1000);
  }
});

test("R12 a header that is long is read at once", () => {
  for (const text of [
    "5" + " ".repeat(200_000) + "x",
    " ".repeat(200_000) + "x",
    "Sun, 06 Nov 1994 08:49:35 GMT" + "\t".repeat(200_000) + "x",
    "A" + "day".repeat(100_000),
    "1".repeat(200_000) + ".",
  ]) {
    assert.equal(after(text), 1000);
  }
});
