"""The benchmark: `python -m tests.bench [--quick]` prints JSON; progress goes to standard error.

The letters are those of docs/benchmarks.md, which says what is measured.
"""

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from types import FrameType
from typing import Any, NoReturn

from tests.bench.figures import ratio, say
from tests.bench.footprint import measure_footprint
from tests.bench.latency import measure_fresh, measure_page, measure_ways
from tests.bench.plan import FULL, QUICK, WHOLE_SECONDS, Plan
from tests.bench.server import ANY_RATE, Server, ServerError, serve
from tests.bench.snippet import SNIPPET
from tests.bench.throughput import measure_throughput
from tests.bench.worker import Worker


async def measure(server: Server, plan: Plan) -> dict[str, Any]:
    with Worker("tests.bench.fork_loop") as forks:
        say("memory")
        footprint = measure_footprint(server, forks)
        say("a, b and c in turn")
        latency = await measure_ways(server, plan)
        say("a lesson page")
        page = await measure_page(server, plan)
        say("throughput")
        throughput = await measure_throughput(server, forks, plan)
    return {"latency": latency, "lesson_page": page, "throughput": throughput, "memory": footprint}


def compare(latency: dict[str, Any]) -> dict[str, float | None]:
    medians = {name[0]: figures["median_ms"] for name, figures in latency.items()}
    return {f"{over}/{under}": ratio(medians[over], medians[under]) for over, under in ("ab", "ac", "da")}


def describe_machine() -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "cores": len(os.sched_getaffinity(0)),
        "machine": platform.machine(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "torch": version("torch"),
        "load_at_start": os.getloadavg(),
    }


def give_up(number: int, frame: FrameType | None) -> NoReturn:
    """End in the ordinary way, so that the server and the workers are ended, too."""
    sys.exit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Measure what a run costs, against the ways without Gradroom."
    )
    parser.add_argument("--quick", action="store_true", help="few runs: for a look, not for figures")
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, give_up)
    signal.alarm(WHOLE_SECONDS)
    plan = QUICK if parser.parse_args().quick else FULL
    report: dict[str, Any] = {"machine": describe_machine()}
    say("starting the server")
    try:
        with serve(ANY_RATE) as server:
            report |= {"ready_after_seconds": server.ready_after_seconds, "sandbox": server.get("/api/sandbox")}
            report |= asyncio.run(measure(server, plan))
    except ServerError as error:
        say(str(error))
        return 1
    say("a fresh interpreter")
    report["latency"]["d_fresh_interpreter"] = measure_fresh(plan)
    report["ratios"] = compare(report["latency"])
    report["snippet"] = SNIPPET
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
