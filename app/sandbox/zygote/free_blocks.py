"""Allocates the free blocks that imports left between used ones, and never frees them, so that children use new memory.

Runs before the fork.

A child that writes to such a block writes to a page that it shares with the zygote, and the kernel must copy the page. That causes 900 of
the 3,200 page faults of a small program. New memory is contiguous and need not be copied.
"""

import ctypes
import os
import re
import sys

_LARGEST_BLOCK = 512  # bytes; Python's own allocator gets larger blocks from malloc
_HEAP_SIZES = (*(1 << power for power in range(16, 10, -1)), *range(1008, 8, -16))  # from large to small, the last in malloc's own steps
# lines of sys._debugmallocstats(): the size of blocks and the number of free ones; the number of free pools and their size
_FREE_BLOCKS = re.compile(r"^ +\d+ +(\d+) +\d+ +\d+ +(\d+)$", re.MULTILINE)
_FREE_POOLS = re.compile(r"^(\d+) unused pools \* (\d+) bytes", re.MULTILINE)

_libc = ctypes.CDLL(None)


class _Mallinfo2(ctypes.Structure):
    """mallinfo(3). `keepcost` is the number of free bytes at the end of the heap."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in (*(f"other_{number}" for number in range(9)), "keepcost"))


def take_free_blocks() -> None:
    """Allocate all free blocks of malloc's heap (only with glibc 2.33 or newer) and of Python's own allocator."""
    if hasattr(_libc, "mallinfo2"):
        _take_from_heap()
    _take_from_pools()


def _take_from_heap() -> None:
    malloc, free, sbrk, mallinfo2 = _libc.malloc, _libc.free, _libc.sbrk, _libc.mallinfo2
    malloc.restype, malloc.argtypes, free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
    sbrk.restype, sbrk.argtypes, mallinfo2.restype = ctypes.c_void_p, [ctypes.c_ssize_t], _Mallinfo2
    end_of_blocks = sbrk(0) - mallinfo2().keepcost
    for size in _HEAP_SIZES:
        while (block := malloc(size) or end_of_blocks) < end_of_blocks:
            pass
        if block != end_of_blocks:
            free(block)


def _take_from_pools() -> None:
    allocate = ctypes.pythonapi.PyObject_Malloc
    allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    statistics = _allocator_statistics()
    free = [(int(size), int(count)) for size, count in _FREE_BLOCKS.findall(statistics)]
    free += [(_LARGEST_BLOCK, int(count) * (int(size) // _LARGEST_BLOCK)) for count, size in _FREE_POOLS.findall(statistics)]
    for size, count in free:
        for _ in range(count):
            allocate(size)


def _allocator_statistics() -> str:
    """Return the text of sys._debugmallocstats(), which CPython writes only to standard error."""
    descriptor, own = os.memfd_create("statistics"), os.dup(2)
    with open(descriptor, "r+b") as file:
        os.dup2(file.fileno(), 2)
        try:
            sys._debugmallocstats()
        finally:
            os.dup2(own, 2)
            os.close(own)
        file.seek(0)
        return file.read().decode()
