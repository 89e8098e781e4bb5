"""The zygotes of one runtime: one serves, one may be warming up to replace it, and one that was replaced may still have runs.

All children of a zygote share its memory layout. Address-space randomisation protects only while that layout is not known, so a zygote is
replaced after a number of forks or some time. A successor is warm, assessed and checked before it takes over, so a run never waits for it.
If a successor fails, another is made later, and the old zygote serves meanwhile. While no zygote serves, an early one can be started: it
imports little, so it is warm sooner. As soon as it serves, a full one is started to replace it.
"""

import asyncio
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec
import structlog

from app.protocol.sandbox import SandboxReport
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.zygotes.slots import Slots
from app.runner.zygotes.zygote_check import Unfit, examine
from app.runner.zygotes.zygote_handle import ZygoteFailed, ZygoteHandle
from app.runtimes.specs import RuntimeSpec
from app.sandbox.confinement.rlimits import Budget

STARTING = "starting"
_RETRY_SECONDS = (0.2, 1.0, 5.0)  # the pause after each failure in a row, while nothing serves
_RETRY_WHILE_SERVING_SECONDS = 60.0  # the pause while the old one still serves, because a warm-up costs a core some seconds

_log = structlog.get_logger()


class Recycling(msgspec.Struct, frozen=True, kw_only=True):
    """When a zygote is replaced: after `forks`, or after `seconds`.

    `early`: a zygote that is started while none serves imports little, so that it serves sooner; a full one replaces it as soon as
    possible.
    """

    forks: int = 5000
    seconds: float = 3600.0
    early: bool = False


class PoolConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a pool. `budget`: the limits of each spare. `folder`: private to the pool, for mount points and scratch."""

    runtime: RuntimeSpec
    folder: Path
    budget: Budget
    spares: int
    recycling: Recycling = Recycling()
    confined: bool = True


class ZygoteRotation:
    """The zygotes of one runtime. `on_change`: called when another zygote serves, or none.

    `failure` says why none serves, or is None. `report` is that of the last zygote that was fit; while none serves, it may be that of one
    that was found unfit. `restarts`: how many zygotes failed while they served. `recycles`: how many were replaced by a fresh one.
    """

    def __init__(self, config: PoolConfig, slots: Slots, on_change: Callable[[], None]) -> None:
        self.serving: ZygoteHandle | None = None
        self.failure: str | None = STARTING
        self.report: SandboxReport | None = None
        self.restarts = 0
        self.recycles = 0
        self._config = config
        self._slots = slots
        self._on_change = on_change
        self._successor: ZygoteHandle | None = None
        self._retiring: ZygoteHandle | None = None
        self._forks = 0
        self._due = False
        self._warming: asyncio.Task[None] | None = None
        self._failures = 0
        self._pause: asyncio.TimerHandle | None = None
        self._age: asyncio.TimerHandle | None = None
        self._closed = False
        self._clearing: set[asyncio.Task[None]] = set()  # tasks that remove the folders of ended zygotes

    async def close(self) -> None:
        """End all zygotes. If this is cancelled, it may be called again."""
        self._closed = True
        for timer in filter(None, (self._pause, self._age)):
            timer.cancel()
        if self._warming:
            self._warming.cancel()
            await asyncio.wait([self._warming])
        for zygote in self.warm:
            zygote.stop()
        if self._clearing:
            await asyncio.wait(self._clearing)  # which does not cancel them when it is cancelled

    @property
    def warm(self) -> list[ZygoteHandle]:
        """The zygotes that can fork."""
        return [zygote for zygote in (self.serving, self._successor, self._retiring) if zygote]

    # children

    async def fork(self, budget: Budget) -> ChildHandle:
        """Fork a child of the zygote that serves, as soon as there is a slot, and return it before it is ready. Raises ChildLost."""
        await self._slots.until_free()
        if self.serving is None:
            raise ChildLost("no zygote serves")
        child = self._slots.fork(self.serving, budget)
        self._forks += 1
        if self._forks == self._config.recycling.forks:
            self.recycle("forks")
        return child

    def give_up(self, child: ChildHandle) -> None:
        """End a child that did not become ready in time, and replace its zygote."""
        for zygote in self.warm:
            if zygote.children.get(child.slot) is child:
                zygote.kill_unready(child)
                if zygote is self.serving and self._retiring is None:
                    self._retiring = zygote
                    self._stop_serving("the zygote does not answer")
                else:
                    self.recycle("the zygote does not answer")

    def is_current(self, child: ChildHandle) -> bool:
        """Return whether the child belongs to the zygote that serves."""
        return self.serving is not None and self.serving.children.get(child.slot) is child

    def release(self, needed: Collection[ChildHandle]) -> None:
        """End the zygote that has been replaced if none of the `needed` children belongs to it."""
        if self._retiring and not any(child in needed for child in self._retiring.children.values()):
            self._retiring.stop()

    # zygotes

    def recycle(self, reason: str) -> None:
        """Replace the zygote that serves, as soon as another is fit to serve."""
        if self._closed or self._due or self.serving is None:
            return
        _log.info("zygote_due", runtime=self._config.runtime.name, reason=reason)
        self._due = True
        self.proceed()

    def proceed(self) -> None:
        """If a successor is needed and ready, let it serve. If one is needed and none is ready, warm one up in the background."""
        if self._closed:
            return
        if self._successor and (self.serving is None or (self._due and self._retiring is None)):
            self._hand_over(self._successor)
        wanted = self.serving is None or self._due
        if wanted and not (self._successor or self._warming or self._pause):
            self._warming = asyncio.get_running_loop().create_task(self._warm_up())

    def _hand_over(self, successor: ZygoteHandle) -> None:
        if self.serving:
            self._retiring = self.serving
            self.recycles += 1
        self.serving, self._successor = successor, None
        self._forks = 0
        self._due = False
        self.failure = None
        if self._age:
            self._age.cancel()
        self._age = asyncio.get_running_loop().call_later(self._config.recycling.seconds, self.recycle, "age")
        _log.info("zygote_serves", runtime=self._config.runtime.name, versions=successor.versions)
        self._on_change()
        if successor.early:
            self.recycle("early")

    async def _warm_up(self) -> None:
        """Make a successor; if that fails, pause before the next try."""
        try:
            self._successor = await self._make_zygote()
            self._failures = 0
        except Exception as error:
            self._fail(error)
        finally:
            self._warming = None
        self.proceed()

    async def _make_zygote(self) -> ZygoteHandle:
        """Return a new zygote that is warm and fit to serve."""
        config = self._config
        early = config.recycling.early and self.serving is None
        zygote = ZygoteHandle(config.runtime, config.folder, self._slots.first_uid, config.confined, self._on_gone, early)
        try:
            await zygote.start()
            self.report = await examine(zygote, self._slots.groups.grant, lambda: self._slots.fork(zygote, config.budget))
        except BaseException:
            zygote.stop()
            raise
        return zygote

    def _fail(self, error: Exception) -> None:
        """Log why a successor failed, and schedule the next try, whatever the exception was."""
        expected = isinstance(error, ZygoteFailed | Unfit | ChildLost | OSError)
        _log.error("zygote_failed", runtime=self._config.runtime.name, reason=str(error), exc_info=not expected)
        seconds = _RETRY_WHILE_SERVING_SECONDS
        if self.serving is None:
            self.failure = str(error)
            self.report = error.report if isinstance(error, Unfit) else self.report
            seconds = _RETRY_SECONDS[min(self._failures, len(_RETRY_SECONDS) - 1)]
        self._failures += 1
        self._pause = asyncio.get_running_loop().call_later(seconds, self._end_pause)

    def _end_pause(self) -> None:
        if self._pause:
            self._pause.cancel()
        self._pause = None
        self.proceed()

    def _stop_serving(self, reason: str) -> None:
        self.serving = None
        self.failure = f"{reason}; another is being started"
        self.restarts += 1
        _log.warning("zygote_restart", runtime=self._config.runtime.name, reason=reason)
        self._on_change()
        self._end_pause()

    def _on_gone(self, zygote: ZygoteHandle) -> None:
        """React to the end of a zygote, which died or was stopped."""
        self._clearing.add(zygote.cleared)
        zygote.cleared.add_done_callback(self._clearing.discard)
        if self._closed:
            return
        if zygote is self.serving:
            self._stop_serving("the zygote died")
        elif zygote is self._successor:
            self._successor = None
            _log.warning("zygote_successor_gone", runtime=self._config.runtime)
            self.proceed()
        elif zygote is self._retiring:
            self._retiring = None
            self.proceed()
