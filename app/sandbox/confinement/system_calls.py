"""The system calls that a learner's program may make, and with which arguments: the filter's rules as data. All others are refused.

docs/sandbox-calls.md has a row with reasons for each call; a test compares both. Runs before the fork.

A filter sees numbers, but not what a pointer points to or which file a descriptor is. So a flag that is dangerous on a file that all runs
see (a lock on a library's file, a futex in a mapping of one) is refused for all files.
"""

import errno
import socket
from typing import NamedTuple

import pyseccomp


class Condition(NamedTuple):
    """A condition on a system call: the argument number `argument`, masked with `mask`, equals `value`."""

    argument: int
    mask: int
    value: int


class Rule(NamedTuple):
    """What happens to the system call `name` if all `conditions` hold.

    If `error` is None, the call is executed. If `error` is 0, the call returns 0 and does nothing. Otherwise it fails with this errno.
    """

    name: str
    conditions: tuple[Condition, ...] = ()
    error: int | None = None


_WORD, _INT = 2**64 - 1, 2**32 - 1


def _is(argument: int, value: int) -> Condition:
    return Condition(argument, _WORD, value)


def _int_is(argument: int, value: int) -> Condition:
    """Return a condition on an argument that the kernel reads as an int. The upper half of the argument may be anything."""
    return Condition(argument, _INT, value)


def _only(argument: int, flags: int) -> Condition:
    """Return the condition that an argument has no other flags than `flags`. The kernel reads this argument as an int."""
    return Condition(argument, _INT & ~flags, 0)


def _none_of(argument: int, flags: int) -> Condition:
    return Condition(argument, flags, 0)


def _each(name: str, argument: int, values: tuple[int, ...]) -> list[Rule]:
    return [Rule(name, (_int_is(argument, value),)) for value in values]


_UNCONDITIONAL = {
    "memory": "brk munmap mprotect",
    "descriptors": (
        "read write readv writev pread64 pwrite64 preadv pwritev lseek close dup dup2 dup3 pipe select pselect6 poll ppoll "
        "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd2 "
        "timerfd_create timerfd_settime timerfd_gettime signalfd4 sendfile copy_file_range"
    ),
    "files": (
        "stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat "
        "getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir rename renameat unlink unlinkat link linkat symlink "
        "symlinkat creat truncate ftruncate fallocate fsync fdatasync umask"
    ),
    "threads": "set_robust_list rseq sched_yield exit exit_group restart_syscall",
    "signals": (
        "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack kill tkill tgkill pause "
        "alarm setitimer getitimer"
    ),
    "clocks": "nanosleep gettimeofday time times",
    "identity": (
        "getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid getsid uname "
        "getrusage getrlimit getrandom getcpu sched_getaffinity sched_getparam sched_getscheduler "
        "sched_get_priority_max sched_get_priority_min arch_prctl"
    ),
    # asyncio needs a socketpair to wake itself up; both ends belong to the process itself
    "pairs": "shutdown getsockname getpeername",
}
# a file's owner may change its mode, so these are allowed only if a run's uid owns only its scratch, or all else is read-only
_MODES = "chmod fchmod fchmodat fchmodat2 utimensat utime utimes futimesat"
# free space shows what others write, so these are allowed only if nobody else writes to the same file system
_ROOM = "statfs fstatfs"

# linux/fcntl.h; two of the flags are other numbers on arm64
_O_ASYNC, _O_NOATIME, _O_PATH = 0x2000, 0x40000, 0x200000
_O_DIRECT = {pyseccomp.Arch.X86_64: 0x4000, pyseccomp.Arch.AARCH64: 0x10000}
_O_NONBLOCK, _O_CLOEXEC = 0x800, 0x80000
# linux/mman.h
_MAP_SHARED, _MAP_ANONYMOUS, _MAP_GROWSDOWN, _MAP_LOCKED = 0x01, 0x20, 0x100, 0x2000
_MAP_POPULATE, _MAP_NONBLOCK, _MAP_HUGETLB, _MAP_SYNC = 0x8000, 0x10000, 0x40000, 0x80000
# memory that RLIMIT_DATA does not count cannot be mapped: shared anonymous memory, mappings that grow like a stack, huge pages
_MAP_REFUSED = _MAP_GROWSDOWN | _MAP_LOCKED | _MAP_POPULATE | _MAP_NONBLOCK | _MAP_HUGETLB | _MAP_SYNC
_MAP_KINDS = (0, _MAP_SHARED, _MAP_ANONYMOUS)  # a file, private or shared; private anonymous memory
_MREMAP_MAYMOVE, _MREMAP_FIXED = 1, 2
_MS_ASYNC, _MS_SYNC = 1, 4
# NORMAL RANDOM SEQUENTIAL DONTNEED FREE DONTFORK DOFORK HUGEPAGE NOHUGEPAGE DONTDUMP DODUMP GUARD_INSTALL GUARD_REMOVE
_ADVICES = (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 102, 103)
_MPOL_F_MEMS_ALLOWED = 4
_CLOSE_RANGE_CLOEXEC = 4
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
_FCNTLS = (0, 1, 2, 3, 5, 1030)  # F_DUPFD F_GETFD F_SETFD F_GETFL F_GETLK F_DUPFD_CLOEXEC
_F_SETFL, _F_SETLK, _F_SETLKW = 4, 6, 7
_PRCTLS = (15, 16, 0x53564D41)  # PR_SET_NAME PR_GET_NAME PR_SET_VMA
# CLONE_VM FS FILES SIGHAND THREAD: a thread that shares less could have descriptors of its own, and a limit of their number of its own
_CLONE_THREAD = 0x00010F00
_CLONE_OPTIONAL = 0x017C0000  # SYSVSEM SETTLS PARENT_SETTID CHILD_CLEARTID DETACHED CHILD_SETTID; no namespace, parent, descriptor
_RENAME_WHITEOUT = 4  # leaves a device file behind, which Landlock's rules do not cover
_FUTEX_PRIVATE, _FUTEX_CLOCK_REALTIME, _FUTEX_WAIT, _FUTEX_WAIT_BITSET = 0x80, 0x100, 0, 9
_CLOCK_IDS = 0xF  # higher numbers are the processor clocks of other processes
_PRIO_PROCESS = 0
_SOCK_TYPES = 0xF
_SO_OPTIONS = (3, 4, 38, 39)  # SO_TYPE SO_ERROR SO_PROTOCOL SO_DOMAIN
_MSG_PEEK, _MSG_TRUNC, _MSG_DONTWAIT, _MSG_WAITALL, _MSG_NOSIGNAL = 0x02, 0x20, 0x40, 0x100, 0x4000

_NOT_HERE = errno.ENOSYS
# These fail as if the kernel did not have them, so that callers fall back: glibc from clone3, whose flags a filter cannot read, to clone;
# file locks of Python packages from flock to a file; and shutil copies a file without its extended attributes.
_OTHER_REFUSALS = {
    **dict.fromkeys(["clone3", "openat2", "flock"], _NOT_HERE),
    **dict.fromkeys(["getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr"], errno.ENOTSUP),
}


def list_rules(may_change_modes: bool, may_ask_for_room: bool, architecture: int) -> list[Rule]:
    """Return all rules; no two of them contradict each other.

    `may_change_modes` allows chmod and similar calls: set it only if the uid owns nothing but its own scratch. `may_ask_for_room` allows
    statfs: set it only if the scratch is a file system of its own. `architecture` is pyseccomp's number.
    """
    names = " ".join(_UNCONDITIONAL.values()).split()
    names += _MODES.split() if may_change_modes else []
    names += _ROOM.split() if may_ask_for_room else []
    return [Rule(name) for name in names] + [
        *_list_memory(),
        *_list_files(_O_ASYNC | _O_NOATIME | _O_PATH | _O_DIRECT[architecture]),
        *_list_threads(),
        *_list_sockets(),
        *(Rule(name, error=error) for name, error in _OTHER_REFUSALS.items()),
    ]


def _list_memory() -> list[Rule]:
    mask = _MAP_SHARED | _MAP_ANONYMOUS | _MAP_REFUSED
    return [
        *(Rule("mmap", (Condition(3, mask, kind),)) for kind in _MAP_KINDS),
        Rule("mremap", (_none_of(3, _WORD & ~(_MREMAP_MAYMOVE | _MREMAP_FIXED)),)),
        Rule("msync", (_only(2, _MS_ASYNC | _MS_SYNC),)),
        *_each("madvise", 2, _ADVICES),
        Rule("get_mempolicy", (_none_of(4, _WORD & ~_MPOL_F_MEMS_ALLOWED),)),
    ]


def _list_files(refused: int) -> list[Rule]:
    """Return the rules about files. No file may be opened with one of the flags in `refused`."""
    return [
        Rule("open", (_none_of(1, refused),)),
        Rule("openat", (_none_of(2, refused),)),
        Rule("preadv2", (_int_is(5, 0),)),
        Rule("pwritev2", (_int_is(5, 0),)),
        Rule("close_range", (_only(2, _CLOSE_RANGE_CLOEXEC),)),
        Rule("pipe2", (_only(1, _O_CLOEXEC | _O_NONBLOCK),)),
        Rule("renameat2", (_none_of(4, _RENAME_WHITEOUT),)),
        *(Rule("ioctl", (_is(1, request),)) for request in _IOCTLS),
        *(Rule("fcntl", (_is(1, command),)) for command in _FCNTLS),
        Rule("fcntl", (_is(1, _F_SETFL), _none_of(2, refused))),
        # A process never waits for its own locks, and nobody else sees its files. So every lock succeeds, for sqlite, and does nothing.
        *(Rule("fcntl", (_is(1, command),), error=0) for command in (_F_SETLK, _F_SETLKW)),
    ]


def _list_threads() -> list[Rule]:
    return [
        Rule("clone", (Condition(0, _WORD & ~_CLONE_OPTIONAL, _CLONE_THREAD),)),
        Rule("futex", (Condition(1, _FUTEX_PRIVATE, _FUTEX_PRIVATE),)),
        # pthread_join waits for a futex that is not private: EAGAIN lets it look again until the thread has ended
        *(
            Rule("futex", (Condition(1, _INT & ~_FUTEX_CLOCK_REALTIME, operation),), error=errno.EAGAIN)
            for operation in (_FUTEX_WAIT, _FUTEX_WAIT_BITSET)
        ),
        *(Rule(name, (_only(0, _CLOCK_IDS),)) for name in ("clock_gettime", "clock_getres", "clock_nanosleep")),
        *(Rule("prctl", (_is(0, option),)) for option in _PRCTLS),
        Rule("prlimit64", (_is(0, 0),)),  # 0 is the process itself
        Rule("getpriority", (_int_is(0, _PRIO_PROCESS),)),
    ]


def _list_sockets() -> list[Rule]:
    return [
        Rule("socketpair", (_is(0, socket.AF_UNIX), Condition(1, _SOCK_TYPES, socket.SOCK_STREAM))),
        Rule("sendto", (_is(4, 0), _only(3, _MSG_DONTWAIT | _MSG_NOSIGNAL))),  # no address: only to the pair's other end
        Rule("recvfrom", (_only(3, _MSG_PEEK | _MSG_TRUNC | _MSG_DONTWAIT | _MSG_WAITALL | _MSG_NOSIGNAL),)),
        *(Rule("getsockopt", (_int_is(1, socket.SOL_SOCKET), _int_is(2, option))) for option in _SO_OPTIONS),
    ]
