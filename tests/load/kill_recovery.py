"""How soon pages, saves and runs work again after a process was killed, measured from the start of the last process."""

import asyncio
import json
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import httpx

from tests.bench.processes import command, descendants
from tests.bench.server import Server
from tests.load.kill_learners import LESSON, Told, connect, now

Works = Callable[[httpx.AsyncClient], Awaitable[bool]]
FIRST_RUN = "anybody's run"
IN_A_ROW = 3  # successes, each on a new connection, which may lead to another web process
GIVE_UP_SECONDS = 60.0
ANSWER_SECONDS = 10.0
CELL = "_rule"
PAGE_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Recovery:
    """After how many seconds each kind of request works again, by the role of the killed process, from the start of the last process.

    PostgreSQL counts as started when it has recovered and accepts connections. After kills that nothing has to be started for, the seconds
    are counted from the kill.
    """

    seconds: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)  # what did not work again in GIVE_UP_SECONDS

    def report(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the maximum and the median of the seconds, by role and kind."""
        return {
            role: {kind: {"most": max(seconds), "median": round(median(seconds), 2)} for kind, seconds in found.items()}
            for role, found in self.seconds.items()
        }

    def add(self, role: str, kind: str, seconds: float) -> None:
        self.seconds.setdefault(role, {}).setdefault(kind, []).append(round(seconds, 2))


class Visitor:
    """A learner who looks whether everything works."""

    def __init__(self, server: Server, told: Told, recovery: Recovery) -> None:
        self._server, self._told, self._recovery = server, told, recovery
        self._cookies = httpx.Cookies()
        self._versions = 0

    async def begin(self) -> None:
        """Get a cookie."""
        async with connect(self._server, ANSWER_SECONDS) as client:
            await client.get("/api/lessons")
            self._cookies = client.cookies

    async def look(self, role: str, killed: float, started: Callable[[], float], others: Mapping[str, Works]) -> None:
        """Look until everything works again, and `others` by their kinds.

        `started` is the start of the last process, and `killed` the kill, in the seconds of `now`.
        """
        # the run is a visitor's, who waits in the queue beside all learners
        works = {"page": self._page, "save": self._save, "run": self._run, **others}
        looks = [self._await(role, kind, works[kind], started, killed) for kind in works]
        await asyncio.gather(*looks, *([self._await_first_run(started, killed)] if role == "runner" else []))

    async def _await_first_run(self, started: Callable[[], float], killed: float) -> None:
        """Wait until the runner that was started again has executed a program of anybody."""
        while (start := started()) <= killed or self._told.last_run_at <= start:
            await asyncio.sleep(0.05)
            if now() - killed > GIVE_UP_SECONDS:
                self._recovery.missed.append(FIRST_RUN)
                return
        self._recovery.add("runner", FIRST_RUN, self._told.last_run_at - start)

    async def _await(self, role: str, kind: str, works: Works, started: Callable[[], float], killed: float) -> None:
        row, first = 0, 0.0
        while row < IN_A_ROW:
            try:
                async with connect(self._server, ANSWER_SECONDS) as client:
                    client.cookies = self._cookies
                    worked = await works(client)
            except httpx.TransportError:
                worked = False
            first = now() if row == 0 else first
            row = row + 1 if worked else 0
            if not worked:
                if now() - killed > GIVE_UP_SECONDS:
                    self._recovery.missed.append(f"{kind} after {role}")
                    return
                await asyncio.sleep(0.05)
        self._recovery.add(role, kind, max(0.0, first - max(killed, started())))

    async def _page(self, client: httpx.AsyncClient) -> bool:
        answer = await client.get(f"/en/{LESSON}")
        data = PAGE_DATA.search(answer.text)
        return answer.status_code == 200 and data is not None and json.loads(data[1])["kept"] is not None

    async def _save(self, client: httpx.AsyncClient) -> bool:
        body = {"source": f"{self._versions}", "version": self._versions}
        answer = await client.put(f"/api/me/drafts/{LESSON}/{CELL}", json=body)
        if answer.status_code in (200, 409):
            self._versions = answer.json()["version"] if answer.status_code == 200 else answer.json()["error"]["draft"]["version"]
        return answer.status_code == 200

    async def _run(self, client: httpx.AsyncClient) -> bool:
        answer = await client.post("/api/runs", json={"source": "1 + 1"})
        return answer.status_code == 200 and answer.json()["outcome"] == "finished"


def last_start(server: Server) -> float:
    """When the last of the server's web and runner processes was started."""
    below = [pid for pid in descendants(server.pid) if "app.cli web" in command(pid) or "app.cli runner" in command(pid)]
    return max(map(start_of, below), default=0.0)


def start_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return int(fields[19]) / TICKS
