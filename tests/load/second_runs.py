"""Measures what second runs cost a class: forty learners press Run at once, with and without a request to trace each run after its answer.

    python -m tests.load.second_runs [--rounds N]

In a round the class presses Run several times, each time as soon as everybody has an answer, so that traces of one time overlap the runs of
the next. Before a learner's next run, their page abandons a trace that has not ended. Rounds with and without traces alternate. It prints
JSON: how long first runs took, and how the traces ended.
"""

import argparse
import asyncio
import json
import os
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

from tests.bench.client import Client, UnexpectedAnswer, check_run, run_body
from tests.bench.figures import ratio, say, summarise
from tests.bench.server import Server, serve
from tests.bench.snippet import SNIPPET

LEARNERS = 40
TIMES = 3  # how often the class presses Run in a round
REST_SECONDS = 2.0  # after a round, until the spares are forked and touched again
BODY = run_body(SNIPPET)


class Learner:
    """One page, with a connection for runs, and another for traces. `traces` counts how these ended."""

    def __init__(self, server: Server, runs: Client, traces: Counter[str]) -> None:
        self._runs, self._traces = runs, traces
        self._second = Client(server, cookie=runs.cookie)
        self._tracing: asyncio.Task[None] | None = None

    async def run(self, traced: bool) -> float:
        """Return the milliseconds of one run. If `traced`, ask for its trace afterwards."""
        await self.leave_trace()
        start = time.perf_counter()
        answer = await self._runs.run(BODY)
        elapsed_ms = (time.perf_counter() - start) * 1000
        run_id = check_run(answer)["id"]
        if traced:
            self._tracing = asyncio.create_task(self._trace(run_id))
        return elapsed_ms

    async def leave_trace(self) -> None:
        """End a trace that has not ended, as the next run does on a page."""
        if self._tracing and not self._tracing.done():
            self._tracing.cancel()
            self._second.close()
            self._traces["left"] += 1
        if self._tracing:
            await asyncio.gather(self._tracing, return_exceptions=True)

    async def end(self) -> None:
        """Wait for the last trace."""
        if self._tracing:
            await self._tracing

    async def _trace(self, run_id: str) -> None:
        try:
            answer = await self._second.post(f"/api/runs/{run_id}/trace", b"")
        except UnexpectedAnswer as error:
            self._traces["gave way" if b"gave_way" in str(error).encode() else str(error.status)] += 1
        else:
            kinds = {record["kind"] for record in json.loads(answer)["records"]}
            self._traces["finished" if "replay" in kinds else "without replay"] += 1


async def measure(server: Server, rounds: int) -> dict[str, Any]:
    samples_ms: dict[bool, list[float]] = {False: [], True: []}  # by whether traces are asked for
    traces: Counter[str] = Counter()
    async with AsyncExitStack() as opened:
        clients = [await opened.enter_async_context(Client(server)) for _ in range(LEARNERS)]
        learners = [Learner(server, client, traces) for client in clients]
        await press_run(learners, traced=False)
        for number in range(2 * rounds):
            traced = bool(number % 2)
            await asyncio.sleep(REST_SECONDS)
            for _ in range(TIMES):
                samples_ms[traced] += await press_run(learners, traced)
            await asyncio.gather(*(learner.end() for learner in learners))
            say(f"  round {number + 1} of {2 * rounds}")
    without, with_traces = summarise(samples_ms[False]), summarise(samples_ms[True])
    return {
        "without": without,
        "with_traces": with_traces,
        "p95_ratio": ratio(with_traces["p95_ms"], without["p95_ms"]),
        "traces": dict(traces),
    }


async def press_run(learners: list[Learner], traced: bool) -> list[float]:
    return list(await asyncio.gather(*(learner.run(traced) for learner in learners)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.second_runs", description="Measure what second runs cost a class.")
    parser.add_argument("--rounds", type=int, default=10, help="of each kind")
    rounds = parser.parse_args().rounds
    report: dict[str, Any] = {"load_at_start": os.getloadavg(), "learners": LEARNERS}
    with serve() as server:
        report |= asyncio.run(measure(server, rounds))
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
