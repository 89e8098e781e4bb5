"""Processor time, by what a server's processes are for: proc_pid_stat(5), in its ticks of 10 ms."""

import os
from collections import defaultdict

from tests.bench.processes import PROC, ZYGOTE, command, descendants, parent
from tests.bench.server import Server

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
COMMANDS = {"app.cli web": "web", "app.cli runner": "runner", "app.sandbox.layout.layout_main": "layout"}


class ServerProcessor:
    """Measures the processor time of a server's processes. Create it while spares wait, because they show which process is their zygote."""

    def __init__(self, server: Server) -> None:
        self._roles = {server.pid: "serve"}
        for pid in descendants(server.pid):
            for words, role in COMMANDS.items():
                if words in command(pid):
                    self._roles[pid] = role
        forked = [pid for pid in descendants(server.pid) if ZYGOTE in command(pid)]  # all keep the first one's command line
        self._zygote = parent(forked[-1])  # the deepest are the spares
        self._roles[self._zygote] = "zygote"

    def seconds(self) -> dict[str, float]:
        """Return the seconds by role, since each process started. `children`: those that have ended, and those that live."""
        used = defaultdict[str, float](float)
        for pid, role in self._roles.items():
            used[role] += own_seconds(pid)
        used["children"] = ended_seconds(self._zygote) + sum(map(own_seconds, descendants(self._zygote)))
        return used


def own_seconds(pid: int) -> float:
    """Return the seconds of a process itself, in the kernel and outside; 0 if it has ended."""
    return sum(_ticks(pid)[:2]) / TICKS_PER_SECOND


def ended_seconds(pid: int) -> float:
    """Return the seconds of a process's children that it has waited for."""
    return sum(_ticks(pid)[2:]) / TICKS_PER_SECOND


def _ticks(pid: int) -> list[int]:
    try:
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return [0] * 4
    return [int(ticks) for ticks in fields[11:15]]  # utime, stime, cutime, cstime
