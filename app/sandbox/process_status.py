"""What /proc shows of a process to whoever asks: status, limits, mounts. Runs in the runner, and in the zygote's probe of its host.

Sources: proc_pid_status(5), proc_pid_limits(5), proc_pid_mountinfo(5). All of it can be read without rights over the process.
"""

import os
import re

import msgspec

UNLIMITED = -1
_READ_BYTES = 65_536
_LIMIT = re.compile(r"^(Max .+?) {2,}(\S+) +(\S+)", re.MULTILINE)


class ProcessUnknown(Exception):
    """Something cannot be read about a process: it is gone, or this kernel does not show it."""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """`uids`, `gids`: real, effective, saved and of the file system. `pids`: in each pid namespace, its own the last."""

    uids: list[int]
    gids: list[int]
    groups: list[int]
    pids: list[int]
    threads: int
    no_new_privs: bool
    seccomp_filter: bool
    capabilities: int
    bounding: int


class Mount(msgspec.Struct, frozen=True, kw_only=True):
    """`root`: what of the file system is mounted at `point`. `options`: of the mount; `features`: of the file system itself."""

    point: str
    kind: str
    options: frozenset[str]
    root: str = "/"
    features: frozenset[str] = frozenset()


def read_status(pid: int) -> Status:
    """Raises ProcessUnknown."""
    try:
        return parse_status(_read(pid, "status"))
    except KeyError as missing:
        raise ProcessUnknown(f"this kernel does not report {missing} of process {pid}") from missing


def parse_status(text: str) -> Status:
    """What a file like /proc/<pid>/status says. Raises KeyError with the name of the line that is not there."""
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    return Status(
        uids=_numbers(fields["Uid"]),
        gids=_numbers(fields["Gid"]),
        groups=_numbers(fields["Groups"]),
        pids=_numbers(fields["NSpid"]),
        threads=int(fields["Threads"]),
        no_new_privs=fields["NoNewPrivs"] == "1",
        seccomp_filter=fields["Seccomp"] == "2",
        capabilities=int(fields["CapEff"], 16) | int(fields["CapPrm"], 16) | int(fields["CapInh"], 16) | int(fields["CapAmb"], 16),
        bounding=int(fields["CapBnd"], 16),
    )


def read_limits(pid: int) -> dict[str, tuple[int, int]]:
    """Soft and hard limits by the names that the kernel prints. Raises ProcessUnknown."""
    return {name: (_limit(soft), _limit(hard)) for name, soft, hard in _LIMIT.findall(_read(pid, "limits"))}


def read_mounts(pid: int) -> list[Mount]:
    """What it sees mounted, as it sees it. Raises ProcessUnknown."""
    return parse_mounts(_read(pid, "mountinfo"))


def parse_mounts(mountinfo: str) -> list[Mount]:
    """The mounts that a file like /proc/<pid>/mountinfo lists."""
    return [_parse_mount(line) for line in mountinfo.splitlines()]


def read_oom_score(pid: int) -> int:
    """Raises ProcessUnknown."""
    return int(_read(pid, "oom_score_adj"))


def is_dumpable(pid: int, uid: int) -> bool:
    """The kernel gives the files in /proc of a process that is not to root, whoever it runs as. Raises ProcessUnknown."""
    try:
        return os.stat(f"/proc/{pid}/status").st_uid == uid
    except OSError as error:
        raise ProcessUnknown(f"process {pid} is gone") from error


def read_kernel_file(path: str) -> str:
    """All of a file that the kernel writes when it is read, with half the system calls of an open file. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return b"".join(iter(lambda: os.read(descriptor, _READ_BYTES), b"")).decode()
    finally:
        os.close(descriptor)


def _read(pid: int, name: str) -> str:
    try:
        return read_kernel_file(f"/proc/{pid}/{name}")
    except OSError as error:
        raise ProcessUnknown(f"process {pid} is gone") from error


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def _limit(text: str) -> int:
    return UNLIMITED if text == "unlimited" else int(text)


def _parse_mount(line: str) -> Mount:
    before, _, after = line.partition(" - ")
    root, point, options = before.split()[3:6]
    kind, _, features = after.split(" ", 2)
    return Mount(point=point, kind=kind, options=_words(options), root=root, features=_words(features))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.strip().split(","))
