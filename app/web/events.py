"""The event stream of a run (server-sent events): each event numbered, named, in JSON, and sent at once."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from fastapi.sse import format_sse_event
from starlette.responses import StreamingResponse
from starlette.types import Send

from app.protocol.event import Ended, Queued, Recorded, Started, Stderr, Stdout
from app.web.answer import encoder
from app.web.error_answers import describe_fault
from app.web.run_service import AcceptedRun, RunNews

EVENT_STREAM = "text/event-stream"
HEADERS = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}
KEEP_ALIVE = format_sse_event(comment="keep-alive")


class RunEventsResponse(StreamingResponse):
    """Answers with the events of a run. In silence it sends comments, so that no proxy closes the stream."""

    media_type = EVENT_STREAM

    def __init__(self, run: AcceptedRun, keep_alive_seconds: float) -> None:
        super().__init__(encode_events(run), headers={"x-run-id": run.id, **HEADERS})
        self._keep_alive_seconds = keep_alive_seconds

    async def stream_response(self, send: Send) -> None:
        keeping_alive = asyncio.create_task(keep_alive(send, self._keep_alive_seconds))
        try:
            await super().stream_response(send)
        finally:
            keeping_alive.cancel()


async def encode_events(run: AcceptedRun) -> AsyncIterator[bytes]:
    """The events on the wire; the last is `result`, or `error` when the fault is ours."""
    number = 0
    try:
        async for event in run:
            yield encode_event(number, *describe(event))
            number += 1
    except Exception as error:
        run.ending = "failed"
        fault = describe_fault(error, run.lang)
        yield encode_event(number, "error", {"code": fault.code, "message": fault.message})


def encode_event(number: int, name: str, data: Any) -> bytes:
    return format_sse_event(id=str(number), event=name, data_str=encoder.encode(data).decode())


def describe(event: RunNews) -> tuple[str, Any]:
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


async def keep_alive(send: Send, seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        await send({"type": "http.response.body", "body": KEEP_ALIVE, "more_body": True})
