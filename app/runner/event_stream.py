"""Reads a run's events from the bytes that the runner sends, for who forwards them: they are neither decoded nor joined.

The JSON of an event comes in the pieces in which it is read, and no next piece is read before the last one was taken: so a long record
costs a slow reader's server nothing.
"""

from collections.abc import AsyncGenerator, AsyncIterator

from app.protocol.event import RunEvent
from app.protocol.event_frame import DECODERS, HEADER_BYTES, PIECE_BYTES, EventFrame, EventHeader, NoEventHeader, read_header
from app.runner.client import RunLost, RunnerIncompatible, decode


class EventStream:
    """The frames of a stream of bytes, from one buffer of what has been read last."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer, self._at = b"", 0
        self._left = 0  # bytes of the event whose header was read last

    async def frames(self) -> AsyncIterator[EventFrame]:
        """Every event, until the bytes end; what nobody took of one is skipped. Raises RunLost, as pieces do, and RunnerIncompatible."""
        while header := await self._read_header():
            self._left = header.length
            yield EventFrame(header.kind, header.outcome, self._pieces())
            async for _ in self._pieces():
                pass

    async def _read_header(self) -> EventHeader | None:
        """The next header; None if there is none any more."""
        while (unread := len(self._buffer) - self._at) < HEADER_BYTES:
            chunk = await anext(self._chunks, None)
            if chunk is None and not unread:
                return None
            self._buffer, self._at = self._buffer[self._at :] + _require(chunk), 0
        try:
            header = read_header(self._buffer, self._at)
        except NoEventHeader as error:
            raise RunnerIncompatible(f"the runner's answer cannot be read: {error}") from error
        self._at += HEADER_BYTES
        return header

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        """What is left of the event, as it is read."""
        while self._left:
            if self._at == len(self._buffer):
                self._buffer, self._at = b"", 0
                self._buffer = _require(await anext(self._chunks, None))
            piece = self._buffer[self._at : self._at + min(self._left, PIECE_BYTES)]
            self._at += len(piece)
            self._left -= len(piece)
            yield piece


def _require(chunk: bytes | None) -> bytes:
    if chunk is None:
        raise RunLost("the runner's answer ends within an event")
    return chunk


async def decode_frame(frame: EventFrame) -> RunEvent:
    """The event. Raises RunLost and RunnerIncompatible."""
    event: RunEvent = decode(await frame.whole(), DECODERS[frame.kind])
    return event
