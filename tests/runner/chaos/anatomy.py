"""Inspects a runner from outside: the roles of its processes, and its resources."""

import os
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.bench.processes import PROC, command, descendants, parent

ZYGOTES = ("app.sandbox.zygote.zygote", "tests.bare.zygote")
LAYOUT = "app.sandbox.layout.layout_main"
CONNECTED = "03"  # one of a socket's states in /proc/net/unix


@dataclass(frozen=True)
class Generation:
    """A zygote's processes. `keeper` is what the runner started; with namespaces it only waits for the zygote."""

    keeper: int
    zygote: int
    children: list[int]

    @property
    def pids(self) -> list[int]:
        return [*{self.keeper, self.zygote}, *self.children]


@dataclass(frozen=True)
class Holdings:
    """The resources that must be the same again when the runner is idle.

    Among the processes, `others` come and go: a process that starts asks ldconfig for a library, and another removes the files of a zygote.
    """

    processes: Counter[str]
    descriptors: int
    threads: int
    files: int


def generations(runner: int) -> list[Generation]:
    """Return the generations from the oldest to the youngest."""
    return _generations(runner, descendants(runner))


def _generations(runner: int, below: list[int]) -> list[Generation]:
    keepers = [pid for pid in below if parent(pid) == runner and any(zygote in command(pid) for zygote in ZYGOTES)]
    return [_generation(keeper, below) for keeper in sorted(keepers, key=_started)]


def _generation(keeper: int, below: list[int]) -> Generation:
    inner = [pid for pid in below if parent(pid) == keeper and _depth(pid) > _depth(keeper)]
    zygote = inner[0] if inner else keeper
    return Generation(keeper, zygote, [pid for pid in below if parent(pid) == zygote])


def layout_processes(runner: int) -> list[int]:
    return _layout_processes(descendants(runner))


def _layout_processes(below: list[int]) -> list[int]:
    return [pid for pid in below if LAYOUT in command(pid)]


def holdings(runner: int, scratch: Path) -> Holdings:
    below = descendants(runner)
    alive = _generations(runner, below)
    layouts = _layout_processes(below)
    known = {*layouts, *(pid for one in alive for pid in one.pids)}
    others = sum(pid not in known for pid in below)
    roles = Counter(zygotes=len(alive), children=sum(len(one.children) for one in alive), layouts=len(layouts), others=others)
    threads = len(os.listdir(PROC / str(runner) / "task"))
    return Holdings(roles, len(os.listdir(PROC / str(runner) / "fd")), threads, sum(1 for _ in scratch.rglob("*")))


def connections(socket: Path) -> int:
    """Return how many connections a server on this Unix socket has accepted and not closed: those with the path of the socket."""
    lines = (PROC / "net" / "unix").read_text().splitlines()
    return sum(fields[5] == CONNECTED and fields[-1] == str(socket) for fields in map(str.split, lines))


def kill(*pids: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def gone(pids: list[int]) -> bool:
    """Return whether each process has ended, or only waits to be reaped."""
    return not any(state(pid) not in ("", "Z") for pid in pids)


def _depth(pid: int) -> int:
    """Return in how many pid namespaces the process is visible."""
    return next((len(line.split()) - 1 for line in _status(pid) if line.startswith("NSpid:")), 0)


def state(pid: int) -> str:
    """Return one letter, as in /proc: T means stopped."""
    return next((line.split()[1] for line in _status(pid) if line.startswith("State:")), "")


def _status(pid: int) -> list[str]:
    try:
        return (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return []


def _started(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return 0
