"""Runs test vectors against a generated Python package. As a script it runs on any Python:

python vector_runner.py PACKAGE_FOLDER PACKAGE VECTORS_JSON

It imports nothing but the standard library, and no later syntax than the package has.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pathlib
import pickle
import sys
from collections.abc import Iterator, Mapping
from typing import Any


def failures(package: Any, document: Any) -> list[str]:
    """Return what is wrong, a line each; `document` is a vectors.json."""
    found = []
    for vector in document["vectors"]:
        try:
            facts = document["facts"]["python"]
            faults = list(_faults(package, vector, document["fields_under"], facts))
        except Exception as error:
            faults = [f"raises {error!r}"]
        found += [f"{vector['name']}: {fault}" for fault in faults]
    return found


def _faults(
    package: Any, vector: Any, under: str | None, facts: Mapping[str, str]
) -> Iterator[str]:
    here = vector["languages"]["python"]
    code, carrier = here["code"], here["class"]
    info = package.CODES[vector["code"]]
    base = _base(package)
    verdict = vector["retryable"]
    context = {facts[name]: value for name, value in vector["context"].items()}
    yield from _differ("http", info.http, vector["http"])
    fields = vector["fields"]
    wire = {"code": here["wire"], "message": "m"}
    wire |= ({under: fields} if fields else {}) if under else fields

    def check(way: str, error: Any, cls: str, fields: bool = True) -> Iterator[str]:
        found = package.get_retryable(error, **context)
        yield from _differ(f"{way}: class", type(error).__name__, cls)
        yield from _differ(f"{way}: code", error.code, code)
        yield from _differ(f"{way}: verdict", found, verdict)
        yield from _differ(f"{way}: own", error.retryable, package.get_retryable(error))
        for protocol in range(2, 6):
            copied = pickle.loads(pickle.dumps(error, protocol))
            yield from _differ(f"{way}: pickle {protocol}", repr(copied), repr(error))
        if fields:
            written = package.to_wire(error)
            told = {"retryable": package.get_retryable(error)}
            yield from _differ(f"{way}: wire", written, {**wire, **told})
            again = package.from_wire(json.loads(json.dumps(written)))
            if cls == (carrier or base.__name__):
                yield from _differ(f"{way}: read again", repr(again), repr(error))

    error = package.from_wire(wire)
    yield from check("from_wire", error, carrier or base.__name__)
    for told in True, False:
        error = package.from_wire({**wire, "retryable": told})
        found = package.get_retryable(error)
        wanted = info.retryable if info.pinned else told
        yield from _differ("verdict on the wire", found, wanted)
    for name in info.class_names:
        cls = getattr(package.errors, name)
        known = {wire for wire, _ in cls.__errspec_fields__.values()}
        if len(info.class_names) > 1 and not known.issuperset(fields):
            continue  # they are of another class of the code
        for way, error in _made(cls, code, fields):
            yield from check(f"{name} {way}", error, name)
    if not info.class_names and "python" not in info.absent:
        for way, error in _made(base, code, fields):
            yield from check(f"{base.__name__} {way}", error, base.__name__)


def _base(package: Any) -> Any:
    return type(package.from_wire({"code": "no such code", "message": "m"}))


def _made(cls: Any, code: str, on_wire: Any) -> Iterator[tuple[str, Any]]:
    """Yield errors made by the class itself, from the values that a vector gives."""
    parameters = inspect.signature(cls).parameters
    names = {wire: name for name, (wire, _) in cls.__errspec_fields__.items()}
    values = {names[wire]: value for wire, value in on_wire.items()}
    values = {name: value for name, value in values.items() if name in parameters}
    if "code" in parameters:
        values["code"] = code
    yield "with a message", cls(message="m", **values)
    if parameters["message"].default is None and "code" in vars(cls):
        error = cls(**values)
        assert error.message, f"{cls.__name__} makes no message of its own"


def _differ(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted or type(found) is not type(wanted):
        yield f"{what} is {found!r}, not {wanted!r}"


def main(folder: str, name: str, vectors: str) -> int:
    sys.path.insert(0, folder)
    document = json.loads(pathlib.Path(vectors).read_text("utf-8"))
    found = failures(importlib.import_module(name), document)
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
