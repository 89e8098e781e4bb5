"""An app that remembers its connections, and a client that sends single bytes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from app.settings import Settings
from app.web.guards.connection_caps import caps_of
from app.web.guards.connections import Connection, Connections

CAPS = replace(caps_of(Settings(), overall=100), patience_seconds=3600.0)
HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
PIECE = b"x" * 65_536
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Site:
    """An app that reads its body, sends a long answer, and remembers its connections and the clients that have gone."""

    def __init__(self, pieces: int = 0) -> None:
        self.connections: list[Connection] = []
        self.pieces = pieces
        self.bodies = 0
        self.left = asyncio.Event()
        self.app = Starlette(routes=[Route("/", self.answer, methods=["GET", "POST"])])

    async def answer(self, request: Request) -> Response:
        self.connections.append(request.scope["state"]["connection"])
        await request.body()
        self.bodies += 1
        return StreamingResponse(self.pour()) if self.pieces else PlainTextResponse("fine")

    async def pour(self) -> AsyncIterator[bytes]:
        try:
            for _ in range(self.pieces):
                yield PIECE
        finally:
            self.left.set()


def impatient(**changes: object) -> Connections:
    return Connections(replace(CAPS, patience_seconds=0.2, **changes))  # type: ignore[arg-type]


async def connect(port: int) -> Streams:
    return await asyncio.open_connection("127.0.0.1", port)


async def ask(streams: Streams, request: bytes = GET) -> bytes:
    """Return the first line of the answer; b"" if the connection was closed."""
    streams[1].write(request)
    try:
        line = await streams[0].readline()
        while line and await streams[0].readline() not in (b"\r\n", b""):
            pass
        await streams[0].readexactly(4 if line else 0)
    except (ConnectionError, asyncio.IncompleteReadError):
        return b""
    return line


async def closed(streams: Streams) -> bytes:
    """Return what is still sent before the server closes."""
    try:
        return await streams[0].read()
    except ConnectionError:
        return b""


async def pour(streams: Streams, piece: bytes) -> None:
    """Send pieces until the server closes the connection."""
    with suppress(ConnectionError):
        while not streams[1].is_closing():
            streams[1].write(piece)
            await streams[1].drain()
            await asyncio.sleep(0)
