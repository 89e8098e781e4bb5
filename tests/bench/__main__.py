"""The benchmark: `python -m tests.bench [--quick] [--only PART ...]` prints JSON; progress goes to standard error.

The letters are those of docs/benchmarks.md, which says what is measured.
"""

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from types import FrameType
from typing import Any, NoReturn

from app.serving.logs import configure_logs
from tests.bench.at_once import measure_at_once
from tests.bench.cost import measure_cost
from tests.bench.figures import ratio, say
from tests.bench.footprint import measure_footprint, settle
from tests.bench.grades import measure_grades
from tests.bench.graph_page import measure_graph
from tests.bench.latency import measure_fresh, measure_page, measure_ways
from tests.bench.plan import FULL, QUICK, WHOLE_SECONDS, Plan
from tests.bench.run_page import measure_run
from tests.bench.search import measure_search
from tests.bench.server import ANY_RATE, Server, ServerError, serve
from tests.bench.snippet import SNIPPET
from tests.bench.term import measure_term
from tests.bench.throughput import measure_throughput
from tests.bench.worker import Worker

WANTED_OF_WAYS = (("a", "b", "at most 1.3"), ("a", "c", "at most 1.2"), ("d", "a", "at least 40"))
WANTED = (
    ("processor time of a run, without the client's, to e's", "cost", "ratio_to_e", "at most 1.18"),
    ("16 clients to e", "throughput", "ratio_to_e", "at least 0.85"),
    ("40 at once, the last answer, to e for 40", "at_once", "ratio_to_e", "at most 1.3"),
    ("a grade, the median of the exercises, ms", "grades", "median_ms", "at most 150"),
    ("a grade, the heaviest exercise, ms", "grades", "heaviest_ms", "at most 500"),
    ("a lesson page of a learner with a term's work, ms", "term", "lesson", "at most 3"),
    ("the map of the same, ms", "term", "map", "at most 5"),
    ("an export of the same, ms", "term", "export", "at most 1000"),
    ("the slowest of the searches that people make, ms", "search", "slowest_ms", "at most 20"),
    ("the index of the search, ms", "search", "index_ms", "at most 300"),
    ("a spare, MiB", "memory", "spare_mib", "at most 10"),
)


async def measure_latency(server: Server, _: Worker, plan: Plan) -> dict[str, Any]:
    return await measure_ways(server, plan) | {"d_fresh_interpreter": measure_fresh(plan)}


Part = Callable[[Server, Worker, Plan], Awaitable[dict[str, Any]]]
PARTS: dict[str, Part] = {
    "memory": measure_footprint,
    "latency": measure_latency,
    "lesson_page": measure_page,
    "run_page": measure_run,
    "graph_page": measure_graph,
    "throughput": measure_throughput,
    "cost": measure_cost,
    "at_once": measure_at_once,
    "grades": measure_grades,
    "term": measure_term,
    "search": measure_search,
}


async def measure(server: Server, parts: Sequence[str], plan: Plan) -> dict[str, Any]:
    found = {}
    with Worker("tests.bench.fork_loop") as forks:
        for name in parts:
            say(name)
            settle(server)
            found[name] = await PARTS[name](server, forks, plan)
    return found


def compare(found: dict[str, Any]) -> dict[str, Any]:
    """Return the figures that are wanted of the measured parts, each with the figure that was measured."""
    medians = {name[0]: figures["median_ms"] for name, figures in found.get("latency", {}).items()}
    ratios = [(f"{over}/{under}", ratio(medians.get(over), medians.get(under)), wanted) for over, under, wanted in WANTED_OF_WAYS]
    ratios += [(words, found.get(part, {}).get(figure), wanted) for words, part, figure, wanted in WANTED]
    return {words: {"measured": measured, "wanted": wanted} for words, measured, wanted in ratios if measured is not None}


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
    """End the process by an exception, so that the server and the workers are ended, too."""
    sys.exit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Measure what a run costs, against the ways without Gradroom."
    )
    parser.add_argument("--quick", action="store_true", help="few runs: for a look, not for figures")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=f"of {', '.join(PARTS)}")
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, give_up)
    signal.alarm(WHOLE_SECONDS)
    given = parser.parse_args()
    configure_logs("bench", "console", "warning")  # on standard error, as standard output is the report's
    plan = QUICK if given.quick else FULL
    report: dict[str, Any] = {"machine": describe_machine()}
    say("starting the server")
    try:
        with serve(ANY_RATE) as server:
            report |= {"ready_after_seconds": server.ready_after_seconds, "sandbox": server.get("/api/sandbox")}
            report |= asyncio.run(measure(server, given.only, plan))
    except ServerError as error:
        say(str(error))
        return 1
    report["ratios"] = compare(report)
    report["snippet"] = SNIPPET
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
