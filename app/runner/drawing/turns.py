"""Turns at something that one can have at a time, a layout process or the thread that renders: fair among those who wait for it."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar

Result = TypeVar("Result")

_REMEMBERED = 1000  # owners


class Turns:
    """Whoever had it for the shortest time goes first, and among equals who came first."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        self._used: OrderedDict[Hashable, float] = OrderedDict()  # seconds, and no less than the floor
        self._floor = 0.0  # what the last who had a turn had used before: who comes anew begins there
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, owner: Hashable, work: Callable[[], Awaitable[Result]], *, grace_seconds: float | None = 0.0) -> Result:
        """Do this when it is the owner's turn. A caller who is cancelled meanwhile leaves it so much longer; None: until it is done."""
        await self._wait(owner)
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._do(owner, work, done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            return await done
        except asyncio.CancelledError:
            if grace_seconds is not None:
                asyncio.get_running_loop().call_later(grace_seconds, task.cancel)
            raise

    async def _do(self, owner: Hashable, work: Callable[[], Awaitable[Result]], done: "asyncio.Future[Result]") -> None:
        start = time.monotonic()
        try:
            result = await work()
            if not done.done():
                done.set_result(result)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                done.cancel()
                raise
            if not done.done():
                done.set_exception(error)
        finally:
            self._used[owner] = self._seconds(owner) + time.monotonic() - start
            self._used.move_to_end(owner)
            while len(self._used) > _REMEMBERED:
                self._used.popitem(last=False)
            self._pass_on()

    async def _wait(self, owner: Hashable) -> None:
        if not self._taken:
            self._taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._remove(owner, turn)
            else:
                self._pass_on()  # it came just now
            raise

    def _remove(self, owner: Hashable, turn: "asyncio.Future[None]") -> None:
        self._waiting[owner].remove(turn)
        if not self._waiting[owner]:
            del self._waiting[owner]

    def _pass_on(self) -> None:
        """Give the turn to who is next, if somebody waits."""
        self._taken = bool(self._waiting)
        if self._taken:
            owner = min(self._waiting, key=self._seconds)
            self._floor = max(self._floor, self._seconds(owner))
            turn = self._waiting[owner][0]
            self._remove(owner, turn)
            turn.set_result(None)

    def _seconds(self, owner: Hashable) -> float:
        return max(self._used.get(owner, 0.0), self._floor)
