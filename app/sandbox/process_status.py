"""Reads from /proc what any process may see of another: status, limits, mounts. Runs in the runner and in the zygote's probe of its host.

The formats are those of proc_pid_status(5), proc_pid_limits(5) and proc_pid_mountinfo(5).
"""

import os
import re

import msgspec

UNLIMITED = -1
_READ_BYTES = 65_536
_LIMIT = re.compile(r"^(Max .+?) {2,}(\S+) +(\S+)", re.MULTILINE)


class ProcessUnknown(Exception):
    """Something about a process cannot be read: it has ended, or this kernel does not show it."""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """A process's status. `uids` and `gids` are the real, effective, saved and file-system ones.

    `pids` are its pids in each pid namespace, the innermost last.
    """

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
    """One mount: the folder `root` of a file system appears at `point`. `options` are the mount's, `features` the file system's."""

    point: str
    kind: str
    options: frozenset[str]
    root: str = "/"
    features: frozenset[str] = frozenset()


def read_status(pid: int) -> Status:
    """Return the status of a process. Raises ProcessUnknown."""
    fields = dict(line.split(":\t", 1) for line in _read(pid, "status").splitlines() if ":\t" in line)
    try:
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
    except KeyError as missing:
        raise ProcessUnknown(f"this kernel does not report {missing} of process {pid}") from missing


def read_limits(pid: int) -> dict[str, tuple[int, int]]:
    """Return the soft and hard limits by the names that the kernel prints. Raises ProcessUnknown."""
    return {name: (_limit(soft), _limit(hard)) for name, soft, hard in _LIMIT.findall(_read(pid, "limits"))}


def read_mounts(pid: int) -> list[Mount]:
    """Return the mounts that the process sees. Raises ProcessUnknown."""
    return parse_mounts(_read(pid, "mountinfo"))


def parse_mounts(mountinfo: str) -> list[Mount]:
    """Parse a file like /proc/<pid>/mountinfo."""
    return [_parse_mount(line) for line in mountinfo.splitlines()]


def read_oom_score(pid: int) -> int:
    """Return the adjustment of a process's out-of-memory score. Raises ProcessUnknown."""
    return int(_read(pid, "oom_score_adj"))


def is_dumpable(pid: int, uid: int) -> bool:
    """Return whether a process that runs as `uid` is dumpable: if not, its files in /proc belong to root. Raises ProcessUnknown."""
    try:
        return os.stat(f"/proc/{pid}/status").st_uid == uid
    except OSError as error:
        raise ProcessUnknown(f"process {pid} is gone") from error


def read_kernel_file(path: str) -> str:
    """Return the text of a file of /proc or /sys, with half the system calls that open() and read() make. Raises OSError."""
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
