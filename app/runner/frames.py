"""Frames out of a stream of hostile bytes: lengths are checked before anything is kept, bodies decoded into strict types."""

import struct

import msgspec

from app.protocol.channel import HEADER_BYTES, Up


class FrameTooLarge(Exception):
    """A child announced more than it may still send."""


class FrameMalformed(Exception):
    """A child sent bytes that are no frame of the protocol."""


class FrameReader:
    """Collects bytes and gives back whole frames. `allowance_bytes`: how much all bodies together may still be."""

    def __init__(self, allowance_bytes: int) -> None:
        self.allowance_bytes = allowance_bytes
        self._buffer = bytearray()
        self._decoder: msgspec.msgpack.Decoder[Up] = msgspec.msgpack.Decoder(Up)

    def feed(self, data: bytes) -> list[Up]:
        """The frames completed by `data`. Raises FrameTooLarge or FrameMalformed; nothing may be fed after that."""
        self._buffer += data
        frames = []
        while (body := self._take_body()) is not None:
            frames.append(self._decode(body))
        return frames

    def _take_body(self) -> bytes | None:
        if len(self._buffer) < HEADER_BYTES:
            return None
        (length,) = struct.unpack_from(">I", self._buffer)
        if length > self.allowance_bytes:
            raise FrameTooLarge
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        self.allowance_bytes -= length
        return body

    def _decode(self, body: bytes) -> Up:
        try:
            return self._decoder.decode(body)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise FrameMalformed(str(error)) from error
