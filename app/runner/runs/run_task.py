"""One run from its ticket to its result: an asynchronous stream of events.

The run goes its own way in a task and records its events (app.runner.runs.event_log), which the reader follows. So a reader who does not
read holds nothing but memory, which is bounded: the deadline fires, the child dies and the place in the queue is given back all the same.
"""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncGenerator, Callable
from typing import Protocol

import structlog

from app.protocol.event import Failed, Queued, RunEvent, Started
from app.protocol.grading import Verdict
from app.protocol.run import RunOrder, RunResult, Timing
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.conversation.conversation import Cut
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket
from app.runner.runs import ending as endings
from app.runner.runs.attempt import Attempt
from app.runner.runs.ending import Ending
from app.runner.runs.event_log import EventLog
from app.runner.runs.run_children import RunChildren
from app.runner.stopwatch import Stopwatch
from app.runner.zygotes.pool import Pool, PoolUnavailable

_CLEARED_SECONDS = 10.0  # how long a busy zygote has to say that a child is gone

_log = structlog.get_logger()


class Held(Protocol):
    """What is paused and ended with its run."""

    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def cut(self, cut: Cut) -> None: ...


class Sequel(Held, Protocol):
    """What comes after the program of a run whose child lives on."""

    async def follow(self, result: RunResult, child: ChildHandle | None) -> Verdict | Failed:
        """The last event. `result`: of the program. `child`: none if the run was stopped before it began. Raises ChildLost."""


MakeSequel = Callable[[RunChildren, Callable[[RunEvent], None]], Sequel]  # the second: tell an event


class RunTask:
    """One run. Iterate `pieces` once; closing that iterator early kills the run.

    `result`: of its program, once that is over. `faults` are the names of the instruments that failed in it. `on_over` is called when it
    is over, read or not, with its last event, or with None if it was abandoned; `on_unread` with how many bytes are not read yet.
    `make_sequel`: makes what comes after the program; without one, its result is the last event.
    """

    def __init__(
        self,
        order: RunOrder,
        ticket: Ticket,
        queue: RunQueue,
        pool: Pool,
        layout: LayoutWorkers,
        on_unread: Callable[["RunTask", int], None],
        on_over: Callable[["RunTask", RunResult | Verdict | Failed | None], None],
        make_sequel: MakeSequel | None = None,
    ) -> None:
        self.id = uuid.uuid4().hex
        self.over = False
        self.result: RunResult | None = None
        self.faults: list[str] = []
        self.ticket = ticket
        self.runtime = order.runtime
        self._order = order
        self._queue = queue
        self._pool = pool
        self._on_over = on_over
        self._pictures = Pictures(layout, order.limits, order.lang, ticket.owner, self._charge_drawing)
        self._held: Held | None = None
        self._children = RunChildren(pool, queue, ticket, order.limits)
        self._log = EventLog(lambda unread_bytes: on_unread(self, unread_bytes))
        self._sequel = make_sequel(self._children, self._log.add) if make_sequel else None
        self._since_order = Stopwatch()
        self._since_order.go()
        self._running = Stopwatch()
        ticket.on_turn = self._take_turn

    def stop(self) -> None:
        """End it as its learner wishes, waiting or running."""
        self.ticket.abandon()
        if self._held:
            self._held.cut(Cut.STOPPED)

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """The frames of all events, in pieces; the last is of a `RunResult`, a `Verdict` or, when the fault is ours, a `Failed`."""
        life = asyncio.create_task(self._live(), name=f"run-{self.id}")
        try:
            async with contextlib.aclosing(self._log.pieces()) as pieces:
                async for piece in pieces:
                    yield piece
        finally:
            if life.done():  # the answer's end goes out with the result
                self._log.forget()
            else:
                life.add_done_callback(lambda _: self._log.forget())  # whoever is cancelled again and again does not come past the wait
                life.cancel()  # once: it may have to see its child made
                await asyncio.wait([life])

    def break_off(self) -> None:
        """Nobody reads it: let go of its events, and end it if it is not over. Whoever reads it later is told so."""
        self._log.forget()
        self.stop()

    def _take_turn(self) -> None:
        """It is paused, or goes on, or has to end."""
        if self.ticket.refusal:
            if self._held:
                self._held.cut(Cut.STOPPED)
        elif self.ticket.paused:
            self._running.halt()
            if self._held:
                self._held.pause()
        else:
            self._running.go()
            if self._held:
                self._held.resume()

    async def _live(self) -> None:
        last: RunResult | Verdict | Failed | None = None
        try:
            await self._wait()
            last = await self._run()
        except PoolUnavailable as error:
            last = Failed("unavailable", str(error))
        except asyncio.CancelledError:
            await self._wait_until_cleared()
            raise
        except Exception:
            _log.exception("run_broke", run=self.id)
            last = Failed("internal", "the runner failed")
        finally:
            self._queue.leave(self.ticket)
            self.over = True
            self._log.end(last)
            self._on_over(self, last)

    async def _wait(self) -> None:
        """Wait for a place, which it does not get before its runtime is warm. Raises PoolUnavailable if that does not become warm."""
        warming = asyncio.create_task(self._warm_up()) if self.ticket.held else None
        try:
            async for position in self.ticket.positions():
                self._log.add(Queued(self.id, position, self.runtime if self.ticket.held else None))
        finally:
            if warming:
                warming.cancel()
        if warming and warming.done():  # else it was stopped
            warming.result()

    async def _warm_up(self) -> None:
        try:
            await self._children.wait_until_warm()
        finally:
            self._queue.let_go(self.ticket)

    def _charge_drawing(self, seconds: float) -> None:
        """Charge what is drawn after the run; before that, its place is charged."""
        if self.over:
            self._queue.charge(self.ticket, seconds)

    async def _wait_until_cleared(self) -> None:
        """It was abandoned: others have its place at once, but it counts as its learner's until its child is gone."""
        if self._children.ending:
            self._queue.vacate(self.ticket)
            await self._children.wait_until_gone(_CLEARED_SECONDS)

    async def _run(self) -> RunResult | Verdict | Failed:
        if self.ticket.refusal:
            return Failed("queue_full", self.ticket.refusal)
        self._log.add(Started(self.id))
        if self.ticket.abandoned:
            return await self._follow(self._end(endings.stopped()), None)
        lost, before = "", self._log.count
        for _ in range(2):  # once more if nothing was told of it and the fault was ours
            try:
                return await self._try()
            except ChildLost as error:
                lost = str(error)
                if self._log.count > before:
                    break
        return Failed("lost", lost)

    async def _try(self) -> RunResult | Verdict | Failed:
        child = await self._children.take()
        attempt = Attempt(self._order, child, self._pictures, serving=self._sequel is not None)
        try:
            self._hold(attempt.conversation)
            self._running = Stopwatch()
            self._queue.start(self.ticket)
            self._take_turn()
            async for event in attempt.events():
                self._log.add(event)
            self._held = None
            if self.ticket.refusal and attempt.conversation.end is Cut.STOPPED:
                return Failed("queue_full", self.ticket.refusal)
            assert attempt.ending is not None
            return await self._follow(self._end(attempt.ending, *attempt.truncated), child)
        finally:
            self._held = None
            self.faults += attempt.faults
            self._children.give_all_back()

    async def _follow(self, result: RunResult, child: ChildHandle | None) -> RunResult | Verdict | Failed:
        if not self._sequel:
            return result
        self._log.add(result)
        self._hold(self._sequel)
        self._take_turn()
        last = await self._sequel.follow(result, child)
        return Failed("queue_full", self.ticket.refusal) if self.ticket.refusal else last

    def _hold(self, held: Held) -> None:
        self._held = held
        if self.ticket.abandoned or self.ticket.refusal:
            held.cut(Cut.STOPPED)

    def _end(self, ending: Ending, stdout_truncated: bool = False, stderr_truncated: bool = False) -> RunResult:
        order = self._order
        run_ms, total_ms = _milliseconds(self._running.seconds), _milliseconds(self._since_order.seconds)
        result = RunResult(
            id=self.id,
            outcome=ending.outcome,
            error=ending.error,
            stdout="".join(self._log.stdout),
            stderr="".join(self._log.stderr),
            stdout_truncated=stdout_truncated,
            stderr_truncated=stderr_truncated,
            records=list(self._log.records),
            timing=Timing(queued_ms=round(total_ms - run_ms, 3), run_ms=run_ms, total_ms=total_ms),
            seed=order.program.seed,
            runtime=order.runtime,
            versions=self._pool.versions,
            lang=order.lang,
        )
        self.result = result
        return result


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
