"""Divides the use of something that only one caller can use at a time, such as a layout process, fairly between owners."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

from app.protocol.owner import Owner

Result = TypeVar("Result")

_REMEMBERED = 1000  # the used seconds of so many addresses, and of so many owners, are remembered


class _Used:
    """The seconds that each holder has used.

    No holder counts as having used less than the holder of the last turn had used when that turn began.
    """

    def __init__(self) -> None:
        self._seconds: OrderedDict[Hashable, float] = OrderedDict()
        self._floor = 0.0

    def __getitem__(self, holder: Hashable) -> float:
        return max(self._seconds.get(holder, 0.0), self._floor)

    def add(self, holder: Hashable, seconds: float) -> None:
        self._seconds[holder] = self[holder] + seconds
        self._seconds.move_to_end(holder)
        while len(self._seconds) > _REMEMBERED:
            self._seconds.popitem(last=False)

    def raise_floor(self, holder: Hashable) -> None:
        """Record that this holder gets a turn. From now on every holder counts as having used at least as much as this one."""
        self._floor = self[holder]


class Turns:
    """Gives turns to owners. The address that has used the fewest seconds goes first.

    At one address, the learner who has used the fewest goes first; among those with equally many, the one who came first.
    """

    def __init__(self) -> None:
        self._taken = False
        self._waiting: dict[Owner, deque[asyncio.Future[None]]] = {}
        self._addresses, self._owners = _Used(), _Used()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, owner: Owner, work: Callable[[], Awaitable[Result]], *, grace_seconds: float | None = 0.0) -> Result:
        """Start `work` when it is the owner's turn, and return its result.

        `grace_seconds`: for how long the work may continue after the caller was cancelled; if it is None, the work is always finished.
        """
        await self._wait(owner)
        task = asyncio.create_task(self._do(owner, work))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if grace_seconds is not None:
                asyncio.get_running_loop().call_later(grace_seconds, task.cancel)
            raise

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # otherwise asyncio logs it as never retrieved if the caller was cancelled

    async def _do(self, owner: Owner, work: Callable[[], Awaitable[Result]]) -> Result:
        start = time.monotonic()
        try:
            return await work()
        finally:
            seconds = time.monotonic() - start
            self._addresses.add(owner.address, seconds)
            self._owners.add(owner, seconds)
            self._pass_on()

    async def _wait(self, owner: Owner) -> None:
        if not self._taken:
            self._taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._pass_on()  # the turn was given to it at the same moment
            raise

    def _pass_on(self) -> None:
        """Give the turn to the next owner who waits, if any. Waiting callers that have been cancelled are skipped."""
        self._taken = False
        while self._waiting and not self._taken:
            owner = min(self._waiting, key=lambda each: (self._addresses[each.address], self._owners[each]))
            turn = self._waiting[owner].popleft()
            if not self._waiting[owner]:
                del self._waiting[owner]
            if not turn.done():
                self._addresses.raise_floor(owner.address)
                self._owners.raise_floor(owner)
                self._taken = True
                turn.set_result(None)
