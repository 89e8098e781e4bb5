"""Simulates a learner who works quickly through a lesson during an attack, and newcomers from the same address.

Runs use one persistent connection, and pages, their files and drafts another, as in a browser. Now and then the learner comes back, and
runs on a new connection. A newcomer has neither connection nor cookie yet: they read a page, run, save, and delete their work.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, Self

from app.loadtest.visitor import find_files
from tests.bench.client import Client, run_body
from tests.bench.figures import summarise
from tests.bench.server import Server
from tests.load.answers import Answers

RUN_EVERY_SECONDS = 0.25
VISIT_EVERY_SECONDS = 1.0
RETURN_EVERY_SECONDS = 2.0
NEWCOMER_EVERY_SECONDS = 4.0
RUN, RUN_ANEW, DRAFT = "run", "run_on_new_connection", "draft"  # kinds of requests
NO_COOKIE = "no cookie"  # why a newcomer can save nothing
LESSON, CELL = "backward-twice/sinh-bad", "sinh-bad"
PAGE = f"/en/{LESSON}"
DRAFT_PATH = f"/api/me/drafts/{LESSON}/{CELL}"


class Neighbour:
    """A learner at a loopback `address`, who runs `program`.

    Enter the context before the attack, so that the server knows the learner.
    """

    def __init__(self, server: Server, address: str, program: str) -> None:
        self._server, self._address, self._body = server, address, run_body(program)
        self._version = 0  # the version of the draft
        self._answers = Answers()
        self._timings: list[dict[str, float]] = []  # the timings of runs, as the server reports them

    async def __aenter__(self) -> Self:
        self._runs = await Client(self._server, self._address).__aenter__()
        self._pages = Client(self._server, self._address, self._runs.cookie)
        html = (await self._pages.get(PAGE)).decode()
        self._file = next(file for file in find_files(html) if file.startswith("/static/"))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._runs.close()
        self._pages.close()

    async def measure(self, seconds: float, delay_seconds: float = 0.0) -> dict[str, dict[str, Any]]:
        """Return the figures of the requests that are sent in so many seconds, by kind."""
        await asyncio.sleep(delay_seconds)
        self._answers, self._timings = Answers(), []
        until = time.perf_counter() + seconds
        await asyncio.gather(
            keep_doing(self._run, RUN_EVERY_SECONDS, until),
            keep_doing(self._visit, VISIT_EVERY_SECONDS, until),
            keep_doing(self._return, RETURN_EVERY_SECONDS, until),
            keep_doing(self._come_anew, NEWCOMER_EVERY_SECONDS, until),
        )
        figures = self._answers.figures()
        parts = self._timings[0] if self._timings else {}
        figures[RUN]["by_the_server"] = {part: summarise([timing[part] for timing in self._timings]) for part in parts}
        return figures

    async def _run(self) -> None:
        answer = await self._answers.ask(RUN, self._runs, "POST", "/api/runs", self._body)
        if answer is not None:
            self._timings.append(self._check(RUN, answer)["timing"])

    async def _return(self) -> None:
        client = Client(self._server, self._address, self._runs.cookie)
        answer = await self._answers.ask(RUN_ANEW, client, "POST", "/api/runs", self._body)
        if answer is not None:
            self._check(RUN_ANEW, answer)
        client.close()

    def _check(self, kind: str, answer: bytes) -> dict[str, Any]:
        """Return the result of a run, which must have finished."""
        result: dict[str, Any] = json.loads(answer)
        if result["outcome"] != "finished":
            self._answers.count_refused(kind, result["outcome"])
        return result

    async def _visit(self) -> None:
        """Load a page and one of its files, and save a draft."""
        await self._answers.ask("page", self._pages, "GET", PAGE)
        await self._answers.ask("file", self._pages, "GET", self._file)
        saved = await self._answers.ask(DRAFT, self._pages, "PUT", DRAFT_PATH, draft_body(self._version))
        if saved is not None:
            self._version = json.loads(saved)["version"]

    async def _come_anew(self) -> None:
        """Visit as a newcomer, as far as the server allows: without a cookie nothing can be saved."""
        client = Client(self._server, self._address)
        steps = (
            ("first_visit", "GET", PAGE, b""),
            ("first_run", "POST", "/api/runs", self._body),
            ("first_draft", "PUT", DRAFT_PATH, draft_body(0)),
            ("deletion", "DELETE", "/api/me", b""),
        )
        try:
            for kind, method, path, body in steps:
                if await self._answers.ask(kind, client, method, path, body) is None:
                    return
                if not client.cookie:
                    self._answers.count_refused(kind, NO_COOKIE)
                    return
        finally:
            client.close()


async def keep_doing(step: Callable[[], Awaitable[None]], every_seconds: float, until: float) -> None:
    while (start := time.perf_counter()) < until:
        await step()
        await asyncio.sleep(max(0.0, start + every_seconds - time.perf_counter()))


def draft_body(version: int) -> bytes:
    """Return a new text, based on this version."""
    return json.dumps({"source": f"# {time.time_ns()}\n", "version": version}).encode()
