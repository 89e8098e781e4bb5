"""Measures what a run costs: processor time by process, with as many runs at once as there are cores, alternating with the bare loop."""

import statistics
import time
from typing import Any

from tests.bench.client import run_for
from tests.bench.figures import ratio, say
from tests.bench.plan import CORES, Plan
from tests.bench.processor import ServerProcessor
from tests.bench.server import Server
from tests.bench.snippet import SNIPPET
from tests.bench.worker import Worker

LEAD_SECONDS = 1.0  # seconds of load that are not counted, in which the spares are used up that were touched before


async def measure_cost(server: Server, forks: Worker, plan: Plan) -> dict[str, Any]:
    """Return the milliseconds of processor time for a run: medians of the rounds, and of their ratios."""
    processor = ServerProcessor(server)
    runs: list[dict[str, float]] = []
    bare: list[dict[str, float]] = []
    for number in range(plan.cost_rounds):
        say(f"  round {number + 1} of {plan.cost_rounds}")
        bare.append(forks.ask({"seconds": plan.round_seconds, "through": "exec"})["processor_ms"])
        runs.append(await cost_of_run(server, processor, plan.round_seconds))
    ratios = [run["without_client"] / sum(e.values()) for run, e in zip(runs, bare, strict=True)]
    return {
        "in_flight": CORES,
        "run_ms": medians(runs),
        "e_ms": medians(bare),
        "ratio_to_e": ratio(statistics.median(ratios), 1.0),
        "ratios_of_rounds": [round(one, 3) for one in ratios],
    }


async def cost_of_run(server: Server, processor: ServerProcessor, seconds: float) -> dict[str, float]:
    """Return the processor time of a run by process, and in all, without the client."""
    await run_for(server, CORES, LEAD_SECONDS, SNIPPET)
    before, own_before = processor.seconds(), time.process_time()
    count = len((await run_for(server, CORES, seconds, SNIPPET))["samples_ms"])
    used, own = processor.seconds(), time.process_time() - own_before
    parts = {role: 1000 * (used[role] - before[role]) / count for role in before}
    return parts | {"without_client": sum(parts.values()), "client": 1000 * own / count}


def medians(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(statistics.median(each[name] for each in rounds), 2) for name in rounds[0]}
