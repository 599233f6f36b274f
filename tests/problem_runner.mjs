// Runs the tables of tests/cases/problem, as those files explain them, through generated
// packages: {packages, out, in} in, what came of each row in each way out.
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";

const given = JSON.parse(readFileSync(0, "utf8"));
const packages = {};
for (const [name, path] of Object.entries(given.packages)) {
  packages[name] = {
    ...(await import(`${path}/index.js`)),
    ...(await import(`${path}/problem.js`)),
  };
}

function look(errors, error) {
  const { name, stack, extra } = error;
  return {
    class: name,
    named: stack.startsWith(`${name}: `) || stack.startsWith(`${name}\n`),
    wire: errors.toWire(error),
    extra,
  };
}

function send(row) {
  const errors = packages[row.catalogue];
  const error = errors.fromWire(row.error);
  if (row.stamp !== undefined) errors.stampRetryable(error, row.stamp);
  const problem = errors.toProblem(error);
  const back = errors.fromProblem(JSON.stringify(problem.body), problem);
  return { problem, error: look(errors, error), back: look(errors, back) };
}

function bytesOf({ bytes, parts }) {
  if (bytes !== undefined) return Buffer.from(bytes, "hex");
  const texts = parts.map((one) => (Array.isArray(one) ? one : [one, 1]));
  return Buffer.from(texts.map(([text, times]) => text.repeat(times)).join(""));
}

function* chunks(bytes) {
  const size = bytes.length > 1000 ? 65_536 : 7;
  for (let at = 0; at < bytes.length; at += size) {
    yield new Uint8Array(bytes.subarray(at, at + size));
  }
}

function renamed(headers, change) {
  const pairs = Object.entries(headers);
  return Object.fromEntries(pairs.map(([name, one]) => [change(name), one]));
}

// The ways in which an answer comes: what each row is read with.
const WAYS = {
  text: ({ fromProblem }, { bytes, status, headers, isText }) =>
    isText && fromProblem(bytes.toString(), { status, headers }),
  bytes: ({ fromProblem }, { bytes, status, headers }) =>
    fromProblem(bytes, { status, headers: new Headers(headers) }),
  view: ({ fromProblem }, { bytes, status, headers }) =>
    fromProblem(new DataView(Uint8Array.from(bytes).buffer), {
      status,
      headers: renamed(headers, (name) => name.toUpperCase()),
    }),
  object: ({ fromProblem }, { bytes, status, headers, isJson }) =>
    isJson &&
    fromProblem(JSON.parse(bytes.toString()), {
      status,
      headers: renamed(headers, (name) => name.toLowerCase()),
    }),
  fetched: ({ fromResponse }, { bytes, status = 200, headers }) =>
    status >= 200 &&
    fromResponse(
      new Response(status === 204 ? null : bytes, { status, headers }),
    ),
  streamed: ({ fromResponse }, { bytes, status, headers }) =>
    fromResponse({
      status,
      headers: new Map(Object.entries(headers)),
      body: ReadableStream.from(chunks(bytes)),
    }),
  "streamed by node": ({ fromResponse }, { bytes, status, headers }) =>
    fromResponse({ status, headers, body: Readable.from(chunks(bytes)) }),
};

async function receive(row) {
  const errors = packages[row.catalogue];
  const { status, headers = {} } = row;
  const bytes = bytesOf(row);
  const isText = row.bytes === undefined;
  const answer = { bytes, status, headers, isText, isJson: row.isJson };
  const told = {};
  for (const [way, read] of Object.entries(WAYS)) {
    try {
      const error = await read(errors, answer);
      if (error !== false) told[way] = look(errors, error);
    } catch (error) {
      if (!(error instanceof errors.ResponseError)) throw error;
      const { name, message, retryAfter } = error;
      told[way] = { refused: name, message, retryAfter, cause: error.cause };
      told[way].status = error.status;
    }
  }
  return told;
}

const told = { out: {}, in: {}, polluted: {}.polluted };
for (const row of given.out) told.out[row.name] = send(row);
for (const row of given.in) told.in[row.name] = await receive(row);
console.log(JSON.stringify(told));
