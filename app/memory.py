"""Memory that was needed once: given back to the system while nothing else is to be done."""

import ctypes
import gc

_libc = ctypes.CDLL(None)


def give_back_memory() -> None:
    """Collect what refers to itself, and let the C library return its free pages; by itself it keeps those below the last one in use."""
    gc.collect()
    if hasattr(_libc, "malloc_trim"):  # glibc's alone
        _libc.malloc_trim(0)
