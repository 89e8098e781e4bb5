"""Measures a class that presses Run in the same second: how long the last learner waits, compared with as many runs of the bare loop."""

import asyncio
import statistics
import time
from contextlib import AsyncExitStack
from typing import Any

from tests.bench.client import Client, check_run, run_body
from tests.bench.figures import ratio, say
from tests.bench.plan import Plan
from tests.bench.server import Server
from tests.bench.snippet import SNIPPET
from tests.bench.worker import Worker

LEARNERS = 40
REST_SECONDS = 2.0  # after this time the spares are forked and touched again


async def measure_at_once(server: Server, forks: Worker, plan: Plan) -> dict[str, Any]:
    """Return the seconds until the last answer, and those of the bare loop: medians of the rounds, and of their ratios."""
    api: list[float] = []
    bare: list[float] = []
    async with AsyncExitStack() as opened:
        clients = [await opened.enter_async_context(Client(server)) for _ in range(LEARNERS)]
        for number in range(plan.bursts):
            say(f"  round {number + 1} of {plan.bursts}")
            await asyncio.sleep(REST_SECONDS)
            bare.append(forks.ask({"runs": LEARNERS, "through": "exec"})["seconds"])
            api.append(await run_at_once(clients))
    return {
        "learners": LEARNERS,
        "last_answer_seconds": round(statistics.median(api), 3),
        "e_seconds": round(statistics.median(bare), 3),
        "ratio_to_e": ratio(statistics.median(map(float.__truediv__, api, bare)), 1.0),
    }


async def run_at_once(clients: list[Client]) -> float:
    """Return the seconds until the last client has its answer."""
    body = run_body(SNIPPET)
    start = time.perf_counter()
    answers = await asyncio.gather(*(client.run(body) for client in clients))
    elapsed = time.perf_counter() - start
    for answer in answers:
        check_run(answer)
    return elapsed
