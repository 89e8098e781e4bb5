"""What of this machine the process may use."""

import os
import resource
from pathlib import Path

MOST_DESCRIPTORS = 65_536
_CGROUPS = Path("/sys/fs/cgroup")


def count_cores() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def memory_bytes(cgroups: Path = _CGROUPS, own: Path = Path("/proc/self/cgroup")) -> int:
    """The machine's memory, or what its cgroup, or one above it, allows if that is less."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([whole, *_cgroup_limits(cgroups, own)])


def raise_descriptors() -> int:
    """Let this process have as many descriptors as it may: how many that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(soft, most) if soft != resource.RLIM_INFINITY else MOST_DESCRIPTORS


def _cgroup_limits(cgroups: Path, own: Path) -> list[int]:
    """The limits of every memory cgroup from ours up to the root, of both versions (cgroups(7))."""
    limits = []
    for line in own.read_text().splitlines() if own.exists() else ():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            limits += _limits_above(cgroups, path, "memory.max")
        elif "memory" in controllers.split(","):
            limits += _limits_above(cgroups / "memory", path, "memory.limit_in_bytes")
    return limits


def _limits_above(root: Path, path: str, name: str) -> list[int]:
    inside = Path(path.lstrip("/"))
    texts = [_read(root / folder / name) for folder in (inside, *inside.parents)]
    return [int(text) for text in texts if text.isdigit()]  # "max" and a file that is not there limit nothing


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""
