"""Measures what a submission costs: every exercise's solution, graded over HTTP, and a class that submits in the same second."""

import asyncio
import json
import statistics
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from app.lessons.course.catalogue import load_catalogue
from tests.bench.client import Client, UnexpectedAnswer
from tests.bench.figures import say, summarise
from tests.bench.plan import Plan
from tests.bench.server import Server
from tests.bench.worker import Worker

LESSONS = Path(__file__).resolve().parents[2] / "lessons"
LEARNERS = 40
REST_SECONDS = 2.0  # after this time the spares are forked and touched again


async def measure_grades(server: Server, _: Worker, plan: Plan) -> dict[str, Any]:
    """Return the milliseconds from the request to the verdict, and the seconds that a class takes.

    The milliseconds are each exercise's median, and the median and the highest of these.
    """
    tasks = {
        f"{lesson.path}/{exercise.id}": (f"/api/lessons/{lesson.path}/exercises/{exercise.id}/submissions", exercise.solution)
        for lesson in load_catalogue(LESSONS).course.lessons
        for exercise in lesson.exercises
    }
    found: dict[str, Any] = {}
    async with Client(server) as client:
        for name, (path, source) in tasks.items():
            say(f"  {name}")
            found[name] = summarise([await grade(client, path, source) for _ in range(plan.grades + 1)][1:])
    several = list(tasks.values())
    async with AsyncExitStack() as opened:  # only now: the server would have closed connections that are idle for so long
        clients = [await opened.enter_async_context(Client(server)) for _ in range(LEARNERS)]
        await asyncio.sleep(REST_SECONDS)
        start = time.perf_counter()
        at_once = await asyncio.gather(*(grade(client, *several[number % len(several)]) for number, client in enumerate(clients)))
        seconds = time.perf_counter() - start
    medians = [figures["median_ms"] for figures in found.values()]
    return {
        "exercises": found,
        "median_ms": round(statistics.median(medians), 1),
        "heaviest_ms": round(max(medians), 1),
        "class": {"learners": LEARNERS, "answered": len(at_once), "last_answer_seconds": round(seconds, 2)},
    }


async def grade(client: Client, path: str, source: str) -> float:
    """Return the milliseconds until the verdict. Raises UnexpectedAnswer unless the submission passes."""
    start = time.perf_counter()
    answer = json.loads(await client.post(path, json.dumps({"source": source}).encode()))
    elapsed = (time.perf_counter() - start) * 1000
    if not answer["passed"]:
        raise UnexpectedAnswer(f"{path}: {answer['checks']}")
    return elapsed
