"""What /proc says of processes: who descends from whom, and how much memory is theirs alone."""

import os
from pathlib import Path

PROC = Path("/proc")
ZYGOTE = "app.sandbox.zygote.zygote"


def descendants(root: int) -> list[int]:
    """Return the processes below one, without itself, parents before children."""
    children: dict[int, list[int]] = {}
    for pid in map(int, filter(str.isdecimal, os.listdir(PROC))):
        children.setdefault(parent(pid), []).append(pid)
    found, pending = [], [root]
    while pending:
        below = sorted(children.get(pending.pop(0), []))
        found += below
        pending += below
    return found


def parent(pid: int) -> int:
    """Return the process's parent; 0 if the process has ended."""
    try:
        with open(f"{PROC}/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split(None, 2)[1])
    except OSError:
        return 0


def command(pid: int) -> str:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def memory(pid: int) -> dict[str, int]:
    """Return the fields of smaps_rollup in bytes; none if it cannot be read, or the process has ended."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return {}
    return {name: int(value.split()[0]) * 1024 for name, _, value in (line.partition(":") for line in lines) if value.endswith("kB")}


def private_bytes(pid: int) -> int | None:
    """Return the memory that a process shares with no other."""
    fields = memory(pid)
    return fields["Private_Clean"] + fields["Private_Dirty"] if fields else None


def pss_bytes(pid: int) -> int | None:
    return memory(pid).get("Pss")
