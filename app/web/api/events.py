"""The answers to a request for a run: a stream of server-sent events, or the data of the last event alone.

An event has a number, a name and one line of JSON. It is passed on piece by piece, as the runner sends it. A slow client slows down the
reading from the runner, because each `send` waits until the client has read most of the bytes sent before.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from typing import Any, TypeVar

from fastapi.sse import format_sse_event
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.protocol.event_frame import PIECE_BYTES, EventFrame
from app.web.edge.error_answers import describe_fault
from app.web.http.answer import EVENT_STREAM, JSON, encoder
from app.web.runs.run_service import FollowedRun

Result = TypeVar("Result")
HEADERS = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
KEEP_ALIVE = format_sse_event(comment="keep-alive")
CLIENT_CLOSED = 499  # the status in the log if the client has left


class RunEventsResponse(StreamingResponse):
    """Answers with the events of a run. It also sends comments at regular intervals, so that no proxy closes a silent stream."""

    media_type = EVENT_STREAM

    def __init__(self, run: FollowedRun, scope: Scope, keep_alive_seconds: float) -> None:
        self._whole = asyncio.Lock()  # held while an event is sent, so that no comment interrupts it
        super().__init__(self._encode(run, scope), headers={"x-run-id": run.id, **HEADERS})
        self._keep_alive_seconds = keep_alive_seconds

    async def stream_response(self, send: Send) -> None:
        keeping_alive = asyncio.create_task(self._keep_alive(send))
        try:
            await super().stream_response(send)
        finally:
            keeping_alive.cancel()

    async def _encode(self, run: FollowedRun, scope: Scope) -> AsyncIterator[bytes]:
        """Iterate over the bytes of the events. After a fault of ours a last event `error` follows, unless an event was half sent."""
        number, sent_of_event = 0, 0
        try:
            async for frame in run:
                head = f"id: {number}\nevent: {frame.kind}\ndata: ".encode()
                async with self._whole, aclosing(gather(head, frame, b"\n\n")) as pieces:
                    async for piece in pieces:
                        yield piece
                        sent_of_event += len(piece)
                if is_gone(scope):
                    return  # the next frame is not read, so the run counts as abandoned
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


class EndlessResponse(StreamingResponse):
    """Sends events until the client leaves or the server shuts down.

    The server calls `end` when it shuts down; the iterator `events` must then stop. `close` is called after the last event, in any case.
    """

    media_type = EVENT_STREAM

    def __init__(self, request: Request, events: AsyncIterator[bytes], end: Callable[[], None], close: Callable[[], None]) -> None:
        super().__init__(events, headers=HEADERS)
        self._end, self._close = end, close
        self._connection = request.scope.get("state", {}).get("connection")

    async def stream_response(self, send: Send) -> None:
        try:
            if self._connection:
                self._connection.end_stream = self._end
            await super().stream_response(send)
        finally:
            if self._connection:
                self._connection.end_stream = None
            self._close()


async def gather(before: bytes, frame: EventFrame, after: bytes) -> AsyncGenerator[bytes, None]:
    """Iterate over `before`, the JSON of `frame` and `after`. Small pieces are joined, up to PIECE_BYTES."""
    joined = before
    async for piece in frame:
        if len(joined) + len(piece) > PIECE_BYTES:
            yield joined
            joined = piece
        else:
            joined += piece
    if len(joined) + len(after) > PIECE_BYTES:
        yield joined
        joined = b""
    yield joined + after


async def answer_run(request: Request, run: FollowedRun, keep_alive_seconds: float) -> Response:
    """Answer with a stream of events if the request accepts one, else with the result alone.

    Raises RunnerError if a fault of ours ends the run before the answer begins.
    """
    if EVENT_STREAM in request.headers.get("accept", ""):
        return RunEventsResponse(run, request.scope, keep_alive_seconds)
    answer = await while_connected(request.receive, answer_result(run, request.scope))
    return answer or Response(status_code=CLIENT_CLOSED)


async def answer_result(run: FollowedRun, scope: Scope) -> Response:
    """Answer with the result alone. It is streamed if it has more than one piece.

    Raises RunnerError if a fault of ours ends the run before the answer begins.
    """
    headers = {"x-run-id": run.id, "cache-control": "no-store"}
    pieces = result_of(run, scope)
    first = await anext(pieces)
    second = await anext(pieces, None)
    if second is None:
        return Response(first, 200, headers, JSON)
    return StreamingResponse(chain(first, second, pieces), 200, headers, JSON)


async def result_of(run: FollowedRun, scope: Scope) -> AsyncGenerator[bytes, None]:
    """Iterate over the pieces of the result. If the client leaves before the last piece, the run counts as abandoned."""
    try:
        async for frame in run:
            if frame.kind == run.answers_with:
                async for piece in gather(b"", frame, b""):
                    yield piece
                if is_gone(scope):
                    return
    except Exception:
        run.fail()
        raise


async def chain(first: bytes, second: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    yield second
    async for piece in pieces:
        yield piece


def is_gone(scope: Scope) -> bool:
    """Return whether the client's connection is closed. In tests there is no Connection, and the client counts as connected."""
    connection = scope["state"].get("connection")
    return connection is not None and connection.gone


async def while_connected(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result | None:
    """Return the result of `work`. If the client disconnects first, cancel `work` and return None.

    The request's body must have been read, because this reads on from `receive` to notice a disconnection.
    """
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
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
