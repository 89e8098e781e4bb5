"""Measures a class under attack: thirty learners send bombs as fast as they are answered, while another runs a lesson's cell every second.

`python -m tests.load.siege [--seconds N]` starts a server of its own on loopback, prints JSON and ends.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.settings import PROJECT
from tests.bench.client import Client, UnexpectedAnswer, run_body
from tests.bench.figures import ratio, say, summarise
from tests.bench.footprint import mebibytes, name_of
from tests.bench.processes import descendants, pss_bytes
from tests.bench.server import Server
from tests.load.attackers import BOMBS
from tests.load.server import serve_with_scratch

CELLS = PROJECT / "lessons/backward-twice/sinh-bad/cells"
LESSON = "\n\n".join((CELLS / name).read_text() for name in ("sinh_bad_class.py", "sinh_bad.py"))
EVERY_SECONDS = 1.0
SETTLE_SECONDS = 30.0
REFUSED_PAUSE_SECONDS = 1.0


@dataclass
class Learner:
    """Sends one program again and again, and stores the answers' times and outcomes."""

    source: str
    samples_ms: list[float] = field(default_factory=list)
    timings: list[dict[str, float]] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)

    async def keep_running(self, client: Client, until: float, every_seconds: float = 0.0) -> None:
        body = run_body(self.source)
        while (start := time.perf_counter()) < until:
            await self._run(client, body)
            await asyncio.sleep(max(0.0, start + every_seconds - time.perf_counter()))

    async def _run(self, client: Client, body: bytes) -> None:
        start = time.perf_counter()
        try:
            result = json.loads(await client.run(body))
        except UnexpectedAnswer as error:
            self.outcomes[f"status {error.status}"] += 1
            await asyncio.sleep(REFUSED_PAUSE_SECONDS)
        else:
            self.outcomes[result["outcome"]] += 1
            self.timings.append(result["timing"])
            self.samples_ms.append((time.perf_counter() - start) * 1000)

    def figures(self) -> dict[str, Any]:
        parts = {part: summarise([timing[part] for timing in self.timings]) for part in self.timings[0]}
        most_ms = round(max(self.samples_ms), 2)
        return summarise(self.samples_ms) | {"max_ms": most_ms, "outcomes": dict(self.outcomes), "by_the_server": parts}


async def learn(client: Client, seconds: float) -> dict[str, Any]:
    """Run the lesson's checks every second, and return the figures."""
    learner = Learner(LESSON)
    await learner.keep_running(client, time.perf_counter() + seconds, EVERY_SECONDS)
    return learner.figures()


async def besiege(server: Server, client: Client, seconds: float, bombs: Sequence[str]) -> dict[str, Any]:
    """Run the learner and the attackers at the same time."""
    attackers = [Learner(bomb) for bomb in bombs]
    attacks = [asyncio.create_task(attack(server, attacker, seconds)) for attacker in attackers]
    figures = await learn(client, seconds)
    for task in attacks:
        task.cancel()
    await asyncio.gather(*attacks, return_exceptions=True)
    outcomes = sum((attacker.outcomes for attacker in attackers), Counter[str]())
    return {"learner": figures, "attackers": dict(outcomes)}


async def attack(server: Server, attacker: Learner, seconds: float) -> None:
    async with Client(server) as client:
        await attacker.keep_running(client, time.perf_counter() + seconds)


def memory(server: Server) -> dict[str, float | None]:
    """Return the memory of serve and of the processes below it, in MiB."""
    return {name_of(pid): mebibytes(pss_bytes(pid)) for pid in [server.pid, *descendants(server.pid)]}


async def wait_for_processes(server: Server, expected: int) -> int:
    """Return how many more processes there are than expected, once the last run has been cleaned up."""
    end = time.monotonic() + SETTLE_SECONDS
    while (more := len(descendants(server.pid)) - expected) > 0 and time.monotonic() < end:
        await asyncio.sleep(0.1)
    return more


def list_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


async def endure(server: Server, scratch: Path, seconds: float, quiet_seconds: float, bombs: Sequence[str]) -> dict[str, Any]:
    """Measure a quiet time, the attack and the recovery, and what remains afterwards."""
    async with Client(server) as client:
        await learn(client, 1.0)
        processes, files, before = len(descendants(server.pid)), list_files(scratch), memory(server)
        say("quiet")
        quiet = await learn(client, quiet_seconds)
        say("siege")
        siege = await besiege(server, client, seconds, bombs)
        say("recovery")
        await wait_for_processes(server, processes)
        recovery = await learn(client, quiet_seconds)
    return {
        "quiet": quiet,
        "siege": siege,
        "p95_to_quiet_median": ratio(siege["learner"]["p95_ms"], quiet["median_ms"]),
        "recovery": recovery,
        "processes_left": await wait_for_processes(server, processes),
        "files_left": [name for name in list_files(scratch) if name not in files],
        "memory_before_mib": before,
        "memory_after_mib": memory(server),
    }


def hold(seconds: float, quiet_seconds: float, bombs: Sequence[str] = BOMBS) -> dict[str, Any]:
    """Attack a server that this starts. Raises ServerError."""
    with serve_with_scratch() as (server, scratch):
        return asyncio.run(endure(server, scratch, seconds, quiet_seconds, bombs))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.siege", description="Measure what thirty attackers do to a learner.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the siege lasts")
    report = {"load_at_start": os.getloadavg()} | hold(parser.parse_args().seconds, quiet_seconds=20.0)
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
