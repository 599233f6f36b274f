"""Apps behind a real socket, each in a process of its own."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import uvicorn


@contextlib.contextmanager
def serving(*command: str, **variables: str) -> Iterator[str]:
    """Start a Python script that calls `run_app`, and give its address; stop it at the end."""
    with subprocess.Popen(
        [sys.executable, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        port = process.stdout.readline().strip()
        assert port.isdecimal(), "the server did not start"
        yield f"http://127.0.0.1:{port}"
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def run_app(app: Any) -> None:
    """Serve an app on a free port, which is printed, until the standard input ends."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    config = uvicorn.Config(app, log_level="critical", lifespan="off")
    server = uvicorn.Server(config)

    def stop() -> None:
        sys.stdin.read()
        server.should_exit = server.force_exit = True

    threading.Thread(target=stop, daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # Or else each answer waits 40 ms for the client to confirm its headers.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        print(listener.getsockname()[1], flush=True)
        server.run(sockets=[listener])
