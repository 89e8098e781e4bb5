"""Bad neighbours: what one learner waits for `print(1)` while others attack the server, and what is left of them.

    python -m tests.load.neighbours [NAME ...] [--together] [--seconds N]

Each attack of `tests.load.attacks` (all of them, or those named) gets a server of its own on loopback; with --together all attack one
server at once, while the learner runs a lesson's cell. Prints JSON and ends.
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
from tests.load.attacks.attack import names
from tests.load.siege import LESSON, Learner

PROGRAM = "print(1)"
EVERY_SECONDS = 0.25
CELL_EVERY_SECONDS = 1.0  # somebody who works through a lesson, quickly
LEAD_SECONDS = 3.0  # an attack is under way before the first wait is measured
REST_SECONDS = 15.0  # after it, before what is left is looked at


async def wait_for_runs(client: Client, seconds: float, source: str, every_seconds: float) -> dict[str, Any]:
    """What the learner waited, run after run."""
    learner = Learner(source)
    await learner.keep_running(client, time.perf_counter() + seconds, every_seconds)
    return learner.figures() if learner.samples_ms else {"outcomes": dict(learner.outcomes)}


def neighbour_of(name: str) -> str:
    """What the learner runs while this attack lasts: its module may say so."""
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
        async with Client(server) as client:
            await wait_for_runs(client, 2.0, source, every_seconds)
            before = measure_memory(server)
            quiet = await wait_for_runs(client, seconds / 2, source, every_seconds)
            with ExitStack() as attackers:
                for name in attacks:
                    attackers.enter_context(attacked_by(name, server))
                await asyncio.sleep(LEAD_SECONDS)
                attacked = await wait_for_runs(client, seconds, source, every_seconds)
                during = measure_memory(server)
            await asyncio.sleep(REST_SECONDS)
            after = await wait_for_runs(client, 2.0, source, every_seconds)
        return {
            "p95_to_quiet_p95": ratio(attacked.get("p95_ms"), quiet["p95_ms"]),
            "quiet": quiet,
            "attacked": attacked,
            "after": after,
            "memory_mib": {"before": before, "during": during, "after": measure_memory(server)},
        }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.neighbours", description="Measure what attackers do to a learner.")
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
