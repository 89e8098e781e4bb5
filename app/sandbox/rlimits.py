"""The resource limits of a child. Runs after the fork (the present size is read before it).

The address space is limited to its size at the fork plus a budget, because a forked zygote already maps its framework's gigabyte.
"""

import contextlib
import os
import resource

import msgspec

_THREAD_STACK_BYTES = 8 * 1024 * 1024
_OPEN_FILES = 256
_OTHER_TASKS = 512


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What one child may use; the part of a run's limits that the kernel enforces from inside the child."""

    memory_bytes: int
    cpu_seconds: int
    scratch_bytes: int
    scratch_inodes: int
    threads: int


def set_rlimits(budget: Budget, present_bytes: int, present_tasks: int) -> None:
    """Set every limit for good: soft and hard alike.

    `present_bytes`: the address space mapped so far. `present_tasks`: how many the uid has already, 0 for one of the child's own.
    """
    space = present_bytes + budget.memory_bytes
    _set(resource.RLIMIT_AS, space)
    _set(resource.RLIMIT_CPU, budget.cpu_seconds)
    _set(resource.RLIMIT_FSIZE, budget.scratch_bytes)
    _set(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_STACK, _THREAD_STACK_BYTES)
    _set(resource.RLIMIT_MEMLOCK, 0)
    _set(resource.RLIMIT_MSGQUEUE, 0)
    # the kernel counts a uid's tasks, so one that is shared needs room for what else its user starts
    _set(resource.RLIMIT_NPROC, budget.threads + (present_tasks + _OTHER_TASKS if present_tasks else 0))


def address_space_bytes() -> int:
    """The size of this process's address space now."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


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
