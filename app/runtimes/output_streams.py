"""The program's stdout and stderr: ordinary line-buffered text streams on descriptors 1 and 2. Runs in the child.

stdout counts the bytes written. A record gets this count when it is emitted, so that the page can show it at its place in the output.
"""

import io
import sys
from contextlib import suppress
from typing import ClassVar


class CountingFile(io.FileIO):
    """A descriptor that counts the bytes written to it, except while output is dropped (app.runtimes.silence)."""

    counting: ClassVar[bool] = True
    written = 0

    def write(self, data: "bytes | bytearray | memoryview", /) -> int | None:  # type: ignore[override]  # typeshed's Buffer is 3.12's
        count = super().write(data)
        if CountingFile.counting and count:
            self.written += count
        return count


class Output:
    """The streams stdout and stderr. This object keeps references to both, because a learner may replace sys.stdout."""

    def __init__(self) -> None:
        self._raw = CountingFile(1, "w", closefd=False)
        self._stdout = _text_stream(self._raw)
        self._stderr = _text_stream(io.FileIO(2, "w", closefd=False))

    @property
    def stdout_bytes(self) -> int:
        return self._raw.written

    def install(self) -> None:
        sys.stdout = sys.__stdout__ = self._stdout  # type: ignore[misc]  # declared final, and replaced for good here
        sys.stderr = sys.__stderr__ = self._stderr  # type: ignore[misc]
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8")  # type: ignore[misc]

    def flush(self) -> None:
        for stream in (self._stdout, self._stderr):
            with suppress(OSError, ValueError):  # closed by the learner
                stream.flush()


def _text_stream(raw: io.FileIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True)
