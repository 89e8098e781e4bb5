"""The events of a run: each is encoded once, when it happens, and its frame is stored until the run's reader takes it.

The result repeats records that were sent before it. The log stores no copies of them but parts of the frames they are in, and encodes the
result when its reader comes to it.
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
    """The events of one run. `on_change` is called with how many bytes its reader has not taken."""

    def __init__(self, on_change: Callable[[int], None]) -> None:
        self.stdout: list[str] = []
        self.stderr: list[str] = []
        self.records: list[msgspec.Raw] = []
        self.count = 0  # of events
        self.forgotten = False
        self._frames: deque[bytes | RunResult] = deque()
        self._result_waits = False  # it is among the frames
        self._over = False
        self._bytes = 0  # of all events
        self._frames_bytes = 0  # of those that nobody has taken
        self._unread_bytes = 0
        self._on_change = on_change
        self._news = asyncio.Event()

    def add(self, event: RunEvent) -> None:
        """Something happened."""
        self.count += 1
        self._news.set()
        if self.forgotten:
            return
        if isinstance(event, RunResult):
            self._result_waits = True
            self._frames.append(event)
            self._count_unread(self._bytes)  # nothing of it is let go of before the result is taken
            return
        frame = encode_frame(event)
        self._frames.append(frame)
        self._frames_bytes += len(frame)
        self._bytes += len(frame)
        self._collect(event, frame)
        self._count_unread(self._unread_bytes + len(frame))

    def end(self, last: RunEvent | None) -> None:
        """Nothing happens any more; `last`: the last event that the reader gets."""
        if last:
            self.add(last)
        self._over = True
        self._news.set()

    def forget(self) -> None:
        """Let go of all of it. A reader who comes after all for what is left gets an error, once."""
        if (self._frames or not self._over) and not self.forgotten:
            self._frames = deque([_UNREAD])
        self.forgotten = True
        self._frames_bytes = 0
        self._let_go()
        self._count_unread(0)

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The frames of the events, in pieces that may hold several; what was taken is let go of when the next is asked for."""
        while True:
            if self._frames:
                for piece in cut(self._take_together()):
                    yield piece
                if not self._result_waits:  # else it is a part of the result still
                    self._count_unread(self._frames_bytes)
            elif self._over:
                break
            else:
                self._news.clear()
                await self._news.wait()

    def _take_together(self) -> bytes:
        """The next frame, and with it those that follow and fit one piece; the result by itself."""
        taken = self._frames.popleft()
        if isinstance(taken, RunResult):
            frame = encode_frame(taken)
            self._result_waits = False
            self._let_go()
            return frame
        while self._frames and not isinstance(following := self._frames[0], RunResult) and len(taken) + len(following) <= PIECE_BYTES:
            self._frames.popleft()
            taken += following
        self._frames_bytes = max(0, self._frames_bytes - len(taken))  # nothing of what was forgotten counts
        return taken

    def _collect(self, event: RunEvent, frame: bytes) -> None:
        """What of it the result repeats."""
        if isinstance(event, Stdout):
            self.stdout.append(event.text)
        elif isinstance(event, Stderr):
            self.stderr.append(event.text)
        elif isinstance(event, msgspec.Raw):
            self.records.append(msgspec.Raw(memoryview(frame)[HEADER_BYTES:]))

    def _let_go(self) -> None:
        """The result is taken, or never will be: its parts are of no more use."""
        self.stdout.clear()
        self.stderr.clear()
        self.records.clear()

    def _count_unread(self, unread_bytes: int) -> None:
        if unread_bytes != self._unread_bytes:
            self._unread_bytes = unread_bytes
            self._on_change(unread_bytes)
