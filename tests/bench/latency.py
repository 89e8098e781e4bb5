"""Measures one run at a time: through the API, in a bare warm process, in a Jupyter kernel and in a fresh interpreter; and one page."""

import time
from typing import Any

from tests.bench.client import Client, UnexpectedAnswer, check_run, run_body
from tests.bench.figures import measure_ms, say, summarise
from tests.bench.fresh import find_wrapper, run_fresh
from tests.bench.kernel import Kernel
from tests.bench.plan import WARM_UP_RUNS, Plan
from tests.bench.server import Server
from tests.bench.snippet import DRAW_IN_PROCESS, SNIPPET
from tests.bench.worker import Worker

PAGE = "/en/backward-twice/sinh-bad"


async def measure_ways(server: Server, plan: Plan) -> dict[str, Any]:
    """Return (a), (b) and (c), measured alternately, because a machine's speed can change by a factor of two within seconds."""
    body, bare = run_body(SNIPPET), SNIPPET + DRAW_IN_PROCESS
    api_ms: list[float] = []
    own_ms: list[float] = []  # the server's own part, as it reports it
    bare_ms: list[float] = []
    kernel_ms: list[float] = []
    async with Client(server) as client:
        with Worker("tests.bench.warm_worker") as worker, Kernel() as kernel:
            for _ in range(WARM_UP_RUNS):
                check_run(await client.run(body))
            for number in range(plan.runs):
                start = time.perf_counter()
                answer = await client.run(body)
                api_ms.append((time.perf_counter() - start) * 1000)
                own_ms.append(check_run(answer)["timing"]["total_ms"])
                bare_ms.append(measure_ms(lambda: worker.ask(bare)))
                kernel_ms.append(measure_ms(kernel.run))
                if number % 20 == 19:
                    say(f"  {number + 1} of {plan.runs}")
            return {
                "a_api": summarise(api_ms) | {"server_total_ms": summarise(own_ms)["median_ms"]},
                "b_bare_warm_process": summarise(bare_ms) | {"layout": "in process"},
                "c_jupyter_kernel": summarise(kernel_ms) | {"layout": "dot subprocess" if kernel.draws else "none: no dot on PATH"},
            }


def measure_fresh(plan: Plan) -> dict[str, Any]:
    wrapper = find_wrapper()
    samples_ms = [measure_ms(lambda: run_fresh(wrapper)) for _ in range(plan.fresh_runs)]
    return summarise(samples_ms) | {"wrapper": "bubblewrap" if wrapper else "none"}


async def measure_page(server: Server, _: Worker, plan: Plan) -> dict[str, Any]:
    """Measure a lesson page on a persistent connection."""
    samples_ms = []
    async with Client(server) as client:
        try:
            for _number in range(plan.page_loads):
                start = time.perf_counter()
                page = await client.get(PAGE)
                samples_ms.append((time.perf_counter() - start) * 1000)
        except UnexpectedAnswer as error:  # a server without its built assets still runs programs
            return {"path": PAGE, "error": str(error)}
    return summarise(samples_ms) | {"path": PAGE, "bytes": len(page)}
