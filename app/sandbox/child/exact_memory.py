"""Makes a limit of memory count what a program holds, and not what it has freed. Runs in the child.

glibc takes large blocks from the kernel one by one, until the first of them is freed: from then on it keeps them in its heap, where a
block of the same size does not fit into the gap that an aligned one, such as a tensor's, has left. A program that holds 70 MiB at once
then takes 290 MiB, and another one 175.
"""

import ctypes

_M_MMAP_THRESHOLD = -3  # mallopt(3); to set it is to keep it from growing
_LARGE_BYTES = 128 * 1024

_libc = ctypes.CDLL(None)


def give_back_large_blocks() -> None:
    """From now on freed blocks of 128 KiB and more go back to the kernel (with glibc; others do so anyway).

    That costs a page fault for each page that is written anew, so it is done where memory is scarce.
    """
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
