"""Backs PostgreSQL up while learners save, predict and submit. Does each backup restore what was stored at one moment?

`python -m tests.load.backup_under_load [--learners N] [--backups N]` starts two web processes and a PostgreSQL server, makes backups with
`deploy/backup.sh` one after the other, restores each with it into a database of its own, prints JSON and ends.
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
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import text

from app.classroom.store.engine import make_engine
from app.settings import PROJECT
from tests.bench.figures import say
from tests.bench.server import ANY_RATE, Server, serve
from tests.load.kill_learners import Learner, Told
from tests.load.kills import start_postgres
from tests.postgresql import find_programs

SCRIPT = PROJECT / "deploy" / "backup.sh"
FIRST_ANSWERS = 100  # before the first backup
TABLES = ("learner", "draft", "draft_version", "prediction", "standing", "attempt", "kept_answer")


def run_script(folder: Path, url: str, *arguments: str) -> str:
    """Run the script, and return what it prints."""
    path = f"{find_programs()}:{os.environ['PATH']}"
    environment = {
        **os.environ,
        "PATH": path,
        "BACKUP_FOLDER": str(folder),
        "GRADROOM_DATABASE_URL": url,
        "GRADROOM_STATE_FOLDER": str(folder),
    }
    return subprocess.run(["sh", SCRIPT, *arguments], env=environment, check=True, capture_output=True, text=True).stdout


def count_saved(told: Told) -> dict[str, int]:
    """Return how many texts of each learner the server has confirmed."""
    return {name: len(texts) for name, texts in told.saved.items()}


def find_wrong(url: str, before: Mapping[str, int], after: Mapping[str, int]) -> tuple[dict[str, int], list[str]]:
    """Return the number of rows of a restored database by table, and what cannot have been stored between `before` and `after`."""
    engine = make_engine(url, writes=False)
    with engine.connect() as connection:

        def ask(statement: str) -> dict[str, int]:
            return {row[0]: row[1] for row in connection.execute(text(statement))}

        rows = {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in TABLES}
        drafts = ask("SELECT name, version FROM draft JOIN learner ON learner.id = learner_id")
        counted = ask("SELECT name, attempts FROM standing JOIN learner ON learner.id = learner_id")
        attempts = ask("SELECT name, count(*) FROM attempt JOIN learner ON learner.id = learner_id GROUP BY name")
    engine.dispose()
    wrong = [f"{name} has {drafts.get(name, 0)} texts, confirmed {low}" for name, low in before.items() if drafts.get(name, 0) < low]
    # one more may be stored whose confirmation had not arrived
    wrong += [
        f"{name} has {version} texts, of {after.get(name, 0)}" for name, version in drafts.items() if version > after.get(name, 0) + 1
    ]
    if counted != attempts:
        wrong.append(f"submissions counted: {counted}, stored: {attempts}")
    return rows, wrong


async def back_up_while_learners_work(
    server: Server, told: Told, learners: int, backups: int, back_up: Callable[[], str]
) -> list[tuple[dict[str, int], dict[str, int], float, str]]:
    """Return for each backup what was confirmed before and after it, its seconds, and its file."""
    made: list[tuple[dict[str, int], dict[str, int], float, str]] = []

    def rounds() -> Iterator[int]:
        for number in count():
            if len(made) == backups:
                return
            yield number

    async def make_backups() -> None:
        while told.answers < FIRST_ANSWERS:
            await asyncio.sleep(0.01)
        for _ in range(backups):
            before, began = count_saved(told), time.perf_counter()
            printed = await asyncio.to_thread(back_up)
            seconds = round(time.perf_counter() - began, 2)
            made.append((before, count_saved(told), seconds, printed.split()[1].rstrip(",")))
            say(f"backup {len(made)} of {backups}: {seconds} s")
            answers = told.answers
            while told.answers < answers + learners:
                await asyncio.sleep(0.01)

    async with asyncio.TaskGroup() as tasks:
        for number in range(learners):
            tasks.create_task(Learner(server, told, random.Random(number)).work(rounds()))
        tasks.create_task(make_backups())
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learners", type=int, default=40)
    parser.add_argument("--backups", type=int, default=5)
    given = parser.parse_args()
    told, report = Told(), list[dict[str, Any]]()
    with tempfile.TemporaryDirectory(prefix="gradroom-backups-") as folder, ExitStack() as stack:
        os.chmod(folder, 0o711)  # web's own user passes through
        postgres = start_postgres(stack)
        url, backups = postgres.make_database(), Path(folder, "backups")
        settings = {"GRADROOM_STATE_FOLDER": f"{folder}/state", "GRADROOM_LOG_LEVEL": "error", "GRADROOM_WEB_PROCESSES": "2"}
        with serve(settings | ANY_RATE | {"GRADROOM_DATABASE_URL": url}) as server:
            making = back_up_while_learners_work(server, told, given.learners, given.backups, lambda: run_script(backups, url, "once"))
            made = asyncio.run(making)
        for before, after, seconds, file in made:
            other = postgres.make_database()
            run_script(backups, other, "restore", file)
            rows, wrong = find_wrong(other, before, after)
            report.append({"seconds": seconds, "confirmed_before": sum(before.values()), "rows": rows, "wrong": wrong})
    json.dump({"learners": given.learners, "receipts": len(told.receipts), "backups": report}, sys.stdout, indent=2)
    print()
    sys.exit(any(one["wrong"] for one in report) or len(report) < given.backups)


if __name__ == "__main__":
    main()
