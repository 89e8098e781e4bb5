"""Large pages for what a zygote shares with its children: a fork then copies one entry for 2 MiB instead of 512. Runs before the fork.

The kernel copies the page table of all that a process has written when it forks, and frees the copy when the child ends; a zygote has
written some 260 MB while it imported. A child that writes still copies 4 kB at a time: the kernel splits the entry in that child alone.
"""

import contextlib
import time
from collections.abc import Iterator

from app.sandbox import kernel

HUGE_PAGE_BYTES = 2 * 1024 * 1024
_SPAN_BYTES = 32 * HUGE_PAGE_BYTES  # of one call: each waits once for all processors, which takes long where they are busy
_MOST_SECONDS = 2.0  # 0.2 to 0.6 are usual; a kernel that has to make room first may take many


def merge_pages() -> None:
    """Replace the small pages of this process's own memory by large ones (MADV_COLLAPSE, Linux 6.1); where that cannot be, leave it."""
    with open("/proc/self/maps") as file:
        mappings = file.readlines()
    latest = time.monotonic() + _MOST_SECONDS
    for start, end in _find_spans(mappings):
        if time.monotonic() > latest:
            return
        with contextlib.suppress(OSError):  # no large pages on this kernel, or no memory in one piece
            kernel.collapse(start, end - start)


def _find_spans(mappings: list[str]) -> Iterator[tuple[int, int]]:
    """Where large pages fit, in the mappings that are private, writable and of no file."""
    for mapping in mappings:
        addresses, rights, _, _, _, *name = mapping.split()
        first, last = (int(address, 16) for address in addresses.split("-"))
        if rights == "rw-p" and name in ([], ["[heap]"]):
            end = last // HUGE_PAGE_BYTES * HUGE_PAGE_BYTES
            for start in range(-(-first // HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES, end, _SPAN_BYTES):
                yield start, min(start + _SPAN_BYTES, end)
