"""What /proc says of processes: who descends from whom, and how much memory is theirs alone."""

import os
from pathlib import Path

PROC = Path("/proc")
ZYGOTE = "app.sandbox.zygote.zygote"


def descendants(root: int) -> list[int]:
    """The processes below one, itself not included, parents before children."""
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
    """The process's parent; 0 when it is gone."""
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
    """The fields of smaps_rollup in bytes; empty when it may not be read, or the process is gone."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return {}
    return {name: int(value.split()[0]) * 1024 for name, _, value in (line.partition(":") for line in lines) if value.endswith("kB")}


def private_bytes(pid: int) -> int | None:
    """The memory that a process shares with nobody."""
    fields = memory(pid)
    return fields["Private_Clean"] + fields["Private_Dirty"] if fields else None


def pss_bytes(pid: int) -> int | None:
    return memory(pid).get("Pss")
