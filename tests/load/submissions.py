"""What a class meets that submits at once: forty learners, each with the solution of one of some exercises.

    python -m tests.load.submissions [--learners N] [--rounds N] [--begun N]

`--begun` is GRADROOM_BEGUN_RUNS, by default what 8 GiB allow. In a round the same submissions are graded two at a time, one after the
other, and then all at once. Prints JSON: how many were refused, the waits when all came at once, and `p95_to_sequence`, the 95th
percentile of these waits divided by the time that the sequence took.
"""

import argparse
import asyncio
import json
import random
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from tests.bench.client import Client, UnexpectedAnswer
from tests.bench.figures import ratio, say, summarise
from tests.bench.server import ANY_RATE, Server, serve
from tests.own_course import load_own_course

CORES = 2
BEGUN_WITH_8_GIB = 8  # (8 GiB - 1 GiB of the server - the spares) / 576 MiB, less two reserves of two
EXERCISES = 20  # drawn with a seed; each is submitted by some learners


class Submitter:
    """A learner with a connection, and what they submit."""

    def __init__(self, client: Client, lesson: Lesson, exercise: Exercise) -> None:
        self._client = client
        self._path = f"/api/lessons/{lesson.path}/exercises/{exercise.id}/submissions"
        self._body = json.dumps({"source": exercise.solution}).encode()

    async def submit(self, outcomes: Counter[str]) -> float:
        """Return how many milliseconds the answer took."""
        self._client.close()  # one that waited for its turn was perhaps closed by the server
        start = time.perf_counter()
        try:
            answer = json.loads(await self._client.post(self._path, self._body))
        except UnexpectedAnswer as refusal:
            outcomes[f"{refusal.status} {str(refusal)[-120:]}"] += 1
        else:
            outcomes["passed" if answer["passed"] and answer["receipt"] else "not passed or not stored"] += 1
        return (time.perf_counter() - start) * 1000


async def submit_in_turn(submitters: list[Submitter], outcomes: Counter[str]) -> float:
    """Return how many milliseconds it takes to grade all, as many at a time as there are cores."""
    waiting = list(submitters)

    async def go_on() -> None:
        while waiting:
            await waiting.pop().submit(outcomes)

    start = time.perf_counter()
    await asyncio.gather(*(go_on() for _ in range(CORES)))
    return (time.perf_counter() - start) * 1000


async def measure(server: Server, learners: int, rounds: int) -> dict[str, Any]:
    exercises = [
        (lesson, exercise) for chapter in load_own_course().course.chapters for lesson in chapter.lessons for exercise in lesson.exercises
    ]
    drawn = random.Random(31).sample([pair for pair in exercises if pair[0].runtime == "torch"], EXERCISES)
    sequence_ms, at_once_ms, ratios = [], [], []
    in_turn, at_once = Counter[str](), Counter[str]()
    async with AsyncExitStack() as opened:
        clients = [await opened.enter_async_context(Client(server)) for _ in range(learners)]
        submitters = [Submitter(client, *drawn[number % EXERCISES]) for number, client in enumerate(clients)]
        await submit_in_turn(submitters, Counter())  # the first of each is slower
        for number in range(rounds):
            say(f"round {number + 1} of {rounds}")
            sequence_ms.append(await submit_in_turn(submitters, in_turn))
            waits = await asyncio.gather(*(submitter.submit(at_once) for submitter in submitters))
            at_once_ms += waits
            ratios.append(ratio(summarise(waits)["p95_ms"], sequence_ms[-1]))
    return {
        "learners": learners,
        "sequence": summarise(sequence_ms),
        "sequence_outcomes": dict(in_turn),
        "at_once": summarise(at_once_ms),
        "at_once_outcomes": dict(at_once),
        "p95_to_sequence": ratios,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learners", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--begun", type=int, default=BEGUN_WITH_8_GIB)
    options = parser.parse_args()
    with serve({**ANY_RATE, "GRADROOM_CONCURRENCY": str(CORES), "GRADROOM_BEGUN_RUNS": str(options.begun)}) as server:
        print(json.dumps(asyncio.run(measure(server, options.learners, options.rounds)), indent=2))


if __name__ == "__main__":
    main()
