"""The events of a run. Each is encoded once, when it happens, and its frame is stored until the reader takes it.

The result repeats the records that were sent before it. The log does not copy them: it stores views into their frames, and encodes the
result when the reader takes it.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable

import msgspec

from app.protocol.event import Failed, RunEvent, Stderr, Stdout
from app.protocol.event_frame import HEADER_BYTES, PIECE_BYTES, cut, encode_frame
from app.protocol.run import RunResult

_UNREAD = encode_frame(Failed("internal", "nobody read the run's events"))


class EventLog:
    """The events of one run. `on_change` is called with the number of bytes that the reader has not taken, when it changes."""

    def __init__(self, on_change: Callable[[int], None]) -> None:
        self.stdout: list[str] = []
        self.stderr: list[str] = []
        self.records: list[msgspec.Raw] = []
        self.count = 0  # how many events there have been
        self.discarded = False
        self._frames: deque[bytes | RunResult] = deque()
        self._result_waits = False  # whether the result is among the frames
        self._over = False
        self._bytes = 0  # the size of all events
        self._frames_bytes = 0  # the size of the frames that the reader has not taken
        self._unread_bytes = 0
        self._on_change = on_change
        self._news = asyncio.Event()

    def add(self, event: RunEvent) -> None:
        """Add an event."""
        self.count += 1
        self._news.set()
        if self.discarded:
            return
        if isinstance(event, RunResult):
            self._result_waits = True
            self._frames.append(event)
            self._count_unread(self._bytes)  # the result needs all frames until it is taken
            return
        frame = encode_frame(event)
        self._frames.append(frame)
        self._frames_bytes += len(frame)
        self._bytes += len(frame)
        self._collect(event, frame)
        self._count_unread(self._unread_bytes + len(frame))

    def end(self, last: RunEvent | None) -> None:
        """End the log, after a `last` event if there is one."""
        if last:
            self.add(last)
        self._over = True
        self._news.set()

    def discard(self) -> None:
        """Discard all events. A reader who asks for them later gets one error event instead."""
        if (self._frames or not self._over) and not self.discarded:
            self._frames = deque([_UNREAD])
        self.discarded = True
        self._frames_bytes = 0
        self._free_parts()
        self._count_unread(0)

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yield the frames of the events, in pieces that may hold several. A piece is freed when the reader takes the next one."""
        while True:
            if self._frames:
                for piece in cut(self._take_together()):
                    yield piece
                if not self._result_waits:  # else the result still needs it
                    self._count_unread(self._frames_bytes)
            elif self._over:
                break
            else:
                self._news.clear()
                await self._news.wait()

    def _take_together(self) -> bytes:
        """Return the next frame together with those after it that fit one piece. The result is returned by itself."""
        taken = self._frames.popleft()
        if isinstance(taken, RunResult):
            frame = encode_frame(taken)
            self._result_waits = False
            self._free_parts()
            return frame
        while self._frames and not isinstance(following := self._frames[0], RunResult) and len(taken) + len(following) <= PIECE_BYTES:
            self._frames.popleft()
            taken += following
        self._frames_bytes = max(0, self._frames_bytes - len(taken))  # discarded frames are not counted
        return taken

    def _collect(self, event: RunEvent, frame: bytes) -> None:
        """Store the parts of an event that the result repeats."""
        match event:
            case Stdout():
                self.stdout.append(event.text)
            case Stderr():
                self.stderr.append(event.text)
            case msgspec.Raw():
                self.records.append(msgspec.Raw(memoryview(frame)[HEADER_BYTES:]))

    def _free_parts(self) -> None:
        """Free what only the result needs."""
        self.stdout.clear()
        self.stderr.clear()
        self.records.clear()

    def _count_unread(self, unread_bytes: int) -> None:
        if unread_bytes != self._unread_bytes:
            self._unread_bytes = unread_bytes
            self._on_change(unread_bytes)
