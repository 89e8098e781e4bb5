"""One run from its ticket to its result: an asynchronous stream of events.

The child's side arrives through the `Listener` methods and waits in `_items`; `events` takes the items in order, so a graph's picture
(which another process draws) never lets later output overtake it.
"""

import asyncio
import math
import time
import uuid
from collections.abc import AsyncGenerator
from enum import Enum, auto

from app.protocol.channel import Over, Shown
from app.protocol.display import Display, GraphDisplay
from app.protocol.event import Displayed, Ended, Failed, Queued, RunEvent, Started, Stderr, Stdout
from app.protocol.limits import Limits
from app.protocol.run import RunOrder, RunResult, Timing
from app.runner import ending as endings
from app.runner.child import Child, ZygoteGone
from app.runner.dump import Place, innermost_place
from app.runner.ending import Ending
from app.runner.layout import Layout
from app.runner.pictures import Pictures
from app.runner.pool import Pool, PoolUnavailable
from app.runner.queue import RunQueue, Ticket
from app.sandbox.rlimits import Budget

_DISPLAYS = 500  # each may need a picture; their bytes have a cap of their own
_WATCHDOG_SECONDS = 0.2  # how long a program at its deadline has to say where it is
_EXIT_SECONDS = 1.0  # how long a child that closed its channel has to be gone


class _Cut(Enum):
    """Why the supervisor ends a program, or how it found it ended."""

    DEADLINE = auto()
    STOPPED = auto()
    TOO_MUCH = auto()
    MALFORMED = auto()
    GONE = auto()


def budget_of(limits: Limits) -> Budget:
    """The part of a run's limits that its child is born with."""
    return Budget(
        memory_bytes=limits.memory_bytes,
        cpu_seconds=math.ceil(limits.deadline_seconds) + 1,
        scratch_bytes=limits.scratch_bytes,
        scratch_inodes=limits.scratch_inodes,
        threads=limits.threads,
    )


class Run:
    """One run. Iterate `events` once; closing that iterator early kills the run."""

    def __init__(self, order: RunOrder, ticket: Ticket, queue: RunQueue, pool: Pool, layout: Layout) -> None:
        self.id = uuid.uuid4().hex
        self.result: RunResult | None = None
        self._order = order
        self._ticket = ticket
        self._queue = queue
        self._pool = pool
        self._pictures = Pictures(layout, order.limits, order.lang)
        self._items: asyncio.Queue[RunEvent | Over | _Cut] = asyncio.Queue()
        self._displays: list[Display] = []
        self._stdout: list[str] = []
        self._stderr: list[str] = []
        self._characters = 0
        self._shown = 0
        self._entered = time.perf_counter()
        self._started = self._entered

    # the child's side

    def on_stdout(self, text: str) -> None:
        self._stdout.append(text)
        self._characters += len(text)
        self._items.put_nowait(Stdout(text))

    def on_stderr(self, text: str) -> None:
        self._stderr.append(text)
        self._items.put_nowait(Stderr(text))

    def on_shown(self, shown: Shown) -> None:
        shown.display.stdout_offset = self._characters
        self._shown += 1
        self._items.put_nowait(Displayed(shown.display) if self._shown <= _DISPLAYS else _Cut.TOO_MUCH)

    def on_over(self, over: Over) -> None:
        self._items.put_nowait(over)

    def on_too_much(self) -> None:
        self._items.put_nowait(_Cut.TOO_MUCH)

    def on_malformed(self) -> None:
        self._items.put_nowait(_Cut.MALFORMED)

    def on_gone(self) -> None:
        self._items.put_nowait(_Cut.GONE)

    # the asker's side

    def stop(self) -> None:
        """End it as its learner wishes, waiting or running."""
        self._ticket.abandon()
        self._items.put_nowait(_Cut.STOPPED)

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """All events, the last an `Ended` or, when the fault is ours, a `Failed`."""
        try:
            async for position in self._ticket.positions():
                yield Queued(self.id, position)
            async for event in self._start():
                yield event
        except PoolUnavailable as error:
            yield Failed("unavailable", str(error))
        finally:
            self._queue.leave(self._ticket)

    async def _start(self) -> AsyncGenerator[RunEvent, None]:
        self._started = time.perf_counter()
        yield Started(self.id)
        if self._ticket.abandoned:
            yield self._end(None, endings.stopped())
            return
        try:
            async for event in self._attempt():
                yield event
        except ZygoteGone:
            if self._stdout or self._stderr or self._displays:
                yield Failed("internal", "the zygote died while the program ran")
                return
            async for event in self._attempt_again():
                yield event

    async def _attempt_again(self) -> AsyncGenerator[RunEvent, None]:
        """Once more, since nothing of the first try was sent and the fault was ours."""
        self._items = asyncio.Queue()
        try:
            async for event in self._attempt():
                yield event
        except ZygoteGone:
            yield Failed("internal", "the zygote died twice")

    async def _attempt(self) -> AsyncGenerator[RunEvent, None]:
        limits = self._order.limits
        child = await self._pool.take(budget_of(limits))
        deadline = asyncio.get_running_loop().call_later(limits.deadline_seconds, self._items.put_nowait, _Cut.DEADLINE)
        try:
            self._started = time.perf_counter()
            child.execute(self._order.program, limits.output_bytes, limits.displays_bytes, self)
            async for event in self._follow(child):
                yield event
        finally:
            deadline.cancel()
            self._pool.give_back(child)

    async def _follow(self, child: Child) -> AsyncGenerator[RunEvent, None]:
        while True:
            item = await self._items.get()
            if isinstance(item, Displayed):
                item.display = await self._complete(item.display)
                self._displays.append(item.display)
                yield item
            elif isinstance(item, Over):
                yield self._end(child, endings.from_over(item, self._order.lang), item.versions)
                return
            elif isinstance(item, _Cut):
                yield self._end(child, await self._conclude(child, item))
                return
            else:
                yield item

    async def _complete(self, display: Display) -> Display:
        if isinstance(display, GraphDisplay):
            return await self._pictures.complete(display)
        return display

    async def _conclude(self, child: Child, cut: _Cut) -> Ending:
        lang, limits = self._order.lang, self._order.limits
        if cut is _Cut.DEADLINE:
            return endings.timed_out(limits, self._place(await child.running_line(_WATCHDOG_SECONDS)), lang)
        if cut is _Cut.TOO_MUCH:
            return endings.too_much_output(lang)
        if cut is _Cut.MALFORMED:
            return endings.malformed(lang)
        if cut is _Cut.STOPPED:
            return endings.stopped()
        return await self._conclude_exit(child)

    async def _conclude_exit(self, child: Child) -> Ending:
        lang = self._order.lang
        try:
            async with asyncio.timeout(_EXIT_SECONDS):
                end = await asyncio.shield(child.exited)
        except TimeoutError:
            return endings.malformed(lang)  # it closed its channel and lives on
        return endings.from_exit(end, child.budget.cpu_seconds, self._place(child.streams.read_last_words()), self._order.limits, lang)

    def _place(self, dump: bytes) -> Place | None:
        program = self._order.program
        return innermost_place(dump, {source.cell for source in [*program.replay, program.source] if source.cell})

    def _end(self, child: Child | None, ending: Ending, versions: dict[str, str] | None = None) -> Ended:
        now = time.perf_counter()
        order = self._order
        self.result = RunResult(
            id=self.id,
            outcome=ending.outcome,
            error=ending.error,
            stdout="".join(self._stdout),
            stderr="".join(self._stderr),
            stdout_truncated=child.streams.stdout.truncated if child else False,
            stderr_truncated=child.streams.stderr.truncated if child else False,
            displays=self._displays,
            timing=Timing(
                queued_ms=_milliseconds(self._started - self._entered),
                run_ms=_milliseconds(now - self._started),
                total_ms=_milliseconds(now - self._entered),
            ),
            seed=order.program.seed,
            runtime=order.runtime,
            versions=versions or self._pool.versions,
            lang=order.lang,
        )
        if versions:
            self._pool.versions = versions
        return Ended(self.result)


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
