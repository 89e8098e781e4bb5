"""The warm zygote and its waiting children: a confined, verified child is there before the run that needs it.

Spares are forked as they are used up. While no run is active they are touched one by one (the warm-up runs in them once, which pays
their copy-on-write faults); under load they stay untouched, because touching costs the same processor the runs need.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import structlog

from app.protocol.sandbox import Check, SandboxReport
from app.runner.child import Child, ZygoteGone
from app.runner.zygote import Zygote, ZygoteFailed
from app.sandbox.assessment import assess, shortcomings
from app.sandbox.rlimits import Budget
from app.sandbox.verification import NotConfined

_READY_SECONDS = 10.0
_RESTART_SECONDS = (0.0, 0.2, 1.0, 5.0)  # the wait before each try in a row

_log = structlog.get_logger()


class PoolUnavailable(Exception):
    """No child can be had; the message says why, for an operator."""


class PoolConfig(msgspec.Struct, frozen=True, kw_only=True):
    """`first_uid`: of the uids that runs get, one a slot; `folder`: private, for mount points and scratch."""

    runtime: str
    folder: Path
    budget: Budget
    spares: int
    slots: int
    first_uid: int


class Pool:
    """Children of one runtime's zygote. `failure` says why there are none, or is None."""

    def __init__(self, config: PoolConfig) -> None:
        self.failure: str | None = "starting"
        self.restarts = 0
        self.active = 0
        self.versions: dict[str, str] = {}
        self.report: SandboxReport | None = None
        self._config = config
        self._zygote: Zygote | None = None
        self._spares: deque[Child] = deque()
        self._forking = 0
        self._free_slots = deque(range(config.slots))
        self._tasks: set[asyncio.Task[None]] = set()
        self._up = asyncio.Event()
        self._closed = False

    @property
    def zygotes(self) -> int:
        return int(self._up.is_set())

    @property
    def spares(self) -> int:
        return len(self._spares)

    def start(self) -> None:
        """Start warming up in the background."""
        self._spawn(self._bring_up())

    async def close(self) -> None:
        self._closed = True
        for task in self._tasks:
            task.cancel()
        if self._zygote:
            self._zygote.stop()

    # children

    async def take(self, budget: Budget) -> Child:
        """A verified child that nobody else will get. Waits for a zygote if there is none. Raises PoolUnavailable."""
        await self._wait_for_zygote()
        child = self._take_spare() if budget == self._config.budget else None
        self.active += 1
        try:
            return child or await self._fork(budget)
        except BaseException:
            self.give_back(None)
            raise

    def give_back(self, child: Child | None) -> None:
        """The run of a taken child is over: it is killed and let go of."""
        self.active -= 1
        if child:
            child.kill()
            child.close()
        self._refill()

    def _take_spare(self) -> Child | None:
        while self._spares:
            touched = next((child for child in self._spares if child.touched), None)
            child = touched or self._spares[0]
            self._spares.remove(child)
            if child.waiting:
                return child
        return None

    async def _wait_for_zygote(self) -> None:
        if self._up.is_set():
            return
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await self._up.wait()
        except TimeoutError:
            raise PoolUnavailable(self.failure or "the zygote is not warm") from None

    async def _fork(self, budget: Budget) -> Child:
        zygote = self._zygote
        if zygote is None or not zygote.alive:
            raise ZygoteGone
        if not self._free_slots:
            raise PoolUnavailable("no free slot")
        slot = self._free_slots.popleft()
        child = zygote.fork(slot, self._config.first_uid + slot, budget)
        child.exited.add_done_callback(lambda _: self._free_slots.append(slot))
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await asyncio.shield(child.ready)
        except TimeoutError:
            zygote.kill_unready(child)
            child.close()
            raise PoolUnavailable("a child did not become ready in time") from None
        except BaseException:
            child.kill()
            child.close()
            raise
        return child

    # spares

    def _refill(self) -> None:
        while not self._closed and self._up.is_set() and len(self._spares) + self._forking < self._config.spares:
            self._forking += 1
            self._spawn(self._add_spare())
        self._touch_one()

    async def _add_spare(self) -> None:
        try:
            child = await self._fork(self._config.budget)
            self._spares.append(child)
            self.failure = None
            self._record(child)
        except ZygoteGone:
            return
        except (NotConfined, PoolUnavailable, OSError) as error:
            self.failure = str(error)
            _log.error("child_refused", reason=self.failure)
            return
        finally:
            self._forking -= 1
        self._touch_one()

    def _record(self, child: Child) -> None:
        if self.report:
            self.report.checks = [Check(name=name, passed=refused) for name, refused in child.probes.items()]

    def _touch_one(self) -> None:
        """While idle, touch the next spare; its answer brings the one after."""
        if self.active or self._forking:
            return
        untouched = [child for child in self._spares if not child.touched]
        if untouched and not any(child.touching for child in untouched):
            untouched[0].touch(self._touch_one)

    # the zygote

    async def _bring_up(self) -> None:
        for wait in _RESTART_SECONDS:
            await asyncio.sleep(wait)
            if await self._start_zygote():
                return
        while not await self._start_zygote():
            await asyncio.sleep(_RESTART_SECONDS[-1])

    async def _start_zygote(self) -> bool:
        config = self._config
        zygote = Zygote(config.runtime, config.folder, config.first_uid, self._on_gone)
        try:
            await zygote.start()
        except (ZygoteFailed, OSError) as error:
            self.failure = str(error)
            _log.error("zygote_failed", runtime=config.runtime, reason=self.failure)
            return False
        except asyncio.CancelledError:
            zygote.stop()
            raise
        if not self._assess(zygote):
            zygote.stop()
            return False
        self._zygote = zygote
        self.versions = zygote.versions
        self._up.set()
        self._refill()
        return True

    def _assess(self, zygote: Zygote) -> bool:
        """Is what the host grants enough? Fails closed."""
        host = zygote.host
        assert host is not None
        self.report = assess(host)
        if not self.report.safe:
            self.failure = "; ".join(shortcomings(host))
            _log.error("sandbox_insufficient", reason=self.failure)
        return self.report.safe

    def _on_gone(self, zygote: Zygote) -> None:
        if zygote is not self._zygote:
            return  # it never was in service: _start_zygote deals with it
        self._up.clear()
        self._zygote = None
        self.failure = "the zygote is being restarted"
        for child in self._spares:
            child.close()
        self._spares.clear()
        if not self._closed:
            self.restarts += 1
            _log.warning("zygote_restart", runtime=self._config.runtime)
            self._spawn(self._bring_up())

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
