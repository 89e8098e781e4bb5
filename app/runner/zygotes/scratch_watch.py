"""Watches how much a run keeps in its scratch, where no tmpfs of its own bounds that: its zygote is asked again and again.

First when a run begins, which costs nothing while its scratch is empty and tells how much space there was; most runs are over before
the second time. In the meantime each file is bounded by the kernel (RLIMIT_FSIZE). To measure costs a fork of the zygote, so a run that is
paused, which can write nothing, is seldom asked about: only because what it holds may be what others lack.
"""

import asyncio
import contextlib
from collections.abc import Callable

_BETWEEN_SECONDS = 0.25
_PAUSED_SECONDS = 2.0
_PATIENCE_SECONDS = 5.0
_UNKNOWNS = 2  # learners rename folders while they are read: once is no proof of anything


class ScratchWatch:
    """The watch over one child. `ask` has its scratch measured; `take` is given each answer."""

    def __init__(self, ask: Callable[[], None]) -> None:
        self._ask = ask
        self._answer: asyncio.Future[bool | None] | None = None
        self._going = asyncio.Event()
        self._going.set()

    def halt(self) -> None:
        """The child is paused."""
        self._going.clear()

    def go(self) -> None:
        """The child goes on."""
        self._going.set()

    def take(self, within: bool | None) -> None:
        """The answer; None if the scratch could not be looked into."""
        if self._answer and not self._answer.done():
            self._answer.set_result(within)

    async def wait_until_over(self) -> None:
        """Return when the bounds are passed, or when twice in a row nobody can tell."""
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
