"""Finds out by trying where this process may make control groups. Runs in the runner, once, when it starts.

In v2 a group whose child groups have controllers must not contain processes (cgroups(7), "no internal processes"). So if this process may
manage a group, it first moves the group's processes into a leaf below. Under systemd that group is a unit with `Delegate=yes`; in a
container with a cgroup namespace it is the namespace's root.
"""

import contextlib
import fcntl
import os
import select
import signal
import tempfile
from pathlib import Path
from typing import Literal

import msgspec

from app.sandbox.cgroups.hierarchy import LEAF, Hierarchy, read_hierarchies, read_words, write

CONTROLLERS = ("memory", "pids", "cpu")
PREFIX = "gradroom-runs-"
_DELEGATED = "user.delegate"  # the attribute with which systemd marks a group that its unit may manage
_END_MILLISECONDS = 2000


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """A folder in which this runner makes groups with these `controllers`. The lock on the descriptor `lock` marks the folder as in use."""

    version: Literal[1, 2]
    controllers: frozenset[str]
    folder: Path
    lock: int


def find_sites(wanted: tuple[str, ...] = CONTROLLERS, proc: Path = Path("/proc/self")) -> tuple[list[Site], dict[str, str]]:
    """Make a site in each hierarchy that has a wanted controller. Return the sites, and the reasons why controllers are missing."""
    sites: list[Site] = []
    missing = dict.fromkeys(wanted, "no cgroup hierarchy with this controller is mounted")
    for hierarchy in read_hierarchies(proc):
        controllers = hierarchy.controllers & set(missing)
        if not controllers:
            continue
        try:
            sites.append(_make_site(hierarchy, controllers))
        except OSError as error:
            missing |= dict.fromkeys(controllers, str(error))
        else:
            missing = {name: why for name, why in missing.items() if name not in controllers}
    return sites, missing


def _make_site(hierarchy: Hierarchy, controllers: frozenset[str]) -> Site:
    """Make a site in one hierarchy. Raises OSError, in the kernel's words, if that is not allowed."""
    if hierarchy.version == 1:
        return _claim(hierarchy.own, hierarchy.version, controllers)
    own = hierarchy.own
    try:
        _open_group(own, controllers, whole=own == hierarchy.root)
        return _claim(own, hierarchy.version, controllers)
    except OSError:
        if os.geteuid() != 0 or own == hierarchy.root:
            raise
    _enable(hierarchy.root, controllers)  # root may make a group of its own beside the service manager's
    return _claim(hierarchy.root, hierarchy.version, controllers)


def _open_group(group: Path, controllers: frozenset[str], whole: bool) -> None:
    """Enable controllers for the groups below a group of v2. `whole` is true if this group is the root of the mount, as in a container."""
    processes = read_words(group / "cgroup.procs")
    is_true_root = not (group / "cgroup.type").exists()  # only the root lacks this file; it may contain processes
    if processes and not is_true_root:
        own = os.getpid()
        if not (whole or _is_delegated(group) or all(_descends(int(process), own) for process in processes)):
            raise PermissionError(f"{group} holds processes that are not ours to move, and is not marked as delegated")
        leaf = group / LEAF
        leaf.mkdir(exist_ok=True)
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                write(leaf / "cgroup.procs", process)
    _enable(group, controllers)


def _enable(group: Path, controllers: frozenset[str]) -> None:
    for name in sorted(controllers - set(read_words(group / "cgroup.subtree_control"))):
        write(group / "cgroup.subtree_control", f"+{name}")


def _is_delegated(group: Path) -> bool:
    with contextlib.suppress(OSError):
        return os.getxattr(group, _DELEGATED) == b"1"
    return False


def _descends(process: int, ancestor: int) -> bool:
    """Return whether a process is `ancestor` or descends from it."""
    while process > 1 and process != ancestor:
        try:
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return True  # it has ended
    return process == ancestor


def _claim(parent: Path, version: Literal[1, 2], controllers: frozenset[str]) -> Site:
    """Remove the folders of killed runners, then make a new folder and lock it, so that no other runner removes it."""
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, _lock(parent, fcntl.LOCK_EX))
        _remove_abandoned(parent)
        folder = _make_folder(parent)
        site = Site(version=version, controllers=controllers, folder=folder, lock=_lock(folder, fcntl.LOCK_SH))
    try:
        if version == 2:
            _enable(folder, controllers)
    except OSError:
        remove_site(site)
        raise
    return site


def _make_folder(parent: Path) -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    except OSError as error:
        raise OSError(error.errno, f"{os.strerror(error.errno or 0)} to make a group in {parent}") from error


def _remove_abandoned(parent: Path) -> None:
    """Remove the folders of runners that were killed: those without a lock."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = _lock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_groups(folder)
            os.close(lock)


def _lock(folder: Path, how: int) -> int:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def remove_site(site: Site) -> None:
    """Kill what still runs in a site's groups, and remove the site. What cannot be removed is left to the next runner that starts."""
    with contextlib.suppress(OSError):
        _remove_groups(site.folder)
    os.close(site.lock)


def _remove_groups(folder: Path) -> None:
    groups = [entry for entry in folder.iterdir() if entry.is_dir()]
    for group in groups:
        _end_processes(group)
    for group in (*groups, folder):
        with contextlib.suppress(OSError):
            group.rmdir()


def _end_processes(group: Path) -> None:
    """Kill the processes of a group and wait for their ends: a group with processes cannot be removed."""
    for process in map(int, read_words(group / "cgroup.procs")):
        with contextlib.suppress(ProcessLookupError):
            pidfd = os.pidfd_open(process)
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            poll = select.poll()
            poll.register(pidfd, select.POLLIN)
            poll.poll(_END_MILLISECONDS)
            os.close(pidfd)
