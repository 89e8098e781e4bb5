"""Confines a process for good, step by step. Runs after the fork, in the child, and in the layout process.

    new session → namespaces and scratch → out-of-memory score → descriptors → rlimits → groups, gid, uid, capabilities
    → no_new_privs → death signal → not dumpable → Landlock → seccomp

The order matters: mounting needs capabilities, Landlock and seccomp need no_new_privs, setuid clears the death signal, and the filter
denies most calls of the steps before it.
"""

import os
import signal
import socket
from collections.abc import Callable

import msgspec
from py_landlock import Landlock

from app.protocol.limits import MEBIBYTE
from app.sandbox import kernel
from app.sandbox.confinement.files import confine_files, find_landlock, prepare_rules, readable_paths
from app.sandbox.confinement.rlimits import Budget, Present, count_tasks, measure_present, set_rlimits
from app.sandbox.confinement.root import mount_scratch
from app.sandbox.confinement.seccomp import compile_filter

CHANNEL = 3  # the descriptor of the run channel
OOM_SCORE = 1000  # the highest that the kernel has
HELPER_BUDGET = Budget(memory_bytes=1024 * MEBIBYTE, cpu_seconds=24 * 3600, scratch_bytes=4096, scratch_inodes=16, threads=4)


class Confinement(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of confinement that are the same for all children of a zygote. The zygote prepares them once."""

    confined: bool = True  # false if the operator has switched the sandbox off
    namespaces: bool  # the process lives in the minimal root and may mount its scratch
    landlock: bool  # the kernel has Landlock; without it, the minimal root or the uid keeps a process from files
    readable: list[str]
    rules: Landlock | None  # shared by all children in the minimal root. None elsewhere: each child makes rules for what its uid can reach
    filter: bytes
    canary: str
    present: Present
    proc: int  # a descriptor of /proc, which the minimal root does not have


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The uid that a child becomes, and the only folder in which it may write. `uid` is None if the process may not change its uid."""

    uid: int | None
    scratch: str


def confine(confinement: Confinement, uid: int | None, scratch: str | None, budget: Budget) -> None:
    """Confine this process. If `scratch` is None, the process can write nowhere.

    Raises OSError or LandlockError at the first step that fails. The caller must then run nothing in this process.
    """
    os.setsid()
    if confinement.namespaces:
        owner, group = (os.getuid(), os.getgid()) if uid is None else (uid, uid)
        mount_scratch(owner, group, budget.scratch_bytes, budget.scratch_inodes)
    _raise_oom_score(confinement.proc)
    kernel.close_range(CHANNEL + 1, 2**32 - 1)
    set_rlimits(budget, confinement.present)
    _become(uid)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    os.chdir(scratch or "/")
    if confinement.landlock:
        confine_files(confinement.rules or prepare_rules(confinement.readable, scratch))
    kernel.load_filter(confinement.filter)


def _raise_oom_score(proc: int) -> None:
    """Let the kernel kill this process before the server when the machine runs out of memory (proc_pid_oom_score_adj(5))."""
    descriptor = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=proc)
    os.write(descriptor, str(OOM_SCORE).encode())
    os.close(descriptor)
    os.close(proc)


def restrain(confinement: Confinement, scratch: str, budget: Budget) -> None:
    """Set limits and close the other descriptors: what remains of `confine` if the operator has switched the sandbox off."""
    os.setsid()
    kernel.close_range(CHANNEL + 1, 2**32 - 1)
    set_rlimits(budget, confinement.present)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.chdir(scratch)


def _become(uid: int | None) -> None:
    kernel.drop_bounding_set()  # first, because changing the uid drops the capability that this needs
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    kernel.drop_capabilities()


def try_forbidden(canary: str) -> dict[str, bool]:
    """Try forbidden things, before this process is sent any learner's source. Return for each whether the kernel refused it.

    The answers show the runner that Landlock is active, which /proc does not show.
    """
    return {
        "read_file": _refused(lambda: os.close(os.open(canary, os.O_RDONLY))),
        "open_socket": _refused(lambda: socket.socket().close()),
        "signal_parent": _refused(_signal_parent),
        "fork": _refused(_fork),
        "exec": _refused(lambda: os.execv("/proc/self/exe", ["python"])),
    }


def _signal_parent() -> None:
    """Signal the parent process. Raises ProcessLookupError if there is none, as in a new pid namespace."""
    if (parent := os.getppid()) == 0:
        raise ProcessLookupError
    os.kill(parent, 0)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _refused(attempt: Callable[[], None]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False


def confine_helper(uid: int | None) -> None:
    """Confine the layout process, which handles hostile input. It can write nowhere."""
    abi, _ = find_landlock()  # before the limits, because it starts a process to find the C library
    confinement = Confinement(
        namespaces=False,
        landlock=abi > 0,
        readable=readable_paths(),
        rules=None,
        filter=compile_filter(may_change_modes=False, may_ask_for_room=False),
        canary="",
        present=measure_present(0 if uid is not None else count_tasks(os.getuid())),
        proc=os.open("/proc", os.O_RDONLY | os.O_DIRECTORY),
    )
    confine(confinement, uid, None, HELPER_BUDGET)
