"""Errors that cross processes: raised behind HTTP in Python, rebuilt in Python and TypeScript.

A real server on a real socket, with Starlette and with FastAPI; one client in each
language.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import pathlib
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import httpx
import pytest

import gateway
from javascript import run_node
from packages import imported
from serving import serving
from support import CATALOGUES, ROOT, compile_files, write

RETRIES = [
    "key_rate_limited",
    "budget_exceeded",
    "overloaded",
    "auth",
    "concurrency_limited",
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pathlib.Path]:
    """The packages of criogen, compiled: pack to folder."""
    folder = tmp_path_factory.mktemp("criogen")
    packages = compile_files(CATALOGUES["criogen"], "python", "typescript", "json")
    return {p.folder.partition("/")[0]: write(p, folder) for p in packages}


@pytest.fixture(scope="module")
def criogen(folders: Mapping[str, pathlib.Path]) -> Iterator[ModuleType]:
    """The Python package, with its modules that nothing else imports."""
    with imported(folders["python"]) as package:
        importlib.import_module("criogen_errors.problem")
        importlib.import_module("criogen_errors.retry")
        yield package


@pytest.fixture(scope="module")
def codes(folders: Mapping[str, pathlib.Path]) -> dict[str, Any]:
    """What the catalogue says of each code."""
    text = (folders["json"] / "catalogue.json").read_text("utf-8")
    return {code["code"]: code for code in json.loads(text)["codes"]}


@pytest.fixture(scope="module", params=["starlette", "fastapi"])
def url(
    request: pytest.FixtureRequest, folders: Mapping[str, pathlib.Path]
) -> Iterator[str]:
    """The address of a gateway that runs in a process of its own."""
    script = str(ROOT / "tests" / "gateway.py")
    with serving(script, str(folders["python"]), request.param) as address:
        yield address


Seen = dict[str, Any]
"""What a client met: `errors` in the order of the codes, `answers` and `retries` by name."""


@pytest.fixture(scope="module")
def clients(
    url: str, criogen: Any, folders: Mapping[str, pathlib.Path]
) -> dict[str, Seen]:
    """What the client in each language met."""
    with httpx.Client(base_url=url, timeout=20) as client:
        names = {name: f"/answers/{name}" for name in gateway.ANSWERS}
        names |= {"endless": "/endless"}
        python = {
            "errors": [met(client, criogen, f"/errors/{c}") for c in criogen.CODES],
            "answers": {n: met(client, criogen, place) for n, place in names.items()},
            "retries": {c: retried(client, criogen, c) for c in RETRIES},
            # At last: the server closes a connection on which an exception came up.
            "foreign": met(client, criogen, "/foreign"),
        }
    asked = {
        "package": str(folders["typescript"]),
        "url": url,
        "codes": list(criogen.CODES),
        "answers": list(gateway.ANSWERS),
        "retries": RETRIES,
    }
    script = ROOT / "tests" / "gateway_client.mjs"
    return {
        "python": python,
        "typescript": json.loads(run_node(script, input=asked)),
    }


@pytest.fixture(params=["python", "typescript"])
def seen(request: pytest.FixtureRequest, clients: Mapping[str, Seen]) -> Seen:
    """What each of the clients met."""
    return clients[request.param]


def met(client: httpx.Client, criogen: Any, place: str) -> dict[str, Any]:
    """Return what the answer is: the error that it tells, or that it tells none."""
    with client.stream("GET", place) as response:
        status, headers = response.status_code, response.headers
        answer = {"status": status, "retry_after": headers.get("retry-after")}
        try:
            error = criogen.problem.from_problem(
                response.iter_bytes(), status=status, headers=headers
            )
        except criogen.problem.ResponseError as fault:
            told = {
                "message": str(fault),
                "told": fault.status,
                "wait": fault.retry_after,
            }
            return {**answer, "class": type(fault).__name__, **told}
    wire = criogen.to_wire(error)
    return {
        **answer,
        "class": type(error).__name__,
        "code": error.code,
        "message": error.message,
        "retryable": error.retryable,
        "details": wire.get("details", {}),
    }


def retried(client: httpx.Client, criogen: Any, code: str) -> dict[str, Any]:
    """Call what fails once, through the retry layer, and tell what became of it."""
    waits: list[float] = []

    def call() -> str:
        response = client.get(f"/once/{code}?key=python-{code}")
        if response.is_error:
            raise criogen.problem.from_problem(
                response.content, status=response.status_code, headers=response.headers
            )
        return "answered"

    layer = criogen.retry.retrying(
        sleep=waits.append, random=lambda: 0.0, initial_delay_ms=10
    )
    try:
        end = layer(call)()
    except criogen.CriogenError as error:
        end = error.code
    calls = client.get(f"/calls?key=python-{code}").json()["calls"]
    return {"end": end, "calls": calls, "waits": [wait * 1000 for wait in waits]}


def expected(code: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a client must meet where the gateway raises a code."""
    key = code["code"]
    fields = gateway.FIELDS.get(key, {})
    wait = fields.get("retry_after")
    return {
        "status": code["http"] or 500,
        "retry_after": None if wait is None else str(wait),
        "class": (code["languages"]["python"]["classes"] or ["CriogenError"])[0],
        "code": key,
        "message": gateway.MESSAGE % key,
        # A model that is overloaded may answer later: the verdict follows that code.
        "retryable": True if key == "model_failed" else code["verdict"]["default"],
        "details": fields,
    }


def test_every_error_arrives_whole(
    clients: Mapping[str, Seen],
    codes: Mapping[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    """Code, class, message, verdict, fields, status and Retry-After, in both languages."""
    wanted = [expected(code) for code in codes.values()]
    for seen in clients.values():
        assert seen["errors"] == wanted
    assert (len(wanted), len(clients)) == (65, 2)
    line = f"criogen over HTTP: {len(wanted)} codes × {len(clients)} clients agreed"
    record_property("says", line)


@pytest.mark.parametrize(
    ("name", "cls", "code"),
    [
        ("known", "CriogenError", "auth"),
        ("unknown", "CriogenError", "of a later version"),
        ("misfits", "CriogenError", "limit_exceeded"),
    ],
)
def test_E4_what_does_not_fit_is_of_the_base_class(
    name: str, cls: str, code: str, seen: Seen
) -> None:
    """The error is there with its code, whatever came with it."""
    answer = seen["answers"][name]
    assert (answer["class"], answer["code"], answer["message"]) == (cls, code, "m")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "no code",
            "the answer 502 holds no error of this catalogue: it has no code",
        ),
        ("wrong types", "its code is not text"),
        ("html", "its content type is not that of JSON"),
        (
            "html as json",
            "its body is not JSON",
        ),
        ("json as html", "its content type is not that of JSON"),
        ("empty", "it has no body"),
        ("no content", "it has no body"),
        ("deep", "its body is nested too deeply"),
        ("10 MB", "its body is longer than 1048576 bytes"),
        ("endless", "its body is longer than 1048576 bytes"),
        ("latin-1", "its body is not UTF-8"),
    ],
)
def test_E4_an_answer_that_tells_no_error_is_one_clear_error(
    name: str, said: str, seen: Seen
) -> None:
    """It has the status of the answer, and nothing of its body."""
    answer = seen["answers"][name]
    assert answer["class"] == "ResponseError"
    assert said in answer["message"]
    assert answer["told"] == answer["status"]
    assert gateway.SECRET not in answer["message"]


def test_R11_an_answer_that_tells_no_error_may_ask_to_wait(seen: Seen) -> None:
    """Its Retry-After is there for whoever retries by the status."""
    assert seen["answers"]["no content"]["wait"] == 7


def test_R11_the_retry_layer_acts_on_what_came(seen: Seen) -> None:
    """It waits as long as it is asked to; what is never retried is called once."""
    retries = seen["retries"]
    assert retries["key_rate_limited"] == {
        "end": "answered",
        "calls": 2,
        "waits": [2000],
    }
    assert retries["overloaded"] == {"end": "answered", "calls": 2, "waits": [10]}
    for code in ("budget_exceeded", "auth", "concurrency_limited"):
        # The last one is worth a retry, but not before the year 2099.
        assert retries[code] == {"end": code, "calls": 1, "waits": []}


def test_nothing_of_a_foreign_exception_leaves_the_server(url: str, seen: Seen) -> None:
    """Neither its text nor its type is in the answer, of which clients have the status."""
    assert (seen["foreign"]["class"], seen["foreign"]["told"]) == ("ResponseError", 500)
    response = httpx.get(f"{url}/foreign")
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json() == {"title": "Internal Server Error", "status": 500}


def test_the_memory_for_an_answer_is_bounded(url: str, criogen: Any) -> None:
    """Of a body without an end, no more is kept than the limit and a few pieces."""
    with httpx.Client(base_url=url, timeout=20) as client:
        tracemalloc.start()
        with contextlib.closing(client):
            met(client, criogen, "/endless")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 4 * 2**20
