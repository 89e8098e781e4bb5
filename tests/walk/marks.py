"""Marks which functions of `app/` a process enters: a shared file with one byte for each function, set to 1 when the function is entered.

The file is mapped into memory, so a mark outlives the process that made it, and a confined child without descriptors can make it too.
Whoever measures clears the bytes before a request and reads them after the answer.
"""

import mmap
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parents[2]
Function = tuple[str, int, str]  # its file, its first line, its name


def list_functions() -> list[Function]:
    """Return every function of `app/`, in the same order in every process."""
    paths = sorted((ROOT / "app").rglob("*.py"))
    return [key for path in paths for key in _functions_in(compile(path.read_text(), str(path), "exec"))]


def _functions_in(code: CodeType) -> Iterator[Function]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one.co_filename, one.co_firstlineno, one.co_qualname
            yield from _functions_in(one)


class Marks:
    """The marks of all processes that share one file."""

    def __init__(self, file: Path) -> None:
        self._functions = list_functions()
        self._indexes = {function: index for index, function in enumerate(self._functions)}
        self._known: dict[CodeType, int | None] = {}
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT)
        os.ftruncate(descriptor, len(self._functions))
        self._bytes = mmap.mmap(descriptor, len(self._functions))
        os.close(descriptor)

    def begin(self) -> None:
        """Mark from now on the functions that this thread enters, and those of every thread that is started later."""
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    def mark_callers(self) -> None:
        """Mark the functions that this thread has entered and not left."""
        frame: FrameType | None = sys._getframe()
        while frame := frame and frame.f_back:
            self._on_event(frame, "call", None)

    def clear(self) -> None:
        self._bytes[:] = bytes(len(self._bytes))

    def read(self) -> set[Function]:
        return {function for function, mark in zip(self._functions, self._bytes[:], strict=True) if mark}

    def _on_event(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        try:
            index = self._known[code]
        except KeyError:
            index = self._known[code] = self._indexes.get((code.co_filename, code.co_firstlineno, code.co_qualname))
        if index is not None:
            self._bytes[index] = 1
