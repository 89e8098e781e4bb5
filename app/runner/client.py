"""The way to the runner that web and the author's tools use: HTTP over the runner's Unix socket.

RunnerError
├── RunnerUnavailable   out of reach, or gone in mid-run; trying again may help
├── RunnerUnconfined    it has no sandbox, and the order does not agree to that
└── QueueFull           a queue cap is reached; `retry_after_seconds` says when to come back
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Literal, Protocol, Self

import httpx
import msgspec

from app.protocol.event import RunEvent
from app.protocol.run import RunOrder
from app.protocol.sandbox import RunnerStatus

QueueCap = Literal["learner", "address", "overall"]


class RunnerError(Exception):
    """The runner did not take the run, or lost it."""


class RunnerUnavailable(RunnerError):
    """The runner is out of reach, or went away in mid-run."""


class RunnerUnconfined(RunnerError):
    """The runner has no sandbox, and the order does not agree to that."""


class QueueFull(RunnerError):
    """A queue cap is reached: this learner's, this address's, or the one for all."""

    def __init__(self, reason: QueueCap, retry_after_seconds: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after_seconds = retry_after_seconds


class Refusal(msgspec.Struct):
    """The body of the runner's 429."""

    reason: QueueCap
    retry_after_seconds: int


class RunStream(Protocol):
    """The events of one run, in order; the last is `Ended` or `Failed`. Raises RunnerUnavailable if they break off."""

    @property
    def run_id(self) -> str: ...
    def __aiter__(self) -> AsyncIterator[RunEvent]: ...


class Runner(Protocol):
    """What executes programs. Leaving the context of `run` kills a run that is not over."""

    def run(self, order: RunOrder) -> AbstractAsyncContextManager[RunStream]: ...
    async def stop(self, run_id: str) -> bool: ...
    async def status(self) -> RunnerStatus: ...
    async def metrics(self) -> str: ...
    async def close(self) -> None: ...


class SocketRunStream:
    """A run's events, read from the runner's newline-delimited JSON."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._decoder = msgspec.json.Decoder(RunEvent)

    @property
    def run_id(self) -> str:
        return str(self._response.headers["x-run-id"])

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        pending = b""
        try:
            async for data in self._response.aiter_raw():
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    yield self._decoder.decode(line)
        except httpx.TransportError as error:
            raise RunnerUnavailable("the runner went away in mid-run") from error


class SocketRunner:
    """The runner behind a Unix socket; as a context it is closed at the end."""

    def __init__(self, socket: Path) -> None:
        unlimited = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        transport = httpx.AsyncHTTPTransport(uds=str(socket), limits=unlimited, verify=False)  # no TLS, so no certificates to load
        # a run's events come when they come: only connecting has a deadline of its own
        self._http = httpx.AsyncClient(transport=transport, base_url="http://runner", timeout=httpx.Timeout(None, connect=2.0))

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        request = self._http.build_request("POST", "/runs", content=msgspec.json.encode(order))
        response = await self._send(request, stream=True)
        try:
            if response.status_code == httpx.codes.TOO_MANY_REQUESTS:
                refusal = msgspec.json.decode(await response.aread(), type=Refusal)
                raise QueueFull(refusal.reason, refusal.retry_after_seconds)
            if response.status_code == httpx.codes.FORBIDDEN:
                raise RunnerUnconfined("the runner has no sandbox")
            if response.is_error:
                raise RunnerUnavailable(f"the runner answered {response.status_code}")
            yield SocketRunStream(response)
        finally:
            await response.aclose()

    async def stop(self, run_id: str) -> bool:
        response = await self._send(self._http.build_request("DELETE", f"/runs/{run_id}"))
        return response.status_code == httpx.codes.ACCEPTED

    async def status(self) -> RunnerStatus:
        response = await self._send(self._http.build_request("GET", "/status", timeout=5.0))
        return msgspec.json.decode(response.content, type=RunnerStatus)

    async def metrics(self) -> str:
        return (await self._send(self._http.build_request("GET", "/metrics", timeout=5.0))).text

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _send(self, request: httpx.Request, stream: bool = False) -> httpx.Response:
        try:
            return await self._http.send(request, stream=stream)
        except httpx.TransportError as error:
            raise RunnerUnavailable("the runner is out of reach") from error
