"""One run from its ticket to its result: an asynchronous stream of events.

The run goes its own way in a task; the events wait for whoever reads them. So a reader who does not read holds nothing but memory that the
run's caps bound: the deadline fires, the child dies and the place in the queue is given back all the same.
"""

import asyncio
import math
import uuid
from collections.abc import AsyncGenerator, Callable

import structlog

from app.protocol.event import Ended, Failed, Queued, RunEvent, Started
from app.protocol.limits import Limits
from app.protocol.run import RunOrder, RunResult, Timing
from app.runner.conversation.child_handle import ChildLost
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket
from app.runner.runs import ending as endings
from app.runner.runs.attempt import Attempt, Cut, Transcript
from app.runner.runs.ending import Ending
from app.runner.runs.stopwatch import Stopwatch
from app.runner.zygotes.pool import Pool, PoolUnavailable
from app.sandbox.rlimits import Budget

_SPARES_FOR_LIGHT = 1  # kept for learners who used little lately, while others use them up faster than they are forked

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
    """One run. Iterate `events` once; closing that iterator early kills the run. `on_over` is called when it is over, read or not."""

    def __init__(
        self, order: RunOrder, ticket: Ticket, queue: RunQueue, pool: Pool, layout: LayoutWorkers, on_over: Callable[["RunTask"], None]
    ) -> None:
        self.id = uuid.uuid4().hex
        self.result: RunResult | None = None
        self._order = order
        self._ticket = ticket
        self._queue = queue
        self._pool = pool
        self._on_over = on_over
        self._pictures = Pictures(layout, order.limits, order.lang)
        self._attempt: Attempt | None = None
        self._told: asyncio.Queue[RunEvent | None] = asyncio.Queue()
        self._since_order = Stopwatch()
        self._since_order.go()
        self._running = Stopwatch()
        ticket.on_turn = self._take_turn

    def stop(self) -> None:
        """End it as its learner wishes, waiting or running."""
        self._ticket.abandon()
        if self._attempt:
            self._attempt.cut(Cut.STOPPED)

    def _take_turn(self) -> None:
        """It is paused, or goes on."""
        if self._ticket.paused:
            self._running.halt()
            if self._attempt:
                self._attempt.pause()
        else:
            self._running.go()
            if self._attempt:
                self._attempt.resume()

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """All events, the last an `Ended` or, when the fault is ours, a `Failed`."""
        life = asyncio.create_task(self._live(), name=f"run-{self.id}")
        try:
            while event := await self._told.get():
                yield event
        finally:
            life.cancel()  # once: it may have to see its child made
            await asyncio.wait([life])

    def forget(self) -> None:
        """It is over and nobody reads it: let go of what it told, but for the end."""
        self.result, self._attempt = None, None
        self._told = asyncio.Queue()
        self._told.put_nowait(Failed("internal", "nobody read what the program told"))
        self._told.put_nowait(None)

    async def _live(self) -> None:
        try:
            async for position in self._ticket.positions():
                self._told.put_nowait(Queued(self.id, position))
            self._told.put_nowait(await self._run())
        except PoolUnavailable as error:
            self._told.put_nowait(Failed("unavailable", str(error)))
        except Exception:
            _log.exception("run_broke", run=self.id)
            self._told.put_nowait(Failed("internal", "the runner failed"))
        finally:
            self._queue.leave(self._ticket)
            self._told.put_nowait(None)
            self._on_over(self)

    async def _run(self) -> Ended | Failed:
        self._told.put_nowait(Started(self.id))
        if self._ticket.abandoned:
            return self._end(endings.stopped(), Transcript())
        lost = ""
        for _ in range(2):  # once more if nothing was told of it and the fault was ours
            try:
                return await self._try()
            except ChildLost as error:
                lost = str(error)
                if self._attempt and self._attempt.transcript:
                    break
        return Failed("internal", f"the program was lost: {lost}")

    async def _try(self) -> Ended:
        light = self._queue.in_credit(self._ticket)
        child = await self._pool.take(budget_of(self._order.limits), leave=0 if light else _SPARES_FOR_LIGHT)
        if not light:
            child.weigh_less()
        attempt = self._attempt = Attempt(self._order, child, self._pictures)
        if self._ticket.abandoned:
            attempt.cut(Cut.STOPPED)
        try:
            self._running = Stopwatch()
            self._queue.start(self._ticket)
            self._take_turn()
            async for event in attempt.events():
                self._told.put_nowait(event)
        finally:
            self._pool.give_back(child)
        assert attempt.ending is not None
        return self._end(attempt.ending, attempt.transcript)

    def _end(self, ending: Ending, said: Transcript) -> Ended:
        order = self._order
        run_ms, total_ms = _milliseconds(self._running.seconds), _milliseconds(self._since_order.seconds)
        self.result = RunResult(
            id=self.id,
            outcome=ending.outcome,
            error=ending.error,
            stdout="".join(said.stdout),
            stderr="".join(said.stderr),
            stdout_truncated=said.stdout_truncated,
            stderr_truncated=said.stderr_truncated,
            displays=said.records.get("display", []),
            functions=said.records.get("function", []),
            diagnoses=said.records.get("diagnosis", []),
            timing=Timing(queued_ms=round(total_ms - run_ms, 3), run_ms=run_ms, total_ms=total_ms),
            seed=order.program.seed,
            runtime=order.runtime,
            versions=self._pool.versions,
            lang=order.lang,
        )
        return Ended(self.result)


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
