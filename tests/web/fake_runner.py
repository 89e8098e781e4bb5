"""A runner that executes nothing. It replays given events and stores the orders."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec

from app.protocol.event import Queued, RunEvent, Started, Stdout
from app.protocol.event_frame import EventFrame, frame_event
from app.protocol.grading import GradeOrder
from app.protocol.outcome import Outcome
from app.protocol.run import Lang, RunOrder, RunResult, Timing, TraceOrder
from app.protocol.sandbox import RunnerStatus
from app.runner.client import RunnerUnavailable, RunStream
from app.runner.runs.recent_orders import RecentOrders

RUN_ID = "r1"


def make_result(stdout: str = "2\n", outcome: Outcome = Outcome.FINISHED) -> RunResult:
    return RunResult(id=RUN_ID, outcome=outcome, stdout=stdout, timing=Timing(queued_ms=0, run_ms=1, total_ms=1))


def make_events() -> list[RunEvent]:
    return [Queued(RUN_ID, 1), Started(RUN_ID), Stdout("2\n"), make_result()]


class FakeStream:
    def __init__(self, events: Sequence[RunEvent | Exception], hang: bool, lang: Lang = "en") -> None:
        self.run_id, self.lang = RUN_ID, lang
        self._events, self._hang = events, hang

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        for event in self._events:
            if isinstance(event, Exception):
                raise event
            yield event
        if self._hang:
            await asyncio.Event().wait()

    async def frames(self) -> AsyncIterator[EventFrame]:
        async for event in self:
            yield frame_event(event)


class FakeRunner:
    """A runner that executes nothing.

    `plays` are the events of each run in turn; later runs repeat the last ones. An exception in place of events refuses the run.
    """

    def __init__(self, *plays: Sequence[RunEvent | Exception] | Exception, hang: bool = False) -> None:
        self.plays = list(plays) or [make_events()]
        self.hang = hang
        self.orders: list[RunOrder] = []
        self.grades: list[GradeOrder] = []
        self.stopped: list[str] = []
        self.entered = asyncio.Event()
        self.left = asyncio.Event()
        self.closed = False
        self.recent = RecentOrders()
        self.answer: Callable[[], RunnerStatus] = lambda: RunnerStatus(ready=True)

    @asynccontextmanager
    async def grade(self, order: GradeOrder) -> AsyncIterator[RunStream]:
        self.grades.append(order)
        async with self._play(order.run) as stream:
            self.recent.record(RUN_ID, msgspec.structs.replace(order.run, diagnosis="cause"))
            yield stream

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        async with self._play(order) as stream:
            self.recent.record(RUN_ID, order)
            yield stream

    @asynccontextmanager
    async def trace(self, order: TraceOrder) -> AsyncIterator[RunStream]:
        async with AsyncExitStack() as stack:
            with self.recent.second(order) as second:
                stream = await stack.enter_async_context(self._play(second))
            yield stream

    async def forget(self, learner: str) -> None:
        self.recent.forget(learner)

    @asynccontextmanager
    async def _play(self, order: RunOrder) -> AsyncIterator[RunStream]:
        self.orders.append(order)
        play = self.plays.pop(0) if len(self.plays) > 1 else self.plays[0]
        if isinstance(play, Exception):
            raise play
        self.entered.set()
        try:
            yield FakeStream(play, self.hang, order.lang)
        finally:
            self.left.set()

    async def stop(self, run_id: str, learner: str = "") -> bool:
        self.stopped.append(run_id)
        return run_id == RUN_ID and any(order.learner == learner for order in self.orders)

    async def status(self) -> RunnerStatus:
        return self.answer()

    async def metrics(self) -> str:
        if not self.answer().ready:
            raise RunnerUnavailable("gone")
        return "gradroom_runs_total 3\n"

    async def close(self) -> None:
        self.closed = True
