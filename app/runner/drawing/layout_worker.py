"""Layout: one graph or PNG after another, each with a deadline, in a process that is replaced when it fails."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from app.protocol.geometry import Geometry, LayoutRequest, PngCopy, PngRequest, Question, Refused
from app.runner.drawing.layout_process import START_SECONDS, LayoutFailed, LayoutProcess

Result = TypeVar("Result")

PAUSES_SECONDS = (0.0, 0.5, 2.0, 10.0)  # before each attempt to start a process; the last one again and again


class Allowance:
    """How long may be drawn for somebody, all their pictures together; waiting for one's turn does not count."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    @contextlib.contextmanager
    def charged(self) -> Iterator[None]:
        """Take off what the block takes."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.seconds = max(0.0, self.seconds - (time.monotonic() - begun))

    async def compute(self, work: Callable[[], Result], *, is_long: bool) -> Result:
        """Do our own part of a drawing; if it takes more than some milliseconds, in a thread, so that other runs go on."""
        with self.charged():
            return await asyncio.to_thread(work) if is_long else work()


class LayoutWorker:
    """A layout process that is there, or will be again soon. Graphs and PNGs wait for one another. `uid`: whom the process becomes."""

    def __init__(self, uid: int | None = None) -> None:
        self._uid = uid
        self._turn = asyncio.Lock()
        self._warm: asyncio.Future[LayoutProcess]
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process and wait until it is warm. Raises LayoutFailed; the attempts go on until `close`."""
        self._warm = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep(), name="layout")
        try:
            await asyncio.wait_for(asyncio.shield(self._warm), START_SECONDS)
        except TimeoutError as error:
            raise LayoutFailed("the layout process did not start") from error

    async def close(self) -> None:
        """End the process; what is being drawn fails."""
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
        self._keeper = None

    async def arrange(self, graph: LayoutRequest, allowance: Allowance) -> Geometry:
        """Lay a graph out. Raises LayoutFailed; also when it takes longer than is left of the allowance."""
        answer = await self._answer(graph, allowance)
        assert isinstance(answer, Geometry)  # the process was asked for one
        return answer

    async def copy(self, png: PngRequest, allowance: Allowance) -> PngCopy:
        """Encode a PNG anew. Raises LayoutFailed as `arrange` does."""
        answer = await self._answer(png, allowance)
        assert isinstance(answer, PngCopy)
        return answer

    async def _answer(self, request: Question, allowance: Allowance) -> Geometry | PngCopy:
        async with self._turn:
            try:
                with allowance.charged():
                    answer = await asyncio.wait_for(self._ask(request), allowance.seconds)
            except TimeoutError as error:
                raise LayoutFailed("the time allowed for layout is over") from error
        if isinstance(answer, Refused):
            raise LayoutFailed(answer.reason)
        return answer

    async def _ask(self, request: Question) -> Geometry | PngCopy | Refused:
        if self._keeper is None:
            raise LayoutFailed("the layout process is not running")
        process = await asyncio.shield(self._warm)
        if not process.alive:  # it died while it had nothing to do
            self._forget(process)
            process = await asyncio.shield(self._warm)
        try:
            return await process.ask(request)
        except BaseException:  # a cancelled one, too, is still busy with something that nobody wants any more
            self._forget(process)
            process.end()
            raise

    async def _keep(self) -> None:
        """Have a process running, always."""
        while True:
            process = await self._launch()
            self._warm.set_result(process)
            await process.gone()
            self._forget(process)

    async def _launch(self) -> LayoutProcess:
        for pause_seconds in itertools.chain(PAUSES_SECONDS, itertools.repeat(PAUSES_SECONDS[-1])):
            await asyncio.sleep(pause_seconds)
            with contextlib.suppress(LayoutFailed, OSError):
                return await LayoutProcess.start(self._uid)
        raise AssertionError("the pauses never end")

    def _forget(self, process: LayoutProcess) -> None:
        """Let the next request wait for the next process."""
        if self._warm.done() and self._warm.result() is process:
            self._warm = asyncio.get_running_loop().create_future()
