"""Checks that a group of rows leaves nothing behind: counts the descendants of this process and the files in the runner's scratch folder.

This process adopts orphans (PR_SET_CHILD_SUBREAPER, prctl(2)), so every process that a program leaves behind is its descendant.
"""

import contextlib
import ctypes
import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_SECONDS = 15.0
_SETTLED_SECONDS = 2.0
_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")


class Baseline:
    """The numbers of processes and files of an idle runner; finds what there is beyond them."""

    def __init__(self, runner: int, scratch: Path) -> None:
        self._runner = runner
        self._scratch = scratch
        self._processes = settled(lambda: len(self._descendants()))
        self._files = self._list_files()

    def find_leftovers(self) -> list[str]:
        """Return what is left after the runner had time to clean up, as text."""
        end = time.monotonic() + PATIENCE_SECONDS
        while (found := self._compare()) and time.monotonic() < end:
            time.sleep(0.05)
        return found

    def _compare(self) -> list[str]:
        now = len(self._descendants())
        found = [f"{now} processes, {self._processes} when quiet"] if now != self._processes else []
        return found + [f"left in scratch: {path}" for path in sorted(self._list_files() - self._files)[:5]]

    def _descendants(self) -> set[int]:
        self._reap_orphans()
        found: set[int] = set()
        waiting = [os.getpid()]
        while waiting:
            for children in self._children_files(waiting.pop()):
                with contextlib.suppress(OSError):  # removed in the meantime
                    pids = {int(pid) for pid in children.read_text().split()}
                    waiting += pids - found
                    found |= pids
        return found

    def _children_files(self, pid: int) -> list[Path]:
        """Return the files that list the children of each thread of a process; none if it has ended in the meantime."""
        with contextlib.suppress(OSError):
            return list(Path(f"/proc/{pid}/task").glob("*/children"))
        return []

    def _reap_orphans(self) -> None:
        for children in Path("/proc/self/task").glob("*/children"):
            with contextlib.suppress(OSError):  # a thread of this process that has ended in the meantime
                for pid in map(int, children.read_text().split()):
                    if pid != self._runner:
                        self._reap(pid)

    def _reap(self, pid: int) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)

    def _list_files(self) -> set[str]:
        """List everything but folders: each waiting child has one. A folder that cannot be read counts as a file."""
        unreadable: list[str] = []
        walk = os.walk(self._scratch, onerror=lambda error: unreadable.append(str(error.filename)))
        return {os.path.join(folder, name) for folder, _, names in walk for name in names}.union(unreadable)


def settled(count: Callable[[], int]) -> int:
    """Return a count after it has not changed for so long that no spare child is being forked, even on a busy machine."""
    value, since = count(), time.monotonic()
    end = since + PATIENCE_SECONDS
    while time.monotonic() < min(since + _SETTLED_SECONDS, end):
        time.sleep(0.05)
        if (now := count()) != value:
            value, since = now, time.monotonic()
    return value
