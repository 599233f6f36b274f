// Classifies errors in node, as tests/test_classify.py does in Python:
//
//     node classify_runner.mjs < {"package": FOLDER, "rows": [...], "texts": [...]}
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const asked = JSON.parse(readFileSync(0, "utf8"));
const load = (file) => import(pathToFileURL(path.join(asked.package, file)));
const pack = await load("index.js");
const { classify, redactSecrets } = await load("classify.js");

const made = ({ wire, make }) => {
  if (wire !== undefined) return pack.fromWire(wire);
  const [name, ...given] = make;
  return new pack[name](...given);
};

class UserAbortError extends Error {}
class StoppedByUser extends UserAbortError {}
const named = (name, error = new Error("m")) => Object.assign(error, { name });
const thrower = (key) =>
  Object.defineProperty(new Error("m"), key, {
    get() {
      throw new Error("SECRET");
    },
  });
const endless = () => {
  const proxy = new Proxy({}, { getPrototypeOf: () => endless() });
  return proxy;
};

const FOREIGN = {
  plain: new Error("m"),
  abort: named("AbortError"),
  "abort signal": AbortSignal.abort().reason,
  "class of a library": new UserAbortError("m"),
  "class below it": new StoppedByUser("m"),
  "name of a library": named("Give_Up"),
  "several, one is an abort": new AggregateError([new Error("x"), named("AbortError")], "m"),
  "status 503": Object.assign(new Error("m"), { status: 503 }),
  "status 404": Object.assign(new Error("m"), { statusCode: 404 }),
  "status text": Object.assign(new Error("m"), { status: "404" }),
  "status NaN": Object.assign(new Error("m"), { status: NaN }),
  "status true": Object.assign(new Error("m"), { status: true }),
  "status of the answer": Object.assign(new Error("m"), { response: { status: 409 } }),
  "code text": Object.assign(new Error("m"), { code: "ECONNRESET" }),
  "code number": Object.assign(new Error("m"), { code: 7 }),
  "code NaN": Object.assign(new Error("m"), { code: NaN }),
  "code object": Object.assign(new Error("m"), { code: {} }),
  "long code": Object.assign(new Error("m"), { code: "x".repeat(1e6) }),
  "message throws": thrower("message"),
  "code throws": thrower("code"),
  "name throws": thrower("name"),
  "10 MB": new Error("x".repeat(1e7)),
  "10 MB of halves": new Error("\ud83d".repeat(1e7)),
  "10 MB of words": new Error("word ".repeat(2e6)),
  "a string": "password=SECRET",
  nothing: undefined,
  number: 7,
  "an object": { message: "m", code: "X" },
  symbol: Symbol("m"),
  function: () => 1,
  proxy: endless(),
};

const foreign = {};
for (const [name, error] of Object.entries(FOREIGN)) foreign[name] = classify(error);

process.stdout.write(
  JSON.stringify({
    rows: asked.rows.map((row) => classify(made(row))),
    texts: asked.texts.map(redactSecrets),
    foreign,
    options: {
      kind: classify(new Error("m"), { kind: "callback" }).errorInfo.kind,
      redact: classify(new Error("m"), { redact: () => "other" }).errorInfo.message,
      throws: classify(new Error("m"), {
        redact() {
          throw new Error("SECRET");
        },
      }).errorInfo.message,
      none: classify(new Error("m"), { redact: () => undefined }).errorInfo.message,
    },
  }),
);
