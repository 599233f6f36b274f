// Runs under node in a process of its own: what generated JavaScript takes, as JSON.
//
// `import FILE` prints the seconds of an import and the bytes that it leaves, `calls
// FILE HAND ROUNDS PLAIN STATUS` the seconds of each call, of generated classes and of
// those written by hand.

import { pathToFileURL } from "node:url";

const [what, file, hand, rounds, plain, status] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(path).href);

function generated(module) {
  const of = (code) => module[module.ERRORS.get(code).classNames[0]];
  const { BenchError, getRetryable, toWire } = module;
  return { Base: BenchError, Plain: of(plain), Status: of(status), getRetryable, toWire };
}

function byHand({ HandError, PlainError, StatusError, getRetryable, toWire }) {
  return { Base: HandError, Plain: PlainError, Status: StatusError, getRetryable, toWire };
}

// A function of its own for each module: what node learns of one is not of the other.
function calls({ Base, Plain, Status, getRetryable, toWire }) {
  const one = new Plain("m");
  const other = new Status("m", { status: 503 });
  return new Function(
    ...["Base", "Plain", "Status", "getRetryable", "toWire", "one", "other"],
    `return {
      "construct": () => new Plain("m"),
      "construct with status": () => new Status("m", { status: 503 }),
      "throw and catch": () => {
        try { throw new Plain("m"); } catch (error) { return error instanceof Base; }
      },
      "getRetryable": () => getRetryable(one),
      "getRetryable with status": () => getRetryable(other),
      "toWire": () => toWire(one),
      "toWire with status": () => toWire(other),
    };`,
  )(Base, Plain, Status, getRetryable, toWire, one, other);
}

let kept;

function loop(call) {
  const code = "let last; for (let n = 0; n < number; n++) last = call(); return last;";
  return new Function("call", "number", code).bind(undefined, call);
}

// A round is short, and takes every call of every side in turn: so a busy moment of the
// machine meets all of them.
function timed(sides) {
  const number = 2_000;
  const loops = sides.map((side) => Object.entries(calls(side)).map(([name, call]) => [name, loop(call)]));
  const found = sides.map(() => ({}));
  for (const [, run] of loops.flat()) kept = run(10 * number); // lets node compile it
  for (let round = 0; round < 10 * Number(rounds); round++) {
    for (let at = 0; at < loops[0].length; at++) {
      for (const [side, least] of found.entries()) {
        const [name, run] = loops[side][at];
        const start = performance.now();
        kept = run(number);
        const took = (performance.now() - start) / 1000 / number;
        least[name] = Math.min(took, least[name] ?? took);
      }
    }
  }
  return found;
}

if (what === "import") {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  kept = await load(file);
  const seconds = (performance.now() - start) / 1000;
  globalThis.gc();
  console.log(JSON.stringify([seconds, process.memoryUsage().heapUsed - before]));
} else {
  const sides = [generated(await load(file)), byHand(await load(hand))];
  console.log(JSON.stringify(timed(sides)));
}
