"""The processor time and memory of trees of processes, by kind."""

import os
import time
from collections import Counter, defaultdict

from tests.bench.processes import ZYGOTE, command, descendants, pss_bytes

TICKS = os.sysconf("SC_CLK_TCK")
KINDS = {"app.cli web": "web", "app.cli runner": "runner", ZYGOTE: "zygotes and programs", "loadtest": "loadtest", "postgres": "postgresql"}


class ProcessUse:
    """What the trees below `roots`, processes by name, use. Each `look` reads memory, and the first and last also processor time."""

    def __init__(self, roots: dict[str, int]) -> None:
        self._roots = roots
        self._began, self._before = time.monotonic(), self._count_seconds()
        self._after, self._ended = self._before, self._began
        self._most = Counter[str]()

    def look(self) -> None:
        """Read both. Processes that end between two looks count by the time that their parents have got from them."""
        memory = Counter[str]()
        for kind, pid in self._processes():
            memory[kind] += pss_bytes(pid) or 0
        self._most |= memory
        self._after, self._ended = self._count_seconds(), time.monotonic()

    def report(self) -> dict[str, dict[str, float]]:
        """Return the average number of cores and the largest memory (PSS, MB) of each kind."""
        seconds = self._ended - self._began
        kinds = sorted(self._after | self._most)
        return {
            kind: {"cores": round((self._after[kind] - self._before[kind]) / seconds, 3), "most_mb": round(self._most[kind] / 1e6)}
            for kind in kinds
        }

    def _processes(self) -> list[tuple[str, int]]:
        """Return the processes with their kinds. Each belongs to the nearest root above it."""
        found: dict[int, str] = {}
        for name, root in sorted(self._roots.items(), key=lambda item: len(descendants(item[1])), reverse=True):
            for pid in [root, *descendants(root)]:
                words = command(pid)
                found[pid] = next((kind for part, kind in KINDS.items() if part in words), name)
        return [(kind, pid) for pid, kind in found.items()]

    def _count_seconds(self) -> defaultdict[str, float]:
        """Return the seconds of processor, those of ended children included."""
        seconds = defaultdict[str, float](float)
        for kind, pid in self._processes():
            try:
                with open(f"/proc/{pid}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            seconds[kind] += sum(map(int, fields[11:15])) / TICKS  # utime, stime, cutime, cstime
        return seconds
