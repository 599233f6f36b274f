"""Errors as HTTP answers in generated TypeScript: the tables that all languages share,
and what only node and its tools can tell."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from javascript import generate, run_node
from problems import CATALOGUES, Row, catalogue, problem_of, rows, unfolded
from support import CASES, ROOT

OUT, IN = rows("out"), rows("in")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the package of each catalogue, and a copy of one."""
    folder = tmp_path_factory.mktemp("packages")
    for name in CATALOGUES:
        generate(catalogue(name), folder, name)
    generate(catalogue("gateway"), folder, "gateway-copy")
    return folder


@pytest.fixture(scope="module")
def happened(packages: pathlib.Path) -> dict[str, Any]:
    """What came of each row of the tables, in each way."""
    paths = {name: str(packages / name) for name in CATALOGUES}
    asked = {"packages": paths, "out": OUT, "in": IN}
    told = run_node(ROOT / "tests" / "problem_runner.mjs", input=asked)
    found: dict[str, Any] = json.loads(told)
    return found


def named(row: Row) -> str:
    return str(row["name"])


@pytest.mark.parametrize("row", OUT, ids=named)
def test_an_error_becomes_a_problem(row: Row, happened: dict[str, Any]) -> None:
    """Its status, headers and body are those of the table, and nothing else is there."""
    problem = happened["out"][row["name"]]["problem"]
    body, headers = problem_of(row)
    assert problem == {"status": row["status"], "headers": headers, "body": body}


@pytest.mark.parametrize("row", OUT, ids=named)
def test_a_problem_becomes_the_error_again(row: Row, happened: dict[str, Any]) -> None:
    """Of the same class, with the same code, message, verdict, fields and extra."""
    found = happened["out"][row["name"]]
    error, back = found["error"], found["back"]
    gains = row.get("gains", {})
    assert back["class"] == error["class"] and back["named"]
    assert back["extra"] == {**error["extra"], **gains}
    under = {"criogen": "details", "sink": "details", "paged": "title"}
    wanted = dict(error["wire"])
    if gains:
        member = under[row["catalogue"]]
        wanted[member] = {**wanted.get(member, {}), **gains}
    assert back["wire"] == wanted


@pytest.mark.parametrize("row", IN, ids=named)
def test_an_answer_becomes_an_error(row: Row, happened: dict[str, Any]) -> None:
    """That of the table, or a ResponseError that says nothing of the text: as text, as
    bytes, as an object, and from streams of the web and of node."""
    ways = happened["in"][row["name"]]
    assert ways.keys() >= {"bytes", "view", "streamed", "streamed by node"}
    for way, found in ways.items():
        if "refused" in row:
            wanted = row["refused"]
            assert found["refused"] == "ResponseError", way
            assert found.get("status") == wanted.get("status"), way
            assert found.get("retryAfter") == wanted.get("retry_after"), way
            assert "cause" not in found, way
        else:
            assert found == {
                "class": row["class"],
                "named": True,
                "wire": unfolded(row["then"]),
                "extra": unfolded(row.get("extra", {})),
            }, way


def test_what_is_refused_says_what_is_wrong(happened: dict[str, Any]) -> None:
    """In words of its own: none of the answer's text gets into the message."""
    refused = [row for row in IN if "refused" in row]
    said = {
        found["message"].partition(" holds no error of this catalogue: ")
        for row in refused
        for found in happened["in"][row["name"]].values()
    }
    statuses = {row["refused"]["status"] for row in refused}
    heads = {f"the answer {status}" for status in statuses}
    assert {head for head, _, _ in said} == heads
    assert {why for _, _, why in said} == {
        "its content type is not that of JSON",
        "it has no body",
        "its body is longer than 1048576 bytes",
        "its body is not UTF-8",
        "its body is not JSON",
        "its body is nested too deeply, or not all JSON",
        "its body is not an object",
        "it has no code",
        "its code is not text",
        "it has neither a detail nor a title",
    }


def test_nothing_pollutes_a_prototype(happened: dict[str, Any]) -> None:
    """After all rows objects are as they were."""
    assert "polluted" not in happened


@pytest.mark.parametrize(
    "path", sorted((CASES / "typescript/problem").glob("*.mjs")), ids=lambda p: p.stem
)
def test_the_promises_hold_under_node(
    path: pathlib.Path, packages: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """Each file holds tests of node's own runner: answers of every kind and how much of
    them is read, errors that hold anything, and the way there and back by properties.
    """
    env = {"PACKAGES": str(packages), "NODE_TOOLS": str(node_tools)}
    told = run_node("--test", "--test-reporter=tap", path, **env)
    assert "\n# fail 0\n" in told


def test_a_catalogue_without_a_status_says_nothing_of_HTTP(
    tmp_path: pathlib.Path,
) -> None:
    """Neither the files nor the entry of the package's exports."""
    folder = generate(catalogue("family"), tmp_path, "family")
    names = ["index.d.ts", "index.js", "package.json", "runtime.js"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert "problem" not in (folder / "package.json").read_text(encoding="utf-8")
