// Asks the gateway of gateway.py, as tests/test_gateway.py does in Python:
//
//     node gateway_client.mjs < {"package": FOLDER, "url": URL, "codes": […], "answers": […]}
//
// It writes what it met.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const asked = JSON.parse(readFileSync(0, "utf8"));
const load = (file) => import(pathToFileURL(path.join(asked.package, file)));
const pack = await load("index.js");
const { ResponseError, fromResponse } = await load("problem.js");
const { withRetry } = await load("retry.js");

const get = (place) => fetch(`${asked.url}/${place}`);

/** Return what the answer is: the error that it tells, or that it tells none. */
async function met(response) {
  const { status, headers } = response;
  const answer = { status, retry_after: headers.get("retry-after") };
  try {
    const error = await fromResponse(response);
    const { code, message, retryable } = error;
    const { details = {} } = pack.toWire(error);
    return { ...answer, class: error.name, code, message, retryable, details };
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const { name, message, status: told, retryAfter = null } = error;
    return { ...answer, class: name, message, told, wait: retryAfter };
  }
}

const errors = [];
for (const code of asked.codes) errors.push(await met(await get(`errors/${code}`)));

const answers = {};
for (const name of asked.answers) {
  answers[name] = await met(await get(`answers/${encodeURIComponent(name)}`));
}
answers.endless = await met(await get("endless"));

/** Call what fails once, through the retry layer, and tell what became of it. */
async function retried(code) {
  const waits = [];
  const call = withRetry(
    async () => {
      const response = await get(`once/${code}?key=node-${code}`);
      if (!response.ok) throw await fromResponse(response);
      return "answered";
    },
    { sleep: (ms) => waits.push(ms), random: () => 0, initialDelayMs: 10 },
  );
  const end = await call().catch((error) => error.code);
  const { calls } = await (await get(`calls?key=node-${code}`)).json();
  return { end, calls, waits };
}

const retries = {};
for (const code of asked.retries) retries[code] = await retried(code);

// At last: the server closes a connection on which an exception came up.
const foreign = await met(await get("foreign"));

process.stdout.write(JSON.stringify({ errors, answers, retries, foreign }));
