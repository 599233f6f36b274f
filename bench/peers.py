"""Two generators that people use today, on inputs of the same size, in the same run.

They do other work than errspec: glean_parser writes telemetry metrics for several
languages, datamodel-code-generator writes classes for Python. What they have in common
is a description with so many entries in, and code and docs for each entry out.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import pathlib
from collections.abc import Mapping
from typing import Any

import yaml

from .catalogue import catalogue
from .commands import PACKS, commands, prepare
from .measure import Command, Usage, best, python
from .sections import Row, Section

PEERS = ("glean-parser", "datamodel-code-generator")

# Those of glean_parser's targets that one set of metrics can go through.
TARGETS = ("javascript", "kotlin", "markdown", "rust", "swift", "typescript")

ABSENT = "Not measured: install the extra `bench` for glean_parser and datamodel-code-generator."


def versions() -> dict[str, str]:
    """Return the versions of those that are installed."""
    found = {}
    for name in PEERS:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def metrics(codes: Mapping[str, Any]) -> str:
    """Return metrics for glean_parser: one for each code, with its meaning."""
    found: dict[str, Any] = {"$schema": "moz://mozilla.org/schemas/glean/metrics/2-0-0"}
    for key, code in codes.items():
        metric: dict[str, Any] = {
            "type": "counter",
            "description": code["meaning"],
            "bugs": ["https://bugs.example/1"],
            "data_reviews": ["https://reviews.example/1"],
            "notification_emails": ["errors@bench.example"],
            "expires": "never",
        }
        if "fields" in code:
            metric["type"] = "event"
            metric["extra_keys"] = {
                name: {"type": "string", "description": field["meaning"]}
                for name, field in code["fields"].items()
            }
        found.setdefault(code["group"], {})[key.lower()] = metric
    return yaml.dump(found, sort_keys=False)


def schemas(codes: Mapping[str, Any]) -> str:
    """Return an OpenAPI document for datamodel-code-generator: a schema for each code."""
    types = {"http_status": {"type": "integer", "minimum": 100, "maximum": 599}}
    found = {}
    for key, code in codes.items():
        properties: dict[str, Any] = {
            "code": {"type": "string", "const": key},
            "message": {"type": "string"},
            "retryable": {"type": "boolean"},
        }
        for name, field in code.get("fields", {}).items():
            kind = field["type"]
            shape = {"enum": kind} if isinstance(kind, list) else types.get(kind, {})
            properties[name] = {
                "type": "string",
                **shape,
                "description": field["meaning"],
            }
        found["".join(word.capitalize() for word in key.split("_")) + "Error"] = {
            "type": "object",
            "description": code["meaning"],
            "required": ["code", "message"],
            "properties": properties,
        }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Bench", "version": "0.1.0"},
        "paths": {},
        "components": {"schemas": found},
    }
    return json.dumps(document, indent=2)


def costs(folder: pathlib.Path, size: int, rounds: int, bare: Usage) -> Section:
    """Measure errspec and its peers in turns."""
    title = f"Against others, {size:,} entries"
    if len(versions()) < len(PEERS):
        return Section("peers", title, (), (ABSENT,))
    home = folder / "peers"
    home.mkdir()
    ours = commands(prepare(home, size))["generate"]
    one = Command((*ours.words, "--target", "python"), ours.folder, ours.before)
    codes = yaml.load(catalogue(size), yaml.CSafeLoader)["codes"]
    (home / "metrics.yaml").write_text(metrics(codes), encoding="utf-8")
    (home / "openapi.json").write_text(schemas(codes), encoding="utf-8")
    found = best(
        {"all": ours, "python": one, **_glean(home), **_datamodel(home)}, rounds
    )
    each = [found[target] for target in TARGETS]
    glean = Usage(
        sum(used.cpu for used in each),
        sum(used.wall for used in each),
        max(used.peak for used in each),
    )
    base = found["all"].cpu - bare.cpu

    def row(tool: str, targets: int, used: Usage, starts: int = 1) -> Row:
        cpu = used.cpu - bare.cpu * starts
        return {
            "tool": tool,
            "targets": targets,
            "cpu_ms": cpu * 1000,
            "wall_ms": (used.wall - bare.wall * starts) * 1000,
            "peak_mb": used.peak,
            "times_errspec": cpu / base,
        }

    return Section(
        "peers",
        title,
        (
            row("errspec, all packs", len(PACKS), found["all"]),
            row("errspec, Python alone", 1, found["python"]),
            row("glean_parser", len(TARGETS), glean, len(TARGETS)),
            row("glean_parser, Rust alone", 1, found["rust"]),
            row("datamodel-code-generator", 1, found["black and isort"]),
            row("datamodel-code-generator, its own formatter", 1, found["builtin"]),
        ),
        (
            "The works differ. glean_parser makes telemetry metrics, its command line one "
            f"target in each process ({', '.join(TARGETS)}), and checks them like "
            "errspec; it writes no lookup, no wire form and no verdicts. "
            "datamodel-code-generator makes pydantic classes for Python alone, with black "
            "and isort unless told otherwise. times_errspec compares with all packs.",
        ),
    )


def _glean(home: pathlib.Path) -> dict[str, Command]:
    return {
        target: python(
            *("-m", "glean_parser", "translate", "--allow-reserved"),
            *("-f", target, "-o", f"glean/{target}", "metrics.yaml"),
            folder=home,
        )
        for target in TARGETS
    }


def _datamodel(home: pathlib.Path) -> dict[str, Command]:
    return {
        " and ".join(formatters): python(
            *("-m", "datamodel_code_generator", "--input-file-type", "openapi"),
            *("--input", "openapi.json", "--output", f"by_{formatters[0]}.py"),
            *("--formatters", *formatters),
            folder=home,
        )
        for formatters in (("black", "isort"), ("builtin",))
    }
