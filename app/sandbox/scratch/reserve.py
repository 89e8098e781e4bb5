"""Finds the run that uses up the file system of the scratch folders with files that are in no folder. Runs in the zygote.

A file that a run has removed but holds open or mapped takes space and is in no folder, and only who may trace the run can see it. The other
bounds leave 256 descriptors times the largest file, 16 GiB, to each run. So when space goes although every folder is within its bounds, the
run that has spent the most time in the kernel, where files are written, is ended. Others may write to the same file system, so a run that
has spent no such time is never ended.

Needed only where scratch is neither a tmpfs of the run's own nor on a small file system. Without it, two programs of the hostile suite
write 2 GB unhindered in a single container: disk/unlinked_files and disk/nameless_files.
"""

import os
from pathlib import Path

_RUNS = 4  # as much as so many runs may use has to stay free, and may go unexplained
_UNNOTICED_BYTES = 64 * 1024 * 1024  # for each of them at least: others write to the same file system too
_SYSTEM_TIME = 15 - 3  # of the fields of /proc/<pid>/stat (proc_pid_stat(5)), counted from 0 behind the name
_WRITING_TICKS = 2  # hundredths of a second, in each of which some 10 to 50 MB can be written


class Reserve:
    """Compares what is free now with what was free at the start, and when each run was first asked about."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._free_at_start = free_space(folder)
        self._before: dict[int, tuple[int, int]] = {}  # by a run's pid: free bytes, and its own time in the kernel

    def suspects(self, pid: int, scratch_bytes: int, scratch_inodes: int) -> bool:
        """Space goes, and this run is the likeliest reason of all runs that were asked about; each may use so much."""
        free = free_space(self._folder)
        free_before, _ = self._before.setdefault(pid, (free[0], system_ticks(pid)))
        draining = free_before - free[0] > max(scratch_bytes, _UNNOTICED_BYTES) * (len(self._before) + _RUNS)
        return (draining or self._is_touched(free, (scratch_bytes, scratch_inodes))) and pid == self._busiest()

    def forget(self, pid: int) -> None:
        """The run is over."""
        self._before.pop(pid, None)

    def _busiest(self) -> int | None:
        """The run that has spent the most time in system calls since; None if no one has spent enough to have written much."""
        ticks, pid = max((system_ticks(pid) - before, pid) for pid, (_, before) in self._before.items())
        return pid if ticks >= _WRITING_TICKS else None

    def _is_touched(self, free: tuple[int, int], bounds: tuple[int, int]) -> bool:
        """Little is left, and less than half of what was free at the start: a file system that was full before is not the runs' fault."""
        return any(now < min(bound * _RUNS, start // 2) for now, bound, start in zip(free, bounds, self._free_at_start, strict=True))


def free_space(folder: str) -> tuple[int, int]:
    """Free bytes and inodes; a file system that does not count inodes has always 0."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_favail


def system_ticks(pid: int) -> int:
    """Clock ticks spent in the kernel; 0 for one that is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(text.rpartition(")")[2].split()[_SYSTEM_TIME])
