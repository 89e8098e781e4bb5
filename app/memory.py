"""Returns unused memory to the system while this process is idle."""

import ctypes
import gc

_libc = ctypes.CDLL(None)


def give_back_memory() -> None:
    """Collect garbage, and let the C library give free pages back to the system.

    By itself, the library gives back only the pages above the last one in use.
    """
    gc.collect()
    if hasattr(_libc, "malloc_trim"):  # glibc's alone
        _libc.malloc_trim(0)
