"""Parses the traceback that faulthandler writes from inside a signal handler: it names the line of the learner's source that was running.

Its format is CPython's (Python/traceback.c): `  File "NAME", line N in FUNCTION`, the innermost frame first.
"""

import re

import msgspec

_FRAME = re.compile(rb'  File "<([a-z0-9-]+)>", line (\d{1,7}) in ')
_FATAL = re.compile(rb"(?:^|\n)Fatal Python error: ")

# messages of libstdc++, libc10, glibc and CPython, and of our own child when it has no memory for a longer one
_LACK_OF_MEMORY = re.compile(rb"std::bad_alloc|can't allocate memory|[Cc]annot allocate memory|out of memory|\bMemoryError\b")
LAST_BYTES = 16_384  # a fatal error lists all frames and all extension modules after what C++ has said


class DumpedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a learner's source; `cell` is None for a bare source."""

    cell: str | None
    line: int


def innermost_place(dump: bytes, cells: set[str]) -> DumpedLine | None:
    """Return the innermost frame in one of the program's own sources: in one of `cells`, or in the bare `<source>`."""
    for name, line in _FRAME.findall(dump):
        cell = name.decode()
        if cell in cells or cell == "source":
            return DumpedLine(cell=cell if cell in cells else None, line=int(line))
    return None


def names_a_place(dump: bytes) -> bool:
    """Return whether a whole line about a learner's source has been written. faulthandler writes a line in several pieces."""
    found = _FRAME.search(dump)
    return found is not None and b"\n" in dump[found.start() :]


def tells_of_memory(words: bytes) -> bool:
    """Return whether the last words on stderr say that there was no memory left."""
    return bool(_LACK_OF_MEMORY.search(words[-LAST_BYTES:]))


def fatal_position(data: bytes) -> int | None:
    """Return the position at which the dump of a fatal error begins, or None."""
    found = _FATAL.search(data)
    return found.start() if found else None
