"""The answers of a run: its event stream (server-sent events), or its result alone. Bytes of the runner's go on as they come.

An event is numbered, named, one line of JSON, and sent at once. No more is read from the runner than the client takes: each `send` waits
until the client has taken most of what was sent before.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from fastapi.sse import format_sse_event
from starlette.responses import Response, StreamingResponse
from starlette.types import Scope, Send

from app.runner.event_bytes import EventBytes
from app.web.answer import JSON, encoder
from app.web.error_answers import describe_fault
from app.web.run_service import AcceptedRun

EVENT_STREAM = "text/event-stream"
HEADERS = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
KEEP_ALIVE = format_sse_event(comment="keep-alive")
PIECE_BYTES = 65_536  # what is sent together at most; and what a reader who does not read makes us hold


class RunEventsResponse(StreamingResponse):
    """Answers with the events of a run. In silence it sends comments, so that no proxy closes the stream."""

    media_type = EVENT_STREAM

    def __init__(self, run: AcceptedRun, scope: Scope, keep_alive_seconds: float) -> None:
        self._whole = asyncio.Lock()  # held while an event is sent: a comment must not come into the middle of it
        super().__init__(self._encode(run, scope), headers={"x-run-id": run.id, **HEADERS})
        self._keep_alive_seconds = keep_alive_seconds

    async def stream_response(self, send: Send) -> None:
        keeping_alive = asyncio.create_task(self._keep_alive(send))
        try:
            await super().stream_response(send)
        finally:
            keeping_alive.cancel()

    async def _encode(self, run: AcceptedRun, scope: Scope) -> AsyncIterator[bytes]:
        """The events on the wire; the last is `result`, or `error` when the fault is ours. In the middle of one, it can only break off."""
        number, sent_of_event = 0, 0
        try:
            async for event in run:
                async with self._whole, aclosing(frame(number, event)) as pieces:
                    async for piece in pieces:
                        yield piece
                        sent_of_event += len(piece)
                if is_gone(scope):
                    return  # without asking for what comes next, so that the run counts as abandoned
                number, sent_of_event = number + 1, 0
        except Exception as error:
            run.ending = "failed"
            fault = describe_fault(error, run.lang)
            if not sent_of_event:
                data = encoder.encode({"code": fault.code, "message": fault.message}).decode()
                yield format_sse_event(id=str(number), event="error", data_str=data)

    async def _keep_alive(self, send: Send) -> None:
        while True:
            await asyncio.sleep(self._keep_alive_seconds)
            async with self._whole:
                await send({"type": "http.response.body", "body": KEEP_ALIVE, "more_body": True})


async def frame(number: int, event: EventBytes) -> AsyncGenerator[bytes, None]:
    """An event on the wire, in pieces that are neither tiny nor large."""
    async for piece in gather(f"id: {number}\nevent: {event.name}\ndata: ".encode(), event, b"\n\n"):
        yield piece


async def gather(before: bytes, event: EventBytes, after: bytes) -> AsyncGenerator[bytes, None]:
    """The event's bytes with some around them; small pieces together."""
    waiting = before
    async for piece in event:
        if waiting and len(waiting) + len(piece) > PIECE_BYTES:
            yield waiting
            waiting = piece
        else:
            waiting += piece
    yield waiting + after


async def answer_result(run: AcceptedRun, scope: Scope) -> Response:
    """The result alone, at once if it is small. Raises RunnerError when the fault is ours and nothing has been sent."""
    headers = {"x-run-id": run.id, "cache-control": "no-store"}
    pieces = result_of(run, scope)
    first = await anext(pieces)
    second = await anext(pieces, None)
    if second is None:
        return Response(first, 200, headers, JSON)
    return StreamingResponse(chain(first, second, pieces), 200, headers, JSON)


async def result_of(run: AcceptedRun, scope: Scope) -> AsyncGenerator[bytes, None]:
    """The result in pieces. Who is gone before the last one has abandoned the run."""
    async for event in run:
        if event.outcome is not None:
            async for piece in gather(b"", event, b""):
                yield piece
            if is_gone(scope):
                return


async def chain(first: bytes, second: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    yield second
    async for piece in pieces:
        yield piece


def is_gone(scope: Scope) -> bool:
    """Whether the client was dropped or has left; nobody is where there is no connection of ours, as in tests."""
    connection = scope["state"].get("connection")
    return connection is not None and connection.gone
