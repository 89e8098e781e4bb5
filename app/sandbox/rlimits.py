"""The resource limits of a child. Runs after the fork (the present size is read before it).

The address space is limited to its size at the fork plus a budget, because a forked zygote already maps its framework's gigabyte.
"""

import resource

import msgspec

_THREAD_STACK_BYTES = 8 * 1024 * 1024
_OPEN_FILES = 256


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What one child may use; the part of a run's limits that the kernel enforces from inside the child."""

    memory_bytes: int
    cpu_seconds: int
    scratch_bytes: int
    scratch_inodes: int
    threads: int


def set_rlimits(budget: Budget, own_uid: bool, present_bytes: int) -> None:
    """Set every limit for good: soft and hard alike. `present_bytes`: the address space mapped so far."""
    space = present_bytes + budget.memory_bytes
    _set(resource.RLIMIT_AS, space)
    _set(resource.RLIMIT_CPU, budget.cpu_seconds)
    _set(resource.RLIMIT_FSIZE, budget.scratch_bytes)
    _set(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_STACK, _THREAD_STACK_BYTES)
    _set(resource.RLIMIT_MEMLOCK, 0)
    _set(resource.RLIMIT_MSGQUEUE, 0)
    # the kernel counts a uid's tasks: with a uid shared with others, the stacks' share of the address space bounds the threads
    _set(resource.RLIMIT_NPROC, budget.threads if own_uid else _current(resource.RLIMIT_NPROC))


def address_space_bytes() -> int:
    """The size of this process's address space now."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _current(which: int) -> int:
    hard = resource.getrlimit(which)[1]
    return 16_384 if hard == resource.RLIM_INFINITY else hard


def _set(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
