"""A gateway for tests, in a process of its own: it raises every error of criogen.

python gateway.py PACKAGE_FOLDER starlette|fastapi
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from serving import run_app

SECRET = "password=hunter2"

MESSAGE = (
    'code %s: "quoted" \\ </script> {{ 7*7 }}\r\nX-Injected: 1\x00\u2028\u202e 😀 é'
)
"""What the server says: text that breaks out wherever it is not treated as such."""

FIELDS: dict[str, dict[str, Any]] = {
    "node_failed": {"kind": "memo_type_mismatch"},
    "storage_failed": {"storage_code": "storage_conflict"},
    "model_failed": {"model_error": "overloaded"},
    "limit_exceeded": {"limit": "tool calls"},
    "invalid_workflow": {"issues": ["no start", 'a "cycle" \r\n\u2028</script>']},
    "eval_failed": {"failures": []},
    "key_rate_limited": {"retry_after": 2},
    "concurrency_limited": {"retry_after": "Wed, 21 Oct 2099 07:28:00 GMT"},
    "budget_exceeded": {"retry_after": 3600},
}
"""What the errors carry, under the names that they have on the wire."""

PROBLEM = {"content-type": "application/problem+json"}
JSON = {"content-type": "application/json; charset=utf-8"}
DEEP = b'{"code":"auth","detail":"m","x":%s}' % (b"[" * 50_000 + b"]" * 50_000)

# Answers of other servers, and of broken ones: status, headers, body.
ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "known": (502, JSON, b'{"code":"auth","detail":"m"}'),
    "unknown": (418, PROBLEM, b'{"code":"of a later version","detail":"m","x":[1]}'),
    "no code": (502, PROBLEM, b'{"type":"about:blank","title":"Bad Gateway"}'),
    "wrong types": (502, PROBLEM, b'{"code":["auth"],"detail":7}'),
    "misfits": (500, PROBLEM, b'{"code":"limit_exceeded","detail":"m","details":7}'),
    "html": (503, {"content-type": "text/html"}, b"<h1>Down</h1>" + SECRET.encode()),
    "html as json": (503, JSON, b"<h1>Down</h1>"),
    "json as html": (502, {"content-type": "text/html"}, b'{"code":"auth"}'),
    "empty": (502, PROBLEM, b""),
    "no content": (503, {"retry-after": "7"}, b""),
    "deep": (502, PROBLEM, DEEP),
    "10 MB": (502, PROBLEM, b'{"code":"auth","detail":"%s"}' % (b"x" * 10_000_000)),
    "latin-1": (502, PROBLEM, b'{"code":"auth","detail":"\xe9"}'),
}


def make(package: Any, code: str) -> Exception:
    """Make the error of a code, by its class."""
    names = package.lookup(code).class_names
    cls = getattr(package, names[0]) if names else package.CriogenError
    first = () if "code" in vars(cls) else (code,)
    error: Exception = cls(*first, MESSAGE % code, **FIELDS.get(code, {}))
    return error


def serve(package: Any, framework: str) -> Any:
    """Return the app."""
    calls: Counter[str] = Counter()

    async def fail(request: Request) -> Response:
        raise make(package, request.path_params["code"])

    async def fail_once(request: Request) -> Response:
        """Raise an error for the first call of a key."""
        key = request.query_params["key"]
        calls[key] += 1
        if calls[key] == 1:
            raise make(package, request.path_params["code"])
        return JSONResponse({"calls": calls[key]})

    async def told(request: Request) -> Response:
        return JSONResponse({"calls": calls[request.query_params["key"]]})

    async def foreign(request: Request) -> Response:
        raise RuntimeError(SECRET)

    async def answer(request: Request) -> Response:
        status, headers, body = ANSWERS[request.path_params["name"]]
        return Response(body, status, headers)

    async def endless(request: Request) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            while True:
                yield b" " * 65536
                await asyncio.sleep(0)

        return StreamingResponse(pieces(), 502, PROBLEM)

    routes = [
        Route("/errors/{code}", fail),
        Route("/once/{code}", fail_once),
        Route("/calls", told),
        Route("/foreign", foreign),
        Route("/answers/{name}", answer),
        Route("/endless", endless),
    ]
    app = (
        FastAPI(routes=[*routes])
        if framework == "fastapi"
        else Starlette(routes=routes)
    )
    importlib.import_module(f"{package.__name__}.starlette").install(app)
    return app


def main(folder: str, framework: str) -> None:
    sys.path.insert(0, folder)
    run_app(serve(importlib.import_module("criogen_errors"), framework))


if __name__ == "__main__":
    main(*sys.argv[1:])
