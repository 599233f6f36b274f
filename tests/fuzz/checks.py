"""Compares what was generated from a catalogue with what its data say: pure functions.

Each takes a catalogue's oracle, its cases and the files of a package, and returns what is
wrong, a line each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fuzz import names
from fuzz.oracle import Case, Data, Oracle, few
from vector_runner import failures


def differ(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted or isinstance(found, bool) is not isinstance(wanted, bool):
        yield f"{what} is {found!r}, not {wanted!r}"


# What every language's table of codes says.


def info(oracle: Oracle, key: str, lang: str) -> Data:
    """Return what a language's CodeInfo holds, with lists for tuples."""
    raw = oracle.codes[key]
    fields = {**oracle.data.get("context", {}), **oracle.fields(key)}
    follows = oracle.follows(key)
    return {
        "code": key,
        "meaning": oracle.prose(key, "meaning", lang),
        "hint": oracle.prose(key, "hint", lang),
        "retryable": oracle.default(key),
        "spelling": oracle.spelling(key, lang),
        "wire": oracle.wire(key, lang),
        "spellings": oracle.spellings(key),
        "aliases": few(raw.get("aliases")),
        "groups": oracle.groups(key),
        "rules": [
            {
                "when": {
                    names.field(name, lang, oracle.acronyms): [
                        str(v).lower() if isinstance(v, bool) else str(v)
                        for v in few(tested)
                    ]
                    for name, tested in rule["when"].items()
                    if name in fields
                },
                "then": rule["then"] if isinstance(rule["then"], bool) else None,
                "hint": rule.get("hint", "").strip(),
            }
            for rule in oracle.rules(key)
        ],
        "follows": follows and names.field(follows, lang, oracle.acronyms),
        "pinned": bool(oracle.of_code(key, "pinned")),
        "control": bool(oracle.of_code(key, "control")),
        "raised_by": oracle.raised_by(key, lang),
        "http": oracle.of_code(key, "http"),
        "class_names": oracle.class_names(key, lang),
        "absent": {
            name: local["reason"].strip()
            for name, local in raw.get("languages", {}).items()
            if local.get("absent")
        },
        "attributes": {
            names.field(name, lang, oracle.acronyms) if lang else name: value
            for name, value in oracle.attributes(key).items()
        },
        "since": raw.get("since"),
        "deprecated": passing(raw.get("deprecated")),
        "retired": passing(raw.get("retired")),
        "internal": raw.get("internal", False),
        "docs_url": oracle.docs_url(key),
    }


def passing(entry: Data | None) -> Data | None:
    if entry is None:
        return None
    return {k: v.strip() if k == "reason" else v for k, v in entry.items()}


def plain(value: Any) -> Any:
    """Return a value of Python as JSON has it."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "when"):
        return {k: plain(getattr(value, k)) for k in ("when", "then", "hint")}
    return value


# Python.


def python(
    oracle: Oracle, cases: list[Case], package: Any, vectors: Any
) -> Iterator[str]:
    """Check an imported package: its table, its classes, the wire, all vectors."""
    yield from differ("codes", list(package.CODES), list(oracle.codes))
    for key, found in package.CODES.items():
        for name, wanted in info(oracle, key, "python").items():
            yield from differ(f"{key}.{name}", plain(getattr(found, name)), wanted)
        constant = names.constant(key)
        constant += "_" * (
            not hasattr(package.codes, constant)
            or constant in ("CODES", "BY_TEXT", "TYPE_CHECKING")
        )
        yield from differ(
            constant, getattr(package.codes, constant, None), found.spelling
        )
        for text in [*found.spellings, *found.aliases, found.wire]:
            yield from differ(f"lookup {text!r}", package.lookup(text), found)
    for case in cases:
        yield from _python_case(oracle, case, package)
    yield from failures(package, vectors)


def _python_case(oracle: Oracle, case: Case, package: Any) -> Iterator[str]:
    key, message = case.code, case.message
    fields = oracle.fields(key)
    wire = oracle.wire_form(case, "python", message)
    template = oracle.message(case)
    made = [(oracle.read_as(key, "python"), "from_wire", package.from_wire(wire))]
    for cls in oracle.class_names(key, "python"):
        if not oracle.can_make(case, cls, "python"):
            continue
        given = oracle.in_names(fields, oracle.given(case, cls, "python"), "python")
        if oracle.needs_cause(key):
            given["cause"] = ValueError("a cause")
        takes = oracle.takes(cls, "python")
        first = [oracle.spelling(key, "python")] if takes in ("base", "code") else []
        made.append((cls, cls, getattr(package.errors, cls)(*first, message, **given)))
        if template is not None and takes != "base":
            error = getattr(package.errors, cls)(*first, **given)
            yield from differ(f"{key}: template", str(error), template)
    facts = {
        names.field(name, "python", oracle.acronyms): value
        for name, value in case.context.items()
    }
    for cls, way, error in made:
        at = f"{key} {way} {case}"
        alone, verdict = oracle.answers(case, way != "from_wire")
        yield from differ(f"{at}: class", type(error).__name__, cls)
        yield from differ(f"{at}: code", error.code, oracle.spelling(key, "python"))
        yield from differ(
            f"{at}: message", (error.message, str(error)), (message, message)
        )
        yield from differ(f"{at}: retryable", error.retryable, alone)
        yield from differ(
            f"{at}: verdict", package.get_retryable(error, **facts), verdict
        )
        yield from differ(
            f"{at}: control",
            package.is_control(error),
            bool(oracle.of_code(key, "control")),
        )
        yield from differ(f"{at}: matches", package.matches(error, key), True)
        written = json.loads(json.dumps(package.to_wire(error)))
        yield from differ(f"{at}: to_wire", written, {**wire, "retryable": alone})
        again = json.loads(json.dumps(package.to_wire(package.from_wire(written))))
        told = {**written, "retryable": oracle.told_again(case, way != "from_wire")}
        yield from differ(f"{at}: wire again", again, told)


# JSON.


def documents(oracle: Oracle, catalogue: Any, vectors: Any) -> Iterator[str]:
    """Check the resolved catalogue, and each vector's verdict."""
    yield from differ("title", catalogue["title"], oracle.data["title"].strip())
    yield from differ("id", catalogue["id"], oracle.data["id"])
    for group in catalogue["groups"]:
        raw = oracle.data["groups"][group["key"]]
        wanted = raw["title"].strip(), raw.get("meaning", "").strip()
        yield from differ(
            f"group {group['key']}", (group["title"], group["meaning"]), wanted
        )
    yield from differ(
        "codes", [c["code"] for c in catalogue["codes"]], list(oracle.codes)
    )
    for found in catalogue["codes"]:
        key = found["code"]
        told = info(oracle, key, "")
        for name in ("meaning", "hint", "spellings", "aliases", "groups", "pinned"):
            yield from differ(f"json {key}.{name}", found[name], told[name])
        for name in ("control", "http", "attributes", "since", "internal", "docs_url"):
            yield from differ(f"json {key}.{name}", found[name], told[name])
        yield from differ(
            f"json {key}.wire", found["wire"], oracle.codes[key].get("wire")
        )
        yield from differ(f"json {key}.const", found["const"], oracle.const(key))
        yield from differ(
            f"json {key}.message", found["message"], oracle.of_code(key, "message")
        )
        fields = {n: oracle.wire_name(n, raw) for n, raw in oracle.fields(key).items()}
        yield from differ(
            f"json {key}.fields",
            {n: f["wire"] for n, f in found["fields"].items()},
            fields,
        )
        for lang, local in found["languages"].items():
            wanted = oracle.spelling(key, lang), oracle.is_raised(key, lang)
            yield from differ(
                f"json {key} in {lang}", (local["code"], local["raised"]), wanted
            )
    for vector in vectors["vectors"]:
        key = vector["code"]
        by_wire = {oracle.wire_name(n, raw): n for n, raw in oracle.fields(key).items()}
        values = {by_wire[wire]: value for wire, value in vector["fields"].items()}
        answer = oracle.verdict(key, values, vector["context"])
        yield from differ(f"vector {vector['name']}", vector["retryable"], answer)
