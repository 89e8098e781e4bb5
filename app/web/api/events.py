"""The answers of a run: its event stream (server-sent events), or its last event alone. Bytes of the runner's go on as they come.

An event is numbered, named, one line of JSON, and sent at once. No more is read from the runner than the client takes: each `send` waits
until the client has taken most of what was sent before.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import aclosing
from typing import Any, TypeVar

from fastapi.sse import format_sse_event
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.protocol.event_frame import PIECE_BYTES, EventFrame
from app.web.edge.error_answers import describe_fault
from app.web.http.answer import JSON, encoder
from app.web.runs.run_service import FollowedRun

Result = TypeVar("Result")
EVENT_STREAM = "text/event-stream"
HEADERS = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
KEEP_ALIVE = format_sse_event(comment="keep-alive")
CLIENT_CLOSED = 499  # nobody reads it; it tells the log what happened


class RunEventsResponse(StreamingResponse):
    """Answers with the events of a run. In silence it sends comments, so that no proxy closes the stream."""

    media_type = EVENT_STREAM

    def __init__(self, run: FollowedRun, scope: Scope, keep_alive_seconds: float) -> None:
        self._whole = asyncio.Lock()  # held while an event is sent: a comment must not come into the middle of it
        super().__init__(self._encode(run, scope), headers={"x-run-id": run.id, **HEADERS})
        self._keep_alive_seconds = keep_alive_seconds

    async def stream_response(self, send: Send) -> None:
        keeping_alive = asyncio.create_task(self._keep_alive(send))
        try:
            await super().stream_response(send)
        finally:
            keeping_alive.cancel()

    async def _encode(self, run: FollowedRun, scope: Scope) -> AsyncIterator[bytes]:
        """The events on the wire; the last is `result`, or `error` when the fault is ours. In the middle of one, it can only break off."""
        number, sent_of_event = 0, 0
        try:
            async for frame in run:
                head = f"id: {number}\nevent: {frame.kind}\ndata: ".encode()
                async with self._whole, aclosing(gather(head, frame, b"\n\n")) as pieces:
                    async for piece in pieces:
                        yield piece
                        sent_of_event += len(piece)
                if is_gone(scope):
                    return  # without asking for what comes next, so that the run counts as abandoned
                number, sent_of_event = number + 1, 0
        except Exception as error:
            run.fail()
            fault = describe_fault(error, run.lang)
            if not sent_of_event:
                data = encoder.encode({"code": fault.code, "message": fault.message}).decode()
                yield format_sse_event(id=str(number), event="error", data_str=data)

    async def _keep_alive(self, send: Send) -> None:
        while True:
            await asyncio.sleep(self._keep_alive_seconds)
            async with self._whole:
                await send({"type": "http.response.body", "body": KEEP_ALIVE, "more_body": True})


async def gather(before: bytes, frame: EventFrame, after: bytes) -> AsyncGenerator[bytes, None]:
    """The event's JSON with some bytes around it, in pieces that are neither tiny nor larger than PIECE_BYTES."""
    waiting = before
    async for piece in frame:
        if len(waiting) + len(piece) > PIECE_BYTES:
            yield waiting
            waiting = piece
        else:
            waiting += piece
    if len(waiting) + len(after) > PIECE_BYTES:
        yield waiting
        waiting = b""
    yield waiting + after


async def answer_run(request: Request, run: FollowedRun, keep_alive_seconds: float) -> Response:
    """The events, or the result alone, by what the request accepts. Raises RunnerError when the fault is ours and nothing has been sent."""
    if EVENT_STREAM in request.headers.get("accept", ""):
        return RunEventsResponse(run, request.scope, keep_alive_seconds)
    answer = await while_connected(request.receive, answer_result(run, request.scope))
    return answer or Response(status_code=CLIENT_CLOSED)


async def answer_result(run: FollowedRun, scope: Scope) -> Response:
    """The result alone, at once if it is small. Raises RunnerError when the fault is ours and nothing has been sent."""
    headers = {"x-run-id": run.id, "cache-control": "no-store"}
    pieces = result_of(run, scope)
    first = await anext(pieces)
    second = await anext(pieces, None)
    if second is None:
        return Response(first, 200, headers, JSON)
    return StreamingResponse(chain(first, second, pieces), 200, headers, JSON)


async def result_of(run: FollowedRun, scope: Scope) -> AsyncGenerator[bytes, None]:
    """The result in pieces. Who is gone before the last one has abandoned the run."""
    async for frame in run:
        if frame.kind == run.answers_with:
            async for piece in gather(b"", frame, b""):
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


async def while_connected(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result | None:
    """What `work` gives; None, and it is cancelled, as soon as the client goes away. The request has been read."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(disconnected(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def disconnected(receive: Receive) -> None:
    """Returns when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
