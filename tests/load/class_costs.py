"""What a class costs: `python -m tests.load.class_costs [--members N] [--rounds N]`, the machine otherwise idle.

It starts a server on loopback with a class of 300 members and their attempts, and prints JSON: milliseconds (p50 and p95) and bytes
(gzip) of the board's first view, and those of a lesson, the map and home for a learner in the class and for one in none, in turn.
"""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import Connection, insert, update

from app.classroom.store.database import Database
from app.classroom.store.schema.class_tables import ClassLessonRow, RaisedHandRow, SchoolClassRow
from app.classroom.store.times import now_ms
from app.lessons.course.catalogue import load_courses
from app.settings import Settings
from tests.bench.server import Server, serve
from tests.classroom.classes.planted_class import plant_attempt, plant_class, plant_member
from tests.load.rehearsal import add_instructor, operate

NAME, CODE = "Monday group", "4NDT8MJ7"
LESSON = "/en/backward-twice/sinh-bad"
PATHS = (LESSON, "/en/map", "/en/")


def plant(connection: Connection, members: int) -> None:
    """Add the class: half of the members have attempts that fail, some have raised a hand, some are away."""
    dice, at = random.Random(0), now_ms()
    lessons = [lesson for lesson in load_courses([Settings().lessons_folder]).course.lessons if lesson.exercises][:6]
    class_id = plant_class(connection)
    connection.execute(update(SchoolClassRow).values(name=NAME, code=CODE))
    for position, lesson in enumerate(lessons):
        connection.execute(insert(ClassLessonRow).values(class_id=class_id, lesson=lesson.path, position=position, opens_ms=1, points=1))
    for number in range(members):
        lesson = dice.choice(lessons)
        exercise = lesson.exercises[0]
        place, checks = (lesson.path, exercise.id), [check.id for check in exercise.checks]
        member, learner = plant_member(
            connection, class_id, f"Member {number}", place=place, here=dice.randint(1, 15), active=dice.choice((0, 0, 25)), now_ms=at
        )
        for ago in range(dice.randint(0, 6), 0, -1):
            failing = checks[: dice.randint(0, len(checks))]
            sizes = {"good": len(checks) - len(failing), "total": len(checks), "source": exercise.starter}
            plant_attempt(connection, learner, ago, failing=failing, place=place, now_ms=at, **sizes)  # type: ignore[arg-type]
        if number % 20 == 0:
            row = {"member_id": member, "at_ms": at, "lesson": lesson.path, "exercise": exercise.id, "shares": False, "helper": None}
            connection.execute(insert(RaisedHandRow).values(**row))


async def fill(url: str, members: int) -> None:
    database = Database(url)
    database.open()
    await database.write(plant, members)
    await database.close()


def connect(server: Server) -> httpx.Client:
    origin = f"http://{server.host}:{server.port}"
    return httpx.Client(base_url=origin, headers={"accept-encoding": "gzip", "origin": origin}, timeout=30)


def measure(clients: dict[str, tuple[httpx.Client, str]], rounds: int) -> dict[str, Any]:
    """Ask each for its page in turn."""
    found: dict[str, list[float]] = {name: [] for name in clients}
    sizes = {}
    for number in range(rounds + 1):
        for name, (client, path) in clients.items():
            began = time.perf_counter()
            answer = client.get(path).raise_for_status()
            if number:  # the first one fills caches
                found[name].append(1000 * (time.perf_counter() - began))
            sizes[name] = answer.num_bytes_downloaded
    return {
        name: {
            "p50_ms": round(statistics.median(times), 2),
            "p95_ms": round(sorted(times)[int(0.95 * (len(times) - 1))], 2),
            "bytes": sizes[name],
        }
        for name, times in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--members", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gradroom-costs-")))
        url = f"sqlite:///{folder}/classroom.sqlite3"
        asyncio.run(fill(url, options.members))
        settings = {"GRADROOM_STATE_FOLDER": str(folder)}
        server = stack.enter_context(serve(settings))
        link = add_instructor(settings, "Instructor")
        operate(settings, "class", "instructor", NAME, "Instructor")
        teacher, member, other = (stack.enter_context(connect(server)) for _ in range(3))
        page = teacher.get(link, follow_redirects=True)
        teacher.post(page.url.path, data={"password": "correct horse battery"})
        member.get("/en/")
        other.get("/en/")
        member.post(f"/en/join/{CODE}", data={"name": "Ana"})
        found = measure({"board": (teacher, "/en/teach/1")}, options.rounds)
        for path in PATHS:
            pair = measure({"in the class": (member, path), "in none": (other, path)}, options.rounds)
            found[path] = pair | {"ratio": round(pair["in the class"]["p50_ms"] / pair["in none"]["p50_ms"], 3)}
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
