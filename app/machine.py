"""The processors, memory and file descriptors that this process may use."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path

MOST_DESCRIPTORS = 65_536
_CGROUPS = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")

# Names in a memory cgroup, which depend on its version: the file of the limit, the file of what is used, and the line of memory.stat that
# counts file pages which the kernel can drop.
_V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_V2 = ("memory.max", "memory.current", "inactive_file")


def count_cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def memory_bytes(cgroups: Path = _CGROUPS, own: Path = _OWN) -> int:
    """Return the memory of the machine, or the lowest limit of this process's cgroup and those above it, if that is less."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limits = (_read_number(folder / limit) for folder, (limit, _, _) in _memory_cgroups(cgroups, own))
    return min([whole, *(limit for limit in limits if limit is not None)])


def available_bytes(cgroups: Path = _CGROUPS, own: Path = _OWN, meminfo: Path = Path("/proc/meminfo")) -> int:
    """Return the memory that is still available: that of the machine (MemAvailable, proc_meminfo(5)), or of a cgroup if that is less."""
    lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines())
    available = [int(lines["MemAvailable"].split()[0]) * 1024]
    for folder, (limit_file, usage_file, old_files) in _memory_cgroups(cgroups, own):
        limit, used = _read_number(folder / limit_file), _read_number(folder / usage_file)
        if limit is not None and used is not None:
            counts = dict(line.split() for line in _read(folder / "memory.stat").splitlines())
            available.append(limit - used + int(counts.get(old_files, 0)))
    return max(0, min(available))


def raise_descriptors() -> int:
    """Raise the limit of this process's file descriptors as far as allowed, to MOST_DESCRIPTORS at most, and return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(soft, most) if soft != resource.RLIM_INFINITY else MOST_DESCRIPTORS


def _memory_cgroups(cgroups: Path, own: Path) -> Iterator[tuple[Path, tuple[str, str, str]]]:
    """Iterate over this process's memory cgroup and those above it, of both versions (cgroups(7)), with the names in them."""
    for line in own.read_text().splitlines() if own.exists() else ():
        _, controllers, path = line.split(":", 2)
        inside = Path(path.lstrip("/"))
        if controllers == "":
            yield from ((cgroups / folder, _V2) for folder in (inside, *inside.parents))
        elif "memory" in controllers.split(","):
            yield from ((cgroups / "memory" / folder, _V1) for folder in (inside, *inside.parents))


def _read_number(file: Path) -> int | None:
    text = _read(file)
    return int(text) if text.isdigit() else None  # "max" and a file that is not there limit nothing


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""
