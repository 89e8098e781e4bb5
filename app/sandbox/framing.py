"""Reads and writes frames on a blocking descriptor: the run channel in a child, or the layout process's socket.

Uses read(2) and write(2), because the filter denies sendmsg. Runs after the fork. The runner uses nothing of it but `encode_frame`.
"""

import os
import struct
from typing import Any, TypeVar

import msgspec

from app.protocol.channel import HEADER_BYTES

Message = TypeVar("Message")

FRAME_BYTES = 64 * 1024 * 1024  # the largest frame that a reader accepts

# Taken before a learner can replace them.
_read, _write, _pack, _unpack, _encode = os.read, os.write, struct.pack, struct.unpack, msgspec.msgpack.encode


class ChannelClosed(Exception):
    """The other end of the channel is closed."""


def encode_frame(message: Any) -> bytes:
    body = _encode(message)
    return _pack(">I", len(body)) + body


def write_frame(descriptor: int, message: Any) -> None:
    view = memoryview(encode_frame(message))
    while view:
        view = view[_write(descriptor, view) :]


def read_frame(descriptor: int, decoder: "msgspec.msgpack.Decoder[Message]") -> Message:
    """Return the next message. Raises ChannelClosed at the end, and msgspec.DecodeError for a frame that is not a message."""
    (length,) = _unpack(">I", _read_exactly(descriptor, HEADER_BYTES))
    if length > FRAME_BYTES:
        raise msgspec.DecodeError(f"a frame of {length} bytes")
    return decoder.decode(_read_exactly(descriptor, length))


def _read_exactly(descriptor: int, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        chunk = _read(descriptor, min(count - len(data), 1 << 20))
        if not chunk:
            raise ChannelClosed
        data += chunk
    return bytes(data)
