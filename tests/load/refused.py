"""Measures the processor time that web spends on a request that it refuses, compared with one that it serves.

    python -m tests.load.refused

The requests are 1,000 pages, static files and runs. Those that are served are few from each of many addresses. Those that are refused come
from one client, who sends more than any pace allows, and closes a connection that was not answered within a second, whether it was refused
or left waiting. Requests that web counts as served in this time, also for clients that have gone, are deducted. Each request has a
connection of its own. The script starts a server for each kind, prints JSON and ends, with status 1 if a refusal costs more than
`MOST_OF_SERVED` of an answer.
"""

import asyncio
import json
import os
import re
import sys
import time
import urllib.request
from collections import Counter
from typing import Any

from app.settings import PROJECT
from app.web.http.assets import load_assets
from tests.bench.figures import ratio, say
from tests.bench.processes import command, descendants
from tests.bench.processor import own_seconds
from tests.bench.server import Server, serve
from tests.load.attacks.attack import Request, Target, exchange, new_cookie, order

MOST_OF_SERVED = 0.1
SERVED = {"page": 500, "file": 1000, "run": 300}
ADDRESSES = 100
REFUSED_PER_SECOND = 600
LEAD_SECONDS = 20.0  # uses up the requests that are allowed at once
REFUSED_SECONDS = 10.0
PATIENCE_SECONDS = 1.0
FEWEST_REFUSED = 100
OK = 200
SERVED_LINE = re.compile(r'^gradroom_web_requests_total\{.*status="200"\} (\S+)$', re.MULTILINE)


class Costs:
    """The costs of one kind of request, for web."""

    def __init__(self, server: Server, kind: str) -> None:
        self._server, self._kind = server, kind
        (self._web,) = (pid for pid in descendants(server.pid) if "app.cli web" in command(pid))

    async def measure(self) -> dict[str, Any]:
        served_seconds, served = await self._serve()
        seconds, sent, served_meanwhile, answers = await self._refuse()
        refused = sent - served_meanwhile
        refused_seconds = max(0.0, seconds - served_meanwhile * served_seconds) / refused if refused >= FEWEST_REFUSED else None
        return {
            "served_seconds_per_1000": round(served_seconds * 1000, 3),
            "refused_seconds_per_1000": None if refused_seconds is None else round(refused_seconds * 1000, 3),
            "ratio": ratio(refused_seconds, served_seconds),
            "answers": {"served": dict(served), "refused": dict(answers)},
            "served_of_those_refused": served_meanwhile,
        }

    async def _serve(self) -> tuple[float, Counter[int]]:
        """Return the processor seconds for one answer, and the answers' statuses."""
        targets = [self._target(f"127.0.1.{number + 1}") for number in range(ADDRESSES)]
        requests = [await self._request(target) for target in targets]
        answers: Counter[int] = Counter()
        begin = own_seconds(self._web)
        for number in range(SERVED[self._kind]):
            answers[await exchange(targets[number % ADDRESSES], requests[number % ADDRESSES])] += 1
        return (own_seconds(self._web) - begin) / answers[OK], answers

    async def _refuse(self) -> tuple[float, int, int, Counter[int]]:
        """Send more than is served; return the processor seconds, the numbers of requests sent and served, and the statuses."""
        target = self._target("127.0.2.1")
        request = await self._request(target)
        await send_for(LEAD_SECONDS, target, request)
        served = await asyncio.to_thread(count_served, self._server)
        begin = own_seconds(self._web)
        answers = await send_for(REFUSED_SECONDS, target, request)
        seconds = own_seconds(self._web) - begin
        return seconds, answers.total(), await asyncio.to_thread(count_served, self._server) - served, answers

    def _target(self, address: str) -> Target:
        return Target(self._server.host, self._server.port, address)

    async def _request(self, target: Target) -> Request:
        if self._kind == "run":
            return order("print(1)", await new_cookie(target))
        path = "/en/" if self._kind == "page" else load_assets(PROJECT / "static" / "build").address("lesson.js")
        return Request(b"", path=path, method="GET")


def count_served(server: Server) -> int:
    """Return web's own count of served requests, which includes clients that have gone. This request is counted in the next answer."""
    with urllib.request.urlopen(f"http://{server.host}:{server.port}/metrics", timeout=60) as answer:
        return int(sum(map(float, SERVED_LINE.findall(answer.read().decode()))))


async def send_for(seconds: float, target: Target, request: Request) -> Counter[int]:
    """Send REFUSED_PER_SECOND requests a second, and return the answers' statuses."""
    begin = time.monotonic()
    async with asyncio.TaskGroup() as senders:
        asking = []
        for number in range(round(seconds * REFUSED_PER_SECOND)):
            await asyncio.sleep(max(0.0, begin + number / REFUSED_PER_SECOND - time.monotonic()))
            asking.append(senders.create_task(ask(target, request)))
    return Counter(task.result() for task in asking)


async def ask(target: Target, request: Request) -> int:
    """Return the status of the answer; 0 if there was none in time."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await exchange(target, request)
    except TimeoutError:
        return 0


def main() -> int:
    report: dict[str, Any] = {"load_at_start": os.getloadavg()}
    for kind in SERVED:
        say(kind)
        with serve() as server:
            report[kind] = asyncio.run(Costs(server, kind).measure())
    print(json.dumps(report, indent=2))
    ratios = [report[kind]["ratio"] for kind in SERVED]
    return 0 if all(found is not None and found <= MOST_OF_SERVED for found in ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
