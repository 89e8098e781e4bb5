"""The runner's whole state: the queue, the pool, the layout process and the runs that are under way."""

import asyncio
import contextlib
import os
import tempfile
from collections import OrderedDict
from collections.abc import AsyncGenerator, Collection
from pathlib import Path

import msgspec
import structlog

from app.memory import give_back_memory
from app.protocol.event import Ended, Failed, RunEvent
from app.protocol.limits import Limits
from app.protocol.run import RunOrder
from app.protocol.sandbox import RunnerStatus
from app.runner.drawing.layout_process import LayoutFailed
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.metrics import Metrics
from app.runner.queue.run_queue import CapReached, Places, QueueCaps, RunQueue
from app.runner.runs.run_task import RunTask, budget_of
from app.runner.zygotes.generations import Recycling
from app.runner.zygotes.pool import Pool, PoolConfig

_SLOTS = 990  # of the thousand uids that are set aside for runs
_UNREAD_RUNS = 64  # that are over and whose events nobody has taken yet; each may hold some megabytes
_REST_SECONDS = 0.25  # without a run, before memory is given back
_BETWEEN_RESTS_SECONDS = 5.0  # it takes some 30 ms

_log = structlog.get_logger()


class RunnerConfig(msgspec.Struct, frozen=True, kw_only=True):
    """`folder`: private to this runner, emptied when it ends. `first_uid`: of as many uids as there are slots, used by runs alone."""

    folder: Path
    limits: Limits = Limits()
    caps: QueueCaps = QueueCaps()
    places: Places
    spares: int
    first_uid: int = 210_000
    recycling: Recycling = Recycling()
    runtime: str = "torch"
    confined: bool = True


class NotAgreed(Exception):
    """The order does not agree to be run without a sandbox."""


class Supervisor:
    """Takes orders and sees them through."""

    def __init__(self, config: RunnerConfig) -> None:
        config.folder.mkdir(parents=True, exist_ok=True)
        config.folder.chmod(0o711)
        self.metrics = Metrics()
        self._confined = config.confined
        self._runs: dict[str, RunTask] = {}
        self._unread: OrderedDict[str, RunTask] = OrderedDict()
        self._resting: asyncio.TimerHandle | None = None
        self._rested_at = -_BETWEEN_RESTS_SECONDS
        self._queue = RunQueue(config.places, config.caps)
        pool = PoolConfig(
            runtime=config.runtime,
            folder=Path(tempfile.mkdtemp(prefix="runner-", dir=config.folder)),
            budget=budget_of(config.limits),
            spares=config.spares,
            # a slot is free again only when its child has been reaped, so there are some more than can be in use
            slots=min(2 * (config.places.most + config.spares), _SLOTS),
            first_uid=config.first_uid + 1,
            recycling=config.recycling,
            confined=config.confined,
        )
        pool.folder.chmod(0o711)
        self._pool = Pool(pool)
        self._layout = LayoutWorkers(config.first_uid if os.geteuid() == 0 else None)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the zygote and the layout process in the background."""
        self._pool.start()
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._start_layout()), loop.create_task(self._queue.keep_turns())]

    async def _start_layout(self) -> None:
        try:
            await self._layout.start()
        except LayoutFailed as error:
            _log.error("layout_failed", reason=str(error))

    async def close(self) -> None:
        self.stop_all()
        if self._resting:
            self._resting.cancel()
        for task in self._tasks:
            task.cancel()
        await self._pool.close()
        await self._layout.close()

    def stop_all(self) -> None:
        """End every run, as if each had been stopped."""
        for run in list(self._runs.values()):
            run.stop()

    def accept(self, order: RunOrder) -> RunTask:
        """A run with its place in the queue. Raises CapReached, and NotAgreed for an order that counts on a sandbox that is not there."""
        if not (self._confined or order.unconfined):
            raise NotAgreed
        try:
            ticket = self._queue.enter(order.learner, order.address)
        except CapReached as error:
            self.metrics.count_refusal(error.reason)
            raise
        run = RunTask(order, ticket, self._queue, self._pool, self._layout, self._keep_unread)
        self._runs[run.id] = run
        if self._resting:
            self._resting.cancel()
        return run

    async def follow(self, run: RunTask) -> AsyncGenerator[RunEvent, None]:
        """The run's events. Closing this early kills the run."""
        try:
            async with contextlib.aclosing(run.events()) as events:
                async for event in events:
                    self._count(event, run)
                    yield event
        finally:
            del self._runs[run.id]
            self._unread.pop(run.id, None)
            if not self._runs:
                loop = asyncio.get_running_loop()
                self._resting = loop.call_at(max(loop.time(), self._rested_at + _BETWEEN_RESTS_SECONDS) + _REST_SECONDS, self._rest)

    def _rest(self) -> None:
        give_back_memory()
        self._rested_at = asyncio.get_running_loop().time()

    def _keep_unread(self, run: RunTask) -> None:
        """A run is over; what it told is kept for its reader, but not for more readers than these."""
        self._unread[run.id] = run
        while len(self._unread) > _UNREAD_RUNS:
            _, oldest = self._unread.popitem(last=False)
            oldest.forget()

    def _count(self, event: RunEvent, run: RunTask) -> None:
        if isinstance(event, Ended):
            self.metrics.count_result(event.result, run.faults)
            timing = event.result.timing
            _log.info("run", run=event.result.id, outcome=event.result.outcome.value, run_ms=timing.run_ms, queued_ms=timing.queued_ms)
        elif isinstance(event, Failed):
            self.metrics.count_failure(event)
            _log.error("run_failed", code=event.code, reason=event.message)

    def stop(self, run_id: str, learners: Collection[str]) -> bool:
        """Stop a run of one of these learners; False if it is over, unknown or another's."""
        run = self._runs.get(run_id)
        if run is None or run.over or run.learner not in learners:
            return False
        run.stop()
        return True

    def status(self) -> RunnerStatus:
        pool = self._pool
        ready = pool.ready
        return RunnerStatus(
            ready=ready,
            reason=None if ready else pool.failure or "no child is ready",
            sandbox=pool.report,
            zygotes=pool.zygotes,
            spares=pool.spares,
            active=self._queue.active,
            queued=len(self._queue),
            versions=pool.versions,
        )

    def render_metrics(self) -> bytes:
        pool = self._pool
        return self.metrics.render(len(self._queue), self._queue.active, self._queue.paused, pool.spares, pool.restarts, pool.recycles)
