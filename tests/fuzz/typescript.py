"""Compares generated TypeScript with its catalogues: one tsc and one node for many."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator, Sequence

from fuzz import names
from fuzz.checks import differ, info
from fuzz.compiled import Compiled
from fuzz.oracle import Case, Data, Oracle, few
from fuzz.values import SAFE
from javascript import run_node
from support import need, run

SCRIPT = pathlib.Path(__file__).with_name("typescript.mjs")
_FLAGS = """
--noEmit --strict --exactOptionalPropertyTypes --noUnusedLocals
--target es2022 --module nodenext
"""
FLAGS = [*_FLAGS.split(), "--types", ""]


def faults(
    batch: Sequence[Compiled], folder: pathlib.Path, tools: pathlib.Path
) -> list[list[str]]:
    """Return what is wrong with each of the packages, a line each."""
    for number, compiled in enumerate(batch):
        for path, text in compiled.files["typescript"].items():
            file = folder / f"p{number}" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
    found: list[list[str]] = [[] for _ in batch]
    for number, line in _declared(folder, tools):
        found[number].append(line)
    jobs = [_job(c, folder / f"p{n}") for n, c in enumerate(batch)]
    # JavaScript writes large whole numbers without an exponent.
    results = json.loads(run_node(SCRIPT, input=jobs), parse_int=_number)
    for told, compiled, job, result in zip(found, batch, jobs, results, strict=True):
        told += _compare(compiled, job, result)
    return found


def _number(digits: str) -> float:
    return int(digits) if abs(int(digits)) <= SAFE else float(digits)


def _declared(folder: pathlib.Path, tools: pathlib.Path) -> Iterator[tuple[int, str]]:
    """Yield what the compiler says of the declarations."""
    files = sorted(folder.glob("p*/index.d.ts"))
    tsc = tools / "typescript/bin/tsc"
    done = run(need("node"), tsc, *FLAGS, *files, cwd=folder)
    for line in (done.stdout + done.stderr).splitlines():
        place = re.match(r"p(\d+)/", line)
        yield int(place[1]) if place else 0, f"tsc: {line}"


def _job(compiled: Compiled, package: pathlib.Path) -> Data:
    oracle = compiled.oracle
    return {
        "package": str(package),
        "texts": [text for key in oracle.codes for text in _texts(oracle, key)],
        "cases": [_case(oracle, case) for case in compiled.cases],
        "vectors": compiled.vectors,
    }


def _facts(oracle: Oracle, context: Data) -> Data:
    return {
        names.field(n, "typescript", oracle.acronyms): v for n, v in context.items()
    }


def _texts(oracle: Oracle, key: str) -> list[str | int]:
    raw = oracle.codes[key]
    wire = oracle.wire(key, "typescript")
    return [*oracle.spellings(key), *few(raw.get("aliases")), wire]


def _case(oracle: Oracle, case: Case) -> Data:
    key, fields = case.code, oracle.fields(case.code)
    first = {"base": [oracle.spelling(key, "typescript")], "message": [], "field": []}
    first["code"] = first["base"]
    made = []
    for cls in oracle.class_names(key, "typescript"):
        if oracle.is_internal(cls) or not oracle.can_make(case, cls, "typescript"):
            continue
        takes = oracle.takes(cls, "typescript")
        given = oracle.given(case, cls, "typescript")
        options = oracle.in_names(fields, given, "typescript")
        middle = [None] if takes == "base" else []  # the verdict, which is not told
        made.append(
            {"cls": cls, "args": [*first[takes], case.message, *middle, options]}
        )
        if oracle.message(case) is not None and takes != "base":
            made.append({"cls": cls, "args": [*first[takes], None, options]})
    return {
        "key": key,
        "wire": oracle.wire_form(case, "typescript", case.message),
        "context": _facts(oracle, case.context),
        "made": made,
        "cause": oracle.needs_cause(key),
    }


def _compare(compiled: Compiled, job: Data, result: Data) -> Iterator[str]:
    oracle = compiled.oracle
    if "fault" in result:
        yield result["fault"]
        return
    yield from differ("codes", result["keys"], list(oracle.codes))
    for found in result["infos"]:
        key = found["code"]
        wanted = info(oracle, key, "typescript")
        for name in wanted:
            ours = names.camel(name, {})
            yield from differ(f"ts {key}.{ours}", found.get(ours), wanted[name])
    yield from (f"ts {line}" for line in result["failures"])
    looked = [k for k in oracle.codes for _ in _texts(oracle, k)]
    yield from differ("lookups", result["lookups"], looked)
    for case, asked, found in zip(
        compiled.cases, job["cases"], result["cases"], strict=True
    ):
        read_as = oracle.read_as(case.code, "typescript")
        told = [(found["read"], _wanted(oracle, case, asked["wire"], read_as, False))]
        for error, made in zip(found["made"], asked["made"], strict=True):
            cls, wire = made["cls"], asked["wire"]
            if None in made["args"][:2] and oracle.takes(cls, "typescript") != "base":
                wire = {**wire, "message": oracle.message(case)}
            told.append((error, _wanted(oracle, case, wire, cls, True)))
        for error, expected in told:
            if "fault" in error:
                yield f"ts {case}: {error['fault']}"
                continue
            for name, value in expected.items():
                yield from differ(f"ts {case}: {name}", error[name], value)


def _wanted(oracle: Oracle, case: Case, wire: Data, cls: str, made: bool) -> Data:
    key = case.code
    alone, verdict = oracle.answers(case, made)
    wire = {**wire, "retryable": alone}
    return {
        "class": cls,
        "code": oracle.spelling(key, "typescript"),
        "message": wire["message"],
        "retryable": alone,
        "verdict": verdict,
        "control": bool(oracle.of_code(key, "control")),
        "matches": True,
        "wire": wire,
        "again": {**wire, "retryable": oracle.told_again(case, made)},
    }
