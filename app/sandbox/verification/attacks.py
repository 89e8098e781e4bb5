"""The program with which a runner attacks its own sandbox: it tries what a learner's program must not be able to do.

No module calls it: the runner (`app.runner.zygotes.self_check`) sends its text to a new child, which executes it as a learner's program.
So it imports nothing of Gradroom. An attack that succeeds does no harm: it releases at once what it got.
"""

import ctypes
import errno
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

# With these errors the kernel refused the call, or the thing does not exist. With any other error the kernel carried the call out.
REFUSALS = {
    errno.EACCES,
    errno.EAGAIN,
    errno.EBADF,
    errno.EFBIG,
    errno.ENOENT,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.ENOSYS,
    errno.EPERM,
    errno.EROFS,
    errno.ESRCH,
}
ELSEWHERE = ("/", "/etc", "/usr", "/var/tmp", "/tmp", "/dev/shm", "/home", "/root", "..")
DESCRIPTORS = 4  # 0 to 3 are the program's own: input, output, errors and the run channel
DESCRIPTORS_LOOKED_AT = 1024
CLONE_FILES, CLONE_NEWUSER = 0x400, 0x10000000  # linux/sched.h
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4  # linux/prctl.h
KEY_SESSION = -3  # KEY_SPEC_SESSION_KEYRING of linux/keyctl.h
AF_NETLINK, AF_ALG, AF_VSOCK = 16, 38, 40

_libc = ctypes.CDLL(None, use_errno=True)


class Surroundings(NamedTuple):
    """What the program knows of the server that it attacks.

    `calls` has the numbers of system calls by name. The program makes these calls directly.
    """

    runner: int  # the pid outside of all namespaces
    source: str  # a file of the server's own
    memory_bytes: int
    scratch_bytes: int
    calls: dict[str, int]


Attempt = tuple[str, Callable[[], object]]  # a description, and the function that tries it
Attack = Callable[[Surroundings], Iterator[Attempt]]


def read_files(around: Surroundings) -> Iterator[Attempt]:
    for path in ("/etc/passwd", "/etc/shadow", "/canary", "../canary", around.source):
        yield f"reading {path}", partial(read, path)


def read_processes(around: Surroundings) -> Iterator[Attempt]:
    for pid in others(around):
        for name in ("environ", "mem", "maps"):
            yield f"reading /proc/{pid}/{name}", partial(read, f"/proc/{pid}/{name}")
        yield f"listing /proc/{pid}/fd", partial(os.listdir, f"/proc/{pid}/fd")


def write_outside(around: Surroundings) -> Iterator[Attempt]:
    for folder in (*ELSEWHERE, os.path.dirname(json.__file__), os.path.dirname(around.source)):
        yield f"writing to {folder}", partial(write, f"{folder}/gradroom-self-check")
    yield f"changing {json.__file__}", lambda: os.close(os.open(json.__file__, os.O_WRONLY | os.O_APPEND))


def start_process(around: Surroundings) -> Iterator[Attempt]:
    yield "fork", fork


def execute_program(around: Surroundings) -> Iterator[Attempt]:
    yield from raw_calls(around, execve=(0, 0, 0))  # if it is not refused, it fails because of the address 0


def open_socket(around: Surroundings) -> Iterator[Attempt]:
    families = {"internet": socket.AF_INET, "Unix": socket.AF_UNIX, "netlink": AF_NETLINK, "crypto": AF_ALG, "virtual machine": AF_VSOCK}
    for name, family in families.items():
        kind = socket.SOCK_SEQPACKET if family == AF_ALG else socket.SOCK_STREAM
        yield f"a socket ({name})", partial(make_socket, family, kind)


def signal_others(around: Surroundings) -> Iterator[Attempt]:
    # not to -1: the kernel reports success for it though no process got the signal (kill_something_info in kernel/signal.c)
    for pid in others(around):
        yield f"a signal to {pid}", partial(os.kill, pid, 0)


def look_into_processes(around: Surroundings) -> Iterator[Attempt]:
    me = os.getpid()
    yield from raw_calls(around, ptrace=(0, 0, 0, 0), process_vm_readv=(me, 0, 0, 0, 0, 0), pidfd_open=(me, 0))


def change_mounts(around: Surroundings) -> Iterator[Attempt]:
    yield "chroot", lambda: os.chroot("/")
    yield from raw_calls(around, mount=(0, 0, 0, 0, 0), pivot_root=(0, 0), setns=(3, 0))
    yield from raw_calls(around, unshare=(CLONE_FILES,))
    yield from raw_calls(around, unshare=(CLONE_NEWUSER,))


def gain_privileges(around: Surroundings) -> Iterator[Attempt]:
    yield "setuid(0)", lambda: os.setuid(0)
    yield "setgid(0)", lambda: os.setgid(0)
    yield "setgroups", lambda: os.setgroups([0])
    yield from raw_calls(around, prctl=(PR_SET_PDEATHSIG, 0, 0, 0, 0))
    yield from raw_calls(around, prctl=(PR_SET_DUMPABLE, 1, 0, 0, 0))


def take_memory(around: Surroundings) -> Iterator[Attempt]:
    yield f"{around.memory_bytes} bytes at once", lambda: bytearray(around.memory_bytes)


def keep_descriptors(around: Surroundings) -> Iterator[Attempt]:
    for descriptor in range(DESCRIPTORS, DESCRIPTORS_LOOKED_AT):
        yield f"descriptor {descriptor}", partial(os.fstat, descriptor)


def use_kernel_interfaces(around: Surroundings) -> Iterator[Attempt]:
    yield from raw_calls(around, bpf=(0, 0, 0), perf_event_open=(0, 0, 0, 0, 0), io_uring_setup=(1, 0), userfaultfd=(0,))
    yield from raw_calls(around, keyctl=(0, KEY_SESSION, 0), memfd_create=(0, 0), shmget=(0, 0, 0))


def fill_scratch(around: Surroundings) -> Iterator[Attempt]:
    yield f"more than {around.scratch_bytes} bytes of files", lambda: find_room(around.scratch_bytes)


ATTACKS: dict[str, tuple[str, Attack]] = {
    "read_files": ("read the system's files and the server's own", read_files),
    "read_processes": ("read the environment, memory and descriptors of other processes, the server's among them", read_processes),
    "write_outside": ("write outside its scratch folder", write_outside),
    "start_process": ("start another process", start_process),
    "execute_program": ("become another program", execute_program),
    "open_socket": ("open a network connection, or any other socket", open_socket),
    "signal_others": ("send signals to other processes", signal_others),
    "look_into_processes": ("trace processes or read their memory", look_into_processes),
    "change_mounts": ("mount file systems or enter namespaces", change_mounts),
    "gain_privileges": ("become root, or undo its confinement", gain_privileges),
    "take_memory": ("take more memory than a run may use", take_memory),
    "keep_descriptors": ("use files and sockets that the server has open", keep_descriptors),
    "use_kernel_interfaces": ("use parts of the kernel that no lesson needs", use_kernel_interfaces),
    "fill_scratch": ("write more files than a run may", fill_scratch),
}


# The functions that try each thing.


def others(around: Surroundings) -> list[int]:
    """Return the pids of other processes: process 1, the parent, the runner."""
    return sorted({1, os.getppid(), around.runner} - {0, os.getpid()})


def read(path: str) -> None:
    with open(path, "rb") as file:
        if not file.read(1):
            raise FileNotFoundError(errno.ENOENT, "it is empty")


def write(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)


def fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)  # else SIGCHLD could arrive after ptrace: it would stop a traced process


def make_socket(family: int, kind: int) -> None:
    socket.socket(family, kind).close()


def find_room(size_bytes: int) -> None:
    """Raise OSError if the file system's capacity is at most `size_bytes`. Filling it instead would use up what the limit allows."""
    capacity = os.statvfs(".")
    if 0 < capacity.f_blocks * capacity.f_frsize <= size_bytes:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def raw_calls(around: Surroundings, **calls: tuple[int, ...]) -> Iterator[Attempt]:
    """Yield an attempt for each of these system calls, with harmless arguments. Calls that this architecture does not have are left out."""
    for name, arguments in calls.items():
        if name in around.calls:
            yield name, partial(call, around.calls[name], arguments)


def call(number: int, arguments: tuple[int, ...]) -> None:
    if _libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


# The report.


def refusal(attempt: Callable[[], object]) -> str | None:
    """Try something. Return the kernel's words if it was refused, else None."""
    try:
        attempt()
    except OSError as error:
        return (error.strerror or str(error)) if error.errno in REFUSALS else None
    except MemoryError:
        return os.strerror(errno.ENOMEM)
    return None


def try_attack(attack: Attack, around: Surroundings) -> tuple[bool, str]:
    """Return True and the kernel's words if every attempt was refused; else False and what was not refused."""
    words: list[str] = []
    for what, attempt in attack(around):
        refused = refusal(attempt)
        if refused is None:
            return False, what
        if refused not in words:
            words.append(refused)
    return bool(words), "; ".join(words) or "nothing could be tried"


def attack_all(names: list[str], around: Surroundings) -> None:
    """Try the attacks and print one line of JSON for each: its name, whether it was refused, and the words of `try_attack`."""
    for name in names:
        refused, words = try_attack(ATTACKS[name][1], around)
        sys.stdout.write(json.dumps([name, refused, words]) + "\n")
        sys.stdout.flush()
