"""Serves the app on loopback from a thread of the tests' own process, for a browser."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from tests.web.conftest import share_routes


@contextmanager
def serving(app: FastAPI, port: int = 0) -> Iterator[str]:
    """Yield the address of the app. It listens from the start, so nobody has to wait for it. `port` 0 means any free port."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        config = uvicorn.Config(share_routes(app), log_config=None, access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
