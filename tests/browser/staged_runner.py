"""A runner that executes nothing and does what a test wants: let a run wait, refuse it, lose it, show records."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from app.protocol.event import Failed, Queued, RunEvent, Started, Stdout
from app.protocol.event_frame import EventFrame, frame_event
from app.protocol.grading import GradeOrder, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import Lang, RunError, RunOrder, RunResult, RuntimeName, Timing, TraceOrder
from app.protocol.sandbox import RunnerStatus, RuntimeStatus
from app.runner.client import RunGaveWay, RunStream
from app.runner.runs.recent_orders import RecentOrders
from app.runner.socket_runner import SocketRunner

INSTALLED: tuple[RuntimeName, ...] = ("torch", "jax")
Play = Callable[[RunOrder], AsyncIterator[RunEvent]]


def make_result(order: RunOrder, stdout: str = "", outcome: Outcome = Outcome.FINISHED) -> RunResult:
    return RunResult(id="r1", outcome=outcome, stdout=stdout, timing=Timing(queued_ms=0, run_ms=1, total_ms=1), lang=order.lang)


async def answer(order: RunOrder) -> AsyncIterator[RunEvent]:
    """Play an ordinary run, which prints a word."""
    yield Started("r1")
    yield Stdout("done\n")
    yield make_result(order, "done\n")


async def wait_in_queue(order: RunOrder) -> AsyncIterator[RunEvent]:
    """Wait in the queue at the third place, for ever."""
    yield Queued("r1", 3)
    await asyncio.Event().wait()


async def start_runtime(order: RunOrder) -> AsyncIterator[RunEvent]:
    """Wait for the runtime, for ever."""
    yield Queued("r1", 1, starting=order.runtime)
    await asyncio.Event().wait()


async def lose(order: RunOrder) -> AsyncIterator[RunEvent]:
    """Begin, print, and lose the run with its runner."""
    yield Started("r1")
    yield Stdout("half\n")
    yield Failed("lost", "the runner is gone")


def show(*records: dict[str, object], gate: threading.Event | None = None) -> Play:
    """Return a run that shows records, given as their JSON, and ends once the gate is open.

    Fields that every record has may be left out.
    """
    common = {
        "span": {"cell": None, "line": 3, "column": None, "end_line": None, "end_column": None},
        "refs": [],
        "title": "",
        "stdout_offset": 0,
    }
    encoded = [msgspec.Raw(msgspec.json.encode({"id": f"r{number}", **common, **record})) for number, record in enumerate(records, 1)]

    async def play(order: RunOrder) -> AsyncIterator[RunEvent]:
        yield Started("r1")
        for record in encoded:
            yield record
        if gate is not None:
            await asyncio.to_thread(gate.wait)
        yield replace(make_result(order), records=encoded)

    return play


def grade(verdict: Verdict, gate: threading.Event | None = None) -> Play:
    """Return a submission's run that ends with this verdict. Its last check is decided once the gate is open."""

    async def play(order: RunOrder) -> AsyncIterator[RunEvent]:
        yield Started("r1")
        yield make_result(order)
        for number, check in enumerate(verdict.checks, 1):
            if gate is not None and number == len(verdict.checks):
                await asyncio.to_thread(gate.wait)
            yield check
        yield verdict

    return play


def fail_when(gate: threading.Event) -> Play:
    """Return a run that raises in line 1 once the gate is open."""

    async def play(order: RunOrder) -> AsyncIterator[RunEvent]:
        yield Started("r1")
        await asyncio.to_thread(gate.wait)
        error = RunError(type="ValueError", message="ValueError: no", line=1, column=0)
        yield replace(make_result(order, outcome=Outcome.RAISED), error=error)

    return play


class MessageBroker:
    """Asks a real runner, but only once for each program; later the same events are repeated. A `source` runs instead of the cell's."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._known: dict[bytes, list[RunEvent]] = {}

    def play(self, source: str | None = None) -> Play:
        async def play(order: RunOrder) -> AsyncIterator[RunEvent]:
            program = order.program if source is None else replace(order.program, source=replace(order.program.source, text=source))
            key = msgspec.json.encode(program)
            if key not in self._known:
                async with SocketRunner(self._socket) as runner, runner.run(replace(order, program=program)) as stream:
                    self._known[key] = [event async for event in stream]
            for event in self._known[key]:
                yield event

        return play


class StagedStream:
    """A stream of events, whose run id is replaced by `run_id`."""

    def __init__(self, events: AsyncIterator[RunEvent], run_id: str, lang: Lang) -> None:
        self.run_id, self.lang = run_id, lang
        self._events = events

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        async for event in self._events:
            yield replace(event, id=self.run_id) if isinstance(event, Queued | Started | RunResult) else event

    async def frames(self) -> AsyncIterator[EventFrame]:
        async for event in self:
            yield frame_event(event)


class StagedRunner:
    """Plays runs as a test says.

    `plays`: what the next runs do, in order; an exception refuses the run. Later runs do what `ordinary` does. `second`: what the
    second runs do that a page requests by itself. If it is None, they raise RunGaveWay.
    """

    def __init__(self) -> None:
        self.plays: list[Play | Exception] = []
        self.orders: list[RunOrder] = []
        self.reset()

    def reset(self) -> None:
        """Forget the instructions of tests, and the orders."""
        self._recent = RecentOrders()
        self.ordinary: Play = answer
        self.second: Play | None = None
        self.plays.clear()
        self.orders.clear()

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        if order.background:
            if self.second is None:
                raise RunGaveWay("nobody asked for it")
            yield StagedStream(self.second(order), "second", order.lang)
            return
        self.orders.append(order)
        play = self.plays.pop(0) if self.plays else self.ordinary
        if isinstance(play, Exception):
            raise play
        run_id = f"r{len(self.orders)}"
        self._recent.record(run_id, order)
        yield StagedStream(play(order), run_id, order.lang)

    @asynccontextmanager
    async def trace(self, order: TraceOrder) -> AsyncIterator[RunStream]:
        async with AsyncExitStack() as stack:
            with self._recent.second(order) as second:
                stream = await stack.enter_async_context(self.run(second))
            yield stream

    async def forget(self, learner: str) -> None:
        self._recent.forget(learner)

    def grade(self, order: GradeOrder) -> AbstractAsyncContextManager[RunStream]:
        return self.run(order.run)

    async def stop(self, run_id: str, learner: str = "") -> bool:
        return False

    async def status(self) -> RunnerStatus:
        return RunnerStatus(ready=True, runtimes=[RuntimeStatus(name=name, installed=True, state="ready") for name in INSTALLED])

    async def metrics(self) -> str:
        return ""

    async def close(self) -> None:
        pass
