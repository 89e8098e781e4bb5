"""Puts a zygote's memory into large pages, so that a fork copies one page-table entry for 2 MiB instead of 512. Runs before the fork.

When a process forks, the kernel copies the page table of all memory that the process has written, and it frees the copy when the child
ends. A zygote has written some 260 MB during its imports. A child that writes still copies 4 kB at a time, because the kernel splits the
large page in that child.
"""

import contextlib
import time
from collections.abc import Iterator

from app.sandbox import kernel

HUGE_PAGE_BYTES = 2 * 1024 * 1024
_SPAN_BYTES = 32 * HUGE_PAGE_BYTES  # merged by one call: each call waits for all processors, which takes long if they are busy
_MOST_SECONDS = 2.0  # usually it takes 0.2 to 0.6; much longer if the kernel has to move other memory first


def merge_pages() -> None:
    """Replace small pages of this process's own memory by large ones, where the kernel can (MADV_COLLAPSE, Linux 6.1)."""
    with open("/proc/self/maps") as file:
        mappings = file.readlines()
    latest = time.monotonic() + _MOST_SECONDS
    for start, end in _find_spans(mappings):
        if time.monotonic() > latest:
            return
        with contextlib.suppress(OSError):  # this kernel has no large pages, or no contiguous memory
            kernel.collapse(start, end - start)


def _find_spans(mappings: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of addresses for large pages, in the mappings that are private, writable and anonymous."""
    for mapping in mappings:
        addresses, rights, _, _, _, *name = mapping.split()
        first, last = (int(address, 16) for address in addresses.split("-"))
        if rights == "rw-p" and name in ([], ["[heap]"]):
            end = last // HUGE_PAGE_BYTES * HUGE_PAGE_BYTES
            for start in range(-(-first // HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES, end, _SPAN_BYTES):
                yield start, min(start + _SPAN_BYTES, end)
