"""Frames out of a stream of hostile bytes: lengths are checked before anything is kept, bodies decoded into strict types."""

import struct
from collections.abc import Iterator

import msgspec

from app.protocol.channel import HEADER_BYTES, Up

FRAMES = 1000  # that one child may send; a run shows half as many displays at most

_decoder: "msgspec.msgpack.Decoder[Up]" = msgspec.msgpack.Decoder(Up)


class FrameTooLarge(Exception):
    """A child announced more than it may still send."""


class FrameMalformed(Exception):
    """A child sent bytes that are no frame of the protocol."""


class FrameReader:
    """Collects bytes and gives back whole frames, `FRAMES` at most. `allowance_bytes`: how much all bodies together may still be."""

    def __init__(self, allowance_bytes: int) -> None:
        self.allowance_bytes = allowance_bytes
        self._frames_left = FRAMES
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Up]:
        """The frames completed by `data`. Raises FrameTooLarge or FrameMalformed; nothing may be fed after that."""
        self._buffer += data
        while (body := self._take_body()) is not None:
            yield self._decode(body)

    def _take_body(self) -> bytes | None:
        if len(self._buffer) < HEADER_BYTES:
            return None
        (length,) = struct.unpack_from(">I", self._buffer)
        if length > self.allowance_bytes:
            raise FrameTooLarge
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        if not self._frames_left:
            raise FrameTooLarge
        self._frames_left -= 1
        body = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        self.allowance_bytes -= length
        return body

    def _decode(self, body: bytes) -> Up:
        try:
            return _decoder.decode(body)
        except (msgspec.DecodeError, ValueError, TypeError, RecursionError) as error:
            raise FrameMalformed(str(error)) from error
