"""What a cluster costs and brings: `python -m tests.load.cluster ENTRY TOKEN_FILE [--socket SOCKET]`, while `gradroom cluster` runs.

First the hop: a run of a short program through the entry and, if the socket of one of its nodes is given, through that socket, in turn,
with one client and with 32. Then places: programs that sleep for a second, from more learners than there are places, so that cores do not
matter.
"""

import argparse
import asyncio
import itertools
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from app.protocol.run import Program, RunOrder, RunResult, Source
from app.runner.client import Runner
from app.runner.cluster.ray_runner import RayRunner
from app.runner.socket_runner import SocketRunner

HOP_RUNS = 150  # of each way
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
        raise RuntimeError(f"{stream.run_id}: {last}")
    return 1000 * (time.perf_counter() - began) - last.timing.total_ms


async def measure_hop(runners: dict[str, Runner], clients: int) -> None:
    found: dict[str, list[float]] = {name: [] for name in runners}
    for runner in runners.values():
        await time_run(runner, SHORT)

    async def client(runs: int) -> None:
        for _ in range(runs):
            for name, runner in runners.items():
                found[name].append(await time_run(runner, SHORT))

    await asyncio.gather(*(client(max(HOP_RUNS // clients, 5)) for _ in range(clients)))
    for name, times in found.items():
        middle, high = statistics.median(times), quantile(times, 0.95)
        print(f"{clients:3} clients, {name:6}: p50 {middle:6.2f} ms, p95 {high:6.2f} ms ({len(times)} runs)")


def quantile(times: Sequence[float], part: float) -> float:
    return sorted(times)[int(part * (len(times) - 1))]


async def measure_places(runner: Runner, seconds: float) -> None:
    status = await runner.status()
    places = sum(node.places for node in status.nodes if node.accepts)
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
    print(f"{len(status.nodes)} nodes, {places} places: {rate:.2f} runs/s of 1 s, {100 * rate / places:.0f} % of the places")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("entry")
    parser.add_argument("token_file", type=Path)
    parser.add_argument("--socket", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    async with RayRunner([given.entry], given.token_file.read_text().strip()) as runner:
        runners: dict[str, Runner] = {"entry": runner}
        if given.socket:
            runners["socket"] = SocketRunner(given.socket)
            for clients in (1, 32):
                await measure_hop(runners, clients)
            await runners["socket"].close()
        await measure_places(runner, given.seconds)


if __name__ == "__main__":
    asyncio.run(main())
