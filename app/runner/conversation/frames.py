"""Frames out of a stream of hostile bytes: lengths are checked before anything is kept, bodies decoded into strict types."""

import struct
from collections.abc import Iterator

import msgspec

from app.protocol.channel import HEADER_BYTES, Begun, Over, Ready, Shown, Touched, Up
from app.protocol.display import Display

FRAMES = 1000  # that one child may send; a run shows half as many displays at most
_VALUE_BYTES = 256 * 1024


class _Shown(msgspec.Struct, tag_field="frame", tag="shown"):
    """`Shown` with its display still undecoded."""

    display: msgspec.Raw


class _Kind(msgspec.Struct):
    kind: str


_outer: "msgspec.msgpack.Decoder[Ready | Touched | Begun | _Shown | Over]" = msgspec.msgpack.Decoder(
    Ready | Touched | Begun | _Shown | Over
)
_kind = msgspec.msgpack.Decoder(_Kind)
_display: "msgspec.msgpack.Decoder[Display]" = msgspec.msgpack.Decoder(Display)
_json: "msgspec.json.Decoder[Display]" = msgspec.json.Decoder(Display)


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
            frame = _outer.decode(body)
            return _decode_shown(frame.display) if isinstance(frame, _Shown) else frame
        except (msgspec.DecodeError, ValueError, TypeError, RecursionError) as error:
            raise FrameMalformed(str(error)) from error


def _decode_shown(display: msgspec.Raw) -> Shown:
    """The display of a frame, if the API's JSON can say it: no NaN outside its tagged form, nothing but JSON's own types.

    A value is bounded before it is decoded, because its entries nest freely and each inner list costs far more than its byte.
    """
    kind = _kind.decode(display).kind
    if kind == "value" and len(bytes(display)) > _VALUE_BYTES:
        raise FrameTooLarge
    decoded = _display.decode(display)
    # a graph has nothing that JSON could not say, and may have a hundred thousand nodes
    return Shown(display=decoded if kind == "graph" else _json.decode(msgspec.json.encode(decoded)))
