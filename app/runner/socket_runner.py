"""The client of a runner behind a Unix socket. It speaks HTTP/1.1 on connections that are reused."""

import errno
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
from yarl import URL

from app.protocol.event import RunEvent
from app.protocol.event_frame import EventFrame
from app.protocol.grading import GradeOrder
from app.protocol.run import Lang, RunOrder, TraceOrder
from app.protocol.sandbox import RunnerStatus
from app.runner.client import (
    LANG_HEADER,
    QueueFull,
    Refusal,
    RunGaveWay,
    RunLost,
    RunnerIncompatible,
    RunnerUnavailable,
    RunnerUnconfined,
    RunStream,
    RuntimeAbsence,
    RuntimeAbsent,
    RunUntraceable,
    decode,
)
from app.runner.event_stream import EventStream, decode_frame

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0  # how long to wait for a status or metrics; a run's events have no time limit
IDLE_CONNECTION_SECONDS = 4.0  # an unused connection is closed after this time; uvicorn and Ray Serve's proxy close it after five seconds
NO_HEADERS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")


class SocketRunStream:
    """A run's events, read from the runner's answer. `last`: the kind of the last event."""

    def __init__(self, response: aiohttp.ClientResponse, last: str) -> None:
        if "x-run-id" not in response.headers:
            raise RunnerIncompatible("the runner named no run")
        self.run_id = response.headers["x-run-id"]
        self.lang: Lang = "zh-Hans" if response.headers.get(LANG_HEADER) == "zh-Hans" else "en"
        self._response = response
        self._last = last
        self._events = EventStream(read(response))

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        async for frame in self.frames():
            yield await decode_frame(frame)

    async def frames(self) -> AsyncIterator[EventFrame]:
        async for frame in self._events.frames():
            yield frame
            if frame.kind == self._last:
                with suppress(aiohttp.ClientError):
                    await self._response.content.wait_eof()  # so that the connection can be reused
                return


class HttpConnections:
    """HTTP connections, which are reused. `make_connector`: called at the first request, because a connector belongs to an event loop."""

    def __init__(self, make_connector: Callable[[], aiohttp.BaseConnector], **options: Any) -> None:
        self._make_connector = make_connector
        self._options = options
        self._opened: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        if self._opened:
            await self._opened.close()

    @property
    def _http(self) -> aiohttp.ClientSession:
        if self._opened is None:
            self._opened = aiohttp.ClientSession(
                connector=self._make_connector(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
                cookie_jar=aiohttp.DummyCookieJar(),
                skip_auto_headers=NO_HEADERS,
                auto_decompress=False,
                **self._options,
            )
        return self._opened


class RunnerSocket(HttpConnections):
    """The connections to a runner that listens on a Unix socket."""

    def __init__(self, socket: Path) -> None:
        super().__init__(
            lambda: aiohttp.UnixConnector(str(socket), limit=0, keepalive_timeout=IDLE_CONNECTION_SECONDS), base_url="http://runner"
        )

    async def send(self, method: str, path: str | URL, **request: Any) -> aiohttp.ClientResponse:
        """Send a request and return the response. If a reused connection was closed meanwhile, try once more. Raises RunnerUnavailable."""
        try:
            try:
                return await self._http.request(method, path, **request)
            except aiohttp.ClientOSError as error:
                if not was_not_read(error):
                    raise
            return await self._http.request(method, path, **request)
        except (aiohttp.ClientError, TimeoutError) as error:  # the runner has not answered, so it has not accepted the run
            raise RunnerUnavailable("the runner is out of reach") from error


class SocketRunner(RunnerSocket, AbstractAsyncContextManager["SocketRunner"]):
    """Sends orders to a runner. Use it as a context manager, which closes its connections."""

    def run(self, order: RunOrder) -> AbstractAsyncContextManager[RunStream]:
        return self._follow("/runs", order, "result")

    def grade(self, order: GradeOrder) -> AbstractAsyncContextManager[RunStream]:
        return self._follow("/submissions", order, "verdict")

    def trace(self, order: TraceOrder) -> AbstractAsyncContextManager[RunStream]:
        return self._follow("/traces", order, "result")

    @asynccontextmanager
    async def _follow(self, path: str, order: RunOrder | GradeOrder | TraceOrder, last: str) -> AsyncIterator[RunStream]:
        response = await self.send("POST", path, data=msgspec.json.encode(order))
        async with released(response):
            await raise_refusal(response)
            yield SocketRunStream(response, last)

    async def forget(self, learner: str) -> None:
        (await self.send("DELETE", "/orders", params={"learner": learner})).release()

    async def stop(self, run_id: str, learner: str = "") -> bool:
        async with await self.send("DELETE", f"/runs/{run_id}", params={"learner": learner}) as response:
            return response.status == 202

    async def status(self) -> RunnerStatus:
        return decode(await self._get("/status"), msgspec.json.Decoder(RunnerStatus))

    async def metrics(self) -> str:
        return (await self._get("/metrics")).decode()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _get(self, path: str) -> bytes:
        timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS, sock_connect=CONNECT_SECONDS)
        async with await self.send("GET", path, timeout=timeout) as response:
            await raise_refusal(response)
            return await read_whole(response)


@asynccontextmanager
async def released(response: aiohttp.ClientResponse) -> AsyncIterator[None]:
    """At the end let the connection be used again, or close it if part of the answer was not read, which ends the run."""
    try:
        yield
    finally:
        if response.content.is_eof():
            response.release()
        else:
            response.close()


def was_not_read(error: aiohttp.ClientOSError) -> bool:
    """Return whether the runner closed the connection before it had read the whole request. Only then is a Unix socket reset."""
    return isinstance(error, ConnectionResetError) or error.errno in (errno.ECONNRESET, errno.EPIPE)


async def read(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Yield the answer as it arrives. Raises RunLost if it ends early."""
    try:
        async for chunk in response.content.iter_any():
            yield chunk
    except aiohttp.ClientError as error:
        raise RunLost("the runner went away in mid-run") from error


async def read_whole(response: aiohttp.ClientResponse) -> bytes:
    """Return a short answer. Raises RunnerUnavailable if it ends early."""
    try:
        return await response.read()
    except (aiohttp.ClientError, TimeoutError) as error:
        raise RunnerUnavailable("the runner broke off its answer") from error


async def raise_refusal(response: aiohttp.ClientResponse) -> None:
    """Raise the exception that an error answer stands for."""
    match response.status:
        case 429:
            refusal = decode(await read_whole(response), msgspec.json.Decoder(Refusal))
            raise QueueFull(refusal.reason, refusal.retry_after_seconds)
        case 403:
            raise RunnerUnconfined("the runner has no sandbox")
        case 404:
            raise RuntimeAbsent(decode(await read_whole(response), msgspec.json.Decoder(RuntimeAbsence)))
        case 409:
            raise RunGaveWay("another run needs the place")
        case 410:
            raise RunUntraceable("there is no such run to trace")
        case status if status >= 500:
            raise RunnerUnavailable(f"the runner answered {status}")
        case status if status >= 400:
            words = (await read_whole(response)).decode(errors="replace")
            raise RunnerIncompatible(f"the runner answered {status}: {words[:200]}")
