"""Verifies from outside that a child is confined, before it is sent a line of source. Runs in the runner.

/proc shows nothing of Landlock, so the child's own attempts are the evidence for it. They can be trusted, because no learner's code has
run in it yet.
"""

import functools
import os
import resource

import msgspec

from app.sandbox.cgroups.cgroup import Group
from app.sandbox.confinement.confinement import OOM_SCORE
from app.sandbox.confinement.root import SCRATCH
from app.sandbox.kernel import CAP_SETPCAP
from app.sandbox.process_status import UNLIMITED, ProcessUnknown, Status, is_dumpable, read_limits, read_mounts, read_oom_score, read_status

EXPECTED_PROBES = {"read_file", "open_socket", "signal_parent", "fork", "exec"}
_SCRATCH_OPTIONS = {"rw", "nosuid", "nodev", "noexec"}
_LIMIT_NAMES = {
    resource.RLIMIT_AS: "Max address space",
    resource.RLIMIT_DATA: "Max data size",
    resource.RLIMIT_CPU: "Max cpu time",
    resource.RLIMIT_FSIZE: "Max file size",
    resource.RLIMIT_NOFILE: "Max open files",
    resource.RLIMIT_CORE: "Max core file size",
    resource.RLIMIT_STACK: "Max stack size",
    resource.RLIMIT_MEMLOCK: "Max locked memory",
    resource.RLIMIT_MSGQUEUE: "Max msgqueue size",
    resource.RLIMIT_SIGPENDING: "Max pending signals",
    resource.RLIMIT_NICE: "Max nice priority",
    resource.RLIMIT_RTPRIO: "Max realtime priority",
    resource.RLIMIT_NPROC: "Max processes",
}


class NotConfined(Exception):
    """A child lacks a mark of confinement, so it is sent nothing."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What a confined process must show: this `uid` and this `group` unless they are None, its namespaces, and its limits.

    `limits` has the largest value that each resource limit may have, by RLIMIT_ number. Resource limits that are not in it must be set too.
    """

    uid: int | None
    namespaces: bool
    limits: dict[int, int]
    group: Group | None = None


def verify_child(pid: int, marks: Marks, probes: dict[str, bool]) -> None:
    """Verify a child. Raises NotConfined, naming the first missing mark.

    `probes` are the forbidden things that the child tried, and whether the kernel refused each.
    """
    verify_process(pid, marks)
    if marks.namespaces:
        _verify_mounts(pid)
    missing = EXPECTED_PROBES - {name for name, refused in probes.items() if refused}
    if missing:
        raise NotConfined(f"the child was not refused: {', '.join(sorted(missing))}")


def verify_process(pid: int, marks: Marks) -> None:
    """Verify the marks of any confined process, with or without a scratch. Raises NotConfined, naming the first missing mark."""
    try:
        status = read_status(pid)
        _verify_identity(status, marks.uid)
        _verify_privileges(status, marks)
        if is_dumpable(pid, status.uids[0]):
            raise NotConfined("it is dumpable")
        if read_oom_score(pid) != OOM_SCORE:
            raise NotConfined("it is not the first to end when the machine's memory is used up")
        _verify_limits(pid, marks)
    except ProcessUnknown as error:
        raise NotConfined(str(error)) from error
    if marks.group and not marks.group.holds(pid):
        raise NotConfined("it is not in its control groups")


def _verify_identity(status: Status, uid: int | None) -> None:
    if 0 in status.uids:
        raise NotConfined("it runs as root")
    if uid is not None and (set(status.uids) != {uid} or set(status.gids) != {uid}):
        raise NotConfined(f"its uids are {status.uids} and its gids {status.gids}, not {uid}")
    if len(set(status.uids)) != 1 or len(set(status.gids)) != 1:
        raise NotConfined(f"it may change between the uids {status.uids} or the gids {status.gids}")
    if uid is not None and status.groups:
        raise NotConfined(f"it is in the groups {status.groups}")


def _verify_privileges(status: Status, marks: Marks) -> None:
    if not status.no_new_privs:
        raise NotConfined("no_new_privs is not set")
    if not status.seccomp_filter:
        raise NotConfined("no seccomp filter is active")
    if status.capabilities:
        raise NotConfined(f"it holds capabilities {status.capabilities:x}")
    if status.bounding and _may_empty_bounding_set(marks.namespaces):
        raise NotConfined(f"its bounding set is {status.bounding:x}")
    if status.threads != 1:
        raise NotConfined(f"it has {status.threads} threads before it runs")
    if marks.namespaces and (len(status.pids) < len(_own_status().pids) + 2 or status.pids[-1] != 1):
        raise NotConfined("it is not the first process of a pid namespace of its own")


@functools.cache
def _own_status() -> Status:
    """Return the runner's own status. Its privileges and namespaces never change."""
    return read_status(os.getpid())


def _may_empty_bounding_set(namespaces: bool) -> bool:
    """Return whether a child could empty its bounding set, which needs CAP_SETPCAP.

    A process in a user namespace of its own has this capability.
    """
    return bool(_own_status().capabilities >> CAP_SETPCAP & 1) if os.geteuid() == 0 else namespaces


def _verify_limits(pid: int, marks: Marks) -> None:
    limits = read_limits(pid)
    for which, name in _LIMIT_NAMES.items():
        if name not in limits:
            raise NotConfined(f"this kernel does not report its {name.lower()}")
        soft, hard = limits[name]
        most = marks.limits.get(which, soft)
        if soft != hard or soft == UNLIMITED or soft > most:
            raise NotConfined(f"its {name.lower()} is {soft} and may be raised to {hard}; it must be {most} at most")


def _verify_mounts(pid: int) -> None:
    """Verify that a child can write only to its scratch, and that this is a tmpfs of its own."""
    mounts = read_mounts(pid)
    for mount in mounts:
        if mount.point == SCRATCH and not (mount.kind == "tmpfs" and mount.options >= _SCRATCH_OPTIONS):
            raise NotConfined(f"its scratch is a {mount.kind} mounted {','.join(sorted(mount.options))}")
        if mount.point != SCRATCH and "rw" in mount.options:
            raise NotConfined(f"{mount.point} is writable")
    if not any(mount.point == SCRATCH for mount in mounts):
        raise NotConfined("it has no scratch of its own")
