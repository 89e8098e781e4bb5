"""Looks for places that a run's uid may write to, on a host with neither Landlock nor a minimal root.

Runs before the fork, in a process of its own. Runs are accepted on such a host only in a container whose root file system is read-only,
and only if nothing is found in all other mounts that the uid may write to.
"""

import os
import stat
import time

from app.sandbox.process_status import read_mounts

# in these file systems the kernel's files belong to root; message queues are bounded by a limit of 0 bytes
_KERNEL_KINDS = {"proc", "sysfs", "cgroup", "cgroup2", "devpts", "mqueue", "securityfs", "debugfs", "tracefs", "bpf", "pstore"}
_SECONDS = 2.0


class Reachable(OSError):
    """The uid may write somewhere, or the search took too long."""


def verify_closed(uid: int) -> None:
    """Become `uid`, for good, and look for a place that it may write to. Raises Reachable for the first one found."""
    mounts = {mount.point: mount for mount in read_mounts(os.getpid())}  # of several mounts at one point, the last is the visible one
    if "ro" not in mounts["/"].options:
        raise Reachable("its root file system is not read-only")
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    deadline = time.monotonic() + _SECONDS
    for mount in mounts.values():
        if "rw" in mount.options and mount.kind not in _KERNEL_KINDS:
            _search(mount.point, deadline)


def _search(top: str, deadline: float) -> None:
    folders = [top]
    while folders:
        folder = folders.pop()
        if time.monotonic() > deadline:
            raise Reachable(f"it took too long to look through {top}")
        _refuse_writable(folder)
        try:
            with os.scandir(folder) as entries:
                found = list(entries)
        except OSError:
            continue  # the uid may not list it
        for entry in found:
            if entry.is_dir(follow_symlinks=False) and not os.path.ismount(entry.path):
                folders.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                _refuse_writable(entry.path)


def _refuse_writable(path: str) -> None:
    if os.access(path, os.W_OK) and not stat.S_ISLNK(os.lstat(path).st_mode):
        raise Reachable(f"{path} can be written to")
