// Runs test vectors against generated TypeScript packages, as vector_runner.py does
// against Python ones:
//
//     node vector_runner.mjs < [{"package": FOLDER, "vectors": VECTORS_JSON}, …]
//
// It writes a list of what is wrong for each.
import { isDeepStrictEqual } from "node:util";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const FIELDS = Symbol.for("errspec.fields");

/** Return what is wrong, a line each; `document` is a vectors.json. */
export function failures(pack, document) {
  return document.vectors.flatMap((vector) => {
    let found;
    try {
      found = faults(pack, vector, document);
    } catch (error) {
      found = [`raises ${error.stack}`];
    }
    return found.map((fault) => `${vector.name}: ${fault}`);
  });
}

function faults(pack, vector, { fields_under: under, facts }) {
  const found = [];
  const differ = (what, is, wanted) => {
    if (!isDeepStrictEqual(is, wanted)) {
      found.push(`${what} is ${show(is)}, not ${show(wanted)}`);
    }
  };
  const { code, class: carrier, wire: written } = vector.languages.typescript;
  const info = pack.ERRORS.get(vector.code);
  const base = pack.fromWire({ code: "no such code", message: "m" }).name;
  const verdict = vector.retryable ?? undefined;
  const context = Object.fromEntries(
    Object.entries(vector.context).map(([k, v]) => [facts.typescript[k], v]),
  );
  const { fields } = vector;
  // Assignment would lose a field that is called __proto__ on the wire.
  const beside = under ? {} : fields;
  const wire = { code: written, message: "m", ...beside };
  if (under && Object.keys(fields).length > 0) wire[under] = fields;

  const check = (way, error, cls, hasFields = true) => {
    differ(`${way}: class`, error.name, cls);
    differ(`${way}: is of its class`, !pack[cls] || error instanceof pack[cls], true);
    differ(`${way}: code`, error.code, code);
    differ(`${way}: verdict`, pack.getRetryable(error, context), verdict);
    differ(`${way}: own`, error.retryable, pack.getRetryable(error));
    differ(
      `${way}: stack`,
      error.stack.startsWith(`${cls}: ${error.message}\n`),
      true,
    );
    if (!hasFields) return;
    const sent = pack.toWire(error);
    const retryable = pack.getRetryable(error) ?? null;
    differ(`${way}: wire`, JSON.parse(JSON.stringify(sent)), {
      ...wire,
      retryable,
    });
    differ(`${way}: wire has no more than JSON`, sent, { ...wire, retryable });
    const again = pack.fromWire(JSON.parse(JSON.stringify(sent)));
    if (cls === (carrier ?? base)) {
      differ(
        `${way}: read again`,
        [again.name, { ...again }],
        [error.name, { ...error }],
      );
    }
  };

  differ("http", info.http, vector.http ?? undefined);
  check("fromWire", pack.fromWire(wire), carrier ?? base);
  for (const told of [true, false]) {
    const error = pack.fromWire({ ...wire, retryable: told });
    const wanted = info.pinned ? info.retryable : told;
    differ("verdict on the wire", pack.getRetryable(error), wanted);
  }
  const raised = !Object.hasOwn(info.absent, "typescript");
  const names = info.classNames.length > 0 || !raised ? info.classNames : [base];
  // What is internal is not exported.
  // Nor can a class make what holds the fields of another class of the code.
  const takes = (cls) => {
    const known = Object.values(cls.prototype[FIELDS]).map(({ wire }) => wire);
    return names.length === 1 || Object.keys(fields).every((wire) => known.includes(wire));
  };
  for (const name of names.filter((name) => pack[name] && takes(pack[name]))) {
    for (const [way, error] of made(pack[name], code, fields)) {
      check(`${name} ${way}`, error, name);
    }
  }
  return found;
}

/** Return errors made by the class itself, from the values that a vector gives. */
function made(cls, code, onWire) {
  const options = ofRecord(cls.prototype[FIELDS], onWire);
  for (;;) {
    const tried = [
      ["m", options],
      [code, "m", options],
      [code, "m", undefined, options],
    ];
    const faults = [];
    for (const given of tried) {
      try {
        return [["with a message", new cls(...given)]];
      } catch (error) {
        faults.push(error.message);
      }
    }
    // A field that the code fixes is no option, and is there all the same.
    const fixed = /has no option "(\w+)"/.exec(faults.join("; "));
    if (!fixed || !(fixed[1] in options)) throw new Error(faults.join("; "));
    delete options[fixed[1]];
  }
}

/** Put the names of fields in place of their wire names. */
function ofRecord(fields, onWire) {
  const named = Object.entries(fields).filter(([, { wire }]) => Object.hasOwn(onWire, wire));
  return Object.fromEntries(
    named.map(([name, { type, wire }]) => [name, ofType(type, onWire[wire])]),
  );
}

function ofType(type, value) {
  if (type.list) return value.map((one) => ofType(type.list, one));
  if (type.record) return ofRecord(type.record(), value);
  if (!type.map) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, ofType(type.map, one)]),
  );
}

function show(value) {
  return JSON.stringify(value) ?? String(value);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = [];
  for (const { package: folder, vectors } of JSON.parse(readFileSync(0, "utf8"))) {
    const pack = await import(pathToFileURL(path.join(folder, "index.js")));
    results.push(failures(pack, JSON.parse(readFileSync(vectors, "utf8"))));
  }
  console.log(JSON.stringify(results));
}
