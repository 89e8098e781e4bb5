"""Makes one control group for each slot. A child enters the group of its slot before it does anything else. Runs in the runner.

A group is made when its slot is first used, and is removed only when the runner ends: the kernel keeps the memory accounting of a removed
group as long as one of its pages is cached. The child writes to descriptors that the runner has opened, because the kernel checks the
rights of the process that opened them. In v1 the file is `tasks`, because writing to `cgroup.procs` waits for all forks of the machine,
which takes milliseconds.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from app.protocol.limits import MEBIBYTE
from app.sandbox.attempt import try_in_fork
from app.sandbox.cgroups.delegation import Site, find_sites, remove_site
from app.sandbox.cgroups.hierarchy import write
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.process_status import read_kernel_file

# For copies of the zygote's pages, page tables and other kernel memory. With this allowance Python reaches its own limit first, and raises
# MemoryError.
ALLOWANCE_BYTES = 64 * MEBIBYTE
_SPARE_TASKS = 4
_PERIOD_MICROSECONDS = 100_000
# The quota is a little more than whole processors, so that rounding never throttles a program with an allowed number of threads.
_QUOTA_MICROSECONDS = 110_000
_WEIGHT = {1: ("cpu.shares", 1024), 2: ("cpu.weight", 100)}
_OOM_COUNTS = {1: "memory.oom_control", 2: "memory.events"}
_OPTIONAL = {"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"}  # not every kernel has them
_ENTRANCE = {1: "tasks", 2: "cgroup.procs"}


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """The controllers that limit runs, and for each missing one the reason."""

    controllers: frozenset[str] = frozenset()
    missing: dict[str, str] = {}


class Groups:
    """The groups of a runner's slots. There are none if `grant` has no controllers."""

    def __init__(self, sites: list[Site], missing: dict[str, str]) -> None:
        self.grant = Grant(controllers=frozenset(name for site in sites for name in site.controllers), missing=missing)
        self._sites = sites
        self._groups: dict[int, Group] = {}
        for site in sites:  # all runs together weigh as much as one process on each processor, so that neither they nor the server starve
            _weigh(site, site.folder, os.cpu_count() or 1)

    def enter(self, slot: int, budget: Budget) -> "Group":
        """Set the limits of `budget` for the slot's group, and return the group. Raises OSError."""
        if slot not in self._groups:
            self._groups[slot] = Group(self._sites, f"slot-{slot}")
        self._groups[slot].enter(budget)
        return self._groups[slot]

    def close(self) -> None:
        """Kill what still runs in the groups, and remove them."""
        for site in self._sites:
            remove_site(site)


def open_groups() -> Groups:
    """Return the runner's groups, in every hierarchy in which this process can make groups and a child can enter them."""
    sites, missing = find_sites()
    for site in list(sites):
        if refusal := _try_to_enter(site):
            missing |= dict.fromkeys(site.controllers, refusal)
            sites.remove(site)
            remove_site(site)
    return Groups(sites, missing)


def _try_to_enter(site: Site) -> str:
    """Let a forked process enter a group, as the child of a run does. Return its error as text, or an empty string."""
    entrances: list[int] = []
    try:
        entrances = Group([site], "slot-0").open_entrances()
        refusal = try_in_fork(lambda: enter_groups(entrances))
    except OSError as error:
        return str(error)
    finally:
        for entrance in entrances:
            os.close(entrance)
    return f"a process may not enter a group: {refusal}" if refusal else ""


def enter_groups(entrances: list[int]) -> None:
    """Move this process, which was just forked, into the groups. From then on they count and limit what it uses."""
    for entrance in entrances:
        os.write(entrance, b"0")  # 0 stands for the process that writes


def _weigh(site: Site, folder: Path, share: float) -> None:
    """Give a group a weight for processor time: `share` times the weight of one process that runs beside the group."""
    if "cpu" in site.controllers:
        name, weight = _WEIGHT[site.version]
        with contextlib.suppress(OSError):
            write(f"{folder}/{name}", str(round(weight * share)))


class Group:
    """The group of one slot: a folder in each hierarchy that is used. Creating a Group may raise OSError."""

    def __init__(self, sites: list[Site], name: str) -> None:
        self._folders = [(site, site.folder / name) for site in sites]
        self._budget: Budget | None = None
        self._share = 0.0
        self._oom_kills = 0
        self._oom_kills_taken = False
        for _, folder in self._folders:
            folder.mkdir(exist_ok=True)

    def open_entrances(self) -> list[int]:
        """Return descriptors to which a child writes "0" in order to enter. The caller closes them. Raises OSError."""
        with contextlib.ExitStack() as undo:
            entrances = []
            for site, folder in self._folders:
                entrances.append(os.open(f"{folder}/{_ENTRANCE[site.version]}", os.O_WRONLY | os.O_CLOEXEC))
                undo.callback(os.close, entrances[-1])
            undo.pop_all()
        return entrances

    def enter(self, budget: Budget) -> None:
        """Set the limits of the next child, and the processor share that a child has before its run."""
        if not self._oom_kills_taken:
            self.take_oom_kills()  # discards the kills of an earlier child, whose zygote died before it reported that child's end
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
        """Set the child's share of the processors, relative to other children. Before its run a child has the share 1."""
        if share != self._share:
            for site, folder in self._folders:
                _weigh(site, folder, share)
            self._share = share

    def take_oom_kills(self) -> int:
        """Return how many processes of this group the kernel has killed for lack of memory since the last call."""
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
        """Return whether a process is in this group in every hierarchy, from /proc/<pid>/cgroup (cgroups(7))."""
        groups = [line.split(":", 2)[1:] for line in read_kernel_file(f"/proc/{pid}/cgroup").splitlines()]
        return all(
            any(_names(controllers, site) and path.endswith(f"/{folder.parent.name}/{folder.name}") for controllers, path in groups)
            for site, folder in self._folders
        )


def _names(controllers: str, site: Site) -> bool:
    """Return whether a line of /proc/<pid>/cgroup is about the site's hierarchy. `controllers` is the line's second field, empty for v2."""
    return controllers == "" if site.version == 2 else bool(site.controllers & set(controllers.split(",")))


def _limits(site: Site, budget: Budget) -> Iterator[tuple[str, object]]:
    """Yield control files and what to write to them, in this order.

    The order matters in v1: the limit of memory may never exceed the limit of memory and swap together.
    """
    memory = budget.memory_bytes + budget.scratch_bytes + ALLOWANCE_BYTES  # in a scratch that is a tmpfs, files are memory too
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
