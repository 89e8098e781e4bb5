"""Runs many programs in succession, and measures the server after each thousand: nothing may grow, and the last runs may not be slower.

`python -m tests.load.soak [runs]` starts a server of its own on loopback, prints JSON and ends.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.runner.socket_runner import IDLE_CONNECTION_SECONDS
from app.sandbox.cgroups.delegation import PREFIX
from tests.bench.client import Client, check_run, run_body
from tests.bench.figures import ratio, say, summarise
from tests.bench.footprint import mebibytes, settle
from tests.bench.processes import PROC, ZYGOTE, command, descendants, memory
from tests.bench.server import ANY_RATE, Server
from tests.bench.snippet import SNIPPET
from tests.load.server import serve_with_scratch

RUNS = 10_000
EVERY = 1000
WARM_UP_RUNS = 20
SETTLE_SECONDS = 10.0


@dataclass(frozen=True)
class Holdings:
    """The figures that must not grow. Memory is in MiB, by process."""

    processes: int
    threads: int
    descriptors: dict[str, int]
    files: int
    control_groups: int
    rss_mib: dict[str, float | None]
    pss_mib: dict[str, float | None]


def find_roles(server: Server) -> dict[str, int]:
    """Return the processes that live as long as the server, and the zygote, which does not, by role."""
    below = descendants(server.pid)
    commands = {pid: command(pid) for pid in below}
    marks = {"web": "app.cli web", "runner": "app.cli runner", "layout": "app.sandbox.layout.layout_main"}
    roles = {role: pid for pid in below for role, mark in marks.items() if mark in commands[pid]}
    zygotes = [pid for pid in below if ZYGOTE in commands[pid]]
    return roles | {"serve": server.pid, "zygote": max(zygotes, key=lambda pid: memory(pid).get("Rss", 0))}


def take_stock(server: Server, scratch: Path) -> Holdings:
    """Return the server's figures when it is idle."""
    await_rest(server)
    roles = find_roles(server)
    below = [server.pid, *descendants(server.pid)]
    fields = {role: memory(pid) for role, pid in roles.items()}
    return Holdings(
        processes=len(below),
        threads=sum(count(PROC / str(pid) / "task") for pid in below),
        descriptors={role: count(PROC / str(pid) / "fd") for role, pid in roles.items()},
        files=sum(1 for _ in scratch.rglob("*")),
        control_groups=count_control_groups(below),
        rss_mib={role: mebibytes(found.get("Rss")) for role, found in fields.items()},
        pss_mib={role: mebibytes(found.get("Pss")) for role, found in fields.items()},
    )


def await_rest(server: Server) -> None:
    """Wait, for a limited time, until all spares wait, the last run is cleaned up and no connection is open."""
    time.sleep(IDLE_CONNECTION_SECONDS + 1)
    end = time.monotonic() + SETTLE_SECONDS
    before = -1
    while (now := len(descendants(server.pid))) != before and time.monotonic() < end:
        before = now
        time.sleep(0.5)


def count(folder: Path) -> int:
    try:
        return len(os.listdir(folder))
    except OSError:
        return 0


def count_control_groups(pids: list[int]) -> int:
    """Return the number of groups, in all hierarchies, of the runner that has some of these processes in them.

    A slot's group is made at its first use, and stays.
    """
    names = {name for pid in pids for name in re.findall(rf"{PREFIX}[^/\s]+", read(PROC / str(pid) / "cgroup"))}
    mounts = [line.split()[4] for line in read(PROC / "self" / "mountinfo").splitlines() if " - cgroup" in line]
    return sum(1 for mount in mounts for name in names for _ in Path(mount).glob(f"**/{name}/**/"))


def read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


async def run_in_a_row(server: Server, runs: int) -> list[float]:
    """Return how long each run took, in milliseconds. Raises UnexpectedAnswer at the first that did not finish as it must."""
    body = run_body(SNIPPET)
    samples_ms = []
    async with Client(server) as client:
        for _ in range(runs):
            start = time.perf_counter()
            answer = await client.run(body)
            samples_ms.append((time.perf_counter() - start) * 1000)
            check_run(answer)
    return samples_ms


def soak(runs: int, every: int = EVERY, settings: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """Return the times of runs and the server's figures after each `every` runs; the first entry is from before the first run.

    Raises ServerError.
    """
    with serve_with_scratch(ANY_RATE | dict(settings or {})) as (server, scratch):
        asyncio.run(run_in_a_row(server, WARM_UP_RUNS))
        settle(server)
        steps: list[dict[str, Any]] = [{"after": 0} | asdict(take_stock(server, scratch))]
        for after in range(every, runs + 1, every):
            figures = summarise(asyncio.run(run_in_a_row(server, every)))
            steps.append({"after": after} | figures | asdict(take_stock(server, scratch)))
            say(f"{after} runs: {figures}")
        return steps


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.soak", description="See whether anything grows with the number of runs.")
    parser.add_argument("runs", type=int, nargs="?", default=RUNS)
    load = os.getloadavg()
    steps = soak(parser.parse_args().runs)
    report = {"load_at_start": load, "p95_last_to_first": ratio(steps[-1].get("p95_ms"), steps[1].get("p95_ms")), "steps": steps}
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
