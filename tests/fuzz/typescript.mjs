// Says what generated packages hold and do, for a test to compare:
//
//     node typescript.mjs < [{"package": FOLDER, "cases": […], "vectors": {…}}, …]
//
// It writes a list with an entry for each.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { failures } from "../vector_runner.mjs";

/** Return an error as data: what it is, and what it becomes on the wire and back. */
function told(pack, error, { key, context }) {
  const wire = JSON.parse(JSON.stringify(pack.toWire(error)));
  return {
    class: error.name,
    code: error.code,
    message: error.message,
    retryable: error.retryable ?? null,
    verdict: pack.getRetryable(error, context) ?? null,
    control: pack.isControl(error),
    matches: pack.matches(error, key),
    wire,
    again: JSON.parse(JSON.stringify(pack.toWire(pack.fromWire(wire)))),
  };
}

function attempt(make) {
  try {
    return make();
  } catch (error) {
    return { fault: error.stack };
  }
}

const result = [];
for (const job of JSON.parse(readFileSync(0, "utf8"))) {
  const file = path.join(job.package, "index.js");
  try {
    const pack = await import(pathToFileURL(file));
    result.push({
      // undefined is null here, so that every key is there
      infos: JSON.parse(
        JSON.stringify([...pack.ERRORS.values()], (_, v) => v ?? null),
      ),
      keys: [...pack.ERRORS.keys()],
      lookups: job.texts.map((text) => pack.lookup(text)?.code ?? null),
      cases: job.cases.map((one) => ({
        read: attempt(() => told(pack, pack.fromWire(one.wire), one)),
        made: one.made.map(({ cls, args }) =>
          attempt(() => {
            const given = args.map((arg) => arg ?? undefined);
            const options = given.at(-1);
            if (one.cause) options.cause = new Error("cause");
            return told(pack, new pack[cls](...given), one);
          }),
        ),
      })),
      failures: failures(pack, job.vectors),
    });
  } catch (error) {
    result.push({ fault: error.stack });
  }
}
process.stdout.write(JSON.stringify(result));
