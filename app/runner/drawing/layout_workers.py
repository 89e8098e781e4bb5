"""Lays out graphs and copies PNGs, each with a deadline, in processes that are replaced when they fail.

There are two workers, one for small requests and one for large ones, so that a small request never waits for seconds. A graph of two
thousand entangled nodes may occupy a process for all the time that its run has for layout; only other large requests wait for it. When a
large layout is abandoned, its process is killed, and another one, already warm, replaces it. A small layout is allowed to finish.
"""

import asyncio
import contextlib
import itertools
import struct
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from app.protocol.geometry import Geometry, LayoutRequest, PngCopy, PngRequest, Question, Refused
from app.protocol.owner import NOBODY, Owner
from app.runner.drawing.layout_process import START_SECONDS, LayoutFailed, LayoutProcess, LayoutTimedOut
from app.runner.drawing.turns import Turns

SMALL_NODES, SMALL_LINKS = 100, 200  # laid out within some 0.1 s, however tangled
SMALL_PIXELS = 2**20  # copied within 0.1 s, too
_SIZE = slice(16, 24)  # the bytes of a PNG that have its width and height
PAUSES_SECONDS = (0.0, 0.5, 2.0, 10.0)  # the pause before each try to start a process; the last one is repeated
_PROCESS_SECONDS = 0.4  # the processor time to start one
_FINISH_SECONDS = 1.0  # how long a small request may still take after its caller was cancelled

Result = TypeVar("Result")


class Allowance:
    """The time that all pictures of one run share. Waiting for a turn does not count.

    `owner`: the learner whose turns are counted. `on_used`: called with the seconds that each step took, even if the run was abandoned
    meanwhile.
    """

    def __init__(self, seconds: float, owner: Owner = NOBODY, on_used: Callable[[float], None] = lambda _: None) -> None:
        self.seconds = seconds
        self.owner = owner
        self._on_used = on_used

    def use(self, seconds: float) -> None:
        """Subtract `seconds` from the time that is left."""
        self.seconds = max(0.0, self.seconds - seconds)
        self._on_used(seconds)

    @contextlib.contextmanager
    def charged(self) -> Iterator[None]:
        """Subtract the time that the `with` block takes."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.use(time.monotonic() - begun)


class LayoutWorker:
    """Keeps layout processes running: one works, and the others are warm and replace it when it has to be killed.

    Requests are done one at a time. `uid`: the user that the processes become. `finishes`: whether a request continues for
    `_FINISH_SECONDS` after its caller was cancelled; otherwise its process is killed at once.
    """

    def __init__(self, uid: int | None = None, *, processes: int = 1, finishes: bool = False) -> None:
        self._uid = uid
        self._count = processes
        self._grace_seconds = _FINISH_SECONDS if finishes else 0.0
        self._turns = Turns()
        self._processes: list[LayoutProcess] = []
        self._arrived = asyncio.Event()
        self._keepers: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the processes and wait until one is warm. Raises LayoutFailed, but continues to try until `close`."""
        self._keepers = [asyncio.create_task(self._keep_running(), name="layout") for _ in range(self._count)]
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._arrived.wait()
        except TimeoutError as error:
            raise LayoutFailed("the layout process did not start") from error

    async def close(self) -> None:
        """End the processes. Requests that are being answered fail."""
        keepers, self._keepers = self._keepers, []
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)
        self._arrived.set()  # wakes whoever waits for a process, to find that there will be none

    async def arrange(self, graph: LayoutRequest, allowance: Allowance, share: float = 1.0) -> Geometry:
        """Return the layout of a graph. Raises LayoutFailed; LayoutTimedOut after `share` of what is left of the allowance."""
        answer = await self._answer(graph, allowance, share)
        assert isinstance(answer, Geometry)  # the process was asked for one
        return answer

    async def copy(self, png: PngRequest, allowance: Allowance) -> PngCopy:
        """Return a PNG of the same pixels, encoded anew. Raises as `arrange` does."""
        answer = await self._answer(png, allowance)
        assert isinstance(answer, PngCopy)
        return answer

    async def _answer(self, request: Question, allowance: Allowance, share: float = 1.0) -> Geometry | PngCopy:
        async def ask_in_time() -> Geometry | PngCopy | Refused:
            try:
                with allowance.charged():
                    async with asyncio.timeout(share * allowance.seconds):
                        return await self._ask(request, allowance)
            except TimeoutError as error:
                raise LayoutTimedOut("the time allowed for layout is over") from error

        answer = await self._turns.run(allowance.owner, ask_in_time, grace_seconds=self._grace_seconds)
        if isinstance(answer, Refused):
            raise LayoutFailed(answer.reason)
        return answer

    async def _ask(self, request: Question, allowance: Allowance) -> Geometry | PngCopy | Refused:
        process = await self._get_process()
        try:
            return await process.ask(request)
        except BaseException:  # also if it was cancelled: the process is still busy with the request
            self._forget(process)
            process.end()
            allowance.use(_PROCESS_SECONDS)
            raise

    async def _get_process(self) -> LayoutProcess:
        """Return a process that is alive, as soon as there is one. Raises LayoutFailed once the worker is closed."""
        while self._keepers:
            for process in list(self._processes):
                if process.alive:
                    return process
                self._forget(process)  # it died between two requests
            await self._arrived.wait()
        raise LayoutFailed("the layout process is not running")

    async def _keep_running(self) -> None:
        """Start a process, and start another whenever it has ended."""
        while True:
            process = await self._launch()
            self._processes.append(process)
            self._arrived.set()
            try:
                await process.gone()
            finally:
                self._forget(process)

    async def _launch(self) -> LayoutProcess:
        for pause_seconds in itertools.chain(PAUSES_SECONDS, itertools.repeat(PAUSES_SECONDS[-1])):
            await asyncio.sleep(pause_seconds)
            with contextlib.suppress(LayoutFailed, OSError):
                return await LayoutProcess.start(self._uid)
        raise AssertionError("the pauses never end")

    def _forget(self, process: LayoutProcess) -> None:
        """Remove a process, so that the next request takes another or waits for one."""
        if process in self._processes:
            self._processes.remove(process)
        if not self._processes:
            self._arrived.clear()


class LayoutWorkers:
    """A worker for small graphs and PNGs, one for large ones, and turns for the part of a drawing that the runner itself computes.

    `uid`: the user that the processes of the workers become.
    """

    def __init__(self, uid: int | None = None) -> None:
        self._small, self._large = LayoutWorker(uid, finishes=True), LayoutWorker(uid, processes=2)
        self._turns = Turns()

    async def start(self) -> None:
        """Start both and wait until they are warm. Raises LayoutFailed."""
        await asyncio.gather(self._small.start(), self._large.start())

    async def close(self) -> None:
        await asyncio.gather(self._small.close(), self._large.close())

    async def compute(self, work: Callable[[], Result], allowance: Allowance, *, is_long: bool) -> Result:
        """Call `work` in this process and return its result.

        `is_long`: wait for the owner's turn and call `work` in a thread, so that other runs continue. A thread cannot be ended, so it keeps
        its turn even if the caller is cancelled.
        """
        if not is_long:
            with allowance.charged():
                return work()

        async def compute_in_thread() -> Result:
            with allowance.charged():
                return await asyncio.to_thread(work)

        return await self._turns.run(allowance.owner, compute_in_thread, grace_seconds=None)

    async def arrange(self, graph: LayoutRequest, allowance: Allowance, share: float = 1.0) -> Geometry:
        """See `LayoutWorker.arrange`."""
        worker = self._small if len(graph.nodes) <= SMALL_NODES and len(graph.links) <= SMALL_LINKS else self._large
        return await worker.arrange(graph, allowance, share)

    async def copy(self, png: PngRequest, allowance: Allowance) -> PngCopy:
        """See `LayoutWorker.copy`."""
        width, height = struct.unpack(">II", png.png[_SIZE].ljust(8, b"\0"))
        worker = self._small if width * height <= SMALL_PIXELS else self._large
        return await worker.copy(png, allowance)
