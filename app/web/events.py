"""The event stream of a run (server-sent events): each event numbered, named, in JSON, and sent at once."""

import asyncio
from contextlib import suppress
from typing import Any

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.protocol.event import Ended, Failed, Queued, Recorded, RunEvent, Started, Stderr, Stdout
from app.runner.client import RunnerUnavailable
from app.web.answer import encoder
from app.web.errors import internal, tell_failure, unavailable
from app.web.run import ClientGone, Run, while_connected

log = structlog.get_logger()

EVENT_STREAM = "text/event-stream"
KEEP_ALIVE = b": keep-alive\n\n"
HEADERS = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}


class RunEventsResponse(Response):
    """Answers with the events of a run. Closing the connection kills it; an error before it has begun is an ordinary one."""

    media_type = EVENT_STREAM

    def __init__(self, request: Request, run: Run, keep_alive_seconds: float) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._request, self._run, self._keep_alive_seconds = request, run, keep_alive_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._request.state.outcome = "abandoned"
        with suppress(ClientGone):
            await while_connected(receive, self._stream(send))

    async def _stream(self, send: Send) -> None:
        async with self._run as run:
            self.headers["x-run-id"] = self._request.state.run_id = run.id
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            keeping_alive = asyncio.create_task(keep_alive(send, self._keep_alive_seconds))
            try:
                await self._send_events(send)
            finally:
                keeping_alive.cancel()
        await send_body(send, b"", more=False)

    async def _send_events(self, send: Send) -> None:
        number = 0
        try:
            async for event in self._run:
                self._note(event)
                if isinstance(event, Failed):
                    event = tell_failure(self._request, event)
                await send_body(send, encode_event(number, event))
                number += 1
        except RunnerUnavailable:
            await send_body(send, encode_event(number, unavailable(self._request)))
        except Exception:
            log.exception("run_events_broke_off", run_id=self._run.id)
            await send_body(send, encode_event(number, internal(self._request)))

    def _note(self, event: RunEvent) -> None:
        if not isinstance(event, Queued | Started):
            self._run.sent = True
        if isinstance(event, Ended):
            self._request.state.outcome = event.result.outcome.value
        elif isinstance(event, Failed):
            self._request.state.outcome = "failed"


def encode_event(number: int, event: RunEvent) -> bytes:
    """One event in the wire form of server-sent events. JSON has no raw line breaks, so one data line is enough."""
    name, data = describe(event)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (number, name.encode(), encoder.encode(data))


def describe(event: RunEvent) -> tuple[str, Any]:
    """The name of an event and its data, without the envelope they have between runner and web."""
    match event:
        case Queued(id=run_id, position=position):
            return "queued", {"id": run_id, "position": position}
        case Started(id=run_id):
            return "started", {"id": run_id}
        case Stdout(text=text):
            return "stdout", {"text": text}
        case Stderr(text=text):
            return "stderr", {"text": text}
        case Recorded(family=family, record=record):
            return family, record
        case Ended(result=result):
            return "result", result
        case Failed(code=code, message=message):
            return "error", {"code": code, "message": message}


async def keep_alive(send: Send, seconds: float) -> None:
    """Comments that keep proxies from closing a silent stream."""
    while True:
        await asyncio.sleep(seconds)
        await send_body(send, KEEP_ALIVE)


async def send_body(send: Send, body: bytes, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})
