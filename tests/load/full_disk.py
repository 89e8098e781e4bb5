"""Attackers fill the store of a server whose disk is small, while a few learners save and submit, and then delete what they added.

`python -m tests.load.full_disk [--seconds N] [--disk-mebibytes N]` starts a server of its own on loopback, prints JSON and ends, with
status 1 if the limit was exceeded, or something is lost that the server had confirmed to a learner. Its state folder is a tmpfs (root only;
otherwise GRADROOM_STORE_BYTES is half of that size). Each attacker has an address of its own: two import zips, each under a new cookie, two
save drafts under as many cookies, one imports and deletes.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from app.protocol.limits import MEBIBYTE, SOURCE_BYTES
from tests.bench.figures import ratio, say, summarise
from tests.bench.server import Server, serve
from tests.classroom.sample_archives import pack
from tests.load.kill_learners import CELL, EXERCISE, FILES, LESSON

ADDED_MEBIBYTES = 16  # the most that an address may add; five attackers may then add more than half of the disk
LEARNERS = 3
EVERY_SECONDS = 1.0
SHRINK_SECONDS = 60.0
HEAD = {"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": None, "lesson": None, "reviews": True}
ZIP = {"content-type": "application/zip"}


@contextmanager
def small_disk(mebibytes: int) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield a state folder on a file system of that size, and the settings for it. Without root, a setting limits the store instead."""
    with tempfile.TemporaryDirectory(prefix="gradroom-load-") as folder:
        os.chmod(folder, 0o711)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", folder], check=False).returncode == 0
        state = Path(folder) / "state"
        settings = {"GRADROOM_STATE_FOLDER": str(state), "GRADROOM_ADDED_BYTES_PER_ADDRESS": str(ADDED_MEBIBYTES * MEBIBYTE)}
        if not mounted:
            settings["GRADROOM_STORE_BYTES"] = str(mebibytes * MEBIBYTE // 2)
        try:
            yield state, settings
        finally:
            if mounted:
                subprocess.run(["umount", "--lazy", folder], check=True)


def open_client(server: Server, address: str) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=address)
    return httpx.AsyncClient(transport=transport, base_url=f"http://{server.host}:{server.port}", timeout=60)


def make_zip(dice: random.Random) -> bytes:
    """Return a zip with some 3 MiB of drafts."""
    lessons = {}
    for lesson in range(4):
        texts = [dice.randbytes(300).hex() * 50 for _ in range(25)]
        drafts = {f"c{number}": {"draft": {"version": 1, "source": text, "at_ms": 1}, "versions": []} for number, text in enumerate(texts)}
        lessons[f"a/b{lesson}"] = {"drafts": drafts}
    return pack(HEAD | {"lessons": lessons})


@dataclass
class Attacker:
    """Attacks from one address until cancelled. `answers`: the counts of status and reason by request. `cookies`: those that it used."""

    server: Server
    address: str
    answers: Counter[str] = field(default_factory=Counter)
    cookies: list[str] = field(default_factory=list)

    async def keep_importing(self, zipped: bytes) -> None:
        while True:
            async with self._become_new() as client:
                self._count("import", await client.post("/api/me/import", content=zipped, headers=ZIP))

    async def keep_saving(self, _: bytes) -> None:
        while True:
            async with self._become_new() as client:
                for number in range(5):
                    body = {"source": random.randbytes(SOURCE_BYTES // 2 - 8).hex(), "version": number, "ran": True}
                    self._count("save", await client.put(f"/api/me/drafts/{LESSON}/{CELL}", json=body))

    async def keep_importing_and_deleting(self, zipped: bytes) -> None:
        while True:
            async with self._become_new() as client:
                self._count("import", await client.post("/api/me/import", content=zipped, headers=ZIP))
                self._count("delete", await client.delete("/api/me"))

    async def delete_everything(self) -> None:
        for cookie in self.cookies:
            async with open_client(self.server, self.address) as client:
                client.cookies["learner"] = cookie
                self._count("delete", await client.delete("/api/me"))

    @asynccontextmanager
    async def _become_new(self) -> AsyncIterator[httpx.AsyncClient]:
        """Yield a client with a new cookie; without one while the rate of new cookies is used up."""
        async with open_client(self.server, self.address) as client:
            await client.get("/api/lessons")
            if (cookie := client.cookies.get("learner")) is None:
                await asyncio.sleep(1)
            else:
                self.cookies.append(cookie)
            yield client

    def _count(self, what: str, answer: httpx.Response) -> None:
        reason = "" if answer.is_success else f" {answer.json()['error'].get('reason') or answer.json()['error']['code']}"
        self.answers[f"{what} {answer.status_code}{reason}"] += 1


@dataclass
class Learner:
    """Saves and submits each second, and remembers the server's answers."""

    client: httpx.AsyncClient
    saved: str = ""  # the text that was saved last
    versions: int = 0
    receipts: dict[str, str] = field(default_factory=dict)  # the sources, by receipt
    not_kept: Counter[str] = field(default_factory=Counter)
    save_ms: list[float] = field(default_factory=list)
    submit_ms: list[float] = field(default_factory=list)

    async def keep_working(self, until: float) -> None:
        starter, number = (FILES / "solution.py").read_text(), 0
        await self.client.get("/api/lessons")
        while (start := time.perf_counter()) < until:
            number += 1
            await self._save(f"{starter}\n# {number} {start}\n")
            await self._submit(f"{starter}\n# {number} {start}\n")
            await asyncio.sleep(max(0.0, start + EVERY_SECONDS - time.perf_counter()))

    async def verify(self) -> tuple[int, int]:
        """Return how many receipts, and texts that were confirmed as saved, differ from what the server confirmed."""
        answer = await self.client.get("/api/me/attempts", params={"exercise": f"{LESSON}/{EXERCISE}"})
        attempts = {attempt["receipt"]: attempt["source"] for attempt in answer.json()["attempts"]}
        lost = sum(attempts.get(receipt) != source for receipt, source in self.receipts.items())
        draft = (await self.client.get(f"/api/me/drafts/{LESSON}/{CELL}")).json()["draft"]
        return lost, int((draft or {"source": ""})["source"] != self.saved)

    async def _save(self, text: str) -> None:
        start = time.perf_counter()
        answer = await self.client.put(f"/api/me/drafts/{LESSON}/{CELL}", json={"source": text, "version": self.versions})
        self.save_ms.append((time.perf_counter() - start) * 1000)
        if answer.is_success:
            self.saved, self.versions = text, answer.json()["version"]
        else:
            self.not_kept[f"save {answer.json()['error'].get('reason')}"] += 1

    async def _submit(self, source: str) -> None:
        start = time.perf_counter()
        answer = await self.client.post(f"/api/lessons/{LESSON}/exercises/{EXERCISE}/submissions", json={"source": source})
        self.submit_ms.append((time.perf_counter() - start) * 1000)
        told = answer.json()
        if not answer.is_success:
            self.not_kept[f"submit {answer.status_code}"] += 1
        elif told["receipt"]:
            self.receipts[told["receipt"]["id"]] = source
        else:
            self.not_kept[f"submit {told['not_kept']}"] += 1


class Sizes:
    """The size of the database and its log together, and its maximum."""

    def __init__(self, state: Path) -> None:
        self._files = [state / name for name in ("classroom.sqlite3", "classroom.sqlite3-wal")]
        self.most = 0

    def read(self) -> int:
        total = 0
        for file in self._files:
            with suppress(FileNotFoundError):
                total += file.stat().st_size
        self.most = max(self.most, total)
        return total

    async def keep_reading(self) -> None:
        while True:
            self.read()
            await asyncio.sleep(0.05)


def read_metrics(text: str) -> dict[str, float]:
    lines = [line.rpartition(" ") for line in text.splitlines() if line.startswith("gradroom_store_")]
    return {name.removeprefix("gradroom_store_"): float(value) for name, _, value in lines}


async def work(learners: list[Learner], seconds: float) -> dict[str, Any]:
    for learner in learners:
        learner.save_ms, learner.submit_ms = [], []
    until = time.perf_counter() + seconds
    await asyncio.gather(*(learner.keep_working(until) for learner in learners))
    save, submit = ([ms for one in learners for ms in getattr(one, name)] for name in ("save_ms", "submit_ms"))
    return {"save": summarise(save) | {"max_ms": round(max(save), 1)}, "submit": summarise(submit) | {"max_ms": round(max(submit), 1)}}


async def fill(server: Server, state: Path, seconds: float) -> dict[str, Any]:
    """Measure a quiet time, the attack, and the deletion."""
    sizes, zipped = Sizes(state), make_zip(random.Random(1))
    learners = [Learner(open_client(server, f"127.0.0.{number + 1}")) for number in range(LEARNERS)]
    attackers = [Attacker(server, f"127.0.1.{number + 1}") for number in range(5)]
    ways: list[Callable[[Attacker, bytes], Awaitable[None]]] = [
        Attacker.keep_importing, Attacker.keep_importing, Attacker.keep_saving, Attacker.keep_saving, Attacker.keep_importing_and_deleting,
    ]  # fmt: skip
    say("quiet")
    quiet, before = await work(learners, seconds / 3), sizes.read()
    say("attack")
    attacks = [asyncio.ensure_future(way(attacker, zipped)) for way, attacker in zip(ways, attackers, strict=True)]
    watching = asyncio.create_task(sizes.keep_reading())
    attack = await work(learners, seconds)
    for task in attacks:
        task.cancel()
    ends = await asyncio.gather(*attacks, return_exceptions=True)
    during = sizes.read()
    metrics = read_metrics((await learners[0].client.get("/metrics")).text)
    ready = (await learners[0].client.get("/readyz")).json()
    say("erasure")
    await asyncio.gather(*(attacker.delete_everything() for attacker in attackers))
    end = time.monotonic() + SHRINK_SECONDS
    while sizes.read() > before + 4 * MEBIBYTE and time.monotonic() < end:
        await asyncio.sleep(0.2)
    watching.cancel()
    after, recovery = sizes.read(), await work(learners, seconds / 3)
    lost = [await learner.verify() for learner in learners]
    return {
        "quiet": quiet,
        "attack": attack,
        "recovery": recovery,
        "save_p95_to_quiet": ratio(attack["save"]["p95_ms"], quiet["save"]["p95_ms"]),
        "submit_p95_to_quiet": ratio(attack["submit"]["p95_ms"], quiet["submit"]["p95_ms"]),
        "limit_bytes": metrics["limit_bytes"],
        "bytes": {"before": before, "most": sizes.most, "at_the_end": during, "after_erasure": after},
        "faults": {name: value for name, value in metrics.items() if name.startswith("faults_total")},
        "refusals": {name: value for name, value in metrics.items() if name.startswith("refusals_total")},
        "ready_not_kept": ready["not_kept"],
        "attackers": dict(sum((attacker.answers for attacker in attackers), Counter[str]())),
        "attackers_broken": [repr(one) for one in ends if not isinstance(one, asyncio.CancelledError)],
        "learners": {
            "receipts": sum(len(learner.receipts) for learner in learners),
            "receipts_lost": sum(receipts for receipts, _ in lost),
            "texts_lost": sum(texts for _, texts in lost),
            "not_kept": dict(sum((learner.not_kept for learner in learners), Counter[str]())),
        },
    }


def run(seconds: float, disk_mebibytes: int) -> dict[str, Any]:
    """Return the figures of a server that this starts. Raises ServerError."""
    with small_disk(disk_mebibytes) as (state, settings), serve(settings) as server:
        figures = asyncio.run(fill(server, state, seconds))
    slack = 12 * MEBIBYTE  # the log, and one part of an import
    held = figures["bytes"]["most"] <= figures["limit_bytes"] + slack and not figures["faults"]
    return {"load_at_start": os.getloadavg(), "bound_held": held} | figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.full_disk", description="Measure what attackers on the store do to others.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the attack lasts")
    parser.add_argument("--disk-mebibytes", type=int, default=96, help="size of the disk")
    arguments = parser.parse_args()
    report = run(arguments.seconds, arguments.disk_mebibytes)
    print(json.dumps(report, indent=2))
    return 0 if report["bound_held"] and not report["learners"]["receipts_lost"] + report["learners"]["texts_lost"] else 1


if __name__ == "__main__":
    sys.exit(main())
