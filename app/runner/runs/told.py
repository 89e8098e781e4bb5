"""What a run tells: each event is encoded once, when it happens, and kept as bytes until the run's reader takes it.

The result repeats records that were told before it. It holds no copies of them but parts of the lines they were told in, and is encoded
when its reader comes to it.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator

import msgspec

from app.protocol.event import Ended, Failed, Queued, Recorded, Started, Stderr, Stdout
from app.protocol.records.record import Family

_PIECE_BYTES = 64 * 1024  # handed on at once, so that a reader that does not read keeps no more in the buffers on its way
_UNREAD = Failed("internal", "nobody read what the program told")
Event = Queued | Started | Stdout | Stderr | Recorded
_encode = msgspec.json.Encoder().encode


class Told:
    """The events of one run. `on_change` is called with how many more bytes its reader has not taken, or with how many fewer."""

    def __init__(self, on_change: Callable[[int], None]) -> None:
        self.stdout: list[str] = []
        self.stderr: list[str] = []
        self.records: dict[Family, list[msgspec.Raw]] = {"display": [], "function": [], "diagnosis": []}
        self.count = 0  # of events
        self.forgotten = False
        self._lines: deque[bytes] = deque()
        self._last: Ended | Failed | None = None
        self._over = False
        self._bytes = 0  # of all events
        self._unread_bytes = 0
        self._on_change = on_change
        self._news = asyncio.Event()

    def add(self, event: Event) -> None:
        """Something happened."""
        self.count += 1
        self._news.set()
        if self.forgotten:
            return
        line = _encode(event) + b"\n"
        self._lines.append(line)
        self._bytes += len(line)
        self._keep(event, line)
        self._change(len(line))

    def end(self, last: Ended | Failed | None) -> None:
        """Nothing happens any more; `last`: what the reader is told at the end."""
        if not self.forgotten:
            self._last = last
            self._change(self._bytes - self._unread_bytes)  # nothing of it is let go of before the result is taken
        self._over = True
        self._news.set()

    def forget(self) -> None:
        """Let go of all of it. A reader who comes after all is told that, once."""
        self.forgotten = True
        self._last = _UNREAD
        self._let_go()
        self._change(-self._unread_bytes)

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """The JSON of the events, a line each, in pieces that may hold several; what was taken is let go of when the next is asked for."""
        while True:
            if self._lines:
                lines = self._take_together()
                for piece in _pieces(lines):
                    yield piece
                if not self._last:  # else it is a part of the result still
                    self._change(-min(len(lines), self._unread_bytes))
            elif self._over:
                break
            else:
                self._news.clear()
                await self._news.wait()
        if self._last:
            line = _encode(self._last) + b"\n"
            self._let_go()
            self._last = None
            for piece in _pieces(line):
                yield piece
        self._change(-self._unread_bytes)

    def _take_together(self) -> bytes:
        """The next line, and with it those that follow and fit one piece."""
        taken = self._lines.popleft()
        while self._lines and len(taken) + len(self._lines[0]) <= _PIECE_BYTES:
            taken += self._lines.popleft()
        return taken

    def _keep(self, event: Event, line: bytes) -> None:
        """What of it the result repeats."""
        if isinstance(event, Stdout):
            self.stdout.append(event.text)
        elif isinstance(event, Stderr):
            self.stderr.append(event.text)
        elif isinstance(event, Recorded):
            end = len(line) - len(b"}\n")  # the record is the last of the event's fields
            self.records[event.family].append(msgspec.Raw(memoryview(line)[end - memoryview(event.record).nbytes : end]))

    def _let_go(self) -> None:
        self._lines.clear()
        self.stdout.clear()
        self.stderr.clear()
        for records in self.records.values():
            records.clear()

    def _change(self, more: int) -> None:
        if more:
            self._unread_bytes += more
            self._on_change(more)


def _pieces(line: bytes) -> Iterator[bytes]:
    return (line[start : start + _PIECE_BYTES] for start in range(0, len(line), _PIECE_BYTES))
