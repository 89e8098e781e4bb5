"""What the way through Ray costs, and what more nodes bring: `python -m tests.cluster.places`, as root. Needs the extra `ray`.

Machines are namespaces of this one: a head that runs no programs, and one, two, then four nodes of two places each. With one node, a short
program goes through the entry and straight to the node's socket in turn, from one client and from 32. With each number of nodes, programs
that sleep for a second come from twice as many learners as there are places; they hardly compute, because all nodes share this machine's
cores. Prints JSON.
"""

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.protocol.run import Program, RunOrder, RunResult, Source
from app.runner.client import Runner
from app.runner.cluster.ray_runner import RayRunner
from app.runner.socket_runner import SocketRunner
from app.serving.logs import configure_logs
from tests.bench.figures import say
from tests.cluster.machines import network_of_machines, requirements_missing
from tests.cluster.service import PLACES, START_SECONDS, Cluster, entry_of
from tests.patience import wait_for

NODES = ("n1", "n2", "n3", "n4")
HOP_RUNS = 300  # of each way
# in pieces, because a program that is paused in a sleep goes on sleeping
SLEEPS, SHORT = "import time\nfor _ in range(50):\n    time.sleep(0.02)", "1 + 1"
learners = itertools.count()


async def time_run(runner: Runner, text: str) -> float:
    """Return the milliseconds until the end of a run, without those in which the runner executed it or let it wait."""
    number = next(learners)
    order = RunOrder(program=Program(source=Source(text=text)), learner=f"load-{number}", address=f"10.0.{number % 200}.1")
    began = time.perf_counter()
    async with runner.run(order) as stream:
        last = [event async for event in stream][-1]
    if not isinstance(last, RunResult):
        raise RuntimeError(f"{stream.run_id}: {last!r}")
    return 1000 * (time.perf_counter() - began) - last.timing.total_ms


async def measure_hop(runners: dict[str, Runner], clients: int) -> dict[str, Any]:
    found: dict[str, list[float]] = {name: [] for name in runners}
    for runner in runners.values():
        await time_run(runner, SHORT)

    async def client(runs: int) -> None:
        for _ in range(runs):
            for name, runner in runners.items():
                found[name].append(await time_run(runner, SHORT))

    await asyncio.gather(*(client(max(HOP_RUNS // clients, 5)) for _ in range(clients)))
    return {
        name: {"runs": len(times), "p50_ms": round(statistics.median(times), 2), "p95_ms": round(quantile(times, 0.95), 2)}
        for name, times in found.items()
    }


def quantile(times: Sequence[float], part: float) -> float:
    return sorted(times)[int(part * (len(times) - 1))]


async def measure_places(runner: Runner, nodes: int, seconds: float) -> dict[str, Any]:
    places = nodes * PLACES
    end = time.monotonic() + seconds

    async def learner() -> int:
        ended = 0
        while time.monotonic() < end:
            await time_run(runner, SLEEPS)
            ended += 1
        return ended

    began = time.monotonic()
    counts = await asyncio.gather(*(learner() for _ in range(2 * places)))
    rate = sum(counts) / (time.monotonic() - began)
    return {"nodes": nodes, "places": places, "runs_per_second": round(rate, 2), "of_the_places": round(rate / places, 3)}


async def measure_hops(cluster: Cluster) -> dict[str, Any]:
    (node,) = cluster.nodes.values()
    path = node.state / "runner" / "runner.sock"
    async with RayRunner([entry_of(cluster.head)], cluster.token) as entry, SocketRunner(path) as socket:
        return {f"{clients} clients": await measure_hop({"entry": entry, "socket": socket}, clients) for clients in (1, 32)}


async def measure_nodes(cluster: Cluster, seconds: float) -> dict[str, Any]:
    async with RayRunner([entry_of(cluster.head)], cluster.token) as entry:
        return await measure_places(entry, len(cluster.nodes), seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="of each number of nodes")
    given = parser.parse_args()
    if missing := requirements_missing():
        parser.error(missing)
    configure_logs("bench", "console", "warning")  # on standard error, as standard output is the report's
    with tempfile.TemporaryDirectory(prefix="gradroom-places-") as folder, network_of_machines() as network:
        cluster = Cluster(network, Path(folder))
        try:
            cluster.start(NODES[0])
            hops = asyncio.run(measure_hops(cluster))
            say(json.dumps(hops))
            rates = []
            for name in NODES:
                if name not in cluster.nodes:
                    cluster.add(name)
                if len(cluster.nodes) in (1, 2, 4):
                    wait_for(lambda: asyncio.run(cluster.is_whole()), cluster.describe, START_SECONDS)
                    rates.append(asyncio.run(measure_nodes(cluster, given.seconds)))
                    say(json.dumps(rates[-1]))
        finally:
            cluster.remove()
    first = rates[0]["runs_per_second"]
    linear = [round(rate["runs_per_second"] / first / rate["nodes"], 3) for rate in rates]
    print(json.dumps({"hop": hops, "nodes": rates, "linear": linear}, indent=2))


if __name__ == "__main__":
    main()
