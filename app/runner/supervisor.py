"""The whole state of the runner: the queue, the pools, the layout processes, and the runs that are not over."""

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import structlog

from app.buffered_bytes import BufferedBytes, ByteCaps
from app.machine import available_bytes
from app.memory import give_back_memory
from app.protocol.event import Failed
from app.protocol.grading import GradeOrder, Verdict
from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.load import ClusterView, NodeLoad
from app.protocol.run import RunOrder, RunResult, TraceOrder
from app.protocol.sandbox import RunnerStatus
from app.runner.client import QueueFull, RunGaveWay, RunnerUnavailable, RunnerUnconfined
from app.runner.descriptions import describe_load, describe_status
from app.runner.drawing.layout_process import LayoutFailed
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import PICTURE_BYTES_PER_BYTE
from app.runner.grading.grading import Grading
from app.runner.metrics import Metrics
from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket
from app.runner.runs.recent_orders import RecentOrders
from app.runner.runs.run_children import budget_of
from app.runner.runs.run_task import RunTask
from app.runner.zygotes.pool import Pool
from app.runner.zygotes.pools import Pools
from app.runner.zygotes.slots import Slots
from app.runner.zygotes.zygote_rotation import PoolConfig, Recycling
from app.runtimes.specs import SPECS, RuntimeSpec
from app.sandbox.cgroups.cgroup import open_groups

_CHILDREN_OF_SUBMISSION = 2  # the learner's child and the grader's
_SLOTS = 990  # how many of the thousand uids for runs are used
_TEXT_BYTES_PER_BYTE = 3  # a byte of what was printed may become the picture of a control character, which takes three bytes in JSON
_RECORD_BYTES_PER_BYTE = 2  # a record without pictures may grow by this factor: the DOT of a graph repeats its nodes and edges
_UNREAD_BY_LEARNER, _UNREAD_OVERALL = 2, 4  # unread events are bounded by so many times what one run may publish
# The memory of a pool other than the usual one. TensorFlow's zygote has 260 MB of its own, JAX's 90, and either may have a successor.
_POOL_BYTES = 400 * MEBIBYTE
_MEMORY_LOOK_SECONDS = 30.0  # between two looks at whether memory is short
_RETRY_SECONDS = 1.0  # the pause after a background task has failed
_REST_SECONDS = 0.25  # memory is given back after so long without a run
_BETWEEN_RESTS_SECONDS = 5.0  # giving memory back takes some 30 ms

_log = structlog.get_logger()


class RunnerConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What a runner is started with.

    `folder`: private to this runner, emptied when it ends. `first_uid`: the first of the uids for children; there are as many as slots, and
    nothing else uses them. `runtimes`: the first is the usual one, and is started with the runner. `shortage`: if there is too little
    memory, a sentence that says so to operators. `node`: the name of this machine if it is one of several. `lesson_factor`: a lesson may
    ask for so many times the limits.
    """

    folder: Path
    limits: Limits = Limits()
    caps: QueueCaps = QueueCaps()
    capacity: Capacity
    spares: int
    first_uid: int = 210_000
    recycling: Recycling = Recycling()
    runtimes: tuple[RuntimeSpec, ...] = tuple(SPECS.values())
    confined: bool = True
    shortage: str | None = None
    node: str = ""
    lesson_factor: float = 1.0

    @property
    def event_bytes(self) -> int:
        """The bytes that all events of one run may take: its records, their pictures, and what it printed."""
        records_bytes = (_RECORD_BYTES_PER_BYTE + PICTURE_BYTES_PER_BYTE) * self.limits.records_bytes
        return int(self.lesson_factor * (records_bytes + _TEXT_BYTES_PER_BYTE * self.limits.output_bytes))

    @property
    def most_begun(self) -> int:
        """How many runs of the usual size can have begun at the same time, and at least 1."""
        return max(self.capacity.memory_bytes // self.limits.promised_bytes, 1)


class Supervisor:
    """Accepts orders, runs them, and ends them."""

    def __init__(self, config: RunnerConfig) -> None:
        config.folder.mkdir(parents=True, exist_ok=True)
        config.folder.chmod(0o711)
        self.metrics = Metrics()
        self._runs: dict[str, RunTask] = {}
        self._draining = False
        self._recent = RecentOrders()
        overall_bytes = _UNREAD_OVERALL * config.event_bytes
        caps = ByteCaps(learner=_UNREAD_BY_LEARNER * config.event_bytes, address=overall_bytes, overall=overall_bytes)
        self._unread: BufferedBytes[RunTask] = BufferedBytes(caps)
        self._run_ended = asyncio.Event()
        self._queue = RunQueue(config.capacity, config.caps)
        self._folder = Path(tempfile.mkdtemp(prefix="runner-", dir=config.folder))
        self._folder.chmod(0o711)
        self._config = config
        spares = config.spares * sum(spec.installed for spec in config.runtimes)
        # a slot is free again only when its child has been reaped, so there are some more than can be in use
        slots = 2 * (max(config.most_begun, _CHILDREN_OF_SUBMISSION) + spares)
        self._slots = Slots(min(slots, _SLOTS), config.first_uid + 1, open_groups())
        self._pools = Pools(config.runtimes, self._make_pool, self._set_memory_aside)
        self._layout = LayoutWorkers(config.first_uid if os.geteuid() == 0 else None)
        self._tasks: list[asyncio.Task[None]] = []

    def _make_pool(self, runtime: RuntimeSpec) -> Pool:
        config = self._config
        pool = PoolConfig(
            runtime=runtime,
            folder=self._folder,
            budget=budget_of(config.limits, runtime),
            spares=config.spares,
            recycling=config.recycling,
            confined=config.confined,
        )
        return Pool(pool, self._slots)

    def start(self) -> None:
        """Start the usual zygote and the layout process in the background."""
        if self._config.shortage:
            _log.warning("memory_short", reason=self._config.shortage)
        self._pools.usual.start()
        loop = asyncio.get_running_loop()
        works = (self._queue.take_turns_when_due, self._queue.report_positions, self._keep_memory, self._rest)
        self._tasks = [loop.create_task(self._start_layout()), *(loop.create_task(_repeat_on_failure(work)) for work in works)]

    async def _start_layout(self) -> None:
        await self._pools.usual.served.wait()  # before that there is nothing to lay out, and the zygote needs the processor
        try:
            await self._layout.start()
        except LayoutFailed as error:
            _log.error("layout_failed", reason=str(error))

    async def _keep_memory(self) -> None:
        while True:
            await asyncio.sleep(_MEMORY_LOOK_SECONDS)
            await self.close_unneeded_pools()

    async def close_unneeded_pools(self) -> None:
        """Close pools that have failed, and if memory is short also those that nobody has used for a while.

        Memory is short if less of it is free than runs may still be promised.
        """
        memory_is_short = available_bytes() < self._queue.unpromised_bytes
        await self._pools.close_unneeded({run.runtime for run in self._runs.values()}, memory_is_short)

    async def _rest(self) -> None:
        """Give memory back to the system when no run has been in the queue for a moment."""
        while True:
            await self._run_ended.wait()
            self._run_ended.clear()
            await asyncio.sleep(_REST_SECONDS)
            if not (self._run_ended.is_set() or self._queue.active or self._queue):
                give_back_memory()
                await asyncio.sleep(_BETWEEN_RESTS_SECONDS)

    def _set_memory_aside(self) -> None:
        self._queue.set_aside(_POOL_BYTES * (len(self._pools.open) - 1))

    async def close(self) -> None:
        self.stop_all()
        for task in self._tasks:
            task.cancel()
        await self._pools.close()
        self._slots.groups.close()
        await self._layout.close()

    def stop_all(self) -> None:
        """End every run, as if each had been stopped."""
        for run in list(self._runs.values()):
            run.stop()

    def accept(self, order: RunOrder) -> RunTask:
        """Put a new run into the queue and return it. Raises RunnerError."""
        run = self._accept(order, [order.limits])
        self._recent.record(run.id, order)
        return run

    def accept_submission(self, order: GradeOrder) -> RunTask:
        """Put a run that will be graded into the queue and return it. It needs two children. Raises RunnerError."""
        run = self._accept(order.run, [order.run.limits, order.grader_limits])
        run.follow_up = Grading(order, run.children, run.log.add).run
        self._recent.record(run.id, msgspec.structs.replace(order.run, diagnosis="cause"))
        return run

    def accept_trace(self, order: TraceOrder) -> RunTask:
        """Put the second run of a recent order, which traces it, into the queue and return it. Raises RunnerError."""
        with self._recent.second(order) as second:
            return self._accept(second, [second.limits])

    def forget(self, learner: str) -> None:
        """Remove the orders of the learner's recent runs."""
        self._recent.forget(learner)

    def _accept(self, order: RunOrder, children: list[Limits]) -> RunTask:
        if self._draining:
            raise RunnerUnavailable("the runner is about to end")
        if not (self._config.confined or order.unconfined):
            raise RunnerUnconfined("the runner has no sandbox")
        pool = self._pools.get(order.runtime)
        usual_bytes = self._config.limits.promised_bytes
        memory_bytes = sum(max(limits.promised_bytes, usual_bytes) + pool.runtime.memory_bytes for limits in children)
        try:
            deferred = not pool.warm_for(budget_of(order.limits, pool.runtime))
            ticket = self._enter(order, memory_bytes, deferred=deferred, graded=len(children) > 1)
        except (QueueFull, RunGaveWay) as error:
            self.metrics.refusals.labels(error.reason).inc()
            raise
        run = RunTask(order, ticket, self._queue, pool, self._layout, self._count_unread, self._count, self._config.node)
        self._runs[run.id] = run
        return run

    def _enter(self, order: RunOrder, memory_bytes: int, *, deferred: bool, graded: bool) -> Ticket:
        if not order.background:
            return self._queue.enter(order.learner, order.address, memory_bytes, deferred, never_on_trial=graded)
        if deferred:
            raise RunGaveWay
        return self._queue.enter_background(order.learner, order.address, memory_bytes)

    async def follow(self, run: RunTask) -> AsyncGenerator[bytes, None]:
        """Yield the frames of the run's events, in pieces. Closing the iterator early kills the run."""
        try:
            async with contextlib.aclosing(run.pieces()) as pieces:
                async for piece in pieces:
                    yield piece
        finally:
            del self._runs[run.id]
            self._run_ended.set()

    def _count_unread(self, run: RunTask, unread_bytes: int) -> None:
        self._unread.count(run, run.ticket.owner, unread_bytes)

    def _count(self, run: RunTask, last: RunResult | Verdict | Failed | None) -> None:
        """Count an ended run in the metrics."""
        self._pools.record_use(run.runtime)
        if run.result and last:
            self.metrics.count_result(run.result, run.faults, background=run.ticket.background)
            timing = run.result.timing
            _log.info("run", run=run.id, outcome=run.result.outcome.value, run_ms=timing.run_ms, queued_ms=timing.queued_ms)
        if isinstance(last, Verdict):
            self.metrics.verdicts.labels(str(last.passed).lower()).inc()
        if run.ticket.refusal and isinstance(last, Failed):
            self.metrics.refusals.labels(run.ticket.refusal).inc()
        elif isinstance(last, Failed):
            self.metrics.failures.labels(last.code).inc()
            _log.error("run_failed", code=last.code, reason=last.message)
        self._run_ended.set()

    def stop(self, run_id: str, learner: str) -> bool:
        """Stop a run of this learner. Return False if it is over, unknown or another learner's."""
        run = self._runs.get(run_id)
        if run is None or run.over or run.ticket.owner.learner != learner:
            return False
        run.stop()
        return True

    def status(self) -> RunnerStatus:
        return describe_status(self._pools, self._queue, self._config.shortage)

    def drain(self) -> None:
        """Accept no more orders. Runs that were accepted continue."""
        self._draining = True

    def report_load(self, view: ClusterView) -> NodeLoad:
        """Return what there is to do here, and take this node's part of the caps."""
        self._queue.share_caps(view.nodes)
        return describe_load(self._pools, self._queue, self._config.capacity.concurrency, draining=self._draining)

    def render_metrics(self) -> bytes:
        return self.metrics.render(len(self._queue), self._queue.active, self._queue.paused, self._pools.open.values())


async def _repeat_on_failure(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do `work` until cancelled. If it fails, log this and start it again, since without it runs might wait for ever."""
    while True:
        try:
            return await work()
        except Exception:
            _log.exception("background_failed", work=work.__name__)
            await asyncio.sleep(_RETRY_SECONDS)
