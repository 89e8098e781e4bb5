"""Runs the load test: simulates the learners of a class against one server until its time is over or somebody interrupts it."""

import asyncio
import random
import secrets
import ssl
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import msgspec

from app.loadtest.board_delays import BoardDelays
from app.loadtest.class_member import ClassMember
from app.loadtest.coursework import TaskLesson, parse_contents, parse_lesson
from app.loadtest.instructor import SimulatedInstructor
from app.loadtest.learner import SimulatedLearner
from app.loadtest.pace import Pace
from app.loadtest.progress import LoadtestProgress
from app.loadtest.report import BOARD_WAITS, CLASS_WAITS, ClientLoad, LoadtestReport, Observations, make_report, summarise_waits
from app.loadtest.server_address import ServerAddress
from app.loadtest.server_answers import TurnedAway, Unserved, words_of
from app.loadtest.visitor import Visitor

GRACE_SECONDS = 20.0  # for the runs that are not finished when the class is over
TICK_SECONDS = 0.1


class NotTestable(Exception):
    """The load test cannot be run against this server now. The message says why."""


class Loadtest(NamedTuple):
    """What to simulate. `trust` says which certificates are accepted.

    If `class_code` is given, all learners join the class. If `instructor_link` is given too, an instructor has its board open.
    """

    server: ServerAddress
    trust: ssl.SSLContext
    pace: Pace
    seed: int
    class_code: str | None = None
    instructor_link: str | None = None


async def play_class(loadtest: Loadtest, stop: asyncio.Event, progress: LoadtestProgress) -> LoadtestReport:
    """Simulate the class and report what the learners saw. It ends early when `stop` is set. Raises NotTestable."""
    pace, seen = loadtest.pace, Observations()
    clock = asyncio.get_running_loop().time
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(Visitor(loadtest.server, loadtest.trust)) for _ in range(pace.learners)]
        lessons = await load_unless(stop, visitors[0])
        delays = BoardDelays(seen.waits, clock)
        members = make_members(loadtest, visitors, seen, delays)
        instructor = None
        if members[0]:
            onlooker = await stack.enter_async_context(Visitor(loadtest.server, loadtest.trust))
            instructor = await open_class(loadtest, members[0], SimulatedInstructor(onlooker, seen, delays))
        begin, used = clock(), time.process_time()
        learners = [
            SimulatedLearner(visitor, lessons, pace, random.Random(f"{loadtest.seed}/{number}"), seen, begin, member)
            for number, (visitor, member) in enumerate(zip(visitors, members, strict=True))
        ]
        watching = [asyncio.create_task(instructor.watch_board())] if instructor else []
        tasks = [asyncio.create_task(learner.attend()) for learner in learners]
        late = await watch(tasks, stop, seen, pace, progress)
        seconds, used = clock() - begin, time.process_time() - used
        if missing := delays.count_missing():
            seen.faults["board: a change did not reach it"] += missing
        for task in (*tasks, *watching):
            task.cancel()
        for ended in await asyncio.gather(*tasks, *watching, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
    late_seconds = summarise_waits(late).p95 or 0.0
    client = ClientLoad(cores=round(used / seconds, 2), late_seconds=late_seconds, same_machine=loadtest.server.own)
    return make_report(
        seen,
        client,
        server=loadtest.server.origin,
        learners=pace.learners,
        planned_seconds=pace.seconds,
        seconds=seconds,
        seed=loadtest.seed,
        interrupted=stop.is_set(),
    )


def make_members(loadtest: Loadtest, visitors: Sequence[Visitor], seen: Observations, delays: BoardDelays) -> Sequence[ClassMember | None]:
    """Return each learner as a member of the class, under a name and number of this load test only, or None without a class."""
    code = loadtest.class_code
    if code is None:
        return [None] * len(visitors)
    seen.waits.update({name: [] for name in CLASS_WAITS + (BOARD_WAITS if loadtest.instructor_link else ())})
    mark = secrets.token_hex(3)
    return [ClassMember(visitor, code, number, mark, seen, delays) for number, visitor in enumerate(visitors, 1)]


async def open_class(loadtest: Loadtest, first: ClassMember, instructor: SimulatedInstructor) -> SimulatedInstructor | None:
    """Let the first learner join. If there is a link, return the instructor with the board open, else None. Raises NotTestable."""
    try:
        await first.join()
    except (TurnedAway, Unserved) as error:
        raise NotTestable(f"A learner cannot join the class with this code: {error}.") from None
    if loadtest.instructor_link is None:
        return None
    try:
        await instructor.sign_in(loadtest.instructor_link)
    except (TurnedAway, Unserved) as error:
        raise NotTestable(f"The link signs nobody in: {error}. `gradroom instructor link NAME` makes a new one.") from None
    try:
        await instructor.open_board(first.class_id)
    except (TurnedAway, Unserved) as error:
        raise NotTestable(f"Whom the link signed in cannot open the board of this class: {error}.") from None
    return instructor


async def load_unless(stop: asyncio.Event, visitor: Visitor) -> list[TaskLesson]:
    """Return the lessons as `load_coursework` does. Raises NotTestable, also if `stop` is set before the lessons are loaded."""
    loading, stopping = asyncio.create_task(load_coursework(visitor)), asyncio.create_task(stop.wait())
    await asyncio.wait((loading, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not loading.done():
        loading.cancel()
        raise NotTestable("Interrupted before it began.")
    return loading.result()


async def load_coursework(visitor: Visitor) -> list[TaskLesson]:
    """Return the course's lessons that have cells. Raises NotTestable.

    `visitor` is the browser of a learner, so that the server sees no more visitors than there are learners.
    """
    try:
        readiness = await visitor.ask("/readyz")
        if readiness.status_code == 503:
            raise NotTestable(f"The server cannot run programs now: {words_of(readiness)}")
        if readiness.status_code == 400:  # usually the server does not accept this host name, and says what to do
            raise NotTestable(f"The server refuses this address: {words_of(readiness)}")
        paths = parse_contents((await visitor.get("/api/lessons")).content)
        lessons = [parse_lesson((await visitor.get(f"/api/lessons/{path}")).content) for path in paths]
    except (TurnedAway, Unserved) as error:
        raise NotTestable(f"The server cannot be rehearsed: {error}{describe_cause(error)}") from None
    except msgspec.DecodeError:
        raise NotTestable("What answers there is not Gradroom.") from None
    if not lessons:
        raise NotTestable("The course has no lesson with cells that can be run.")
    return lessons


def describe_cause(error: Exception) -> str:
    """Return why the connection failed, or "" if it did not. The text says what to do if the server's certificate is not trusted."""
    cause = str(error.__cause__ or "")
    hint = " Name the authority that signed the certificate with --ca." if "CERTIFICATE_VERIFY_FAILED" in cause else ""
    return f" ({cause}).{hint}" if cause else ""


async def watch(
    tasks: Sequence[asyncio.Task[None]], stop: asyncio.Event, seen: Observations, pace: Pace, progress: LoadtestProgress
) -> list[float]:
    """Show the progress until all tasks are done, GRACE_SECONDS have passed after the class, or `stop` is set.

    Return how many seconds late this process woke from each sleep. A process that is late is busy, and the waits that it measures are too
    long.
    """
    clock = asyncio.get_running_loop().time
    begin, late = clock(), []
    while (now := clock() - begin) < pace.seconds + GRACE_SECONDS and not stop.is_set() and not all(task.done() for task in tasks):
        progress.show(now, seen)
        await asyncio.sleep(TICK_SECONDS)
        late.append(clock() - begin - now - TICK_SECONDS)
    return late
