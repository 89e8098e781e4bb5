"""A real uvicorn on loopback, for what cannot be seen without a connection."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[int]:
    """The port on which the app answers. It listens from the start, so nobody has to wait for it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1))
        task = asyncio.create_task(server.serve([listener]))
        try:
            yield port
        finally:
            server.should_exit = True
            await task
