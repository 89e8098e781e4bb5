"""A program that tries to reach all of Ray that there is on this machine. It prints REACHED for each kind of thing that it reached."""

from collections.abc import Sequence
from pathlib import Path

from tests.cluster.listeners import find_listeners, inodes_of

KINDS = ("port", "socket", "file", "memory", "process")
PROGRAM = """
import os
import socket

def connect(address):
    with socket.socket(socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX) as connection:
        connection.settimeout(1)
        connection.connect(address)

def read(path):
    with open(path, "rb") as file:
        file.read(8)

reached, tried = set(), 0
for kind, things, reach in (
    ("port", {ports!r}, connect),
    ("socket", {sockets!r}, connect),
    ("file", {files!r}, read),
    ("memory", {memories!r}, read),
    ("process", {pids!r}, os.pidfd_open),
):
    for thing in things:
        tried += 1
        try:
            reach(thing)
        except (OSError, ValueError):
            continue
        if kind not in reached:
            print("REACHED", kind, thing)
        reached.add(kind)
print("tried", tried)
"""


def write_program(pids: Sequence[int], folder: Path) -> str:
    """Return the program for these processes of Ray's, whose files are in `folder`."""
    own = {inode for pid in pids for inode in inodes_of(pid)}
    lines = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    sockets = {fields[7] for fields in lines if len(fields) == 8 and fields[6] in own}  # those with a name
    shared = {line.split(maxsplit=5)[5] for pid in pids for line in maps_of(pid) if "/dev/shm/" in line}
    files = [str(file) for file in folder.rglob("*") if file.is_file()][:200]
    return PROGRAM.format(
        ports=[(one.near, one.port) for one in find_listeners(pids)],
        sockets=["\0" + name[1:] if name.startswith("@") else name for name in sorted(sockets)],
        files=[*files, *(name.removesuffix(" (deleted)") for name in shared)],
        memories=[f"/proc/{pid}/{name}" for pid in pids for name in ("mem", "environ", "cmdline")],
        pids=list(pids),
    )


def maps_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/maps").read_text().splitlines()
    except OSError:
        return []
