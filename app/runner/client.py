"""The way to the runner that web and the author's tools use: HTTP over the runner's Unix socket.

RunnerError
├── RunnerUnavailable    it could not be reached, or did not accept the run; sending it again may help
├── RunLost              the run was accepted, then the runner, its connection or its child died
├── RunBroken            the runner accepted the run and failed at it; its log says how
├── QueueFull            a queue cap is reached; `retry_after_seconds` says when to come back
├── RunnerUnconfined     it has no sandbox, and the order does not agree to that
├── RuntimeAbsent        the order's runtime is not installed there
└── RunnerIncompatible   it and this client do not understand each other: they are of two versions
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Literal, Protocol, Self, TypeVar

import httpx
import msgspec

from app.protocol.event import RunEvent
from app.protocol.run import RunOrder
from app.protocol.sandbox import RunnerStatus
from app.runner.event_bytes import EventBytes, EventLines, NoEvent

QueueCap = Literal["learner", "address", "overall"]
Answer = TypeVar("Answer")


class RunnerError(Exception):
    """The runner did not take a run, or did not bring it to an end."""


class RunnerUnavailable(RunnerError):
    """The runner could not be reached, or did not accept the run."""


class RunLost(RunnerError):
    """The run was accepted and has no result: the runner, its connection or the run's child died."""


class RunBroken(RunnerError):
    """The runner accepted the run and failed at it."""


class RunnerUnconfined(RunnerError):
    """The runner has no sandbox, and the order does not agree to that."""


class RunnerIncompatible(RunnerError):
    """The runner refused a request of ours as wrong, or answered what we cannot read."""


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


class RuntimeAbsence(msgspec.Struct):
    """The body of the runner's 404. `extra`: the project's extra that installs the runtime."""

    runtime: str
    installed: list[str]
    extra: str | None


class RuntimeAbsent(RunnerError):
    """The order's runtime is not installed there."""

    def __init__(self, absence: RuntimeAbsence) -> None:
        super().__init__(f"the runtime {absence.runtime} is not installed")
        self.absence = absence


class RunStream(Protocol):
    """The events of one run, in order; the last is `Ended` or `Failed`. Raises RunLost if they break off, and RunnerIncompatible.

    They are followed once: decoded by iterating, or as bytes with `encoded`, of which no more is read than is taken.
    """

    @property
    def run_id(self) -> str: ...
    def __aiter__(self) -> AsyncIterator[RunEvent]: ...
    def encoded(self) -> AsyncIterator[EventBytes]: ...


class Runner(Protocol):
    """What executes programs. Leaving the context of `run` kills a run that is not over.

    `stop` stops a run that was ordered for this learner, who is an address where there is no cookie; False if there is no such run.
    """

    def run(self, order: RunOrder) -> AbstractAsyncContextManager[RunStream]: ...
    async def stop(self, run_id: str, learner: str = "") -> bool: ...
    async def status(self) -> RunnerStatus: ...
    async def metrics(self) -> str: ...
    async def close(self) -> None: ...


class SocketRunStream:
    """A run's events, read from the runner's newline-delimited JSON."""

    def __init__(self, response: httpx.Response) -> None:
        self.run_id = run_id_of(response)
        self._lines = EventLines(read(response))
        self._decoder = msgspec.json.Decoder(RunEvent)

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        async for line in self._lines.lines():
            yield decode(line, self._decoder)

    async def encoded(self) -> AsyncIterator[EventBytes]:
        try:
            async for event in self._lines.events():
                yield event
        except NoEvent as error:
            raise RunnerIncompatible(f"the runner's answer cannot be read: {error}") from error


async def read(response: httpx.Response) -> AsyncIterator[bytes]:
    """An answer as it comes; raises RunLost if it breaks off."""
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except httpx.TransportError as error:
        raise RunLost("the runner went away in mid-run") from error


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
            if response.is_error:
                await response.aread()
            raise_refusal(response)
            yield SocketRunStream(response)
        finally:
            await response.aclose()

    async def stop(self, run_id: str, learner: str = "") -> bool:
        response = await self._send(self._http.build_request("DELETE", f"/runs/{run_id}", params={"learner": learner}))
        return response.status_code == httpx.codes.ACCEPTED

    async def status(self) -> RunnerStatus:
        response = await self._get("/status")
        return decode(response.content, msgspec.json.Decoder(RunnerStatus))

    async def metrics(self) -> str:
        return (await self._get("/metrics")).text

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _get(self, path: str) -> httpx.Response:
        response = await self._send(self._http.build_request("GET", path, timeout=5.0))
        raise_refusal(response)
        return response

    async def _send(self, request: httpx.Request, stream: bool = False) -> httpx.Response:
        try:
            return await self._http.send(request, stream=stream)
        except httpx.TransportError as error:  # it did not answer, so it has accepted nothing
            raise RunnerUnavailable("the runner is out of reach") from error


def raise_refusal(response: httpx.Response) -> None:
    """Raise what an answer that is an error means; its body has been read."""
    match response.status_code:
        case httpx.codes.TOO_MANY_REQUESTS:
            refusal = decode(response.content, msgspec.json.Decoder(Refusal))
            raise QueueFull(refusal.reason, refusal.retry_after_seconds)
        case httpx.codes.FORBIDDEN:
            raise RunnerUnconfined("the runner has no sandbox")
        case httpx.codes.NOT_FOUND:
            raise RuntimeAbsent(decode(response.content, msgspec.json.Decoder(RuntimeAbsence)))
        case status if response.is_server_error:
            raise RunnerUnavailable(f"the runner answered {status}")
        case status if response.is_error:
            raise RunnerIncompatible(f"the runner answered {status}: {response.text[:200]}")


def run_id_of(response: httpx.Response) -> str:
    run_id = response.headers.get("x-run-id")
    if run_id is None:
        raise RunnerIncompatible("the runner named no run")
    return str(run_id)


def decode(data: bytes, decoder: "msgspec.json.Decoder[Answer]") -> Answer:
    """What the runner said; raises RunnerIncompatible for what cannot be read."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunnerIncompatible(f"the runner's answer cannot be read: {error}") from error
