"""One run from its ticket to its result.

The run is a task of its own, which records its events in a log (app.runner.runs.event_log); the reader reads the log. So a reader who stops
reading delays nothing: the deadline passes, the child is killed and the place is given back all the same. Only memory for the events is
occupied, and that is bounded.
"""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable

import structlog

from app.protocol.event import Failed, Queued, Started
from app.protocol.grading import Verdict
from app.protocol.load import RUN_ID_SEPARATOR
from app.protocol.owner import NOBODY
from app.protocol.run import RunOrder, RunResult, Timing
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.conversation.conversation import Cut
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket, TicketRefusal, TicketState
from app.runner.runs import ending as endings
from app.runner.runs.attempt import Attempt
from app.runner.runs.ending import Ending
from app.runner.runs.event_log import EventLog
from app.runner.runs.run_children import RunChildren
from app.runner.stopwatch import Stopwatch
from app.runner.zygotes.pool import Pool, PoolUnavailable

_CLEARED_SECONDS = 10.0  # a busy zygote must report within this time that a child is gone

_log = structlog.get_logger()

# What is done with the child after its program has ended, such as grading. It gets the result of the program, and the child that executed
# it or None if the run was stopped before it began. It returns the last event of the run, or raises ChildLost.
FollowUp = Callable[[RunResult, ChildHandle | None], Awaitable[Verdict | Failed]]


class RunTask:
    """One run. Iterate `pieces` once; closing that iterator early kills the run.

    `on_unread`: called with the number of bytes that the reader has not read, when it changes. `on_over`: called when the run is over, read
    or not, with its last event, or with None if it was abandoned. `node`: the name of this machine, which the run's id begins with.
    `log`: the events that the reader gets. `result`: of the program, once it has ended. `faults`: the names of the instruments that failed.
    `follow_up`: to be set before `pieces` is iterated; without one, the result of the program is the last event.
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
        node: str = "",
    ) -> None:
        self.id = f"{node}{RUN_ID_SEPARATOR}{uuid.uuid4().hex}" if node else uuid.uuid4().hex
        self.over = False
        self.result: RunResult | None = None
        self.faults: list[str] = []
        self.ticket = ticket
        self.runtime, self.lang = order.runtime, order.lang
        self._order = order
        self._queue = queue
        self._pool = pool
        self._on_over = on_over
        draws_for = NOBODY if order.background else ticket.owner  # background runs share the turns of one owner
        self._pictures = Pictures(layout, order.limits, order.lang, draws_for, self._charge_drawing)
        self.children = RunChildren(pool, queue, ticket, order.limits)
        self.log = EventLog(lambda unread_bytes: on_unread(self, unread_bytes))
        self.follow_up: FollowUp | None = None
        self._since_order = Stopwatch()
        self._since_order.go()
        self._running = Stopwatch()

    def stop(self) -> None:
        """End the run because its learner wishes it, whether it waits or runs."""
        self.ticket.abandon()
        self.children.follow_ticket()

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yield the frames of all events, in pieces. The last event is a `RunResult`, a `Verdict` or, if the fault is ours, `Failed`."""
        life = asyncio.create_task(self._live(), name=f"run-{self.id}")
        try:
            async with contextlib.aclosing(self.log.pieces()) as pieces:
                async for piece in pieces:
                    yield piece
        finally:
            if life.done():  # usually, and then the end of the answer is sent together with the result
                self.log.discard()
            else:
                life.add_done_callback(lambda _: self.log.discard())  # a callback, because the wait below may be cancelled
                life.cancel()  # only once: a second one would end its waiting for the child
                await asyncio.wait([life])

    def break_off(self) -> None:
        """Discard the events, and end the run if it is not over, because nobody reads it. A later reader gets an error."""
        self.log.discard()
        self.stop()

    def _follow_ticket(self) -> None:
        """Pause, resume or end the run, as its ticket says."""
        if self.ticket.state is TicketState.PAUSED:
            self._running.halt()
        else:
            self._running.go()
        self.children.follow_ticket()

    async def _live(self) -> None:
        last: RunResult | Verdict | Failed | None = None
        self.ticket.on_state_change = self._follow_ticket
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
            self.log.end(last)
            self._on_over(self, last)

    async def _wait(self) -> None:
        """Wait for a place. Raises PoolUnavailable if the runtime has to be started and cannot be."""
        warming = asyncio.create_task(self._warm_up()) if self.ticket.deferred else None
        try:
            async for position in self.ticket.positions():
                self.log.add(Queued(self.id, position, self.runtime if self.ticket.deferred else None))
        finally:
            if warming:
                warming.cancel()
        if warming and warming.done():  # else it was stopped
            warming.result()

    async def _warm_up(self) -> None:
        try:
            await self.children.wait_until_warm()
        finally:
            self._queue.undefer(self.ticket)

    def _charge_drawing(self, seconds: float) -> None:
        """Charge the time of drawing after the run has ended. Before that, the run is charged for holding a place."""
        if self.over:
            self._queue.charge(self.ticket, seconds)

    async def _wait_until_cleared(self) -> None:
        """Give the place of an abandoned run to others at once, and then wait until its child is gone."""
        if self.children.ending:
            self._queue.vacate(self.ticket)
            await self.children.wait_until_gone(_CLEARED_SECONDS)

    async def _run(self) -> RunResult | Verdict | Failed:
        if self.ticket.refusal:
            return _refuse(self.ticket.refusal)
        self.log.add(Started(self.id))
        if self.ticket.abandoned:
            return await self._finish(self._make_result(endings.stopped()), None)
        lost, before = "", self.log.count
        for _ in range(2):  # a second time if the child was lost before it published anything
            try:
                return await self._try()
            except ChildLost as error:
                lost = str(error)
                if self.log.count > before:
                    break
        return Failed("lost", lost)

    async def _try(self) -> RunResult | Verdict | Failed:
        child = await self.children.take()
        attempt = Attempt(self._order, child, self._pictures, serving=self.follow_up is not None)
        try:
            self.children.attach(attempt.conversation)
            self._running = Stopwatch()
            self._queue.start(self.ticket)
            self._follow_ticket()
            async for event in attempt.events():
                self.log.add(event)
            if self.ticket.refusal and attempt.conversation.end is Cut.STOPPED:
                return _refuse(self.ticket.refusal)
            return await self._finish(self._make_result(attempt.ending, *attempt.truncated), child)
        finally:
            self.faults += attempt.faults
            self.children.give_all_back()

    async def _finish(self, result: RunResult, child: ChildHandle | None) -> RunResult | Verdict | Failed:
        """Return the last event: what the follow-up returns, or the result if there is no follow-up."""
        if not self.follow_up:
            return result
        self.log.add(result)
        last = await self.follow_up(result, child)
        return _refuse(self.ticket.refusal) if self.ticket.refusal else last

    def _make_result(self, ending: Ending, stdout_truncated: bool = False, stderr_truncated: bool = False) -> RunResult:
        order = self._order
        run_ms, total_ms = _milliseconds(self._running.seconds), _milliseconds(self._since_order.seconds)
        result = RunResult(
            id=self.id,
            outcome=ending.outcome,
            error=ending.error,
            stdout="".join(self.log.stdout),
            stderr="".join(self.log.stderr),
            stdout_truncated=stdout_truncated,
            stderr_truncated=stderr_truncated,
            records=list(self.log.records),
            timing=Timing(queued_ms=round(total_ms - run_ms, 3), run_ms=run_ms, total_ms=total_ms),
            seed=order.program.seed,
            runtime=order.runtime,
            versions=self._pool.versions,
            lang=order.lang,
        )
        self.result = result
        return result


def _refuse(refusal: TicketRefusal) -> Failed:
    if refusal == "gave_way":
        return Failed("gave_way", "another run needed the place or the memory")
    return Failed("queue_full", refusal)


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
