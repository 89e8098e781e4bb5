"""What a program prints: bytes from a pipe, turned into harmless text, with a cap.

A carriage return that ends no line moves back to the beginning of its own (a progress bar): it travels as its picture, as an escape does,
and who shows the output does what the two mean (static/js/lib/output/escape-codes.js).
"""

import codecs
import os

from app.protocol.harmless import harmless
from app.runner.conversation.dump import fatal_position

_CHUNK_BYTES = 64 * 1024
_CARRIAGE_RETURN = "\N{SYMBOL FOR CARRIAGE RETURN}"
_READ_BYTES = 256 * 1024  # in one go, so that a flood does not keep the event loop


class OutputPipe:
    """One of the child's two output pipes. Bytes wait in `_pending` until they are released as text."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.bytes_read = 0
        self.truncated = False
        self._released = 0
        self._pending = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self, until: int | None = None) -> bool:
        """Take what is there now, but nothing from position `until` on. False at the end of the stream."""
        wanted = _READ_BYTES if until is None else min(until - self.bytes_read, _READ_BYTES)
        while wanted > 0:
            try:
                data = os.read(self.descriptor, min(wanted, _CHUNK_BYTES))
            except BlockingIOError:
                return True
            if not data:
                return False
            self._pending += data
            self.bytes_read += len(data)
            wanted -= len(data)
        return True

    def release(self, until: int | None = None, final: bool = False) -> str:
        """Turn the bytes before position `until` (all, if None) into text; `final` gives up on an unfinished character."""
        count = len(self._pending) if until is None else max(0, min(until - self._released, len(self._pending)))
        data = bytes(self._pending[:count])
        del self._pending[:count]
        self._released += count
        text = self._decoder.decode(data, final)
        return harmless(text.replace("\r\n", "\n").replace("\r", _CARRIAGE_RETURN))

    def take_pending(self) -> bytes:
        """The bytes not released, which are then no part of the text."""
        data = bytes(self._pending)
        self._pending.clear()
        return data

    def cut(self, excess_bytes: int) -> int:
        """Forget up to `excess_bytes` of the last that wait, over the cap as they are; how many were forgotten."""
        count = max(0, min(excess_bytes, len(self._pending)))
        if count:
            del self._pending[len(self._pending) - count :]
            self.truncated = True
        return count


class ErrorPipe(OutputPipe):
    """stderr: what the interpreter writes while it crashes is kept back, because it tells of our own frames."""

    def release(self, until: int | None = None, final: bool = False) -> str:
        fatal = None if final else fatal_position(bytes(self._pending))
        return super().release(until if fatal is None else self._released + fatal, final)
