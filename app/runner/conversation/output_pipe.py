"""What a program prints: bytes from a pipe, turned into harmless text, with a cap.

A carriage return that ends no line, as a progress bar writes it, becomes a visible character, and so does an escape. The page that shows
the output interprets both (static/js/lib/output/escape-codes.js).
"""

import codecs
import os

from app.protocol.harmless import harmless
from app.runner.conversation.dump import fatal_position

_CHUNK_BYTES = 64 * 1024
_CARRIAGE_RETURN = "\N{SYMBOL FOR CARRIAGE RETURN}"
_READ_BYTES = 256 * 1024  # the most that one call reads, so that a flood of output does not block the event loop


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
        """Read what is in the pipe, up to byte `until` of the stream. Return False at the end of the stream."""
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
        """Return the bytes before position `until` as text; all bytes if it is None. `final`: replace an unfinished character."""
        count = len(self._pending) if until is None else max(0, min(until - self._released, len(self._pending)))
        data = bytes(self._pending[:count])
        del self._pending[:count]
        self._released += count
        text = self._decoder.decode(data, final)
        return harmless(text.replace("\r\n", "\n").replace("\r", _CARRIAGE_RETURN))

    def take_pending(self) -> bytes:
        """Return the bytes that have not been released, and drop them."""
        data = bytes(self._pending)
        self._pending.clear()
        return data

    def cut(self, excess_bytes: int) -> int:
        """Drop up to `excess_bytes` from the end of what has not been released. Return how many were dropped."""
        count = max(0, min(excess_bytes, len(self._pending)))
        if count:
            del self._pending[len(self._pending) - count :]
            self.truncated = True
        return count


class ErrorPipe(OutputPipe):
    """The pipe of stderr. It does not release the text that the interpreter writes while it crashes, which names frames of our own code."""

    def release(self, until: int | None = None, final: bool = False) -> str:
        fatal = None if final else fatal_position(bytes(self._pending))
        return super().release(until if fatal is None else self._released + fatal, final)
