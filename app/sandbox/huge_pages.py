"""Large pages for what a zygote shares with its children: a fork then copies one entry for 2 MiB instead of 512. Runs before the fork.

The kernel copies the page table of all that a process has written when it forks, and frees the copy when the child ends; a zygote has
written some 260 MB while it imported. A child that writes still copies 4 kB at a time: the kernel splits the entry in that child alone.
"""

import contextlib
from collections.abc import Iterator

from app.sandbox import kernel

HUGE_PAGE_BYTES = 2 * 1024 * 1024


def merge_pages() -> None:
    """Replace the small pages of this process's own memory by large ones (MADV_COLLAPSE, Linux 6.1); where that cannot be, leave it."""
    with open("/proc/self/maps") as file:
        mappings = file.readlines()
    for start, size in _spans(mappings):
        with contextlib.suppress(OSError):  # no large pages on this kernel, or no memory in one piece
            kernel.collapse(start, size)


def _spans(mappings: list[str]) -> Iterator[tuple[int, int]]:
    """Start and size of what whole large pages fit into, of the mappings that are private, writable and of no file."""
    for mapping in mappings:
        addresses, rights, _, _, _, *name = mapping.split()
        first, last = (int(address, 16) for address in addresses.split("-"))
        start, end = -(-first // HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES, last // HUGE_PAGE_BYTES * HUGE_PAGE_BYTES
        if rights == "rw-p" and name in ([], ["[heap]"]) and start < end:
            yield start, end - start
