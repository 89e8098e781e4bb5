"""Does a compiled filter answer each system call as it should? Its instructions are carried out for every number.

libseccomp is a compiler with faults of its own (before 2.6.1 it could weaken comparisons when it merged rules), and the checks of
the architecture and of x32 numbers are written by libseccomp alone.
"""

import errno
from collections.abc import Iterable, Iterator

from app.sandbox.seccomp import ARCHITECTURES, OTHER_REFUSALS, allowed_names, number_of
from tests.sandbox.bpf import ALLOW, ERRNO, KILL_PROCESS, Call, Filter

_NUMBERS = 600  # system calls have lower numbers than this
_X32_BIT = 0x40000000
_FOREIGN = {0x40000003, 0x40000028, *ARCHITECTURES.values()}  # tables of 32-bit calls that a 64-bit kernel may offer, and each other's
_SHARES = (0x100, 0x200, 0x400, 0x800, 0x10000)  # what a thread shares: memory, folder, descriptors, handlers, its process
_THREAD, _FORK, _VFORK = 0x3D0F00, 0x1200011, 0x4111  # the flags of clone: of pthread_create, of fork, and of vfork
_REFUSED = ERRNO | errno.EPERM

_SHARED, _PRIVATE, _VALIDATED, _ANONYMOUS, _GROWSDOWN, _STACK, _HUGETLB = 0x01, 0x02, 0x03, 0x20, 0x100, 0x20000, 0x40000
_MAPPINGS = (
    (_PRIVATE, True),
    (_SHARED, True),
    (_PRIVATE | _ANONYMOUS, True),
    (_PRIVATE | _ANONYMOUS | _STACK, True),
    (_SHARED | _ANONYMOUS, False),
    (_VALIDATED | _ANONYMOUS, False),
    (_PRIVATE | _ANONYMOUS | _GROWSDOWN, False),
    (_PRIVATE | _ANONYMOUS | _HUGETLB, False),
    (_SHARED | _HUGETLB, False),
    (2**32 | _SHARED | _ANONYMOUS, False),
)

# calls whose arguments decide, with arguments and whether they are allowed
_CONDITIONAL: dict[str, list[tuple[tuple[int, ...], bool]]] = {
    "clone": [((_THREAD,), True), *(((flags,), False) for flags in (0, _FORK, _VFORK, *(_THREAD & ~share for share in _SHARES)))],
    "mmap": [((0, 1, 3, flags), allowed) for flags, allowed in _MAPPINGS],
    "prctl": [((option,), option in (15, 16)) for option in range(80)],  # to set and to get the name
    "prlimit64": [((0,), True), ((1,), False), ((2**32 - 1,), False), ((2**32,), False)],
    "renameat2": [((0, 0, 0, 0, flags), not flags & 4) for flags in range(8)],  # 4: leave a device behind
    "socketpair": [
        ((1,), True),
        ((2,), False),
        ((16,), False),
        ((38,), False),
        ((40,), False),
    ],  # Unix; not internet, netlink, crypto, vsock
    "sendto": [((3, 0, 0, 0, 0), True), ((3, 0, 0, 0, 1), False), ((3, 0, 0, 0, 2**32), False)],
    "ioctl": [((0, 0x5401), True), ((0, 0x5412), False), ((0, 0x541C), False), ((0, 2**32 | 0x5401), False)],  # TIOCSTI, TIOCLINUX
    "fcntl": [((0, 1), True), ((0, 1024), False), ((0, 8), False), ((0, 10), False), ((0, 1031), False)],  # leases, owners, pipe sizes
}


class FilterWrong(Exception):
    """The compiled filter does not do what it was written for."""


def check_filter(program: bytes, machine: str, may_change_modes: bool) -> None:
    """Raises FilterWrong, naming the first call that is not answered as it must be."""
    compiled = Filter(program)
    own = ARCHITECTURES[machine]
    for call, expected in (*_foreign(own), *_conditional(own), *_all_others(own, may_change_modes)):
        answer = compiled.answer(call)
        if answer != expected:
            raise FilterWrong(f"system call {call.number} of {call.architecture:#x} {call.arguments} gets {answer:#x}, not {expected:#x}")


def _foreign(own: int) -> Iterator[tuple[Call, int]]:
    """Calls through another table end the process, whatever they are."""
    for number in range(_NUMBERS):
        for architecture in _FOREIGN - {own}:
            yield Call(architecture, number), KILL_PROCESS
        if own == ARCHITECTURES["x86_64"]:
            yield Call(own, _X32_BIT | number), KILL_PROCESS


def _conditional(own: int) -> Iterator[tuple[Call, int]]:
    """Calls whose arguments decide."""
    for name, expectations in _CONDITIONAL.items():
        for number in _numbers(own, [name]):
            for arguments, allowed in expectations:
                yield Call(own, number, arguments), ALLOW if allowed else _REFUSED


def _all_others(own: int, may_change_modes: bool) -> Iterator[tuple[Call, int]]:
    """Each other number is allowed if its name is on the list, and refused if not."""
    allowed = _numbers(own, allowed_names(may_change_modes))
    refusals = {number: ERRNO | error for name, error in OTHER_REFUSALS.items() for number in _numbers(own, [name])}
    for number in set(range(_NUMBERS)) - _numbers(own, _CONDITIONAL):
        yield Call(own, number, (1,) * 6), ALLOW if number in allowed else refusals.get(number, _REFUSED)


def _numbers(own: int, names: Iterable[str]) -> set[int]:
    """The numbers of those names that the architecture has."""
    return {number for name in names if (number := number_of(name, own)) is not None}
