"""What a run tells: each event is encoded once, when it happens, and kept as bytes until the run's reader takes it.

The result repeats records that were told before it. It holds no copies of them but parts of the lines they were told in, and is encoded
when its reader comes to it.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator

import msgspec

from app.protocol.event import Ended, Failed, Recorded, RunEvent, Stderr, Stdout

_PIECE_BYTES = 64 * 1024  # handed on at once, so that a reader that does not read keeps no more in the buffers on its way
_encode = msgspec.json.Encoder().encode
_UNREAD = _encode(Failed("internal", "nobody read what the program told")) + b"\n"


class Told:
    """The events of one run. `on_change` is called with how many more bytes its reader has not taken, or with how many fewer."""

    def __init__(self, on_change: Callable[[int], None]) -> None:
        self.stdout: list[str] = []
        self.stderr: list[str] = []
        self.records: list[msgspec.Raw] = []
        self.count = 0  # of events
        self.forgotten = False
        self._lines: deque[bytes | Ended] = deque()
        self._result_waits = False  # it is among the lines
        self._over = False
        self._bytes = 0  # of all events
        self._lines_bytes = 0  # of those that nobody has taken
        self._unread_bytes = 0
        self._on_change = on_change
        self._news = asyncio.Event()

    def add(self, event: RunEvent) -> None:
        """Something happened."""
        self.count += 1
        self._news.set()
        if self.forgotten:
            return
        if isinstance(event, Ended):
            self._result_waits = True
            self._lines.append(event)
            self._change(self._bytes - self._unread_bytes)  # nothing of it is let go of before the result is taken
            return
        line = _encode(event) + b"\n"
        self._lines.append(line)
        self._lines_bytes += len(line)
        self._bytes += len(line)
        self._keep(event, line)
        self._change(len(line))

    def end(self, last: RunEvent | None) -> None:
        """Nothing happens any more; `last`: what the reader is told at the end."""
        if last:
            self.add(last)
        self._over = True
        self._news.set()

    def forget(self) -> None:
        """Let go of all of it. A reader who comes after all for what is left is told that, once."""
        if (self._lines or not self._over) and not self.forgotten:
            self._lines = deque([_UNREAD])
        self.forgotten = True
        self._lines_bytes = 0
        self._let_go()
        self._change(-self._unread_bytes)

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """The JSON of the events, a line each, in pieces that may hold several; what was taken is let go of when the next is asked for."""
        while True:
            if self._lines:
                lines = self._take_together()
                for piece in _pieces(lines):
                    yield piece
                if not self._result_waits:  # else it is a part of the result still
                    self._change(self._lines_bytes - self._unread_bytes)
            elif self._over:
                break
            else:
                self._news.clear()
                await self._news.wait()

    def _take_together(self) -> bytes:
        """The next line, and with it those that follow and fit one piece; the result by itself."""
        taken = self._lines.popleft()
        if isinstance(taken, Ended):
            line = _encode(taken) + b"\n"
            self._result_waits = False
            self._let_go()
            return line
        while self._lines and not isinstance(following := self._lines[0], Ended) and len(taken) + len(following) <= _PIECE_BYTES:
            self._lines.popleft()
            taken += following
        self._lines_bytes = max(0, self._lines_bytes - len(taken))  # nothing of what was forgotten counts
        return taken

    def _keep(self, event: RunEvent, line: bytes) -> None:
        """What of it the result repeats."""
        if isinstance(event, Stdout):
            self.stdout.append(event.text)
        elif isinstance(event, Stderr):
            self.stderr.append(event.text)
        elif isinstance(event, Recorded):
            end = len(line) - len(b"}\n")  # the record is the last of the event's fields
            self.records.append(msgspec.Raw(memoryview(line)[end - memoryview(event.record).nbytes : end]))

    def _let_go(self) -> None:
        """The result is taken, or never will be: its parts are of no more use."""
        self.stdout.clear()
        self.stderr.clear()
        self.records.clear()

    def _change(self, more: int) -> None:
        if more:
            self._unread_bytes += more
            self._on_change(more)


def _pieces(line: bytes) -> Iterator[bytes]:
    return (line[start : start + _PIECE_BYTES] for start in range(0, len(line), _PIECE_BYTES))
