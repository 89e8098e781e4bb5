"""The streams that send learners in classes their raised hands, who is coming, and how many notes are unread.

A stream sends the whole state at its beginning and after each change, so a browser that reconnects needs nothing else. While it is
open, its learner counts as present. The number of streams of a web process is limited: a further one ends the oldest, whose last event is
`give_way`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from fastapi.sse import format_sse_event

from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.notices import Notices, hash_name

PRESENT_SECONDS = 45  # between two records that the learner of an open stream is present; presence.QUIET_MS is longer
MOST_OF_LEARNER = 4  # devices that share a learner through a resume code, and browsers whose tabs do not share a stream
KEEP_ALIVE = format_sse_event(comment="keep-alive")
GIVE_WAY = format_sse_event(event="give_way", data_str="{}")


class LearnerStream:
    """One stream. `follow` iterates over its bytes, and `end` ends it."""

    def __init__(self, learner: str, keep_alive_seconds: float) -> None:
        self.learner, self._keep_alive_seconds = learner, keep_alive_seconds
        self._changed = asyncio.Event()
        self._farewell: bytes | None = None

    def change(self) -> None:
        """Make the stream send the state again."""
        self._changed.set()

    def end(self, farewell: bytes = b"") -> None:
        """End the stream. `farewell` is sent last."""
        if self._farewell is None:
            self._farewell = farewell
        self._changed.set()

    async def follow(self, read_state: Callable[[], Awaitable[Any]], be_present: Callable[[], None]) -> AsyncIterator[bytes]:
        """Iterate over the events. `be_present` is called at the beginning, and then every PRESENT_SECONDS.

        If the state cannot be read, the stream ends, and the browser asks again some seconds later.
        """
        loop = asyncio.get_running_loop()
        present_at = loop.time()
        be_present()
        with suppress(StoreFault):
            while self._farewell is None:
                self._changed.clear()
                yield format_sse_event(event="state", data_str=msgspec.json.encode(await read_state()).decode())
                while not await self._wait():
                    if loop.time() >= present_at + PRESENT_SECONDS:
                        present_at = loop.time()
                        be_present()
                    yield KEEP_ALIVE
        if self._farewell:
            yield self._farewell

    async def _wait(self) -> bool:
        """Wait for a change. Return False if there was none until the next keep-alive comment is due."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._keep_alive_seconds):
                await self._changed.wait()
        return self._changed.is_set()


class LearnerStreams:
    """All streams of this web process, the oldest first. `kind` is the kind of notices about learners."""

    def __init__(self, notices: Notices, kind: str, most: int, keep_alive_seconds: float) -> None:
        self._most, self._keep_alive_seconds = most, keep_alive_seconds
        self._open: dict[LearnerStream, str] = {}  # stream -> hash of its learner's name
        notices.subscribe(kind, self._change)

    def open(self, learner: str) -> LearnerStream:
        """Return a new stream of a learner. If the learner or the process has too many, the oldest of these ends."""
        stream = LearnerStream(learner, self._keep_alive_seconds)
        own = [one for one in self._open if one.learner == learner]
        if len(own) >= MOST_OF_LEARNER:
            self._end(own[0])
        elif len(self._open) >= self._most:
            self._end(next(iter(self._open)))
        self._open[stream] = hash_name(learner)
        return stream

    def close(self, stream: LearnerStream) -> None:
        """Remove a stream that has ended or whose client has left."""
        self._open.pop(stream, None)

    def _end(self, stream: LearnerStream) -> None:
        self.close(stream)
        stream.end(GIVE_WAY)

    def _change(self, name_sha256: str) -> None:
        for stream, owner in self._open.items():
            if owner == name_sha256:
                stream.change()
