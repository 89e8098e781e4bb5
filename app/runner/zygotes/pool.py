"""The children of one runtime. A run gets a spare if it asks for a spare's limits, or else a child that is forked for it."""

import asyncio

import msgspec

from app.protocol.sandbox import RuntimeState, RuntimeStatus
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.zygotes.slots import Slots
from app.runner.zygotes.spares import Spares
from app.runner.zygotes.zygote_check import ChildLate, until_ready
from app.runner.zygotes.zygote_rotation import STARTING, PoolConfig, ZygoteRotation
from app.sandbox.confinement.rlimits import Budget

_WARM_SECONDS = 120.0  # how long a run waits for a zygote: its imports take 4 to 10 s of a core, and on a busy machine several times that


class PoolUnavailable(Exception):
    """There is no child for a run. The message says why, for an operator."""


class Pool:
    """Children of one runtime's zygotes, in slots that it shares with the pools of other runtimes. `served`: set while a zygote serves."""

    def __init__(self, config: PoolConfig, slots: Slots) -> None:
        self.active = 0
        self.versions: dict[str, str] = {}
        self.runtime = config.runtime
        self._config = config
        self.rotation = ZygoteRotation(config, slots, self._follow)
        self._spares = Spares(config.spares, self.rotation, lambda: self._fork(config.budget), self._release, lambda: self.active == 0)
        self._children: set[ChildHandle] = set()  # forked and not released yet
        self.served = asyncio.Event()
        self._served_full = asyncio.Event()  # set while a zygote serves that has imported everything that usual programs import

    @property
    def ready(self) -> bool:
        """Whether programs can be run now."""
        return self.warm and (self._spares.refusal is None or len(self._spares) > 0)

    @property
    def warm(self) -> bool:
        """Whether a zygote serves."""
        return self.served.is_set()

    @property
    def failure(self) -> str | None:
        """Why programs cannot be run; None if they can."""
        return self.rotation.failure or self._spares.refusal

    @property
    def failed(self) -> bool:
        """Whether no zygote serves because the last one could not be started or has died. The pool keeps trying to start another."""
        return not self.warm and self.failure not in (None, STARTING)

    def status(self) -> RuntimeStatus:
        """Return the status of this runtime, for operators."""
        state: RuntimeState = "ready" if self.ready else "failed" if self.failed or self.warm else "starting"
        return RuntimeStatus(
            name=self.runtime.name,
            installed=True,
            state=state,
            reason=self.failure if state == "failed" else None,
            versions=self.versions,
            sandbox=self.rotation.report,
        )

    @property
    def spares(self) -> int:
        return len(self._spares)

    def start(self) -> None:
        """Start warming up in the background."""
        self.rotation.proceed()

    async def close(self) -> None:
        self._spares.close()
        await self.rotation.close()

    # children

    async def take(self, budget: Budget, leave: int = 0) -> ChildHandle:
        """Return a verified child, after waiting for a zygote if none serves. `leave`: how many spares to leave for others.

        Raises PoolUnavailable, or ChildLost when another try may succeed.
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
        """Kill a child that was taken and close its descriptors."""
        self.active -= 1
        self._release(child)
        self._spares.refill_soon()

    def warm_for(self, budget: Budget) -> bool:
        """Return whether a zygote serves that can fork a child with this budget."""
        return self._served_for(budget).is_set()

    async def wait_until_warm(self, budget: Budget) -> None:
        """Wait until a zygote serves that can fork a child with this budget. Raises PoolUnavailable."""
        if self.rotation.report and not self.rotation.report.safe and not self.served.is_set() and self._config.confined:
            raise PoolUnavailable(self.failure or "the sandbox is not safe")  # waiting would not help
        try:
            async with asyncio.timeout(_WARM_SECONDS):
                await self._served_for(budget).wait()
        except TimeoutError:
            raise PoolUnavailable(self.failure or "no zygote is warm") from None

    async def _fork(self, budget: Budget) -> ChildHandle:
        """Return a new child that is ready.

        If the caller is cancelled, this still waits until the child is ready, so that nobody can order children faster than they are made.
        The child then becomes a spare, if one is missing.
        """
        child = await self.rotation.fork(msgspec.structs.replace(budget, is_scarce=self._is_scarce(budget)))
        self._children.add(child)
        making = asyncio.create_task(self._make_ready(child))
        try:
            await asyncio.shield(making)
        except asyncio.CancelledError:
            await asyncio.gather(making, return_exceptions=True)
            if budget != self._config.budget or not self._spares.add_if_wanted(child):  # it may be a spare, because it was sent nothing
                self._release(child)
            raise
        return child

    def _served_for(self, budget: Budget) -> asyncio.Event:
        """Return the event that is set while a zygote serves that can fork a child with this budget.

        What a child imports itself counts against its memory. So a child with less memory than usual needs a zygote that has imported
        everything.
        """
        return self._served_full if self._is_scarce(budget) else self.served

    def _is_scarce(self, budget: Budget) -> bool:
        return budget.memory_bytes < self._config.budget.memory_bytes

    async def _make_ready(self, child: ChildHandle) -> None:
        try:
            await until_ready(child)
        except BaseException as error:
            if isinstance(error, ChildLate):
                self.rotation.give_up(child)
            self._release(child)
            raise

    def _release(self, child: ChildHandle) -> None:
        child.kill()
        child.close()
        self._children.discard(child)
        self.rotation.release(self._children)

    def _follow(self) -> None:
        """React when another zygote serves, or none does."""
        serving = self.rotation.serving
        if serving is None:
            self.served.clear()
            self._served_full.clear()
            return
        self.versions = serving.versions
        self.served.set()
        if not serving.early:
            self._served_full.set()
        self._spares.refill()
        self.rotation.release(self._children)
