"""Measures full load: many clients at once, alternating with the bare loop of fork, run, exit."""

import statistics
from typing import Any

from tests.bench.client import run_for
from tests.bench.figures import ratio, say, summarise
from tests.bench.plan import Plan
from tests.bench.server import Server
from tests.bench.snippet import SNIPPET
from tests.bench.worker import Worker


async def measure_throughput(server: Server, forks: Worker, plan: Plan) -> dict[str, Any]:
    """Return runs per second: each number of clients and e alternate in each round. Medians of the rounds, and of their ratios."""
    bare: list[float] = []
    instrumented: list[float] = []
    rounds: dict[int, list[dict[str, Any]]] = {clients: [] for clients in plan.clients}
    for number in range(plan.rounds):
        say(f"  round {number + 1} of {plan.rounds}")
        for clients in plan.clients:
            if clients == max(plan.clients):  # e precedes directly what it is compared with
                bare.append(runs_per_second(forks, "exec", plan))
            rounds[clients].append(await run_for(server, clients, plan.round_seconds, SNIPPET))
        instrumented.append(runs_per_second(forks, "runtime", plan))
    busiest = [each["runs_per_second"] for each in rounds[max(plan.clients)]]
    return {
        "e_fork_exec_exit_per_second": round(statistics.median(bare), 2),
        "e_with_instruments_per_second": round(statistics.median(instrumented), 2),
        "clients": {str(clients): describe(each) for clients, each in rounds.items()},
        "ratio_to_e": ratio(statistics.median(map(float.__truediv__, busiest, bare)), 1.0),
        "ratio_to_e_with_instruments": ratio(statistics.median(map(float.__truediv__, busiest, instrumented)), 1.0),
    }


def runs_per_second(forks: Worker, through: str, plan: Plan) -> float:
    answer = forks.ask({"seconds": plan.round_seconds, "through": through})
    return float(answer["runs"] / answer["seconds"])


def describe(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    samples_ms = [sample for each in rounds for sample in each["samples_ms"]]
    return {"runs_per_second": round(statistics.median(each["runs_per_second"] for each in rounds), 2)} | summarise(samples_ms)
