"""Kills processes of a server at random moments while learners submit and save. Is everything stored that the server confirmed to them?

`python -m tests.load.kills [--submissions N] [--learners N] [--seed N] [--also-attacks]` starts a server of its own on loopback, prints
JSON and ends. As many drafts are saved as programs are submitted. SIGKILL is sent to web, the runner, a zygote, and children of zygotes,
both those that run learners' programs and those that grade them. With --also-attacks the server has its usual rates, and `ATTACKS` come
from another address at the same time.

With `--postgresql --kills N` there are two web processes and a PostgreSQL server, and N processes are killed: a web process, the runner,
a process of PostgreSQL that serves one connection, or all of PostgreSQL, which is started again. The learners are then in a class, raise
their hands, and are joined by others, while its board is open. The report also says how soon pages, saves, runs and the board worked again.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Any

import httpx

from tests.bench.figures import say
from tests.bench.processes import ZYGOTE, command, descendants, parent
from tests.bench.server import ANY_RATE, Server, serve
from tests.load.attack_process import attacked_by
from tests.load.kill_board import WatchedBoard
from tests.load.kill_class import Member, find_untrue_members, join_newcomers, open_class
from tests.load.kill_learners import Learner, Told, connect, now
from tests.load.kill_recovery import Recovery, Visitor, last_start
from tests.load.kill_truth import find_untrue
from tests.postgresql import PostgresServer, find_programs

ROLES = ("web", "runner", "zygote", "child")
ROLES_WITH_POSTGRES = ("web", "runner", "backend", "postgres")
DURABLE = {"fsync": "on", "full_page_writes": "on"}
GIVE_UP_SECONDS = 1800.0
MOST_ANSWERS = 12  # the most answers from one kill to the next
DOWN_SECONDS = 2.0  # the longest time that PostgreSQL is down before it is started again
ATTACKS = (
    "page_flood_420",
    "file_flood_550",
    "run_flood_640",
    "submission_flood_270",
    "invalid_bodies",
    "large_imports",
    "imports_and_deletions",
)


class Killer:
    """Kills processes at random moments, one role after the other. After `most` of them it stops. `board` is open meanwhile."""

    def __init__(
        self,
        server: Server,
        told: Told,
        dice: random.Random,
        postgres: PostgresServer | None = None,
        most: int | None = None,
        board: WatchedBoard | None = None,
    ) -> None:
        self._server, self._told, self._dice, self._postgres, self._most, self._board = server, told, dice, postgres, most, board
        self.killed: Counter[str] = Counter()
        self.recovery = Recovery()
        self._postgres_started = 0.0
        self._thread = ThreadPoolExecutor(1)  # PostgreSQL ends with the thread that has started it, so this one lasts

    @property
    def is_done(self) -> bool:
        return self._most is not None and self.killed.total() >= self._most

    async def keep_killing(self) -> None:
        """Kill processes until cancelled or done.

        A few requests are answered between two kills, so that the learners come to an end.
        """
        visitor = Visitor(self._server, self._told, self.recovery)
        await visitor.begin()
        async with connect(self._server, timeout_seconds=10) as client:
            for role in self._roles():
                await self._await_answers(self._told.answers + self._dice.randrange(MOST_ANSWERS))
                await asyncio.sleep(self._dice.uniform(0.0, 0.3))
                began, starts = now(), self._count_starts()
                killed = await self._kill_postgres() if role == "postgres" else self._kill_one_of(self._find(role))
                self.killed[role] += killed
                if self._postgres:
                    noticing = asyncio.create_task(self._notice_start(starts))
                    others = self._board.works(began) if self._board else {}
                    await visitor.look(role, began, lambda: max(last_start(self._server), self._postgres_started), others)
                    noticing.cancel()
                    last = {kind: seconds[-1] for kind, seconds in self.recovery.seconds[role].items() if seconds}
                    say(f"{self.killed.total()} of {self._most}: {role} {last}")
                await self._await_ready(client)
                if self.is_done:
                    return

    def _roles(self) -> Iterator[str]:
        if self._postgres is None:
            yield from cycle(self._dice.sample(ROLES, len(ROLES)))
        while True:
            yield self._dice.choice(ROLES_WITH_POSTGRES)

    def _kill_one_of(self, pids: list[int]) -> bool:
        if pids:
            os.kill(self._dice.choice(pids), signal.SIGKILL)
        return bool(pids)

    async def _kill_postgres(self) -> bool:
        """Kill all processes of PostgreSQL, and start it again a moment later."""
        assert self._postgres is not None
        below = descendants(self._postgres.pid)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._postgres.stop, signal.SIGKILL)
        for pid in below:
            if "postgres" in command(pid):
                os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(self._dice.uniform(0, DOWN_SECONDS))
        await loop.run_in_executor(self._thread, partial(self._postgres.start, **DURABLE))
        return True

    def _count_starts(self) -> int:
        """Return how often PostgreSQL has begun to accept connections, according to its log."""
        return (self._postgres.folder / "log").read_bytes().count(b"ready to accept connections") if self._postgres else 0

    async def _notice_start(self, starts: int) -> None:
        """Wait until PostgreSQL has recovered by itself, and record when. Its own recovery does not count as ours."""
        while self._count_starts() == starts:
            await asyncio.sleep(0.02)
        self._postgres_started = now()

    def _find(self, role: str) -> list[int]:
        """Return the processes of a role that belong to this server."""
        if role == "backend":
            assert self._postgres is not None
            return [pid for pid in descendants(self._postgres.pid) if "postgres: gradroom" in command(pid)]
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


def rounds_until_done(killer: Killer) -> Iterator[int]:
    """Iterate over the numbers of a learner's rounds until the killer is done."""
    for number in count():
        if killer.is_done:
            return
        yield number


async def disturb(
    server: Server, told: Told, killer: Killer, *, learners: int, rounds: int | None, seed: int, board: WatchedBoard | None = None
) -> None:
    """Let learners work while processes are killed: for `rounds` rounds each, or without a number until the killer is done.

    With a board, they are members of its class, and others join it.
    """
    if board:
        await board.sign_in()
    killing, *watching = [asyncio.create_task(one) for one in (killer.keep_killing(), *([board.follow()] if board else []))]
    works: list[Coroutine[Any, Any, None]] = []
    for number in range(learners):
        dice = random.Random(seed + 1 + number)
        learner = Member(server, told, dice, board.of, f"Learner {number}", fails=number % 2 == 0) if board else Learner(server, told, dice)
        works.append(learner.work(range(rounds) if rounds else rounds_until_done(killer)))
    if board:
        works.append(join_newcomers(server, told, random.Random(seed), board.of, lambda: killer.is_done))
    working = [asyncio.create_task(work) for work in works]
    try:
        async with asyncio.timeout(GIVE_UP_SECONDS):
            await asyncio.gather(*working)
            if killing.done():
                killing.result()
            if board:
                await board.look_once()
    finally:
        for task in (killing, *watching, *working):
            task.cancel()
        await asyncio.gather(killing, *watching, *working, return_exceptions=True)


def kill_and_look(
    *, submissions: int, learners: int, seed: int, attacks: Sequence[str] = (), kills: int | None = None
) -> tuple[dict[str, Any], Told, list[str]]:
    """Return a report, the confirmations, and those that the database contradicts.

    With `kills`, there are two web processes and PostgreSQL, and so many processes are killed.
    """
    told = Told()
    with tempfile.TemporaryDirectory(prefix="gradroom-kills-") as folder, ExitStack() as stack:
        os.chmod(folder, 0o711)  # web's own user passes through
        state = Path(folder, "state")
        url = f"sqlite:///{state / 'classroom.sqlite3'}"
        settings = {"GRADROOM_STATE_FOLDER": str(state), "GRADROOM_LOG_LEVEL": "error"} | ({} if attacks else ANY_RATE)
        postgres = joined = None
        if kills is not None:
            postgres = start_postgres(stack)
            url = postgres.make_database()
            settings |= {"GRADROOM_DATABASE_URL": url, "GRADROOM_WEB_PROCESSES": "2"}
            joined = asyncio.run(open_class(url))
        with serve(settings) as server, ExitStack() as attackers:
            figures = {name: attackers.enter_context(attacked_by(name, server)) for name in attacks}
            board = WatchedBoard(server, joined) if joined else None
            killer = Killer(server, told, random.Random(seed), postgres, kills, board)
            start = time.perf_counter()
            rounds = None if kills is not None else max(1, submissions // learners)
            asyncio.run(disturb(server, told, killer, learners=learners, rounds=rounds, seed=seed, board=board))
            seconds = time.perf_counter() - start
        untrue = find_untrue(url, told) + ([*find_untrue_members(url, board.of), *board.wrong] if board else [])
    report = {
        "seed": seed,
        "seconds": round(seconds, 1),
        "receipts": len(told.receipts),
        "drafts_saved": sum(map(len, told.saved.values())),
        "killed": dict(killer.killed),
        "asked_again": dict(told.asked_again),
        "different_receipts_for_one_key": told.different_receipts,
        "seconds_until_it_works": killer.recovery.report(),
        "never_worked_again": killer.recovery.missed,
        "class": board.count() if board else {},
        "attacks": figures,
        "untrue": untrue,
    }
    return report, told, untrue


def start_postgres(stack: ExitStack) -> PostgresServer:
    """Start a PostgreSQL server that loses nothing when it is killed, and close it with the stack."""
    programs = find_programs()
    if programs is None:
        raise SystemExit("there is no PostgreSQL: apt-get install postgresql-15")
    postgres = PostgresServer(programs)
    stack.callback(postgres.close)
    postgres.stop()
    postgres.start(**DURABLE)
    return postgres


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--learners", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--also-attacks", action="store_true", help="while others attack the server")
    parser.add_argument("--postgresql", action="store_true", help="two web processes that share a PostgreSQL database")
    parser.add_argument("--kills", type=int, default=60, help="with --postgresql")
    given = parser.parse_args()
    amount = f"{given.kills} kills" if given.postgresql else f"{given.submissions} submissions and drafts"
    say(f"{amount}, {given.learners} learners, seed {given.seed}")
    report, _, untrue = kill_and_look(
        submissions=given.submissions,
        learners=given.learners,
        seed=given.seed,
        attacks=ATTACKS if given.also_attacks else (),
        kills=given.kills if given.postgresql else None,
    )
    json.dump(report, sys.stdout, indent=2)
    print()
    sys.exit(bool(untrue) or bool(report["different_receipts_for_one_key"]) or bool(report["never_worked_again"]))


if __name__ == "__main__":
    main()
