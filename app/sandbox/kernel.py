"""The Linux system calls that Python 3.11 has no function for. Runs on both sides of the fork.

Each wrapper raises OSError with the kernel's errno. Constants are from the kernel's uapi headers (linux/sched.h,
linux/prctl.h, linux/mount.h, linux/mman.h, linux/capability.h).
"""

import ctypes
import os
from collections.abc import Collection

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_GET_PDEATHSIG = 2
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2

MADV_COLLAPSE = 25

CAP_CHOWN = 0
CAP_KILL = 5
CAP_SETGID = 6
CAP_SETUID = 7
CAP_SETPCAP = 8
CAP_SYS_ADMIN = 21

# exec gives uid 0 no capabilities, ambient capabilities cannot be raised, and these settings are locked; setuid still drops capabilities
SECUREBITS_LOCKED = 0xEB

_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63
# the numbers of two system calls that libc does not wrap
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CLOSE_RANGE = 436

_libc = ctypes.CDLL(None, use_errno=True)


class _SockFprog(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def setns(descriptor: int, flags: int) -> None:
    _check(_libc.setns(descriptor, ctypes.c_int(flags)), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    kind_bytes = None if kind is None else kind.encode()
    result = _libc.mount(source.encode(), target.encode(), kind_bytes, ctypes.c_ulong(flags), options.encode())
    _check(result, f"mount {target}")


def unmount(target: str) -> None:
    """Detach a mount at once, even while it is in use."""
    _check(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def pivot_root(new_root: str, put_old: str) -> None:
    _check(_libc.syscall(_PIVOT_ROOT[os.uname().machine], new_root.encode(), put_old.encode()), "pivot_root")


def prctl(option: int, argument: int = 0) -> None:
    zero = ctypes.c_ulong(0)
    _check(_libc.prctl(option, ctypes.c_ulong(argument), zero, zero, zero), f"prctl {option}")


def death_signal() -> int:
    """Return the signal that this process gets when its parent ends; 0 if it gets none."""
    number, zero = ctypes.c_int(), ctypes.c_ulong(0)
    _check(_libc.prctl(PR_GET_PDEATHSIG, ctypes.byref(number), zero, zero, zero), "prctl PR_GET_PDEATHSIG")
    return number.value


def close_range(first: int, last: int) -> None:
    """Close every descriptor from `first` to `last`, both included."""
    _check(_libc.syscall(_CLOSE_RANGE, ctypes.c_uint(first), ctypes.c_uint(last), ctypes.c_uint(0)), "close_range")


def collapse(start: int, size: int) -> None:
    """Replace the small pages of a span of memory by large ones. `start` and `size`, in bytes, are multiples of a large page's size."""
    _check(_libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), MADV_COLLAPSE), "madvise")


def load_filter(program: bytes) -> None:
    """Install a seccomp filter, given as BPF instructions of 8 bytes each. Needs no_new_privs."""
    fprog = _SockFprog(len(program) // 8, program)
    zero = ctypes.c_ulong(0)
    result = _libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), ctypes.byref(fprog), zero, zero)
    _check(result, "seccomp")


def drop_bounding_set(retained: Collection[int] = ()) -> None:
    """Remove all capabilities but the `retained` from the bounding set, so that no program that is executed can gain them.

    Does nothing without CAP_SETPCAP.
    """
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            if capability not in retained:
                prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last capability of this kernel, or not permitted: then the other sets must be enough


def drop_capabilities(retained: Collection[int] = ()) -> None:
    """Drop all capabilities but the `retained` from the effective and permitted sets, and empty the inheritable and ambient sets.

    The process gains no capability that it does not have.
    """
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: of the lower 32 capabilities, then of the upper 32
    if retained:
        _check(_libc.capget(header, sets), "capget")
    for index, mask in enumerate((_mask(retained), _mask(retained), 0)):
        sets[index] &= mask & 0xFFFFFFFF
        sets[index + 3] &= mask >> 32
    _check(_libc.capset(header, sets), "capset")


def _mask(capabilities: Collection[int]) -> int:
    return sum(1 << capability for capability in capabilities)
