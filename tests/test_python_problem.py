"""The HTTP side of the generated Python: problems out and in, and what answers for a server.

The tables in tests/cases/problem say what every language does with the same input.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
import json
import pathlib
import pickle
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.websockets import WebSocket

from packages import generate, imported
from problems import CATALOGUES, Row, catalogue, problem_of, rows, unfolded
from support import CASES

GATEWAY = CASES / "catalogues" / "gateway.yaml"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The packages that the tables name."""
    folder = tmp_path_factory.mktemp("problem")
    found: dict[str, Any] = {}
    with contextlib.ExitStack() as stack:
        for name in CATALOGUES:
            spec = folder / f"{name}.yaml"
            text = catalogue(name)
            if name == "paged":  # beside the one that it is made of
                text = text.replace("id: gateway", "id: paged")
            spec.write_text(text, encoding="utf-8")
            package = stack.enter_context(imported(generate(spec, folder / name)))
            for module in ("problem", "starlette", "retry"):
                importlib.import_module(f"{package.__name__}.{module}")
            found[name] = package
        yield found


def named(row: Row) -> str:
    return str(row["name"])


def looked_at(package: Any, error: Any) -> tuple[str, Any, Any]:
    return type(error).__name__, package.to_wire(error), dict(error.extra)


@pytest.mark.parametrize("row", rows("out"), ids=named)
def test_an_error_becomes_a_problem_and_is_read_again(
    row: Row, packages: dict[str, Any]
) -> None:
    """Status, headers and members are as the table says; nothing is lost on the way back."""
    package = packages[row["catalogue"]]
    error = package.from_wire(row["error"])
    if "stamp" in row:
        package.stamp_retryable(error, row["stamp"])
    problem = package.problem.to_problem(error)
    body, headers = problem_of(row)
    assert json.loads(problem.json()) == body
    assert (problem.status, problem.headers) == (row["status"], headers)
    back = package.problem.from_problem(problem.json(), headers=problem.headers)
    gained = row.get("gains", {})
    for found in (back, error):
        found.extra = {**gained, **found.extra}
    assert looked_at(package, back) == looked_at(package, error)


def ways(row: Row) -> Iterator[tuple[str, Any, Any]]:
    """Yield the forms in which the answer of a row comes: body and headers."""
    headers = row.get("headers", {})
    if "bytes" in row:
        body = bytes.fromhex(row["bytes"])
    else:
        parts = (one if isinstance(one, list) else [one, 1] for one in row["parts"])
        body = "".join(text * times for text, times in parts).encode()
        yield "text", body.decode(), {k.upper(): v for k, v in headers.items()}
    if row["isJson"] and isinstance(json.loads(body), dict):
        yield "dict", json.loads(body), headers
    yield "bytes", body, httpx.Headers(headers)
    size = max(7, len(body) // 100)
    pieces = (body[at : at + size] for at in range(0, len(body), size))
    yield "pieces", pieces, headers


@pytest.mark.parametrize("row", rows("in"), ids=named)
def test_E4_an_answer_becomes_an_error(row: Row, packages: dict[str, Any]) -> None:
    """It is the error that the table says, or else a ResponseError that tells no more."""
    package = packages[row["catalogue"]]
    read = functools.partial(package.problem.from_problem, status=row.get("status"))
    for way, body, headers in ways(row):
        if "refused" in row:
            with pytest.raises(package.problem.ResponseError) as caught:
                read(body, headers=headers)
            assert caught.value.__context__ is None, way
            fault = pickle.loads(pickle.dumps(caught.value))
            assert "SECRET" not in str(fault), way
            told = {"status": fault.status, "retry_after": fault.retry_after}
            assert told == {"status": None, "retry_after": None, **row["refused"]}, way
        else:
            name, wire, extra = looked_at(package, read(body, headers=headers))
            assert (name, wire) == (row["class"], unfolded(row["then"])), way
            assert extra == unfolded(row.get("extra", {})), way


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
JUNK = st.sampled_from([object(), b"\xff", float("nan"), 10**5000, {1, 2}, {(): 1}])


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.sampled_from(["auth", "key_rate_limited", "eval_failed", "of tomorrow"]),
    st.text(),
    st.dictionaries(st.text(), JSON, max_size=4),
    st.none() | st.integers() | st.floats() | st.text() | JUNK,
)
def test_a_problem_travels_whatever_the_error_holds(
    packages: dict[str, Any], code: str, message: str, extra: Any, junk: Any
) -> None:
    """It is JSON with a header that is none of the message's; what can travel arrives."""
    criogen = packages["criogen"]
    wire = {"code": code, "message": message, "details": extra}
    error = criogen.from_wire(wire)
    problem = criogen.problem.to_problem(error)
    back = criogen.problem.from_problem(problem.json(), headers=problem.headers)
    assert (back.code, back.message) == (code, message)
    for name, value in error.extra.items():
        assert back.extra[name] == value
    error.extra = {**extra, "retry_after": junk}
    problem = criogen.problem.to_problem(error)
    assert json.loads(problem.json())["detail"] == message
    header = problem.headers.get("Retry-After", "0")
    assert header.isascii() and header.isprintable()


def test_an_error_of_another_catalogue_is_no_problem_of_this_one(
    packages: dict[str, Any],
) -> None:
    """It is a TypeError, as for the wire."""
    other = packages["sink"].from_wire({"code": "x", "message": "m"})
    for error in (other, ValueError("x")):
        with pytest.raises(TypeError, match="no error of this catalogue"):
            packages["criogen"].problem.to_problem(error)


@pytest.mark.parametrize("body", [None, 5, ["text"], [None]])
def test_what_is_no_body_is_refused(body: Any, packages: dict[str, Any]) -> None:
    """A mistake of the caller's is a TypeError, not an answer that holds no error."""
    with pytest.raises(TypeError):
        packages["criogen"].problem.from_problem(body)


def test_what_breaks_off_while_it_is_read_is_raised_as_it_is(
    packages: dict[str, Any],
) -> None:
    """It is a failure of the transport's, and its text gets into no other message."""

    def pieces() -> Iterator[bytes]:
        yield b"{"
        raise ValueError("SECRET")

    with pytest.raises(ValueError, match=r"^SECRET$"):
        packages["criogen"].problem.from_problem(pieces())


@pytest.mark.parametrize("headers", [{"Retry-After": 7}, {"retry-after": "7"}])
def test_headers_may_be_numbers(headers: Any, packages: dict[str, Any]) -> None:
    """A server's own hold them; one that is None is not there."""
    read = packages["gateway"].problem.from_problem
    headers = {"Content-Type": None, "content-type": None, **headers}
    error = read('{"code": "NO_WAIT", "detail": "m"}', headers=headers)
    assert error.extra == {"retryAfter": 7}


def test_a_number_that_is_too_long_for_a_code_is_none(packages: dict[str, Any]) -> None:
    """Python refuses to write it; the answer holds no error then."""
    problem = packages["criogen"].problem
    with pytest.raises(problem.ResponseError, match="its code is not text"):
        problem.from_problem({"code": 10**5000, "detail": "m"})


def asked(app: Any, path: str) -> httpx.Response:
    """Ask an app without a socket."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get(f"http://gateway{path}")

    return asyncio.run(ask())


Raises = Callable[[Exception], Any]


@pytest.fixture(params=["starlette", "fastapi"])
def app_that(request: pytest.FixtureRequest, packages: dict[str, Any]) -> Raises:
    """A function that gives an app which raises an exception, with gateway's handlers."""

    def make(error: Exception) -> Any:
        async def fail(request: object) -> Response:
            raise error

        app = FastAPI() if request.param == "fastapi" else Starlette()
        app.add_route("/", fail)
        packages["gateway"].starlette.install(app)
        return app

    return make


def test_a_server_answers_every_error_of_the_catalogue(
    app_that: Raises, packages: dict[str, Any]
) -> None:
    """Those of classes below the base, and of roots of their own."""
    gateway = packages["gateway"]
    for error, status in (
        (gateway.BusyError("m", try_again_in=1.5), 503),
        (gateway.GatewayError("of tomorrow", "m"), 500),
        (gateway.RootError("m", realm="r"), 403),
    ):
        response = asked(app_that(error), "/")
        assert response.status_code == status
        assert response.headers["content-type"] == "application/problem+json"
        assert response.content == gateway.problem.to_problem(error).json()


def test_a_server_answers_errors_of_a_second_copy_of_the_package(
    app_that: Raises, packages: dict[str, Any], tmp_path: pathlib.Path
) -> None:
    """They are told by their brand."""
    with imported(generate(GATEWAY, tmp_path)) as copy:
        error: Any = copy.__dict__["BusyError"]("m")
    assert not isinstance(error, packages["gateway"].GatewayError)
    response = asked(app_that(error), "/")
    assert (response.status_code, response.json()["code"]) == (503, "BUSY")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("SECRET"),
        RuntimeError("SECRET" * 100_000),
        ExceptionGroup("SECRET", [ValueError("SECRET")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_server_tells_nothing_of_foreign_exceptions(
    error: Exception, app_that: Raises
) -> None:
    """Not their text, nor their type, nor where they come from."""
    response = asked(app_that(error), "/")
    assert response.json() == {"title": "Internal Server Error", "status": 500}
    said = f"{response.headers} {response.text}"
    assert "SECRET" not in said and type(error).__name__ not in said


def test_a_cause_stays_on_the_server(
    app_that: Raises, packages: dict[str, Any]
) -> None:
    """What an error comes from is not told with it."""
    error = packages["gateway"].NoWaitError("m")
    error.__cause__ = ValueError("SECRET")
    error.add_note("SECRET")
    assert "SECRET" not in asked(app_that(error), "/").text


def test_what_a_framework_answers_itself_stays(app_that: Raises) -> None:
    """A path that is not there, and the framework's own exception."""
    assert asked(app_that(ValueError()), "/nowhere").status_code == 404
    response = asked(app_that(HTTPException(418, "said on purpose")), "/")
    assert (response.status_code, "on purpose" in response.text) == (418, True)


def test_on_a_websocket_the_exception_is_raised_again(packages: dict[str, Any]) -> None:
    """There is no answer to give; the server closes the connection."""
    error = packages["gateway"].BusyError("m")
    socket = WebSocket({"type": "websocket"}, None, None)  # type: ignore[arg-type]
    with pytest.raises(packages["gateway"].BusyError):
        asyncio.run(packages["gateway"].starlette.handle(socket, error))


def test_a_catalogue_without_statuses_has_no_such_module(agent: ModuleType) -> None:
    """Nothing is said of HTTP where the catalogue says nothing of it."""
    folder = pathlib.Path(str(agent.__file__)).parent
    assert not list(folder.glob("problem.py")) + list(folder.glob("starlette.py"))
