"""Learners of a cluster: some save and submit, others follow runs as a browser does. How each run ended for them is counted."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from itertools import count

import httpx

from app.protocol.load import node_of
from tests.bench.server import Server
from tests.load.kill_learners import PAUSE_SECONDS, Learner, Told, connect, now

LEARNERS, FOLLOWERS = 3, 3
FINISHED = "result finished"
BROKEN = "broken connection"
# 0.2 s, in pieces, because a program that is paused in a sleep goes on sleeping
PROGRAM = "import time\nfor _ in range(10):\n    time.sleep(0.02)\nprint({number})"


class Followed:
    """How runs ended, and those of which learners were not told what happened.

    `excuses`: says whether something since a moment explains a broken connection, such as the end of a web process.
    """

    def __init__(self, excuses: Callable[[float], bool]) -> None:
        self.ends: Counter[str] = Counter()
        self.nodes: Counter[str] = Counter()  # where runs that were accepted were
        self.untold: list[str] = []
        self._excuses = excuses

    def add(self, end: str, began: float) -> None:
        self.ends[end] += 1
        if (end == BROKEN and not self._excuses(began)) or end.startswith("no end") or "wrong" in end:
            self.untold.append(f"{end} of a run that began at {began:.1f}")


async def work_during(
    server: Server, told: Told, followed: Followed, seed: int, disturbance: Coroutine[None, None, None], learners: int = LEARNERS
) -> None:
    """Let learners save and submit, and others follow runs, until the disturbance has ended."""
    disturbing = asyncio.create_task(disturbance)
    working = [asyncio.create_task(Learner(server, told, random.Random(seed + n)).work(numbers_until(disturbing))) for n in range(learners)]
    following = [asyncio.create_task(follow_runs(server, followed, random.Random(seed + 100 + n))) for n in range(FOLLOWERS)]
    tasks = (disturbing, *working, *following)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)  # of learners and followers only one that failed ends before
        if disturbing.done():
            await asyncio.gather(disturbing, *working)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error


def numbers_until(task: "asyncio.Task[None]") -> Iterator[int]:
    """Iterate over the numbers of a learner's rounds until the task has ended."""
    for number in count():
        if task.done():
            return
        yield number


async def follow_runs(server: Server, followed: Followed, dice: random.Random) -> None:
    """Run programs one after the other, until cancelled."""
    async with connect(server, timeout_seconds=60) as client:
        for number in count(dice.randrange(1_000_000)):
            began = now()
            end = await follow_run(client, number, followed.nodes)
            followed.add(end, began)
            if end != FINISHED:
                await asyncio.sleep(dice.uniform(*PAUSE_SECONDS))


async def follow_run(client: httpx.AsyncClient, number: int, nodes: Counter[str]) -> str:
    """Run a program, and return how it ended for its learner. Count its node."""
    event, data, text = "nothing", "{}", ""
    body = {"source": PROGRAM.format(number=number)}
    try:
        async with client.stream("POST", "/api/runs", json=body, headers={"accept": "text/event-stream"}) as answer:
            if answer.status_code != 200:
                await answer.aread()
                is_ours = answer.headers.get("content-type", "").startswith("application/json")
                return f"{answer.status_code} {answer.json()['error']['code'] if is_ours else 'of the balancer'}"
            nodes[node_of(answer.headers["x-run-id"])] += 1
            async for line in answer.aiter_lines():
                name, _, value = line.partition(": ")
                event = value if name == "event" else event
                data = value if name == "data" else data
                text += json.loads(value)["text"] if name == "data" and event == "stdout" else ""
    except httpx.TransportError:
        return BROKEN
    if event == "error":
        return f"error {json.loads(data)['code']}"
    if event != "result":
        return f"no end after {event}"
    outcome = json.loads(data)["outcome"]
    return f"result {outcome}" if outcome != "finished" or text == f"{number}\n" else "result with a wrong output"
