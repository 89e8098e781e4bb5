"""The children of one runtime: a run takes a spare if there is one that fits, else a child that is forked for it."""

import asyncio
from pathlib import Path

import msgspec

from app.protocol.sandbox import RuntimeState, RuntimeStatus, SandboxReport
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.zygotes.slots import Slots
from app.runner.zygotes.spares import Spares
from app.runner.zygotes.zygote_check import ChildLate, until_ready
from app.runner.zygotes.zygote_rotation import STARTING, Recycling, ZygoteRotation
from app.runtimes.specs import RuntimeSpec
from app.sandbox.confinement.rlimits import Budget

_WARM_SECONDS = 120.0  # how long a run waits for a zygote: its imports take 4 to 10 s of a core, and on a busy machine several times that


class PoolUnavailable(Exception):
    """No child can be had; the message says why, for an operator."""


class PoolConfig(msgspec.Struct, frozen=True, kw_only=True):
    """`budget`: of the spares; `folder`: private, for mount points and scratch."""

    runtime: RuntimeSpec
    folder: Path
    budget: Budget
    spares: int
    recycling: Recycling = Recycling()
    confined: bool = True


class Pool:
    """Children of one runtime's zygotes, in slots that it shares with the pools of other runtimes."""

    def __init__(self, config: PoolConfig, slots: Slots) -> None:
        self.active = 0
        self.versions: dict[str, str] = {}
        self.runtime = config.runtime
        self._config = config
        self._generations = ZygoteRotation(
            config.runtime, config.folder, slots, config.budget, config.recycling, config.confined, self._follow
        )
        self._spares = Spares(config.spares, self._generations, lambda: self._fork(config.budget), self._release, lambda: self.active == 0)
        self._held: set[ChildHandle] = set()  # forked here and not released yet
        self._served = asyncio.Event()
        self._served_full = asyncio.Event()  # by a zygote that is warm for all usual programs

    @property
    def ready(self) -> bool:
        """Programs can be run now."""
        return self.warm and (self._spares.refusal is None or len(self._spares) > 0)

    @property
    def warm(self) -> bool:
        """A zygote serves."""
        return self._served.is_set()

    @property
    def failure(self) -> str | None:
        """Why they cannot."""
        return self._generations.failure or self._spares.refusal

    @property
    def report(self) -> SandboxReport | None:
        return self._generations.report

    @property
    def failed(self) -> bool:
        """No zygote serves, and the last one that tried to could not; another is tried all the same."""
        return not self.warm and self.failure not in (None, STARTING)

    def status(self) -> RuntimeStatus:
        """What operators are told of this runtime."""
        state: RuntimeState = "ready" if self.ready else "failed" if self.failed or self.warm else "starting"
        return RuntimeStatus(
            name=self.runtime.name,
            installed=True,
            state=state,
            reason=self.failure if state == "failed" else None,
            versions=self.versions,
            sandbox=self.report,
        )

    @property
    def zygotes(self) -> int:
        return len(self._generations.warm)

    @property
    def restarts(self) -> int:
        """How often a zygote failed in service."""
        return self._generations.restarts

    @property
    def recycles(self) -> int:
        """How often a fresh zygote took over from one that served."""
        return self._generations.recycles

    @property
    def spares(self) -> int:
        return len(self._spares)

    def start(self) -> None:
        """Start warming up in the background."""
        self._generations.start()

    async def served(self) -> None:
        """Wait for the first zygote, however long it takes."""
        await self._served.wait()

    async def close(self) -> None:
        self._spares.close()
        await self._generations.close()

    # children

    async def take(self, budget: Budget, leave: int = 0) -> ChildHandle:
        """A verified child, for this caller alone. Waits for a zygote if there is none. `leave`: how many spares must stay for others.

        Raises PoolUnavailable, or ChildLost when it is worth another try.
        """
        await self.wait_until_warm(budget)
        self.active += 1
        try:
            spare = self._spares.take() if budget == self._config.budget and len(self._spares) > leave else None
            child = spare or await self._fork(budget)
            if not child.waiting:  # its zygote died just now
                self._release(child)
                raise ChildLost("the child ended before it was asked anything")
            return child
        except BaseException:
            self.active -= 1
            raise

    def give_back(self, child: ChildHandle) -> None:
        """The run of a taken child is over: kill the child and close its descriptors."""
        self.active -= 1
        self._release(child)
        self._spares.refill_soon()

    def warm_for(self, budget: Budget) -> bool:
        """A zygote serves that such a child can come from."""
        return self._served_for(budget).is_set()

    async def wait_until_warm(self, budget: Budget) -> None:
        """Wait until it is warm for such a child. Raises PoolUnavailable."""
        if self.report and not self.report.safe and not self._served.is_set() and self._config.confined:
            raise PoolUnavailable(self.failure or "the sandbox is not safe")  # waiting would not help
        try:
            async with asyncio.timeout(_WARM_SECONDS):
                await self._served_for(budget).wait()
        except TimeoutError:
            raise PoolUnavailable(self.failure or "no zygote is warm") from None

    async def _fork(self, budget: Budget) -> ChildHandle:
        """A child that is ready. Cancelled while it is made, this still waits: no caller can order children faster than they are made.

        Then it becomes a spare, if one is missing.
        """
        child = await self._generations.fork(msgspec.structs.replace(budget, is_scarce=self._is_scarce(budget)))
        self._held.add(child)
        making = asyncio.create_task(self._make_ready(child))
        try:
            await asyncio.shield(making)
        except asyncio.CancelledError:
            await asyncio.gather(making, return_exceptions=True)
            if budget != self._config.budget or not self._spares.add_if_wanted(child):  # nobody has sent it anything
                self._release(child)
            raise
        return child

    def _served_for(self, budget: Budget) -> asyncio.Event:
        """What a child imports counts as its program's: with less memory than usual it is born where all is imported."""
        return self._served_full if self._is_scarce(budget) else self._served

    def _is_scarce(self, budget: Budget) -> bool:
        return budget.memory_bytes < self._config.budget.memory_bytes

    async def _make_ready(self, child: ChildHandle) -> None:
        try:
            await until_ready(child)
        except BaseException as error:
            if isinstance(error, ChildLate):
                self._generations.give_up(child)
            self._release(child)
            raise

    def _release(self, child: ChildHandle) -> None:
        child.kill()
        child.close()
        self._held.discard(child)
        self._generations.release(self._held)

    def _follow(self) -> None:
        """Another zygote serves now, or none."""
        serving = self._generations.serving
        if serving is None:
            self._served.clear()
            self._served_full.clear()
            return
        self.versions = serving.versions
        self._served.set()
        if not serving.early:
            self._served_full.set()
        self._spares.refill()
        self._generations.release(self._held)
