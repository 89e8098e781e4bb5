"""Bad neighbours: what others wait for `print(1)` while the server is attacked, and what is left of the attack.

    python -m tests.load.neighbours [NAME ...] [--together] [--seconds N]

Each attack of `tests.load.attacks` (all of them, or those named) gets a server of its own on loopback; with --together all attack one
server at once, while the others run a lesson's cell. Those others are a classmate who has run the same before, newcomers at the class's
address, each with a cookie that is new, and somebody at another address. Prints JSON and ends.
"""

import argparse
import asyncio
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from tests.bench.client import Client
from tests.bench.figures import ratio, say
from tests.bench.footprint import mebibytes, name_of
from tests.bench.processes import descendants, pss_bytes
from tests.bench.server import Server, serve
from tests.load.attacks.attack import CLASS_ADDRESS, QUIET_ADDRESS, names
from tests.load.siege import LESSON, Learner

PROGRAM = "print(1)"
EVERY_SECONDS = 0.25
NEWCOMER_EVERY = 2  # times as long between newcomers, whom an address may bring fewer of
CELL_EVERY_SECONDS = 1.0  # somebody who works through a lesson, quickly
LEAD_SECONDS = 3.0  # an attack is under way before the first wait is measured
REST_SECONDS = 15.0  # after it, before what is left is looked at


class Neighbours:
    """Those whose waiting is measured, all at the same time."""

    def __init__(self, server: Server, classmate: Client, elsewhere: Client, source: str, every_seconds: float) -> None:
        self._server = server
        self._classmate, self._elsewhere = classmate, elsewhere
        self._source = source
        self._every_seconds = every_seconds

    async def wait_for_runs(self, seconds: float) -> dict[str, dict[str, Any]]:
        """What each waited, run after run."""
        end = time.perf_counter() + seconds
        learners = {name: Learner(self._source) for name in ("classmate", "newcomers", "elsewhere")}
        await asyncio.gather(
            learners["classmate"].keep_running(self._classmate, end, self._every_seconds),
            self._bring_newcomers(learners["newcomers"], end),
            learners["elsewhere"].keep_running(self._elsewhere, end, self._every_seconds),
        )
        return {
            name: learner.figures() if learner.samples_ms else {"outcomes": dict(learner.outcomes)} for name, learner in learners.items()
        }

    async def _bring_newcomers(self, learner: Learner, end: float) -> None:
        """One run of each: their first visit is not measured."""
        while (start := time.perf_counter()) < end:
            async with Client(self._server, CLASS_ADDRESS) as newcomer:
                await learner.run_once(newcomer)
            await asyncio.sleep(max(0.0, start + NEWCOMER_EVERY * self._every_seconds - time.perf_counter()))


def neighbour_of(name: str) -> str:
    """What the others run while this attack lasts: its module may say so."""
    return str(getattr(importlib.import_module(f"tests.load.attacks.{name}"), "NEIGHBOUR", PROGRAM))


def measure_memory(server: Server) -> dict[str, float | None]:
    """Memory of web and of the runner, in MiB."""
    halves = {"app.cli web": "web", "app.cli runner": "runner"}
    found = {half: pid for pid in descendants(server.pid) for words, half in halves.items() if words in name_of(pid)}
    return {half: mebibytes(pss_bytes(pid)) for half, pid in found.items()}


@contextmanager
def attacked_by(name: str, server: Server) -> Iterator[None]:
    """While this lasts, the attack does."""
    command = [sys.executable, "-m", "tests.load.attacks.attack", name, server.host, str(server.port)]
    process = subprocess.Popen(command)
    try:
        yield
        if process.poll() is not None:
            raise RuntimeError(f"the attack {name} ended by itself: {process.returncode}")
    finally:
        process.kill()
        process.wait()


async def measure(attacks: Sequence[str], seconds: float, source: str, every_seconds: float = EVERY_SECONDS) -> dict[str, Any]:
    """Quiet, attacked, and after it, on a server of its own. Raises ServerError."""
    with serve() as server:
        async with Client(server, CLASS_ADDRESS) as classmate, Client(server, QUIET_ADDRESS) as elsewhere:
            neighbours = Neighbours(server, classmate, elsewhere, source, every_seconds)
            await neighbours.wait_for_runs(2.0)
            before = measure_memory(server)
            quiet = await neighbours.wait_for_runs(seconds / 2)
            with ExitStack() as attackers:
                for name in attacks:
                    attackers.enter_context(attacked_by(name, server))
                await asyncio.sleep(LEAD_SECONDS)
                attacked = await neighbours.wait_for_runs(seconds)
                during = measure_memory(server)
            await asyncio.sleep(REST_SECONDS)
            after = await neighbours.wait_for_runs(2.0)
        return {
            "p95_to_quiet_p95": {name: ratio(attacked[name].get("p95_ms"), quiet[name].get("p95_ms")) for name in quiet},
            "quiet": quiet,
            "attacked": attacked,
            "after": after,
            "memory_mib": {"before": before, "during": during, "after": measure_memory(server)},
        }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.neighbours", description="Measure what attackers do to others.")
    parser.add_argument("attacks", nargs="*", choices=[[], *names()], help="the attacks; default: all")
    parser.add_argument("--together", action="store_true", help="all at once, on one server")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each attack is measured")
    given = parser.parse_args()
    attacks = given.attacks or names()
    report: dict[str, Any] = {"load_at_start": os.getloadavg()}
    if given.together:
        report["together"] = asyncio.run(measure(attacks, given.seconds, LESSON, CELL_EVERY_SECONDS))
    else:
        for name in attacks:
            say(name)
            report[name] = asyncio.run(measure([name], given.seconds, neighbour_of(name)))
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
