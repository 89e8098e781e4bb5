"""The resource limits of a child. Runs after the fork, except `measure_present`, which runs before it.

A limit of memory is the size at the fork plus a budget, because a forked zygote already maps its framework's gigabyte. Two limits are set.
One is for the address space. The other is for private writable memory (RLIMIT_DATA), since a child could make the framework's read-only
pages writable and fill them. Neither limit counts shared anonymous mappings, so the filter denies them. So a child can fill at most the
zygote's own writable pages, its budget, its scratch and its stack.
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
    """What one child may use. `cpu_seconds` is processor time.

    `is_scarce` says that the child has less memory than is usual on this server. Then memory that the program has freed must not count.
    """

    memory_bytes: int
    cpu_seconds: int
    scratch_bytes: int
    scratch_inodes: int
    threads: int
    compute_threads: int = 1
    is_scarce: bool = False


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """What a process uses before it is limited.

    `tasks` is the number of tasks of the uid that all children share; 0 if each child has a uid of its own.
    """

    space_bytes: int
    data_bytes: int
    tasks: int


def measure_present(tasks: int) -> Present:
    """Return the present sizes of this process's address space and of its private writable memory."""
    with open("/proc/self/status") as file:
        sizes = {name: int(size.split()[0]) * 1024 for name, _, size in (line.partition(":") for line in file) if name in _SIZES}
    return Present(space_bytes=sizes["VmSize"], data_bytes=sizes["VmData"], tasks=tasks)


def limits_of(budget: Budget, present: Present) -> dict[int, int]:
    """Return every limit of a child, by RLIMIT_ number. The soft and the hard limit are the same."""
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
        # the kernel counts all tasks of a uid, so a shared uid needs room for its user's other tasks
        resource.RLIMIT_NPROC: budget.threads + (present.tasks + _OTHER_TASKS if present.tasks else 0),
    }


def set_rlimits(budget: Budget, present: Present) -> None:
    """Set every limit of this process, for good."""
    for which, value in limits_of(budget, present).items():
        hard = resource.getrlimit(which)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (most, most))


def count_tasks(uid: int) -> int:
    """Return how many threads the processes of a uid have now, as far as /proc shows them."""
    tasks = 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):  # it ended in the meantime
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                tasks += len(os.listdir(f"/proc/{entry.name}/task"))
    return tasks
