"""Learners who save, predict and submit while processes are killed, and what the server confirms to them."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx

from app.loadtest.server_answers import error_of
from app.settings import PROJECT
from tests.bench.server import Server

LESSON, EXERCISE, CELL, PREDICTION = "backward-twice/guard", "quantise", "exercise_quantise", "cut"
ADDRESS = "127.0.0.3"  # on loopback; attackers have another address
FILES = PROJECT / "lessons" / LESSON / "exercises" / EXERCISE
PAUSE_SECONDS = (0.1, 0.6)  # the pause before a request is sent again
WORTH_REPEATING = (429, 500, 502, 503)
OWN_PAGE = {"sec-fetch-site": "same-origin"}  # as browsers send it with forms of our pages


def now() -> float:
    """Seconds since the machine was started, as the kernel counts the starts of processes."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@dataclass(frozen=True)
class Receipt:
    learner: str
    key: str
    id: str
    source: str


@dataclass
class Told:
    """What the server confirmed to learners, and how often they had to repeat a request and why."""

    receipts: list[Receipt] = field(default_factory=list)
    saved: dict[str, list[str]] = field(default_factory=dict)  # the texts of one cell by learner, as versions 1, 2, …
    asked_again: Counter[str] = field(default_factory=Counter)
    different_receipts: int = 0  # how often a repeated request got another receipt
    answers: int = 0
    last_run_at: float = 0.0  # when a learner was last answered what a program did, in seconds since the machine was started


def connect(server: Server, timeout_seconds: float) -> httpx.AsyncClient:
    """A client whose requests come from ADDRESS."""
    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    return httpx.AsyncClient(base_url=f"http://{server.host}:{server.port}", transport=transport, timeout=timeout_seconds)


class Learner:
    """A browser that submits and saves, and repeats each request with the same key until it is answered."""

    ending = ""  # of each program

    def __init__(self, server: Server, told: Told, dice: random.Random) -> None:
        self.client = connect(server, timeout_seconds=60)
        self._told, self._dice = told, dice
        self.name = ""

    async def work(self, rounds: Iterable[int]) -> None:
        """Save, predict and submit in turn, then request every receipt again."""
        async with self.client:
            await self.begin()
            self._told.saved[self.name] = []
            receipts = [await self.do_round(number) for number in rounds]
            self._told.receipts += receipts
            for receipt in receipts:
                again = await self.submit(receipt.key, receipt.source)
                self._told.different_receipts += again != receipt

    async def begin(self) -> None:
        """Get a cookie."""
        await self._send("GET", "/api/lessons")
        self.name = self.client.cookies["learner"].partition(".")[0]

    async def do_round(self, number: int) -> Receipt:
        """Save, predict and submit."""
        texts = self._told.saved[self.name]
        text = f"{(FILES / 'solution.py').read_text()}{self.ending}\n# {self.name} {number}\n"
        body = {"source": text, "version": len(texts), "ran": True}
        answer = await self._send("PUT", f"/api/me/drafts/{LESSON}/{CELL}", body)
        texts.append(text)
        if answer["version"] != len(texts):
            raise AssertionError(f"version {answer['version']} in place of {len(texts)}")
        await self._send("POST", f"/api/lessons/{LESSON}/predictions/{PREDICTION}", {"answer": 1})
        self._told.last_run_at = now()
        return await self.submit(f"{self.name}-{number}", text)

    async def submit(self, key: str, source: str) -> Receipt:
        """Submit until there is a receipt, and return it."""
        path = f"/api/lessons/{LESSON}/exercises/{EXERCISE}/submissions"
        while True:
            answer = await self._send("POST", path, {"source": source}, {"idempotency-key": key})
            if answer["run"] is not None:
                self._told.last_run_at = now()
            if answer["receipt"] is not None:
                return Receipt(self.name, key, answer["receipt"]["id"], source)
            self._told.asked_again[f"not kept: {answer['not_kept']}"] += 1

    async def post_form(self, path: str, form: dict[str, str]) -> None:
        """Send the form of a page."""
        await self._repeat(lambda: self.client.post(path, data=form, headers=OWN_PAGE))

    async def _send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Return the JSON of the answer, or None if it is empty."""
        answer = await self._repeat(lambda: self.client.request(method, path, json=body, headers=headers))
        return answer.json() if answer.content else None

    async def _repeat(self, ask: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        while True:
            try:
                answer = await ask()
            except httpx.TransportError as error:
                self._told.asked_again[type(error).__name__] += 1
            else:
                if answer.status_code < 400:
                    self._told.answers += 1
                    return answer
                if answer.status_code not in WORTH_REPEATING:
                    raise AssertionError(f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:300]}")
                self._told.asked_again[f"{answer.status_code} {error_of(answer)[0] or 'page'}"] += 1
            await asyncio.sleep(self._dice.uniform(*PAUSE_SECONDS))
