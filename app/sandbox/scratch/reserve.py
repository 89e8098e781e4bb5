"""Finds the run that fills the file system of the scratch folders with removed files. Runs in the zygote.

A file that a run has removed but still has open or mapped takes space, and measuring its folder does not find it. The other bounds allow
each run 256 descriptors times the largest file: 16 GiB. So if free space shrinks although every folder is within its bounds, the run that
has spent the most time in the kernel, where files are written, is ended. Other processes may write to the same file system, so a run that
has spent little time in the kernel is never ended.

Needed only if scratch is neither a tmpfs of the run's own nor on a small file system. Without it, two programs of the hostile suite write
2 GB in a single container: disk/unlinked_files and disk/nameless_files.
"""

import os
from pathlib import Path

_RUNS = 4  # as much space as this many runs may use must stay free; as much may disappear before a run is suspected
_UNNOTICED_BYTES = 64 * 1024 * 1024  # a smaller loss for each run is ignored, because other processes write to the file system too
_SYSTEM_TIME = 15 - 3  # the index of stime among the fields of /proc/<pid>/stat after the name (proc_pid_stat(5))
_WRITING_TICKS = 2  # hundredths of a second, in each of which some 10 to 50 MB can be written


class Reserve:
    """Compares the present free space with the free space at the start, and with that at the first measurement of each run."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._free_at_start = free_space(folder)
        # by a run's pid: free bytes, and the run's ticks in the kernel, when it was first measured
        self._before: dict[int, tuple[int, int]] = {}

    def suspects(self, pid: int, scratch_bytes: int, scratch_inodes: int) -> bool:
        """Return whether space is being used up and the run `pid` is the likeliest cause. The two bounds are those of each run."""
        free = free_space(self._folder)
        free_before, _ = self._before.setdefault(pid, (free[0], system_ticks(pid)))
        draining = free_before - free[0] > max(scratch_bytes, _UNNOTICED_BYTES) * (len(self._before) + _RUNS)
        return (draining or self._is_touched(free, (scratch_bytes, scratch_inodes))) and pid == self._busiest()

    def forget(self, pid: int) -> None:
        """Forget a run that has ended."""
        self._before.pop(pid, None)

    def _busiest(self) -> int | None:
        """Return the run that has spent the most time in the kernel since its first measurement; None if no run can have written much."""
        ticks, pid = max((system_ticks(pid) - before, pid) for pid, (_, before) in self._before.items())
        return pid if ticks >= _WRITING_TICKS else None

    def _is_touched(self, free: tuple[int, int], bounds: tuple[int, int]) -> bool:
        """Return whether little space is free, and less than half of what was free at the start. Then the runs must have used it."""
        return any(now < min(bound * _RUNS, start // 2) for now, bound, start in zip(free, bounds, self._free_at_start, strict=True))


def free_space(folder: str) -> tuple[int, int]:
    """Return the free bytes and inodes of a folder's file system; 0 inodes if it does not count them."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_favail


def system_ticks(pid: int) -> int:
    """Return a process's clock ticks in the kernel; 0 if it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(text.rpartition(")")[2].split()[_SYSTEM_TIME])
