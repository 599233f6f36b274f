"""docs/http.md is true: its code runs against the packages of criogen."""

from __future__ import annotations

import asyncio
import importlib
import json
import pathlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import httpx
import pytest
from markdown_it import MarkdownIt

from javascript import generate, run_node
from packages import generate as generate_python
from packages import imported
from support import CATALOGUES, ROOT

TOKENS = MarkdownIt("gfm-like").parse((ROOT / "docs/http.md").read_text("utf-8"))
FENCES = [t for t in TOKENS if t.type == "fence"]
HANDLER, SERVER, CLIENT = (t.content for t in FENCES if t.info == "python")
[SCRIPT] = (t.content for t in FENCES if t.info == "ts")


@pytest.fixture(scope="module")
def criogen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The Python package of criogen."""
    root = generate_python(CATALOGUES["criogen"], tmp_path_factory.mktemp("criogen"))
    with imported(root) as package:
        for name in ("problem", "retry", "starlette"):
            importlib.import_module(f"criogen_errors.{name}")
        yield package


def executed(block: str) -> dict[str, Any]:
    """Run a block of the docs and return its names."""
    names: dict[str, Any] = {}
    exec(compile(block, "http.md", "exec", dont_inherit=True), names)
    return names


def test_a_foreign_exception_may_have_a_code(criogen: Any) -> None:
    """A timeout of the HTTP library is answered with the code of the handler."""

    async def fail(request: object) -> None:
        raise httpx.ReadTimeout("secret")

    async def asked() -> httpx.Response:
        app = executed(HANDLER)["app"]
        app.add_route("/", fail)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get("http://gateway/")

    response = asyncio.run(asked())
    error = criogen.problem.from_problem(response.content)
    assert (response.status_code, error.code, error.retryable) == (504, "timeout", True)


def test_any_server_can_answer_with_a_problem(criogen: Any) -> None:
    """The application of WSGI gives status, headers and body."""
    transport = httpx.WSGITransport(executed(SERVER)["application"])
    response = httpx.Client(transport=transport).get("http://gateway/")
    told = {"status": response.status_code, "headers": response.headers}
    error = criogen.problem.from_problem(response.content, **told)
    assert (error.code, error.retry_after) == ("key_rate_limited", 2)
    assert response.headers["retry-after"] == "2"


def test_a_client_retries_what_a_retry_can_help(criogen: Any) -> None:
    """HTML of a proxy, and an error of the catalogue; then the answer."""
    busy = criogen.problem.to_problem(criogen.CriogenError("overloaded", "busy"))
    answers = iter(
        [
            httpx.Response(503, html="<h1>Down</h1>"),
            httpx.Response(busy.status, headers=busy.headers, content=busy.json()),
            httpx.Response(200, text="answered"),
        ]
    )
    names = executed(CLIENT)
    names["client"] = httpx.Client(
        base_url="http://gateway",
        transport=httpx.MockTransport(lambda _: next(answers)),
    )
    waits: list[float] = []
    layer = criogen.retry.retrying(
        retry_on=[criogen.problem.ResponseError], sleep=waits.append
    )
    assert layer(names["models"].__wrapped__)() == b"answered"
    assert len(waits) == 2


def test_what_speaks_fetch_can_answer_with_a_problem(
    tmp_path: pathlib.Path, node_tools: pathlib.Path
) -> None:
    """The compiler accepts it, and the response says the error."""
    module = tmp_path / "node_modules" / "criogen-errors"
    module.parent.mkdir()
    text = CATALOGUES["criogen"].read_text("utf-8")
    generate(text, tmp_path, "criogen").rename(module)
    told = (
        "const response = GET();\n"
        'console.log(response.status, response.headers.get("retry-after"));\n'
        "console.log(JSON.stringify(await response.json()));\n"
    )
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "use.ts").write_text(f"{SCRIPT}\n{told}", encoding="utf-8")
    flags = ("--strict", "--target", "es2022", "--module", "nodenext")
    assert (
        run_node(node_tools / "typescript/bin/tsc", *flags, tmp_path / "use.ts") == ""
    )
    first, second = run_node(tmp_path / "use.js").splitlines()
    assert (first, json.loads(second)["code"]) == ("429 2", "key_rate_limited")
