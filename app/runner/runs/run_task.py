"""One run from its ticket to its result: an asynchronous stream of events.

The run goes its own way in a task and keeps a list of what it told, which the reader follows. So a reader who does not read holds nothing
but memory that the run's caps bound: the deadline fires, the child dies and the place in the queue is given back all the same.
"""

import asyncio
import math
import uuid
from collections.abc import AsyncGenerator, Callable

import msgspec
import structlog

from app.protocol.event import Ended, Failed, Queued, Recorded, RunEvent, Started, Stderr, Stdout
from app.protocol.limits import Limits
from app.protocol.records.record import Family
from app.protocol.run import RunOrder, RunResult, Timing
from app.runner.conversation.child_handle import ChildLost
from app.runner.conversation.conversation import Conversation, Cut
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket
from app.runner.runs import ending as endings
from app.runner.runs.attempt import Attempt
from app.runner.runs.ending import Ending
from app.runner.stopwatch import Stopwatch
from app.runner.zygotes.pool import Pool, PoolUnavailable
from app.sandbox.rlimits import Budget

_SPARES_FOR_LIGHT = 1  # kept for learners who used little lately, while others use them up faster than they are forked

_UNREAD = Failed("internal", "nobody read what the program told")

_log = structlog.get_logger()


def budget_of(limits: Limits) -> Budget:
    """The part of a run's limits that its child is born with."""
    return Budget(
        memory_bytes=limits.memory_bytes,
        cpu_seconds=math.ceil(limits.deadline_seconds * limits.compute_threads) + 1,
        scratch_bytes=limits.scratch_bytes,
        scratch_inodes=limits.scratch_inodes,
        threads=limits.threads,
        compute_threads=limits.compute_threads,
    )


class RunTask:
    """One run. Iterate `events` once; closing that iterator early kills the run. `on_over` is called when it is over, read or not.

    `faults` are the names of the instruments that failed in it.
    """

    def __init__(
        self, order: RunOrder, ticket: Ticket, queue: RunQueue, pool: Pool, layout: LayoutWorkers, on_over: Callable[["RunTask"], None]
    ) -> None:
        self.id = uuid.uuid4().hex
        self.learner = order.learner
        self.over = False
        self.faults: list[str] = []
        self._order = order
        self._ticket = ticket
        self._queue = queue
        self._pool = pool
        self._on_over = on_over
        self._pictures = Pictures(layout, order.limits, order.lang)
        self._conversation: Conversation | None = None
        self._told: list[RunEvent] = []  # all of it, in order; the result is made of it
        self._news = asyncio.Event()
        self._forgotten = False
        self._since_order = Stopwatch()
        self._since_order.go()
        self._running = Stopwatch()
        ticket.on_turn = self._take_turn

    def stop(self) -> None:
        """End it as its learner wishes, waiting or running."""
        self._ticket.abandon()
        if self._conversation:
            self._conversation.cut(Cut.STOPPED)

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """All events, the last an `Ended` or, when the fault is ours, a `Failed`."""
        life = asyncio.create_task(self._live(), name=f"run-{self.id}")
        position = 0
        try:
            while not self.over or position < len(self._told):
                if position == len(self._told):
                    self._news.clear()
                    await self._news.wait()
                else:
                    position += 1
                    yield self._told[position - 1]
            if self._forgotten:
                yield _UNREAD
        finally:
            life.cancel()  # once: it may have to see its child made
            await asyncio.wait([life])

    def forget(self) -> None:
        """It is over and nobody reads it: let go of what it told. A reader who comes after all is told that, once."""
        self._told.clear()
        self._forgotten = True

    def _tell(self, event: RunEvent) -> None:
        self._told.append(event)
        self._news.set()

    def _take_turn(self) -> None:
        """It is paused, or goes on."""
        if self._ticket.paused:
            self._running.halt()
            if self._conversation:
                self._conversation.pause()
        else:
            self._running.go()
            if self._conversation:
                self._conversation.resume()

    async def _live(self) -> None:
        try:
            async for position in self._ticket.positions():
                self._tell(Queued(self.id, position))
            self._tell(await self._run())
        except PoolUnavailable as error:
            self._tell(Failed("unavailable", str(error)))
        except Exception:
            _log.exception("run_broke", run=self.id)
            self._tell(Failed("internal", "the runner failed"))
        finally:
            self._queue.leave(self._ticket)
            self.over = True
            self._news.set()
            self._on_over(self)

    async def _run(self) -> Ended | Failed:
        self._tell(Started(self.id))
        if self._ticket.abandoned:
            return self._end(endings.stopped())
        lost, before = "", len(self._told)
        for _ in range(2):  # once more if nothing was told of it and the fault was ours
            try:
                return await self._try()
            except ChildLost as error:
                lost = str(error)
                if len(self._told) > before:
                    break
        return Failed("lost", lost)

    async def _try(self) -> Ended:
        light = self._queue.in_credit(self._ticket)
        child = await self._pool.take(budget_of(self._order.limits), leave=0 if light else _SPARES_FOR_LIGHT)
        if not light:
            child.weigh_less()
        attempt = Attempt(self._order, child, self._pictures)
        self._conversation = attempt.conversation
        if self._ticket.abandoned:
            self._conversation.cut(Cut.STOPPED)
        try:
            self._running = Stopwatch()
            self._queue.start(self._ticket)
            self._take_turn()
            async for event in attempt.events():
                self._tell(event)
        finally:
            self._conversation = None
            self.faults += attempt.faults
            self._pool.give_back(child)
        assert attempt.ending is not None
        return self._end(attempt.ending, *attempt.truncated)

    def _end(self, ending: Ending, stdout_truncated: bool = False, stderr_truncated: bool = False) -> Ended:
        order = self._order
        run_ms, total_ms = _milliseconds(self._running.seconds), _milliseconds(self._since_order.seconds)
        result = RunResult(
            id=self.id,
            outcome=ending.outcome,
            error=ending.error,
            stdout="".join(event.text for event in self._told if isinstance(event, Stdout)),
            stderr="".join(event.text for event in self._told if isinstance(event, Stderr)),
            stdout_truncated=stdout_truncated,
            stderr_truncated=stderr_truncated,
            displays=self._recorded("display"),
            functions=self._recorded("function"),
            diagnoses=self._recorded("diagnosis"),
            timing=Timing(queued_ms=round(total_ms - run_ms, 3), run_ms=run_ms, total_ms=total_ms),
            seed=order.program.seed,
            runtime=order.runtime,
            versions=self._pool.versions,
            lang=order.lang,
        )
        return Ended(result)

    def _recorded(self, family: Family) -> list[msgspec.Raw]:
        return [event.record for event in self._told if isinstance(event, Recorded) and event.family == family]


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
