"""The flags and commands that the arguments of each allowed system call can have, from the kernel's headers.

Written without the filter's rules, so that both can be compared. A test fails for a call that is allowed and not listed here, and for a
flag whose answer is not the one in docs/sandbox-calls.md.
"""

from typing import NamedTuple


class Asked(NamedTuple):
    """Arguments of a call, and the name of what they ask for."""

    name: str
    arguments: tuple[int, ...]


def bits(argument: int, base: int = 0, others: tuple[int, ...] = (), **flags: int) -> list[Asked]:
    """Return what calls ask for whose argument number `argument` is `base` and one flag. `others` are the arguments before it."""
    return values(argument, others, **{name: base | flag for name, flag in flags.items()})


def values(argument: int, others: tuple[int, ...] = (), **commands: int) -> list[Asked]:
    """Return what calls ask for whose argument number `argument` is one of these commands."""
    before = (*others, *[0] * argument)[:argument]
    return [Asked(name, (*before, value)) for name, value in commands.items()]


# the arguments of these only say for which memory, descriptor, path, size, time or process of its own a call is
_PLAIN = (
    "brk munmap read write readv writev pread64 pwrite64 preadv pwritev close dup dup2 pipe select pselect6 poll ppoll "
    "epoll_create epoll_ctl epoll_wait epoll_pwait epoll_pwait2 timerfd_gettime sendfile copy_file_range "
    "stat fstat lstat access faccessat readlink readlinkat getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir rename renameat "
    "unlink link symlink symlinkat creat truncate ftruncate fsync fdatasync umask statfs fstatfs "
    "chmod fchmod fchmodat utime utimes futimesat set_robust_list sched_yield exit exit_group restart_syscall "
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack kill tkill tgkill pause "
    "alarm setitimer getitimer nanosleep gettimeofday time times "
    "getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid getsid uname getrlimit "
    "getcpu sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min "
    "shutdown getsockname getpeername"
)
PLAIN = set(_PLAIN.split())

_PRIVATE_ANONYMOUS, _THREAD = 0x22, 0x3D0F00
_OPENING = {
    "O_CREAT": 0x40, "O_EXCL": 0x80, "O_TRUNC": 0x200, "O_APPEND": 0x400, "O_NONBLOCK": 0x800, "O_DSYNC": 0x1000, "O_SYNC": 0x101000,
    "O_CLOEXEC": 0x80000, "O_TMPFILE": 0x400000, "O_ASYNC": 0x2000, "O_NOATIME": 0x40000, "O_PATH": 0x200000,
}  # fmt: skip
_DIRECT = {"x86_64": 0x4000, "aarch64": 0x10000}
_AT = {"AT_SYMLINK_NOFOLLOW": 0x100, "AT_NO_AUTOMOUNT": 0x800, "AT_EMPTY_PATH": 0x1000}
_RWF = {
    "RWF_HIPRI": 1, "RWF_DSYNC": 2, "RWF_SYNC": 4, "RWF_NOWAIT": 8, "RWF_APPEND": 16, "RWF_NOAPPEND": 32, "RWF_ATOMIC": 64,
    "RWF_DONTCACHE": 128,
}  # fmt: skip
_MSG = {
    "MSG_OOB": 0x1, "MSG_DONTROUTE": 0x4, "MSG_DONTWAIT": 0x40, "MSG_EOR": 0x80, "MSG_CONFIRM": 0x800, "MSG_ERRQUEUE": 0x2000,
    "MSG_NOSIGNAL": 0x4000, "MSG_MORE": 0x8000, "MSG_ZEROCOPY": 0x4000000, "MSG_FASTOPEN": 0x20000000, "MSG_CMSG_CLOEXEC": 0x40000000,
}  # fmt: skip
_CLOCKS = {
    "CLOCK_REALTIME": 0, "CLOCK_MONOTONIC": 1, "CLOCK_PROCESS_CPUTIME_ID": 2, "CLOCK_THREAD_CPUTIME_ID": 3, "CLOCK_MONOTONIC_RAW": 4,
    "CLOCK_BOOTTIME": 7, "CLOCK_TAI": 11, "CPUCLOCK_OF_PROCESS": ~1 << 3 & 0xFFFFFFFF | 2, "CPUCLOCK_OF_THREAD": ~1 << 3 & 0xFFFFFFFF | 6,
    "CLOCKFD": ~3 << 3 & 0xFFFFFFFF | 3,
}  # fmt: skip


def list_flags(machine: str) -> dict[str, list[Asked]]:
    """Return what the arguments of each call that has flags can ask for on a machine."""
    opening = _OPENING | {"O_DIRECT": _DIRECT[machine]}
    return {
        "mprotect": bits(2, 3, PROT_EXEC=4, PROT_GROWSDOWN=0x1000000, PROT_GROWSUP=0x2000000),
        "mmap": bits(
            3, _PRIVATE_ANONYMOUS, MAP_SHARED_ANONYMOUS=1, MAP_DROPPABLE=8, MAP_FIXED=0x10, MAP_32BIT=0x40, MAP_GROWSDOWN=0x100,
            MAP_LOCKED=0x2000, MAP_NORESERVE=0x4000, MAP_POPULATE=0x8000, MAP_NONBLOCK=0x10000, MAP_STACK=0x20000, MAP_HUGETLB=0x40000,
            MAP_SYNC=0x80000, MAP_FIXED_NOREPLACE=0x100000,
        ),
        "mremap": bits(3, MREMAP_MAYMOVE=1, MREMAP_FIXED=2, MREMAP_DONTUNMAP=4),
        "madvise": values(
            2, MADV_NORMAL=0, MADV_RANDOM=1, MADV_SEQUENTIAL=2, MADV_WILLNEED=3, MADV_DONTNEED=4, MADV_FREE=8, MADV_REMOVE=9,
            MADV_DONTFORK=10, MADV_DOFORK=11, MADV_MERGEABLE=12, MADV_UNMERGEABLE=13, MADV_HUGEPAGE=14, MADV_NOHUGEPAGE=15,
            MADV_DONTDUMP=16, MADV_DODUMP=17, MADV_WIPEONFORK=18, MADV_KEEPONFORK=19, MADV_COLD=20, MADV_PAGEOUT=21,
            MADV_POPULATE_READ=22, MADV_POPULATE_WRITE=23, MADV_DONTNEED_LOCKED=24, MADV_COLLAPSE=25, MADV_HWPOISON=100,
            MADV_SOFT_OFFLINE=101, MADV_GUARD_INSTALL=102, MADV_GUARD_REMOVE=103,
        ),
        "msync": bits(2, MS_ASYNC=1, MS_INVALIDATE=2, MS_SYNC=4),
        "get_mempolicy": bits(4, MPOL_F_NODE=1, MPOL_F_ADDR=2, MPOL_F_MEMS_ALLOWED=4),
        "preadv2": bits(5, **_RWF),
        "pwritev2": bits(5, **_RWF),
        "lseek": values(2, SEEK_DATA=3, SEEK_HOLE=4),
        "dup3": bits(2, O_CLOEXEC=0x80000),
        "close_range": bits(2, CLOSE_RANGE_UNSHARE=2, CLOSE_RANGE_CLOEXEC=4),
        "pipe2": bits(1, O_CLOEXEC=0x80000, O_NONBLOCK=0x800, O_DIRECT=_DIRECT[machine], O_NOTIFICATION_PIPE=0x80),
        "epoll_create1": bits(0, EPOLL_CLOEXEC=0x80000),
        "eventfd2": bits(1, EFD_SEMAPHORE=1, EFD_NONBLOCK=0x800, EFD_CLOEXEC=0x80000),
        "timerfd_create": values(0, CLOCK_REALTIME_ALARM=8, CLOCK_BOOTTIME_ALARM=9),
        "timerfd_settime": bits(1, TFD_TIMER_ABSTIME=1, TFD_TIMER_CANCEL_ON_SET=2),
        "signalfd4": bits(3, SFD_NONBLOCK=0x800, SFD_CLOEXEC=0x80000),
        "open": bits(1, **opening),
        "openat": bits(2, **opening),
        "newfstatat": bits(3, **_AT),
        "statx": bits(2, **_AT, AT_STATX_FORCE_SYNC=0x2000, AT_STATX_DONT_SYNC=0x4000),
        "faccessat2": bits(3, **_AT, AT_EACCESS=0x200),
        "unlinkat": bits(2, AT_REMOVEDIR=0x200),
        "linkat": bits(4, AT_SYMLINK_FOLLOW=0x400, AT_EMPTY_PATH=0x1000),
        "renameat2": bits(4, RENAME_NOREPLACE=1, RENAME_EXCHANGE=2, RENAME_WHITEOUT=4),
        "fallocate": bits(
            1, FALLOC_FL_KEEP_SIZE=1, FALLOC_FL_PUNCH_HOLE=3, FALLOC_FL_COLLAPSE_RANGE=8, FALLOC_FL_ZERO_RANGE=0x10,
            FALLOC_FL_INSERT_RANGE=0x20, FALLOC_FL_UNSHARE_RANGE=0x40, FALLOC_FL_WRITE_ZEROES=0x80,
        ),
        "fchmodat2": bits(3, AT_SYMLINK_NOFOLLOW=0x100, AT_EMPTY_PATH=0x1000),
        "utimensat": bits(3, AT_SYMLINK_NOFOLLOW=0x100, AT_EMPTY_PATH=0x1000),
        "ioctl": values(
            1, TCGETS=0x5401, TIOCGWINSZ=0x5413, FIONREAD=0x541B, FIONBIO=0x5421, FIONCLEX=0x5450, FIOCLEX=0x5451, TIOCSTI=0x5412,
            TIOCLINUX=0x541C, FIOASYNC=0x5452, FICLONE=0x40049409, FS_IOC_SETFLAGS=0x40086602, FS_IOC_GETFLAGS=0x80086601,
            IOC_WATCH_QUEUE_SET_SIZE=0x5760,
        ),
        "fcntl": [
            *values(
                1, F_DUPFD=0, F_GETFD=1, F_SETFD=2, F_GETFL=3, F_GETLK=5, F_SETLK=6, F_SETLKW=7, F_SETOWN=8, F_SETSIG=10, F_SETOWN_EX=15,
                F_OFD_GETLK=36, F_OFD_SETLK=37, F_OFD_SETLKW=38, F_SETLEASE=1024, F_NOTIFY=1026, F_DUPFD_CLOEXEC=1030, F_SETPIPE_SZ=1031,
                F_GETPIPE_SZ=1032, F_ADD_SEALS=1033, F_SET_RW_HINT=1036, F_SET_FILE_RW_HINT=1038,
            ),
            *bits(2, others=(0, 4), **{f"F_SETFL({name})": opening[name] for name in ("O_APPEND", "O_NONBLOCK")}),
            *bits(2, others=(0, 4), **{f"F_SETFL({name})": opening[name] for name in ("O_ASYNC", "O_DIRECT", "O_NOATIME")}),
        ],
        "clone": bits(
            0, _THREAD, CLONE_DETACHED=0x400000, CLONE_CHILD_SETTID=0x1000000, CLONE_PIDFD=0x1000, CLONE_PTRACE=0x2000, CLONE_VFORK=0x4000,
            CLONE_PARENT=0x8000, CLONE_NEWNS=0x20000, CLONE_UNTRACED=0x800000, CLONE_NEWCGROUP=0x2000000, CLONE_NEWUTS=0x4000000,
            CLONE_NEWIPC=0x8000000, CLONE_NEWUSER=0x10000000, CLONE_NEWPID=0x20000000, CLONE_NEWNET=0x40000000, CLONE_IO=0x80000000,
        ),
        "futex": values(
            1, FUTEX_WAIT=0, FUTEX_WAKE=1, FUTEX_FD=2, FUTEX_REQUEUE=3, FUTEX_CMP_REQUEUE=4, FUTEX_WAKE_OP=5, FUTEX_LOCK_PI=6,
            FUTEX_UNLOCK_PI=7, FUTEX_TRYLOCK_PI=8, FUTEX_WAIT_BITSET=0x109, FUTEX_WAKE_BITSET=10, FUTEX_WAIT_REQUEUE_PI=11,
            FUTEX_CMP_REQUEUE_PI=12, FUTEX_LOCK_PI2=13, FUTEX_PRIVATE_FLAG=0x80, FUTEX_CLOCK_REALTIME=0x189,
        ),
        "rseq": bits(2, RSEQ_FLAG_UNREGISTER=1),
        **{name: values(0, **_CLOCKS) for name in ("clock_gettime", "clock_getres", "clock_nanosleep")},
        "prctl": values(
            0, PR_SET_NAME=15, PR_GET_NAME=16, PR_SET_VMA=0x53564D41, PR_SET_PDEATHSIG=1, PR_SET_DUMPABLE=4, PR_SET_KEEPCAPS=8,
            PR_SET_SECCOMP=22, PR_CAPBSET_DROP=24, PR_SET_TSC=26, PR_SET_SECUREBITS=28, PR_SET_TIMERSLACK=29, PR_MCE_KILL=33,
            PR_SET_MM=35, PR_SET_CHILD_SUBREAPER=36, PR_SET_THP_DISABLE=41, PR_CAP_AMBIENT=47, PR_SET_SPECULATION_CTRL=53,
            PR_SET_IO_FLUSHER=57, PR_SET_SYSCALL_USER_DISPATCH=59, PR_SCHED_CORE=62, PR_SET_MDWE=65, PR_SET_MEMORY_MERGE=67,
            PR_SET_PTRACER=0x59616D61,
        ),
        "arch_prctl": values(
            0, ARCH_SET_GS=0x1001, ARCH_SET_FS=0x1002, ARCH_SET_CPUID=0x1012, ARCH_REQ_XCOMP_PERM=0x1023, ARCH_MAP_VDSO_64=0x2003,
            ARCH_ENABLE_TAGGED_ADDR=0x4002, ARCH_SHSTK_ENABLE=0x5001,
        ),
        "prlimit64": values(0, PID_OF_ANOTHER=1),
        "getrusage": values(0, RUSAGE_CHILDREN=0xFFFFFFFF, RUSAGE_THREAD=1),
        "getrandom": bits(2, GRND_NONBLOCK=1, GRND_RANDOM=2, GRND_INSECURE=4),
        "getpriority": values(0, PRIO_PROCESS=0, PRIO_PGRP=1, PRIO_USER=2),
        "socketpair": [
            *values(0, AF_INET=2, AF_NETLINK=16, AF_ALG=38, AF_VSOCK=40),
            *values(1, (1,), SOCK_STREAM=1, SOCK_DGRAM=2, SOCK_RAW=3, SOCK_SEQPACKET=5, SOCK_NONBLOCK=0x801, SOCK_CLOEXEC=0x80001),
        ],
        "sendto": [*bits(3, **_MSG), *values(4, ADDRESS=1)],
        "recvfrom": bits(3, **_MSG, MSG_PEEK=2, MSG_TRUNC=0x20, MSG_WAITALL=0x100),
        "getsockopt": [
            *values(2, (0, 1), SO_TYPE=3, SO_ERROR=4, SO_SNDBUF=7, SO_RCVBUF=8, SO_PEERCRED=17, SO_PEERSEC=31, SO_PROTOCOL=38),
            *values(2, (0, 1), SO_DOMAIN=39, SO_MEMINFO=55, SO_COOKIE=57, SO_PEERGROUPS=59, SO_NETNS_COOKIE=71, SO_PEERPIDFD=77),
            *values(2, (0, 6), LEVEL_OTHER_THAN_SOL_SOCKET=3),
        ],
    }  # fmt: skip
