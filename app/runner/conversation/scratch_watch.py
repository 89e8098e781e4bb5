"""Watches the size of a run's scratch, where no tmpfs of its own bounds it: asks the run's zygote to measure it again and again.

The scratch is first measured when the run begins. That costs nothing, because the scratch is empty, and it records how much space is free.
Most runs end before the second measurement. In between, the kernel bounds each file (RLIMIT_FSIZE). Each measurement costs a fork of the
zygote, so a paused run, which can write nothing, is measured seldom. It is measured at all because the files it already has may be what
fills the file system.
"""

import asyncio
import contextlib
from collections.abc import Callable

_BETWEEN_SECONDS = 0.25
_PAUSED_SECONDS = 2.0
_PATIENCE_SECONDS = 5.0
_UNKNOWNS = 2  # a folder may be renamed while it is read, so one failure proves nothing


class ScratchWatch:
    """Watches one child. `ask` requests a measurement; `take` receives each answer."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self._ask = ask
        self._answer: asyncio.Future[bool | None] | None = None
        self._going = asyncio.Event()
        self._going.set()

    def halt(self) -> None:
        """Measure seldom from now on, because the child is paused."""
        self._going.clear()

    def go(self) -> None:
        """Measure often again, because the child was resumed."""
        self._going.set()

    def take(self, within: bool | None) -> None:
        """Receive an answer: whether the scratch is within its bounds, or None if it could not be measured."""
        if self._answer and not self._answer.done():
            self._answer.set_result(within)

    async def wait_until_over(self) -> None:
        """Return when the bounds are exceeded, or when measuring fails twice in a row."""
        unknowns = 0
        while (within := await self._measure()) is not False:
            unknowns = 0 if within else unknowns + 1
            if unknowns == _UNKNOWNS:
                return
            await asyncio.sleep(_BETWEEN_SECONDS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PAUSED_SECONDS):
                    await self._going.wait()

    async def _measure(self) -> bool | None:
        self._answer = asyncio.get_running_loop().create_future()
        self._ask()
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return await self._answer
        except TimeoutError:
            return None
