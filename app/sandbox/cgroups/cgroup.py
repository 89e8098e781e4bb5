"""Control groups: one for each slot, which the child in that slot enters by itself, first thing. Runs in the runner.

A group is made at a slot's first use and kept: removing one leaves its memory accounting behind in the kernel for as long as a page of
it is cached. The child writes into descriptors that the runner opened, because the kernel asks whether the opener may move processes
there. In v1 that file is the file `tasks`, not `cgroup.procs`, whose use waits for all forks of the machine (milliseconds).
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from app.protocol.limits import MEBIBYTE
from app.sandbox.cgroups.delegation import Site, find_sites, remove_site
from app.sandbox.cgroups.hierarchy import write
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.process_status import read_kernel_file

# for copies of the zygote's pages, page tables and other kernel memory: Python meets its own limit first and can say so
ALLOWANCE_BYTES = 64 * MEBIBYTE
_SPARE_TASKS = 4
_PERIOD_MICROSECONDS = 100_000
# a little more than whole processors, so that rounding never throttles a program with no more threads than it may use
_QUOTA_MICROSECONDS = 110_000
_WEIGHT = {1: ("cpu.shares", 1024), 2: ("cpu.weight", 100)}
_OOM_COUNTS = {1: "memory.oom_control", 2: "memory.events"}
_OPTIONAL = {"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"}  # not every kernel has them
_ENTRANCE = {1: "tasks", 2: "cgroup.procs"}


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """Which controllers limit runs, and why others do not."""

    controllers: frozenset[str] = frozenset()
    missing: dict[str, str] = {}


class Groups:
    """The groups of a runner's slots, where this host lets it make any. `grant` says what they limit."""

    def __init__(self, sites: list[Site], missing: dict[str, str]) -> None:
        self.grant = Grant(controllers=frozenset(name for site in sites for name in site.controllers), missing=missing)
        self._sites = sites
        self._groups: dict[int, Group] = {}
        for site in sites:  # all runs together weigh as much as one process a processor, so neither they nor the server starve
            _weigh(site, site.folder, os.cpu_count() or 1)

    def enter(self, slot: int, budget: Budget) -> "Group":
        """The slot's group, with these limits. Raises OSError."""
        if slot not in self._groups:
            self._groups[slot] = Group(self._sites, f"slot-{slot}")
        self._groups[slot].enter(budget)
        return self._groups[slot]

    def close(self) -> None:
        """End what is still in a group, and remove all."""
        for site in self._sites:
            remove_site(site)


def open_groups() -> Groups:
    """Groups wherever this process may make them and send others there; none, and why, where it may not."""
    sites, missing = find_sites()
    for site in list(sites):
        if refusal := _try_to_enter(site):
            missing |= dict.fromkeys(site.controllers, refusal)
            sites.remove(site)
            remove_site(site)
    return Groups(sites, missing)


def _try_to_enter(site: Site) -> str:
    """Fork a process that enters a group as children will, and ends; its error in words, or an empty string."""
    entrances: list[int] = []
    try:
        entrances = Group([site], "slot-0").open_entrances()
        pid = os.fork()
        if pid == 0:
            _enter_and_exit(entrances)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except OSError as error:
        return str(error)
    finally:
        for entrance in entrances:
            os.close(entrance)
    return f"a process may not enter a group: {os.strerror(abs(status))}" if status else ""


def _enter_and_exit(entrances: list[int]) -> None:
    status = errno.EIO
    try:
        enter_groups(entrances)
        status = 0
    except OSError as error:
        status = error.errno or status
    finally:
        os._exit(status)


def enter_groups(entrances: list[int]) -> None:
    """Move this process, a child that has just been forked, into the groups: all it does from now on is counted there."""
    for entrance in entrances:
        os.write(entrance, b"0")  # 0 is whoever writes


def _weigh(site: Site, folder: Path, share: float) -> None:
    """Give a group so many times the usual weight, which is that of one process beside it."""
    if "cpu" in site.controllers:
        name, weight = _WEIGHT[site.version]
        with contextlib.suppress(OSError):
            write(f"{folder}/{name}", str(round(weight * share)))


class Group:
    """The group of one slot: a folder in each hierarchy that is used. Raises OSError."""

    def __init__(self, sites: list[Site], name: str) -> None:
        self._folders = [(site, site.folder / name) for site in sites]
        self._budget: Budget | None = None
        self._share = 0.0
        self._oom_kills = 0
        self._oom_kills_taken = False
        for _, folder in self._folders:
            folder.mkdir(exist_ok=True)

    def open_entrances(self) -> list[int]:
        """Descriptors, the caller's to close, to which a child writes "0" in order to enter. Raises OSError."""
        with contextlib.ExitStack() as undo:
            entrances = []
            for site, folder in self._folders:
                entrances.append(os.open(f"{folder}/{_ENTRANCE[site.version]}", os.O_WRONLY | os.O_CLOEXEC))
                undo.callback(os.close, entrances[-1])
            undo.pop_all()
        return entrances

    def enter(self, budget: Budget) -> None:
        """Set the limits of the next child, and the share of the processors of one that is getting ready."""
        if not self._oom_kills_taken:
            self.take_oom_kills()  # of an earlier child, if its zygote died before it reported that child
        self._oom_kills_taken = False
        self.weigh(1)
        if budget == self._budget:
            return
        for site, folder in self._folders:
            for name, value in _limits(site, budget):
                with contextlib.suppress(*[FileNotFoundError] if name in _OPTIONAL else []):
                    write(folder / name, str(value))
        self._budget = budget

    def weigh(self, share: float) -> None:
        """Set the child's share of the processors, relative to other children; one that is getting ready has 1."""
        if share != self._share:
            for site, folder in self._folders:
                _weigh(site, folder, share)
            self._share = share

    def take_oom_kills(self) -> int:
        """How often, since this was last asked, the kernel has killed in this group because its memory was used up."""
        before, self._oom_kills = self._oom_kills, self._count_oom_kills()
        self._oom_kills_taken = True
        return self._oom_kills - before

    def _count_oom_kills(self) -> int:
        for site, folder in self._folders:
            if "memory" in site.controllers:
                counts = dict(line.split() for line in read_kernel_file(f"{folder}/{_OOM_COUNTS[site.version]}").splitlines())
                return int(counts.get("oom_kill", 0))
        return 0

    def holds(self, pid: int) -> bool:
        """Is a process in this group, in every hierarchy? Looked up in /proc/<pid>/cgroup (cgroups(7))."""
        groups = [line.split(":", 2)[1:] for line in read_kernel_file(f"/proc/{pid}/cgroup").splitlines()]
        return all(
            any(_names(controllers, site) and path.endswith(f"/{folder.parent.name}/{folder.name}") for controllers, path in groups)
            for site, folder in self._folders
        )


def _names(controllers: str, site: Site) -> bool:
    """Is it this site's hierarchy that a line of /proc/<pid>/cgroup is about? That of v2 names no controllers."""
    return controllers == "" if site.version == 2 else bool(site.controllers & set(controllers.split(",")))


def _limits(site: Site, budget: Budget) -> Iterator[tuple[str, object]]:
    """What to write where, in this order: in v1 the limit of memory may not exceed that of memory and swap."""
    memory = budget.memory_bytes + budget.scratch_bytes + ALLOWANCE_BYTES  # files are memory too, in a scratch that is a tmpfs
    quota = _QUOTA_MICROSECONDS * budget.compute_threads
    every: dict[tuple[str, int], list[tuple[str, object]]] = {
        ("memory", 1): [("memory.memsw.limit_in_bytes", -1), ("memory.limit_in_bytes", memory), ("memory.memsw.limit_in_bytes", memory)],
        ("memory", 2): [("memory.max", memory), ("memory.swap.max", 0), ("memory.oom.group", 1)],
        ("pids", 1): [("pids.max", budget.threads + _SPARE_TASKS)],
        ("pids", 2): [("pids.max", budget.threads + _SPARE_TASKS)],
        ("cpu", 1): [("cpu.cfs_period_us", _PERIOD_MICROSECONDS), ("cpu.cfs_quota_us", quota)],
        ("cpu", 2): [("cpu.max", f"{quota} {_PERIOD_MICROSECONDS}")],
    }
    for controller in site.controllers:
        yield from every.get((controller, site.version), [])
