"""The resource limits of a child. Runs after the fork (the present size is read before it).

Memory is limited to what there is at the fork plus a budget, because a forked zygote already maps its framework's gigabyte: the address
space, and what of it is private and writable (RLIMIT_DATA), since a child could also make the framework's read-only gigabyte writable
and fill that. Memory that neither counts (shared anonymous mappings) is denied by the filter. So at worst a child fills the zygote's own
writable pages, its budget, its scratch and its stack.
"""

import contextlib
import os
import resource

import msgspec

_THREAD_STACK_BYTES = 8 * 1024 * 1024
_OPEN_FILES = 256
_OTHER_TASKS = 512
_PENDING_SIGNALS = 1024
_SIZES = ("VmSize", "VmData")


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What one child may use; the part of a run's limits that the kernel enforces from inside the child.

    `is_scarce`: its memory is less than usual here, so that what it has freed must not count.
    """

    memory_bytes: int
    cpu_seconds: int
    scratch_bytes: int
    scratch_inodes: int
    threads: int
    compute_threads: int = 1
    is_scarce: bool = False


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """What a process has before it is limited. `tasks`: those of the uid that all children share; 0 where each child has its own uid."""

    space_bytes: int
    data_bytes: int
    tasks: int


def measure_present(tasks: int) -> Present:
    """The sizes of this process's address space, of what is private and writable in it, now."""
    with open("/proc/self/status") as file:
        sizes = {name: int(size.split()[0]) * 1024 for name, _, size in (line.partition(":") for line in file) if name in _SIZES}
    return Present(space_bytes=sizes["VmSize"], data_bytes=sizes["VmData"], tasks=tasks)


def limits_of(budget: Budget, present: Present) -> dict[int, int]:
    """Every limit of a child; soft and hard are alike."""
    return {
        resource.RLIMIT_AS: present.space_bytes + budget.memory_bytes,
        resource.RLIMIT_DATA: present.data_bytes + budget.memory_bytes,
        resource.RLIMIT_CPU: budget.cpu_seconds,
        resource.RLIMIT_FSIZE: budget.scratch_bytes,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_STACK: _THREAD_STACK_BYTES,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: _PENDING_SIGNALS,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
        # the kernel counts a uid's tasks, so one that is shared needs room for what else its user starts
        resource.RLIMIT_NPROC: budget.threads + (present.tasks + _OTHER_TASKS if present.tasks else 0),
    }


def set_rlimits(budget: Budget, present: Present) -> None:
    """Set every limit for good."""
    for which, value in limits_of(budget, present).items():
        _set(which, value)


def count_tasks(uid: int) -> int:
    """How many threads the processes of a uid have now, as far as /proc shows them."""
    tasks = 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):  # gone in the meantime
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                tasks += len(os.listdir(f"/proc/{entry.name}/task"))
    return tasks


def _set(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
