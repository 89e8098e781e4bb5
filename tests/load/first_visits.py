"""Forty first visits within a second, and forty runs, drafts and submissions in the next. Is anybody refused, and how long does it take?

    python -m tests.load.first_visits [--learners N]

All learners come from one address of loopback, and none has a cookie yet. Each loads a lesson's page and all of its files over six
connections, as a browser does, and a second later orders a run, saves and submits at once. The script starts a server of its own, prints
JSON and ends, with status 1 if anything was refused.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

from app.loadtest.visitor import find_files
from app.settings import PROJECT
from tests.bench.client import Client, run_body
from tests.bench.server import Server, serve
from tests.load.answers import Answers
from tests.load.neighbour import draft_body

LEARNERS = 40
CONNECTIONS = 6  # as many as a browser opens to one server
ACT_AFTER_SECONDS = 1.0
LESSON, EXERCISE = "backward-twice/guard", "quantise"
PAGE = f"/en/{LESSON}"
DRAFT = f"/api/me/drafts/{LESSON}/exercise_{EXERCISE}"
SUBMISSIONS = f"/api/lessons/{LESSON}/exercises/{EXERCISE}/submissions"


class Newcomer:
    """A browser that has not been here before."""

    def __init__(self, server: Server, answers: Answers) -> None:
        self._clients = [Client(server) for _ in range(CONNECTIONS)]
        self._answers = answers

    async def attend(self, arrival_seconds: float) -> None:
        """Visit and act, beginning in `arrival_seconds`."""
        begin = time.perf_counter() + arrival_seconds
        await asyncio.sleep(arrival_seconds)
        try:
            await self._visit()
            await asyncio.sleep(max(0.0, begin + ACT_AFTER_SECONDS - time.perf_counter()))
            await self._act()
        finally:
            for client in self._clients:
                client.close()

    async def _visit(self) -> None:
        """Load the page, then its files, over all connections."""
        start = time.perf_counter()
        page = await self._answers.ask("page", self._clients[0], "GET", PAGE)
        for client in self._clients[1:]:
            client.cookie = self._clients[0].cookie
        files = iter(find_files((page or b"").decode()))
        await asyncio.gather(*(self._load(client, files) for client in self._clients))
        self._answers.count_served("page with its files", start)

    async def _load(self, client: Client, files: Iterator[str]) -> None:
        for file in files:
            await self._answers.ask("file", client, "GET", file)

    async def _act(self) -> None:
        """Run, save and submit at once."""
        source = (PROJECT / "lessons" / LESSON / "exercises" / EXERCISE / "solution.py").read_text()
        requests = (
            ("run", "POST", "/api/runs", run_body("print(1)")),
            ("draft", "PUT", DRAFT, draft_body(0)),
            ("submission", "POST", SUBMISSIONS, run_body(source)),
        )
        await asyncio.gather(
            *(
                self._answers.ask(kind, client, method, path, body)
                for client, (kind, method, path, body) in zip(self._clients, requests, strict=False)
            )
        )


async def visit(server: Server, learners: int) -> dict[str, dict[str, Any]]:
    """Return the figures by kind of request."""
    answers = Answers()
    await asyncio.gather(*(Newcomer(server, answers).attend(number / learners) for number in range(learners)))
    return answers.figures()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.first_visits", description="See whether a class that arrives is refused.")
    parser.add_argument("--learners", type=int, default=LEARNERS)
    load = os.getloadavg()
    with serve() as server:
        figures = asyncio.run(visit(server, parser.parse_args().learners))
    print(json.dumps({"load_at_start": load} | figures, indent=2))
    return 1 if any(found["refused"] for found in figures.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
