"""What must stay free in the file system that holds the scratch folders, and whom to suspect when it does not. Runs in the zygote.

A file that a run has open or mapped and has removed takes space and is in no folder; of whom it is, the kernel shows to nobody who may not
trace the run. So when space runs out and every folder is within its bounds, the run that has spent the most time in the kernel, which is
where files are written, is taken for the one that hides them.
"""

import os
from collections.abc import Iterable
from pathlib import Path

_RUNS = 4  # as much as so many runs may use
_SYSTEM_TIME = 15 - 3  # of the fields of /proc/<pid>/stat (proc_pid_stat(5)), counted from 0 behind the name


class Reserve:
    """A part of what was free when the first run came: a file system that was full before is not the runs' fault."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._free_at_start = free_space(folder)

    def is_touched(self, scratch_bytes: int, scratch_inodes: int) -> bool:
        """So little is free that runs with these bounds may soon miss it."""
        wanted = (scratch_bytes * _RUNS, scratch_inodes * _RUNS)
        return any(
            free < min(most, start // 2) for free, most, start in zip(free_space(self._folder), wanted, self._free_at_start, strict=True)
        )


def free_space(folder: str) -> tuple[int, int]:
    """Free bytes and inodes; a file system that does not count inodes has always 0."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_favail


def busiest_in_kernel(pids: Iterable[int]) -> int:
    """The process that has spent the most time in system calls."""
    return max(pids, key=system_ticks)


def system_ticks(pid: int) -> int:
    """Clock ticks spent in the kernel; 0 for one that is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(text.rpartition(")")[2].split()[_SYSTEM_TIME])
