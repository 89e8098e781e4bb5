"""Divides the bytes that the runner sends into events, without decoding them, so that web can forward them.

The JSON of an event is passed on in pieces, as it is read. The next piece is read only after the caller took the last one, so that a long
record for a slow reader is not buffered.
"""

from collections.abc import AsyncGenerator, AsyncIterator

from app.protocol.event import RunEvent
from app.protocol.event_frame import DECODERS, HEADER_BYTES, PIECE_BYTES, EventFrame, EventHeader, NoEventHeader, read_header
from app.runner.client import RunLost, RunnerIncompatible, decode


class EventStream:
    """The frames in a stream of bytes. It buffers only the bytes that were read last."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer, self._at = b"", 0
        self._left = 0  # how many bytes of the current event have not been read

    async def frames(self) -> AsyncIterator[EventFrame]:
        """Yield each event until the bytes end. Pieces that the caller does not take are skipped. Raises RunLost and RunnerIncompatible."""
        while header := await self._read_header():
            self._left = header.length
            yield EventFrame(header.kind, header.outcome, self._pieces())
            async for _ in self._pieces():
                pass

    async def _read_header(self) -> EventHeader | None:
        """Return the next header, or None at the end."""
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
        """Yield the rest of the event as it is read."""
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
    """Decode the event of a frame. Raises RunLost and RunnerIncompatible."""
    event: RunEvent = decode(await frame.whole(), DECODERS[frame.kind])
    return event
