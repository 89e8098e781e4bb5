"""Serves an app with a real uvicorn on loopback, for tests that need a connection."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import cast

import httpx
import uvicorn
from starlette.types import ASGIApp

from app.serving.web_process.port import open_port
from app.serving.web_process.web_server import WebServer
from app.settings import Settings
from app.web.guards.connection_caps import caps_of
from app.web.guards.connections import Connection, Connections
from tests.patience import PATIENCE_SECONDS


@asynccontextmanager
async def serving(app: ASGIApp, connections: Connections | None = None, others: Sequence[socket.socket] = ()) -> AsyncIterator[int]:
    """Yield the port on which the app answers. It listens from the start, so nobody has to wait for it.

    `others` are listeners of other processes.
    """
    connections = connections or Connections(caps_of(Settings(), overall=1000))
    with open_port("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        http = cast(type[Connection], partial(Connection, connections))
        config = uvicorn.Config(
            app, http=http, log_config=None, access_log=False, timeout_keep_alive=int(PATIENCE_SECONDS), timeout_graceful_shutdown=1
        )
        server = WebServer(config, others)
        task = asyncio.create_task(server.serve([listener, *others]))
        try:
            yield port
        finally:
            server.should_exit = True
            await task


def connect(port: int) -> httpx.AsyncClient:
    """Return a client for the app on this port, which waits for an answer however busy the machine is."""
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS)
