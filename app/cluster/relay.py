"""The relay of a node: an ASGI app that passes web's requests on to the node's runner. Ray Serve runs it; it does not need Ray itself.

Whoever reaches the port of a relay needs the token, because a proxy that Ray Serve starts listens on every interface.
"""

import asyncio
import hmac
import re
from contextlib import suppress
from pathlib import Path

import aiohttp
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send
from yarl import URL

from app.protocol.load import BUILD_HEADER
from app.runner.client import LANG_HEADER, RunnerUnavailable
from app.runner.cluster.entries import NODE_HEADER
from app.runner.socket_runner import RunnerSocket, released

PASSED = re.compile(r"POST /(runs|submissions|traces|load)|DELETE /(orders|runs/[0-9A-Za-z_-]{1,64})|GET /(status|metrics)")
ANSWERED = ("x-run-id", LANG_HEADER, "content-type")  # headers of the runner that web needs


class Relay:
    """Passes requests on to the runner behind `socket`. `token_file` has the token that each request must carry."""

    def __init__(self, node: str, socket: Path, token_file: Path) -> None:
        self._node, self._path, self._token_file = node, socket, token_file
        self._socket: RunnerSocket | None = None  # made in the process that serves, to which this object is sent
        self._token = b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await answer_lifespan(scope, receive, send)
            return await self.close()
        request, answer = Request(scope, receive), RelayAnswer(self._node, send)
        if not self._is_authorized(request):
            return await answer.end(401)
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if not PASSED.fullmatch(f"{request.method} {path}"):
            return await answer.end(404)
        try:
            body = await request.body()
        except ClientDisconnect:
            return None
        passing = asyncio.create_task(self._pass(request, path, body, answer))
        leaving = asyncio.create_task(left(receive))
        try:
            await asyncio.wait((passing, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            passing.cancel()  # if web has left, which closes the connection to the runner and ends the run
            with suppress(asyncio.CancelledError):
                await passing
        return None

    async def _pass(self, request: Request, path: str, body: bytes, answer: "RelayAnswer") -> None:
        if self._socket is None:
            self._socket = RunnerSocket(self._path)
        build = request.headers.get(BUILD_HEADER)
        url = URL.build(path=path, query_string=request.scope["query_string"].decode("latin-1"), encoded=True)
        try:
            response = await self._socket.send(request.method, url, data=body, headers={BUILD_HEADER: build} if build else {})
        except RunnerUnavailable:
            await answer.end(503)
            return
        async with released(response):
            await answer.begin(response.status, {name: response.headers[name] for name in ANSWERED if name in response.headers})
            with suppress(aiohttp.ClientError):  # the runner died, and web sees that the last event is missing
                async for chunk in response.content.iter_any():
                    await answer.add(chunk)
            await answer.finish()

    async def close(self) -> None:
        if self._socket:
            await self._socket.close()

    def _is_authorized(self, request: Request) -> bool:
        self._token = self._token or b"Bearer " + self._token_file.read_bytes().strip()
        return hmac.compare_digest(request.headers.get("authorization", "").encode("latin-1"), self._token)


class RelayAnswer:
    """The answer to one request. It names the node."""

    def __init__(self, node: str, send: Send) -> None:
        self._node, self._send = node, send

    async def begin(self, status: int, headers: dict[str, str]) -> None:
        named = {NODE_HEADER: self._node, **headers}
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})

    async def add(self, chunk: bytes) -> None:
        await self._send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def finish(self) -> None:
        await self._send({"type": "http.response.body", "body": b""})

    async def end(self, status: int) -> None:
        """RelayAnswer with a status and no body."""
        await self.begin(status, {"content-length": "0"})
        await self.finish()


async def left(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def answer_lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Take part in the start and the end of the server. A web socket is refused by leaving it."""
    while scope["type"] == "lifespan":
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
