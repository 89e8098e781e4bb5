"""A runner that executes nothing and does what a test wants to see: keep a run waiting, refuse it, break off."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from app.protocol.event import Ended, Queued, RunEvent, Started, Stdout
from app.protocol.outcome import Outcome
from app.protocol.run import RunOrder, RunResult, Timing
from app.protocol.sandbox import RunnerStatus
from app.runner.client import RunStream

Play = Callable[[RunOrder], AsyncIterator[RunEvent]]


def make_result(order: RunOrder, stdout: str = "", outcome: Outcome = Outcome.FINISHED) -> RunResult:
    return RunResult(id="r1", outcome=outcome, stdout=stdout, timing=Timing(queued_ms=0, run_ms=1, total_ms=1), lang=order.lang)


async def answer(order: RunOrder) -> AsyncIterator[RunEvent]:
    """An ordinary run, which prints a word."""
    yield Started("r1")
    yield Stdout("done\n")
    yield Ended(make_result(order, "done\n"))


async def wait_in_queue(order: RunOrder) -> AsyncIterator[RunEvent]:
    """Third in the queue, for ever."""
    yield Queued("r1", 3)
    await asyncio.Event().wait()


async def break_off(order: RunOrder) -> AsyncIterator[RunEvent]:
    """Begins, prints, and is lost."""
    yield Started("r1")
    yield Stdout("half\n")


class StagedStream:
    def __init__(self, events: AsyncIterator[RunEvent]) -> None:
        self.run_id = "r1"
        self._events = events

    def __aiter__(self) -> AsyncIterator[RunEvent]:
        return self._events


class StagedRunner:
    """`plays`: what the next runs do, in turn; an exception refuses the run. When they are used up, runs are ordinary."""

    def __init__(self) -> None:
        self.plays: list[Play | Exception] = []
        self.orders: list[RunOrder] = []

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        self.orders.append(order)
        play = self.plays.pop(0) if self.plays else answer
        if isinstance(play, Exception):
            raise play
        yield StagedStream(play(order))

    async def stop(self, run_id: str) -> bool:
        return False

    async def status(self) -> RunnerStatus:
        return RunnerStatus(ready=True)

    async def metrics(self) -> str:
        return ""

    async def close(self) -> None:
        pass
