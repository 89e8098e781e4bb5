"""Measures whether a scratch folder is within its bounds: the kernel bounds only the size of each file.

Runs in a process of its own, which the zygote forks and which becomes the child's uid, so that it can read nothing else. The learner's
program may write, rename and remove files meanwhile: so every step starts from a descriptor of the parent folder, follows no link and
opens nothing but folders.
"""

import os
import resource
import signal
import stat

_WITHIN, _OVER, _UNKNOWN = 0, 1, 2  # exit codes
_PROCESSOR_SECONDS = 0.5  # limits processor time: elapsed time would run out on a loaded machine
_BLOCK_BYTES = 512  # the unit of st_blocks, whatever the file system's own is (stat(2))


class OverBounds(Exception):
    """The folder contains more than it may."""


class Tally:
    """Counts bytes and inodes. Raises OverBounds as soon as there are too many."""

    def __init__(self, most_bytes: int, most_inodes: int) -> None:
        self._bytes, self._inodes = most_bytes, most_inodes
        self._linked: set[int] = set()

    def add(self, entry: os.stat_result) -> None:
        self._inodes -= 1
        if entry.st_nlink == 1 or stat.S_ISDIR(entry.st_mode) or entry.st_ino not in self._linked:
            self._bytes -= entry.st_blocks * _BLOCK_BYTES
            self._linked.add(entry.st_ino)
        if self._bytes < 0 or self._inodes < 0:
            raise OverBounds


def start_measuring(path: str, uid: int | None, most_bytes: int, most_inodes: int) -> int:
    """Start a process that measures, and return its pid. `verdict_of` reads the answer from its exit status."""
    pid = os.fork()
    if pid == 0:
        _measure_as(uid, path, Tally(most_bytes, most_inodes))
    return pid


def verdict_of(status: int) -> bool | None:
    """Return whether the folder is within its bounds, from a status of wait(2); None if it could not be measured."""
    return {_WITHIN: True, _OVER: False}.get(os.waitstatus_to_exitcode(status))


def _measure_as(uid: int | None, path: str, tally: Tally) -> None:
    verdict = _UNKNOWN
    try:
        signal.setitimer(signal.ITIMER_PROF, _PROCESSOR_SECONDS)  # its signal kills the process
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # two descriptors for each level of depth
        if uid is not None:
            os.setresgid(uid, uid, uid)
            # Only the effective uid, which decides the access to files: with the other two a learner could signal this process (kill(2)).
            os.setresuid(-1, uid, -1)
        measure_folder(path, tally)
        verdict = _WITHIN
    except OverBounds:
        verdict = _OVER
    finally:
        os._exit(verdict)


def measure_folder(path: str, tally: Tally) -> None:
    """Count everything below a folder, at any depth. Raises OverBounds, and OSError for a folder that cannot be read."""
    levels = [_Level(path, None)]
    while levels:
        try:
            entry = next(levels[-1].entries, None)
            if entry is None:
                levels.pop().close()
                continue
            status = entry.stat(follow_symlinks=False)
            tally.add(status)
            if stat.S_ISDIR(status.st_mode):
                levels.append(_Level(entry.name, levels[-1].folder))
        except (FileNotFoundError, NotADirectoryError):
            continue  # removed or replaced in the meantime


class _Level:
    """A folder that is being read: its descriptor, and the entries that are still to be counted."""

    def __init__(self, name: str, parent: int | None) -> None:
        self.folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
        self.entries = os.scandir(self.folder)

    def close(self) -> None:
        self.entries.close()
        os.close(self.folder)
