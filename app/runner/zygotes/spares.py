"""Spares: confined, verified children that wait for the runs that will need them.

A spare that is used is replaced by a new one. While no run is active, spares are touched one by one: the warm-up runs in them once, which
pays their copy-on-write faults. Under load they stay untouched, because touching takes the processor time that the runs need. When another
zygote takes over, its children replace the spares of the previous one, one for one.
"""

import asyncio
from collections.abc import Awaitable, Callable

from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.zygotes.zygote_rotation import ZygoteRotation

_AFTER_RUN_SECONDS = 0.002  # the pause before spares are forked or touched, so that the run's result is sent first
_RETRY_SECONDS = 1.0  # the pause after a spare was lost before it was ready


class Spares:
    """Keeps as many spares as are `wanted`, forked from the zygote that serves.

    `fork` makes a child and returns it when it is ready, or raises ChildLost. `release` ends a child. `is_idle` says whether no run is
    active. `refusal`: why the last spare could not be forked; None if it could.
    """

    def __init__(
        self,
        wanted: int,
        rotation: ZygoteRotation,
        fork: Callable[[], Awaitable[ChildHandle]],
        release: Callable[[ChildHandle], None],
        is_idle: Callable[[], bool],
    ) -> None:
        self.refusal: str | None = None
        self._wanted = wanted
        self._rotation = rotation
        self._fork = fork
        self._release = release
        self._is_idle = is_idle
        self._waiting: list[ChildHandle] = []
        self._forking = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._rest: asyncio.TimerHandle | None = None
        self._after_run: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def close(self) -> None:
        for timer in filter(None, (self._rest, self._after_run)):
            timer.cancel()
        for task in self._tasks:
            task.cancel()

    def take(self) -> ChildHandle | None:
        """Remove and return a spare; None if there is none. A touched spare is preferred, and one that is being touched comes last."""
        while self._waiting:
            # a spare that is being touched cannot answer before that is done
            child = min(self._waiting, key=lambda spare: (not spare.touched, spare.touching))
            self._waiting.remove(child)
            if child.waiting:
                return child
            self._release(child)
        return None

    def add_if_wanted(self, child: ChildHandle) -> bool:
        """Store a child that a run does not need as a spare.

        Return False if it is not ready, if it is not of the zygote that serves, or if there are enough spares.
        """
        is_ready = child.waiting and child.ready.done() and not child.ready.exception()
        is_wanted = is_ready and self._rotation.is_current(child) and len(self) < self._wanted
        if is_wanted:
            self._add(child)
        return is_wanted

    def refill_soon(self) -> None:
        """Call `refill` in a moment, because a run is over."""
        if not self._after_run:
            self._after_run = asyncio.get_running_loop().call_later(_AFTER_RUN_SECONDS, self._refill_after_run)

    def _refill_after_run(self) -> None:
        self._after_run = None
        self.refill()

    def refill(self) -> None:
        """Fork the spares that are missing, unless a fork failed a moment ago. Then touch one."""
        current = sum(map(self._rotation.is_current, self._waiting))
        while self._rotation.serving and not self._rest and current + self._forking < self._wanted:
            self._forking += 1
            task = asyncio.get_running_loop().create_task(self._fork_one())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._touch_one()

    async def _fork_one(self) -> None:
        try:
            child = await self._fork()
        except ChildLost as error:
            self._forking -= 1
            if self._rotation.serving:
                self.refusal = str(error)
                self._rest = asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._end_rest)
            return
        self._forking -= 1
        self.refusal = None
        self._add(child)
        self._drop_one_of_previous()
        self.refill()  # the new spare may itself be of the previous zygote

    def _end_rest(self) -> None:
        self._rest = None
        self.refill()

    def _add(self, child: ChildHandle) -> None:
        self._waiting.append(child)
        child.exited.add_done_callback(lambda _: self._replace(child))

    def _replace(self, child: ChildHandle) -> None:
        """Fork another spare if `child`, which has ended, was still a spare."""
        if child in self._waiting:
            self._waiting.remove(child)
            self._release(child)
            self.refill()

    def _drop_one_of_previous(self) -> None:
        """Release a spare of the previous zygote: a new spare replaces it."""
        previous = next((spare for spare in self._waiting if not self._rotation.is_current(spare)), None)
        if previous:
            self._waiting.remove(previous)
            self._release(previous)

    def _touch_one(self) -> None:
        """Touch the next spare if no run is active. When it answers, the one after it is touched."""
        if not self._is_idle() or self._forking:
            return
        untouched = [child for child in self._waiting if not child.touched]
        if untouched and not any(child.touching for child in untouched):
            untouched[0].touch(self._touch_one)
