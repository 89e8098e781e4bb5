"""Kills processes of a server at random moments while learners submit and save. Is everything stored that the server confirmed to them?

`python -m tests.load.kills [--submissions N] [--learners N] [--seed N] [--also-attacks]` starts a server of its own on loopback, prints
JSON and ends. As many drafts are saved as programs are submitted. SIGKILL is sent to web, the runner, a zygote, and children of zygotes,
both those that run learners' programs and those that grade them. With --also-attacks the server has its usual rates, and `ATTACKS` come
from another address at the same time.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx

from app.settings import PROJECT
from tests.bench.figures import say
from tests.bench.processes import ZYGOTE, command, descendants, parent
from tests.bench.server import ANY_RATE, Server, serve
from tests.load.attack_process import attacked_by

LESSON, EXERCISE, CELL = "backward-twice/guard", "quantise", "exercise_quantise"
ADDRESS = "127.0.0.3"  # on loopback; attackers have another address
FILES = PROJECT / "lessons" / LESSON / "exercises" / EXERCISE
ROLES = ("web", "runner", "zygote", "child")
GIVE_UP_SECONDS = 900.0
MOST_ANSWERS = 12  # the most answers from one kill to the next
PAUSE_SECONDS = (0.1, 0.6)  # the pause before a request is sent again
WORTH_REPEATING = (429, 500, 502, 503)
ATTACKS = (
    "page_flood_420",
    "file_flood_550",
    "run_flood_640",
    "submission_flood_270",
    "invalid_bodies",
    "large_imports",
    "imports_and_deletions",
)


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


def connect(server: Server, timeout_seconds: float) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
    return httpx.AsyncClient(base_url=f"http://{server.host}:{server.port}", transport=transport, timeout=timeout_seconds)


class Learner:
    """A browser that submits and saves, and repeats each request with the same key until it is answered."""

    def __init__(self, server: Server, told: Told, dice: random.Random) -> None:
        self._client = connect(server, timeout_seconds=60)
        self._told, self._dice = told, dice
        self.name = ""

    async def work(self, rounds: int) -> None:
        """Save and submit in turn, then request every receipt again."""
        async with self._client:
            await self._send("GET", "/api/lessons")
            self.name = self._client.cookies["learner"].partition(".")[0]
            texts = self._told.saved[self.name] = []
            starter = (FILES / "solution.py").read_text()
            receipts = []
            for number in range(rounds):
                text = f"{starter}\n# {self.name} {number}\n"
                body = {"source": text, "version": len(texts), "ran": True}
                answer = await self._send("PUT", f"/api/me/drafts/{LESSON}/{CELL}", body)
                texts.append(text)
                if answer["version"] != len(texts):
                    raise AssertionError(f"version {answer['version']} in place of {len(texts)}")
                receipts.append(await self._submit(f"{self.name}-{number}", text))
            self._told.receipts += receipts
            for receipt in receipts:
                again = await self._submit(receipt.key, receipt.source)
                self._told.different_receipts += again != receipt

    async def _submit(self, key: str, source: str) -> Receipt:
        """Submit until there is a receipt, and return it."""
        path = f"/api/lessons/{LESSON}/exercises/{EXERCISE}/submissions"
        while True:
            answer = await self._send("POST", path, {"source": source}, {"idempotency-key": key})
            if answer["receipt"] is not None:
                return Receipt(self.name, key, answer["receipt"]["id"], source)
            self._told.asked_again[f"not kept: {answer['not_kept']}"] += 1

    async def _send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        while True:
            try:
                answer = await self._client.request(method, path, json=body, headers=headers)
            except httpx.TransportError as error:
                self._told.asked_again[type(error).__name__] += 1
            else:
                if answer.status_code == 200:
                    self._told.answers += 1
                    return answer.json()
                if answer.status_code not in WORTH_REPEATING:
                    raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
                self._told.asked_again[f"{answer.status_code} {answer.json()['error']['code']}"] += 1
            await asyncio.sleep(self._dice.uniform(*PAUSE_SECONDS))


class Killer:
    """Kills processes at random moments, one role after the other."""

    def __init__(self, server: Server, told: Told, dice: random.Random) -> None:
        self._server, self._told, self._dice = server, told, dice
        self.killed: Counter[str] = Counter()

    async def keep_killing(self) -> None:
        """Kill processes until cancelled.

        A few requests are answered between two kills, so that the learners come to an end.
        """
        async with connect(self._server, timeout_seconds=10) as client:
            for role in cycle(self._dice.sample(ROLES, len(ROLES))):
                await self._await_answers(self._told.answers + self._dice.randrange(MOST_ANSWERS))
                await asyncio.sleep(self._dice.uniform(0.0, 0.3))
                found = self._find(role)
                if found:
                    os.kill(self._dice.choice(found), signal.SIGKILL)
                    self.killed[role] += 1
                await self._await_ready(client)

    def _find(self, role: str) -> list[int]:
        """Return the processes of a role that belong to this server."""
        below = {pid: command(pid) for pid in descendants(self._server.pid)}
        zygotes = [pid for pid, words in below.items() if ZYGOTE in words]
        if role == "child":
            return [pid for pid in zygotes if parent(pid) in zygotes]
        if role == "zygote":
            return [pid for pid in zygotes if parent(pid) not in zygotes]
        return [pid for pid, words in below.items() if f"app.cli {role}" in words]

    async def _await_answers(self, count: int) -> None:
        while self._told.answers < count:
            await asyncio.sleep(0.01)

    async def _await_ready(self, client: httpx.AsyncClient) -> None:
        while True:
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.05)


def find_untrue(database: Path, told: Told) -> list[str]:
    """Return what the server confirmed to learners but the database contradicts."""
    untrue = []
    with sqlite3.connect(database) as connection:
        for receipt in told.receipts:
            columns = (
                "SELECT learner.name, attempt.source, attempt.sha256, attempt.key FROM attempt JOIN learner ON learner.id = learner_id"
            )
            rows = connection.execute(f"{columns} WHERE receipt = ?", [receipt.id]).fetchall()
            if rows != [(receipt.learner, receipt.source, sha256(receipt.source.encode()).hexdigest(), receipt.key)]:
                untrue.append(f"receipt {receipt.id}: {rows}")
        told_learners = {*told.saved, *(receipt.learner for receipt in told.receipts)}  # others may be attackers
        groups = "SELECT name, key, count(*) FROM attempt JOIN learner ON learner.id = learner_id GROUP BY name, key"
        counts = {key: count for name, key, count in connection.execute(groups) if name in told_learners}
        if counts != {receipt.key: 1 for receipt in told.receipts}:
            untrue.append(f"keys: {counts}")
        for learner, texts in told.saved.items():
            of_learner = "JOIN learner ON learner.id = learner_id WHERE learner.name = ?"
            drafts = connection.execute(f"SELECT version, source FROM draft {of_learner}", [learner]).fetchall()
            if drafts != [(len(texts), texts[-1])]:
                untrue.append(f"draft of {learner}: {drafts}")
            kept = {source for (source,) in connection.execute(f"SELECT source FROM draft_version {of_learner}", [learner])}
            untrue += [f"text {number} of {learner} is lost" for number, text in enumerate(texts) if text not in kept]
            (count,) = connection.execute(f"SELECT attempts FROM standing {of_learner}", [learner]).fetchone()
            if count != len(texts):
                untrue.append(f"{learner} is counted {count} submissions in place of {len(texts)}")
    return untrue


async def disturb(server: Server, told: Told, *, learners: int, rounds: int, seed: int) -> Counter[str]:
    """Let learners work while processes are killed. Return the roles of these."""
    killer = Killer(server, told, random.Random(seed))
    killing = asyncio.create_task(killer.keep_killing())
    working = [asyncio.create_task(Learner(server, told, random.Random(seed + 1 + n)).work(rounds)) for n in range(learners)]
    try:
        async with asyncio.timeout(GIVE_UP_SECONDS):
            await asyncio.gather(*working)
    finally:
        for task in (killing, *working):
            task.cancel()
        await asyncio.gather(killing, *working, return_exceptions=True)
    return killer.killed


def kill_and_look(*, submissions: int, learners: int, seed: int, attacks: Sequence[str] = ()) -> tuple[dict[str, Any], Told, list[str]]:
    """Return a report, the confirmations, and those that the database contradicts."""
    told = Told()
    with tempfile.TemporaryDirectory(prefix="gradroom-kills-") as folder:
        os.chmod(folder, 0o711)  # web's own user passes through
        state = Path(folder, "state")
        settings = {"GRADROOM_STATE_FOLDER": str(state), "GRADROOM_LOG_LEVEL": "error"} | ({} if attacks else ANY_RATE)
        with serve(settings) as server, ExitStack() as attackers:
            figures = {name: attackers.enter_context(attacked_by(name, server)) for name in attacks}
            start = time.perf_counter()
            work = disturb(server, told, learners=learners, rounds=max(1, submissions // learners), seed=seed)
            killed = asyncio.run(work)
            seconds = time.perf_counter() - start
        untrue = find_untrue(state / "classroom.sqlite3", told)
    report = {
        "seed": seed,
        "seconds": round(seconds, 1),
        "receipts": len(told.receipts),
        "drafts_saved": sum(map(len, told.saved.values())),
        "killed": dict(killed),
        "asked_again": dict(told.asked_again),
        "different_receipts_for_one_key": told.different_receipts,
        "attacks": figures,
        "untrue": untrue,
    }
    return report, told, untrue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--learners", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--also-attacks", action="store_true", help="while others attack the server")
    given = parser.parse_args()
    say(f"{given.submissions} submissions and drafts of {given.learners} learners, seed {given.seed}")
    attacks = ATTACKS if given.also_attacks else ()
    report, _, untrue = kill_and_look(submissions=given.submissions, learners=given.learners, seed=given.seed, attacks=attacks)
    json.dump(report, sys.stdout, indent=2)
    print()
    sys.exit(bool(untrue) or bool(report["different_receipts_for_one_key"]))


if __name__ == "__main__":
    main()
