"""A rehearsal: so many learners at once for so long, against one server, until it is over or somebody interrupts it."""

import asyncio
import random
import ssl
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import msgspec

from app.rehearsal.coursework import TaskLesson, parse_contents, parse_lesson
from app.rehearsal.observations import Observations
from app.rehearsal.pace import Pace
from app.rehearsal.rehearsal_progress import RehearsalProgress
from app.rehearsal.rehearsal_report import ClientLoad, RehearsalReport, make_report, summarise_waits
from app.rehearsal.rehearsed_learner import RehearsedLearner
from app.rehearsal.server_address import ServerAddress
from app.rehearsal.server_answers import TurnedAway, Unserved, words_of
from app.rehearsal.visitor import Visitor

GRACE_SECONDS = 20.0  # for runs under way when the class is over
TICK_SECONDS = 0.1


class NotRehearsable(Exception):
    """The server cannot be rehearsed now; the message says why."""


class Rehearsal(NamedTuple):
    """What to play."""

    server: ServerAddress
    trust: ssl.SSLContext
    pace: Pace
    seed: int


async def rehearse(rehearsal: Rehearsal, stop: asyncio.Event, progress: RehearsalProgress) -> RehearsalReport:
    """Plays the class; as soon as `stop` is set it ends with what there is. Raises NotRehearsable."""
    pace, seen = rehearsal.pace, Observations()
    clock = asyncio.get_running_loop().time
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(Visitor(rehearsal.server, rehearsal.trust)) for _ in range(pace.learners)]
        lessons = await load_unless(stop, visitors[0])
        begin, used = clock(), time.process_time()
        learners = [
            RehearsedLearner(visitor, lessons, pace, random.Random(f"{rehearsal.seed}/{number}"), seen, begin)
            for number, visitor in enumerate(visitors)
        ]
        tasks = [asyncio.create_task(learner.attend()) for learner in learners]
        late = await watch(tasks, stop, seen, pace, progress)
        seconds, used = clock() - begin, time.process_time() - used
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
    late_seconds = summarise_waits(late).p95 or 0.0
    client = ClientLoad(cores=round(used / seconds, 2), late_seconds=late_seconds, same_machine=rehearsal.server.own)
    return make_report(
        seen,
        client,
        server=rehearsal.server.origin,
        learners=pace.learners,
        planned_seconds=pace.seconds,
        seconds=seconds,
        seed=rehearsal.seed,
        interrupted=stop.is_set(),
    )


async def load_unless(stop: asyncio.Event, visitor: Visitor) -> list[TaskLesson]:
    """The lessons; raises NotRehearsable as soon as `stop` is set."""
    loading, stopping = asyncio.create_task(load_coursework(visitor)), asyncio.create_task(stop.wait())
    await asyncio.wait((loading, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not loading.done():
        loading.cancel()
        raise NotRehearsable("Interrupted before it began.")
    return loading.result()


async def load_coursework(visitor: Visitor) -> list[TaskLesson]:
    """The lessons, asked for by the first learner's browser: so the server sees no more newcomers than learners."""
    try:
        readiness = await visitor.ask("/readyz")
        if readiness.status_code == 503:
            raise NotRehearsable(f"The server cannot run programs now: {words_of(readiness)}")
        if readiness.status_code == 400:  # most likely it does not answer to this name, and says what to do
            raise NotRehearsable(f"The server refuses this address: {words_of(readiness)}")
        paths = parse_contents((await visitor.get("/api/lessons")).content)
        lessons = [parse_lesson((await visitor.get(f"/api/lessons/{path}")).content) for path in paths]
    except (TurnedAway, Unserved) as error:
        raise NotRehearsable(f"The server cannot be rehearsed: {error}{describe_cause(error)}") from None
    except msgspec.DecodeError:
        raise NotRehearsable("What answers there is not Gradroom.") from None
    if not lessons:
        raise NotRehearsable("The course has no lesson with cells that can be run.")
    return lessons


def describe_cause(error: Exception) -> str:
    """What the connection failed of, and where it is the certificate what to do."""
    cause = str(error.__cause__ or "")
    hint = " Name the authority that signed the certificate with --ca." if "CERTIFICATE_VERIFY_FAILED" in cause else ""
    return f" ({cause}).{hint}" if cause else ""


async def watch(
    tasks: Sequence[asyncio.Task[None]], stop: asyncio.Event, seen: Observations, pace: Pace, progress: RehearsalProgress
) -> list[float]:
    """Until all tasks are done, the class and its grace are over, or `stop` is set. Returns how late our own clock was, in seconds."""
    clock = asyncio.get_running_loop().time
    begin, late = clock(), []
    while (now := clock() - begin) < pace.seconds + GRACE_SECONDS and not stop.is_set() and not all(task.done() for task in tasks):
        progress.show(now, seen)
        await asyncio.sleep(TICK_SECONDS)
        late.append(clock() - begin - now - TICK_SECONDS)
    return late
