"""Two workers for layout, one for small requests and one for large ones, so that a small request never waits for seconds.

A graph of two thousand entangled nodes may occupy a process for all the time that its run has for layout; only other large requests wait
for it. When a large layout is abandoned, its process is killed, and another one, already warm, replaces it. A small layout is allowed to
finish.
"""

import asyncio
import struct
from collections.abc import Callable
from typing import TypeVar

from app.protocol.geometry import Geometry, LayoutRequest, PngCopy, PngRequest
from app.runner.drawing.layout_worker import Allowance, LayoutWorker
from app.runner.drawing.turns import Turns

SMALL_NODES, SMALL_LINKS = 100, 200  # laid out within some 0.1 s, however tangled
SMALL_PIXELS = 2**20  # copied within 0.1 s, too
_SIZE = slice(16, 24)  # the bytes of a PNG that have its width and height

Result = TypeVar("Result")


class LayoutWorkers:
    """A worker for small graphs and PNGs, one for large ones, and turns for what the runner itself does of a drawing.

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
