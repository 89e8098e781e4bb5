"""The system calls a learner's program may make: an allow-list, compiled once in the zygote to BPF.

Everything else answers EPERM, which Python shows as a readable PermissionError. A call through another
architecture's table (32-bit int 0x80, x32 numbers) kills the process: libseccomp puts that check first.
Argument rules are few on purpose: libseccomp before 2.6.1 can weaken 64-bit comparisons when it merges rules.
The compiled instructions are checked in the tests, for every architecture of `ARCHITECTURES`.
"""

import errno
import os
import socket

import pyseccomp

# the machines on which programs are run, because the tests check the filter that is compiled for them; other machines are refused
ARCHITECTURES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}

_MEMORY = "brk munmap mprotect mremap madvise mincore msync membarrier get_mempolicy"
_DESCRIPTORS = (
    "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3 "
    "pipe pipe2 select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd2 "
    "timerfd_create timerfd_settime timerfd_gettime signalfd4 sendfile copy_file_range"
)
_FILES = (
    "open openat openat2 creat stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat "
    "getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir rename renameat unlink unlinkat link linkat symlink "
    "symlinkat truncate ftruncate fallocate fadvise64 fsync fdatasync sync_file_range flock umask"
)
_THREADS = "futex futex_waitv set_robust_list get_robust_list set_tid_address rseq sched_yield exit exit_group restart_syscall"
_SIGNALS = (
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack kill tkill tgkill pause "
    "alarm setitimer getitimer"
)
_CLOCKS = "nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times"
_IDENTITY = (
    "getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid getsid uname sysinfo "
    "getrusage getrlimit getrandom getcpu getpriority sched_getaffinity sched_getparam sched_getscheduler "
    "sched_get_priority_max sched_get_priority_min arch_prctl"
)
# in a socketpair there is nobody but the process itself; asyncio needs one to wake itself up
_PAIRS = "recvfrom shutdown getsockname getpeername getsockopt"
# who may change a file's mode is decided by its owner alone, so only where the owner is nobody else or all else is read-only
_MODES = "chmod fchmod fchmodat fchmodat2 utimensat utime utimes futimesat"

_MAP_SHARED, _MAP_ANONYMOUS, _MAP_GROWSDOWN, _MAP_HUGETLB = 0x01, 0x20, 0x100, 0x40000
# memory that RLIMIT_DATA does not count cannot be mapped: shared with nobody, growing like a stack, or in huge pages
_MAP_MASK = _MAP_SHARED | _MAP_ANONYMOUS | _MAP_GROWSDOWN | _MAP_HUGETLB
_MAP_KINDS = (0, _MAP_SHARED, _MAP_ANONYMOUS)  # a file, private or shared; private memory
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
# duplicate, flags, and locks; not the size of pipes, leases, owners of signals
_FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)
_PR_SET_NAME, _PR_GET_NAME, _PR_SET_VMA = 15, 16, 0x53564D41
# CLONE_VM FS FILES SIGHAND THREAD: a thread that shared less could have descriptors, and so limits of them, of its own
_CLONE_THREAD = 0x00010F00
_UNKNOWN = -1  # __NR_SCMP_ERROR: this libseccomp is older than the system call
_RENAME_WHITEOUT = 4  # leaves a device behind, which Landlock's rules do not see

# Refused as on a system that does not have them, because of what the callers then do: glibc falls back from clone3, whose flags a
# filter cannot read, to clone; and shutil copies a file without its extended attributes, but fails on any other refusal.
OTHER_REFUSALS = {
    "clone3": errno.ENOSYS,
    **dict.fromkeys(["getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr"], errno.ENOTSUP),
}


def allowed_names(may_change_modes: bool) -> list[str]:
    """The system calls that are allowed whatever their arguments."""
    names = f"{_MEMORY} {_DESCRIPTORS} {_FILES} {_THREADS} {_SIGNALS} {_CLOCKS} {_IDENTITY} {_PAIRS}".split()
    return names + (_MODES.split() if may_change_modes else [])


def compile_filter(may_change_modes: bool) -> bytes:
    """The filter's BPF instructions, to be loaded by each child with one system call.

    `may_change_modes`: chmod and its kin are allowed; only where every file the uid owns is its own scratch.
    """
    return export(make_rules(may_change_modes))


def make_rules(may_change_modes: bool, architecture: int = pyseccomp.Arch.NATIVE) -> pyseccomp.SyscallFilter:
    """The rules, not yet compiled."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)
    _choose_architecture(rules, architecture)
    for name in allowed_names(may_change_modes):
        _allow(rules, name)
    for kind in _MAP_KINDS:
        _allow(rules, "mmap", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, _MAP_MASK, kind))
    for request in _IOCTLS:
        _allow(rules, "ioctl", pyseccomp.Arg(1, pyseccomp.EQ, request))
    for command in _FCNTLS:
        _allow(rules, "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, command))
    for option in (_PR_SET_NAME, _PR_GET_NAME, _PR_SET_VMA):
        _allow(rules, "prctl", pyseccomp.Arg(0, pyseccomp.EQ, option))
    _allow(rules, "prlimit64", pyseccomp.Arg(0, pyseccomp.EQ, 0))  # 0 is oneself
    _allow(rules, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, _CLONE_THREAD))
    _allow(rules, "renameat2", pyseccomp.Arg(4, pyseccomp.MASKED_EQ, _RENAME_WHITEOUT, 0))
    _allow(rules, "socketpair", pyseccomp.Arg(0, pyseccomp.EQ, socket.AF_UNIX))
    _allow(rules, "sendto", pyseccomp.Arg(4, pyseccomp.EQ, 0))  # no address: only to the pair's other end
    for name, error in OTHER_REFUSALS.items():
        rules.add_rule(pyseccomp.ERRNO(error), name)
    return rules


def _choose_architecture(rules: pyseccomp.SyscallFilter, architecture: int) -> None:
    """Make the rules apply to one architecture alone; at first that is the machine's own."""
    if not rules.exist_arch(architecture):
        rules.add_arch(architecture)
        rules.remove_arch(pyseccomp.Arch.NATIVE)


def _allow(rules: pyseccomp.SyscallFilter, name: str, *arguments: pyseccomp.Arg) -> None:
    if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) != _UNKNOWN:
        rules.add_rule(pyseccomp.ALLOW, name, *arguments)


def number_of(name: str, architecture: int = pyseccomp.Arch.NATIVE) -> int | None:
    """A system call's number; None for what the architecture does not have (arm64 has no `open`) or this libseccomp does not know."""
    number = int(pyseccomp.resolve_syscall(architecture, name))
    return number if number >= 0 else None


def export(rules: pyseccomp.SyscallFilter) -> bytes:
    """Compile rules to instructions."""
    descriptor = os.memfd_create("filter")
    with open(descriptor, "rb") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
