"""A run's events as the runner writes them, one line of JSON each; for who passes them on, as bytes that are never decoded or joined.

What a line is stands at its beginning, in the order in which the structs of app.protocol.event have their fields. Its rest comes in the
pieces in which it is read, and no next piece is read before the last one was taken: so a long record costs a slow reader's server nothing.
"""

import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import msgspec

from app.protocol.event import RunEvent
from app.protocol.outcome import Outcome

BEGINNING_BYTES = 512  # of a line; all that says what it is
CHUNK_BYTES = 65_536
SIMPLE = re.compile(rb'\{"event":"(queued|started|stdout|stderr|error)",')
WRAPPED = re.compile(
    rb'\{"event":"(?:(record)","record":|check","(check)":|verdict","(verdict)":|result","result":(?=\{"id":"[^"]*","outcome":"(?P<outcome>\w+)"))'
)
encoder = msgspec.json.Encoder()


class BrokenOff(Exception):
    """The bytes end in the middle of a line."""


class NoEvent(Exception):
    """A line is no event of ours."""


class EventBytes:
    """One event. `name`: as clients know it, the family of a record; `outcome`: of a `result`. Its pieces may be taken once."""

    def __init__(self, name: str, outcome: Outcome | None, pieces: AsyncGenerator[bytes, None]) -> None:
        self.name, self.outcome = name, outcome
        self._pieces = pieces

    def __aiter__(self) -> AsyncIterator[bytes]:
        """The JSON of its data. Raises BrokenOff."""
        return self._pieces

    async def whole(self) -> bytes:
        return b"".join([piece async for piece in self._pieces])


class EventLines:
    """The lines of a stream of bytes, from one buffer of what has been read last."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer, self._at = b"", 0

    async def lines(self) -> AsyncIterator[bytes]:
        """Every line that is whole."""
        try:
            while await self._begin():
                yield b"".join([piece async for piece in self._line()])
        except BrokenOff:
            return

    async def events(self) -> AsyncIterator[EventBytes]:
        """Every event, until the bytes end. What is not taken of one is passed over. Raises NoEvent."""
        while await self._begin():
            end = self._buffer.find(b"\n", self._at)
            beginning = self._buffer[self._at : self._at + BEGINNING_BYTES if end < 0 else end]
            if simple := SIMPLE.match(beginning):
                event = EventBytes(simple[1].decode(), None, self._data(simple.end(), b"{", b""))
            elif wrapped := WRAPPED.match(beginning):
                outcome = read_outcome(wrapped["outcome"]) if wrapped["outcome"] else None
                name = wrapped[1] or wrapped[2] or wrapped[3] or b"result"
                event = EventBytes(name.decode(), outcome, self._data(wrapped.end(), b"", b"}"))
            else:
                raise NoEvent(beginning[:80].decode(errors="replace"))
            yield event
            async for _ in event:
                pass

    async def _begin(self) -> bool:
        """Have the beginning of a line in the buffer; False if there is none any more."""
        while len(self._buffer) - self._at < BEGINNING_BYTES and self._buffer.find(b"\n", self._at) < 0:
            chunk = await anext(self._chunks, None)
            if chunk is None:
                return False
            self._buffer, self._at = self._buffer[self._at :] + chunk, 0
        return True

    async def _line(self) -> AsyncGenerator[bytes, None]:
        """What is left of the line, as it is read."""
        while (end := self._buffer.find(b"\n", self._at)) < 0:
            piece, self._buffer, self._at = self._buffer[self._at :], b"", 0
            if piece:
                yield piece
            chunk = await anext(self._chunks, None)
            if chunk is None:
                raise BrokenOff
            self._buffer = chunk
        piece, self._at = self._buffer[self._at : end], end + 1
        yield piece

    async def _data(self, skipped: int, before: bytes, after: bytes) -> AsyncGenerator[bytes, None]:
        """The line without so many bytes at its beginning and those at its end; the last piece that is read waits for the next."""
        self._at += skipped
        waiting = before
        async with aclosing(self._line()) as pieces:
            async for piece in pieces:
                if waiting and len(piece) < len(after):
                    waiting += piece
                    continue
                if waiting:
                    yield waiting
                waiting = piece
        yield waiting.removesuffix(after)


def read_outcome(name: bytes) -> Outcome:
    try:
        return Outcome(name.decode())
    except ValueError as error:
        raise NoEvent(str(error)) from None


async def encode_each(events: AsyncIterator[RunEvent]) -> AsyncIterator[EventBytes]:
    """Events that were made here, as if the runner had written them."""

    async def chunks() -> AsyncIterator[bytes]:
        async for event in events:
            line = encoder.encode(event) + b"\n"
            for at in range(0, len(line), CHUNK_BYTES):
                yield line[at : at + CHUNK_BYTES]

    async for event in EventLines(chunks()).events():
        yield event
