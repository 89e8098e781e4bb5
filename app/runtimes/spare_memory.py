"""Memory that is kept free for telling how a program ended, in case the program has used up all there is. Runs in the child.

It is mapped and never touched, so it counts against the child's limit without taking a page.
"""

import mmap

_BYTES = 8 * 1024 * 1024  # eight of CPython's arenas


class SpareMemory:
    """Set aside from the moment it is made until `release`; nothing where there is not so much left."""

    def __init__(self) -> None:
        try:
            self._mapping: mmap.mmap | None = mmap.mmap(-1, _BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except OSError:
            self._mapping = None

    def release(self) -> None:
        if self._mapping:
            self._mapping.close()
            self._mapping = None
