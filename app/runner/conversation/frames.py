"""Frames on the run channel, on the runner's side: decodes a child's bytes strictly and within caps."""

import struct
from collections.abc import Iterator

import msgspec

from app.protocol.channel import HEADER_BYTES, Up
from app.sandbox.framing import FRAME_BYTES

_decoder: "msgspec.msgpack.Decoder[Up]" = msgspec.msgpack.Decoder(Up)


class FrameTooLarge(Exception):
    """A child sent more than it may: in bytes, or in frames."""


class FrameMalformed(Exception):
    """A child sent bytes that are no frame of the protocol."""


class FrameReader:
    """Collects bytes until frames are complete.

    `bytes_left`, `frames_left`: how much the child may still send. `largest_bytes`: how much of this may be one frame.
    """

    def __init__(self, bytes_left: int, frames_left: int) -> None:
        self.bytes_left = bytes_left
        self.frames_left = frames_left
        self.largest_bytes = FRAME_BYTES
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Up]:
        """Yield the frames that `data` completes. Raises FrameTooLarge or FrameMalformed; the reader cannot be used after that."""
        self._buffer += data
        while (body := self._take_body()) is not None:
            yield self._decode(body)

    def _take_body(self) -> bytes | None:
        if len(self._buffer) < HEADER_BYTES:
            return None
        (length,) = struct.unpack_from(">I", self._buffer)
        if length > min(self.bytes_left, self.largest_bytes):  # checked before anything of that length is buffered
            raise FrameTooLarge
        end = HEADER_BYTES + length
        if len(self._buffer) < end:
            return None
        if not self.frames_left:
            raise FrameTooLarge
        self.frames_left -= 1
        self.bytes_left -= length
        body = bytes(self._buffer[HEADER_BYTES:end])
        del self._buffer[:end]
        return body

    def _decode(self, body: bytes) -> Up:
        try:
            return _decoder.decode(body)
        except (msgspec.DecodeError, ValueError, TypeError, RecursionError) as error:
            raise FrameMalformed(str(error)) from error
