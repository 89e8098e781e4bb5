"""Checks a compiled filter by computing its answer to every system call number.

test_system_calls.py checks single flags; this module checks the numbers, other architectures' tables, and combinations of arguments.

The compiler may be wrong: libseccomp before 2.6.1 could weaken comparisons when it merged rules. It also adds the checks of the
architecture and of x32 numbers itself.
"""

import errno
from collections.abc import Iterable, Iterator

from app.sandbox.confinement.seccomp import ARCHITECTURES, number_of
from app.sandbox.confinement.system_calls import list_rules
from tests.sandbox.bpf import ALLOW, ERRNO, KILL_PROCESS, Call, Filter

_NUMBERS = 600  # system calls have lower numbers than this
_X32_BIT = 0x40000000
_FOREIGN = {0x40000003, 0x40000028, *ARCHITECTURES.values()}  # tables of 32-bit calls that a 64-bit kernel may offer, and each other's
_SHARES = (0x100, 0x200, 0x400, 0x800, 0x10000)  # what a thread shares: memory, folder, descriptors, handlers, its process
_THREAD, _FORK, _VFORK = 0x3D0F00, 0x1200011, 0x4111  # the flags of clone: of pthread_create, of fork, and of vfork
_WAIT, _WAKE, _WAIT_BITSET, _PRIVATE_FUTEX, _REALTIME = 0, 1, 9, 0x80, 0x100
_ANY_INT = 2**32 - 1
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

_OPENINGS = ((0, True), (0x42, True), (0x80800, True), (0x200000, False), (0x40000, False), (0x2000, False), (0x282000, False))
_CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")

# calls whose arguments decide: arguments, and whether the call is allowed, or its error
_CONDITIONAL: dict[str, list[tuple[tuple[int, ...], bool | int]]] = {
    "clone": [((_THREAD,), True), *(((flags,), False) for flags in (0, _FORK, _VFORK, *(_THREAD & ~share for share in _SHARES)))],
    "mmap": [((0, 1, 3, flags), allowed) for flags, allowed in _MAPPINGS],
    "mremap": [((0, 1, 1, flags), flags < 4) for flags in (*range(8), 2**32)],
    "madvise": [((0, 0, advice), True) for advice in (4, 8, 14, 2**32 | 4)]
    + [((0, 0, advice), False) for advice in (3, 21, 25, 2**32 | 3)],
    "msync": [((0, 0, 4), True), ((0, 0, 6), False)],
    "get_mempolicy": [((0, 0, 0, 0, 0), True), ((0, 0, 0, 0, 3), False), ((0, 0, 0, 0, 2**32), False)],
    "open": [((0, flags), allowed) for flags, allowed in _OPENINGS],
    "openat": [((0, 0, flags), allowed) for flags, allowed in _OPENINGS],
    "preadv2": [((0, 0, 0, 0, 0, flags), not flags & _ANY_INT) for flags in (0, 1, 8, 128, 2**32, 2**32 | 8)],
    "pwritev2": [((0, 0, 0, 0, 0, flags), not flags & _ANY_INT) for flags in (0, 1, 8, 128, 2**32, 2**32 | 8)],
    "close_range": [((0, 9, flags), not flags & 2) for flags in (0, 2, 4, 6, 2**32, 2**32 | 2)],
    "pipe2": [((0, flags), flags in (0, 0x80800)) for flags in (0, 0x80800, 0x80, 0x84000, 0x90000)],
    "prctl": [((option,), option in (15, 16)) for option in range(80)],  # to set and to get the name
    "prlimit64": [((0,), True), ((1,), False), ((2**32 - 1,), False), ((2**32,), False)],
    "renameat2": [((0, 0, 0, 0, flags), not flags & 4) for flags in range(8)],  # 4: leave a device behind
    "futex": [
        *(((0, operation | _PRIVATE_FUTEX), True) for operation in range(14)),
        *(((0, operation), errno.EAGAIN) for operation in (_WAIT, _WAIT_BITSET, _WAIT | _REALTIME, _WAIT_BITSET | _REALTIME, 2**32)),
        *(((0, operation), False) for operation in (*range(1, 9), *range(10, 14), _WAKE | _REALTIME)),
    ],
    **{name: [((clock,), clock < 16) for clock in (*range(17), _ANY_INT, _ANY_INT - 5)] for name in _CLOCKS},
    "getpriority": [((0, 7), True), ((1, 0), False), ((2, 0), False)],
    "socketpair": [
        *(((1, kind), True) for kind in (1, 0x80801)),
        *(((1, kind), False) for kind in (2, 3, 5, 0x80805)),
        *(((family, 1), False) for family in (2, 16, 38, 40)),  # Unix; not internet, netlink, crypto, vsock
    ],
    "sendto": [((3, 0, 0, 0, 0), True), ((3, 0, 0, 1, 0), False), ((3, 0, 0, 0, 1), False), ((3, 0, 0, 0, 2**32), False)],
    "recvfrom": [((3, 0, 0, flags), not flags & 1) for flags in (0, 1, 2, 3, 0x40, 0x41)],
    "getsockopt": [((3, 1, option), option in (3, 4, 38, 39)) for option in range(90)] + [((3, level, 3), False) for level in (0, 6, 41)],
    "ioctl": [((0, 0x5401), True), ((0, 0x5412), False), ((0, 0x541C), False), ((0, 2**32 | 0x5401), False)],  # TIOCSTI, TIOCLINUX
    "fcntl": [
        *(((0, command), True) for command in (1, 5)),
        *(((0, command), 0) for command in (6, 7)),  # locks that always succeed and do nothing
        *(((0, command), False) for command in (8, 10, 36, 37, 38, 1024, 1031)),  # locks, owners, leases, pipe sizes
        *(((0, 4, flags), allowed) for flags, allowed in _OPENINGS),
    ],
}


class FilterWrong(Exception):
    """The compiled filter gives a wrong answer."""


def check_filter(program: bytes, machine: str, may_change_modes: bool, may_ask_for_room: bool) -> None:
    """Check a filter. Raises FilterWrong, naming the first call with a wrong answer."""
    compiled = Filter(program)
    own = ARCHITECTURES[machine]
    for call, expected in (*_foreign(own), *_conditional(own), *_all_others(own, may_change_modes, may_ask_for_room)):
        answer = compiled.answer(call)
        if answer != expected:
            raise FilterWrong(f"system call {call.number} of {call.architecture:#x} {call.arguments} gets {answer:#x}, not {expected:#x}")


def _foreign(own: int) -> Iterator[tuple[Call, int]]:
    """Yield all calls through another architecture's table, which must kill the process."""
    for number in range(_NUMBERS):
        for architecture in _FOREIGN - {own}:
            yield Call(architecture, number), KILL_PROCESS
        if own == ARCHITECTURES["x86_64"]:
            yield Call(own, _X32_BIT | number), KILL_PROCESS


def _conditional(own: int) -> Iterator[tuple[Call, int]]:
    """Check calls whose arguments decide whether they are allowed."""
    for name, expectations in _CONDITIONAL.items():
        for number in _numbers(own, [name]):
            for arguments, answer in expectations:
                refusal = _REFUSED if answer is False else ERRNO | answer
                yield Call(own, number, arguments), ALLOW if answer is True else refusal


def _all_others(own: int, may_change_modes: bool, may_ask_for_room: bool) -> Iterator[tuple[Call, int]]:
    """Yield all other numbers, which must be allowed if their names are on the list, and refused if not."""
    rules = [rule for rule in list_rules(may_change_modes, may_ask_for_room, own) if rule.name not in _CONDITIONAL]
    answers = {
        number: ALLOW if rule.error is None else ERRNO | rule.error
        for rule in rules
        for number in _numbers(own, [rule.name])
        if not rule.conditions
    }
    for number in set(range(_NUMBERS)) - _numbers(own, _CONDITIONAL):
        yield Call(own, number, (1,) * 6), answers.get(number, _REFUSED)


def _numbers(own: int, names: Iterable[str]) -> set[int]:
    """Return the numbers of the names that the architecture has."""
    return {number for name in names if (number := number_of(name, own)) is not None}
