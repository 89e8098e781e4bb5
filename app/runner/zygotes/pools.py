"""A pool for each runtime. The first runtime's exists from the start; another's is made when somebody asks for it.

All pools share the slots, so no two children have the same uid, whichever their runtimes. A pool that has failed is closed once no run
needs it. If memory is short, a pool that nobody has used for a while is closed, too. A closed pool is made again when somebody asks for it.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence

import structlog

from app.protocol.run import RuntimeName
from app.protocol.sandbox import RuntimeStatus
from app.runner.client import RuntimeAbsence, RuntimeAbsent
from app.runner.zygotes.pool import Pool
from app.runtimes.specs import RuntimeSpec

_IDLE_SECONDS = 600.0  # making a pool again costs a core some seconds, and the run that waits for it as long

_log = structlog.get_logger()


class Pools:
    """The pools of the runtimes of `specs`, the first of which is the usual one.

    `make`: returns a new pool that is not started. `on_change`: called when a pool has been opened or closed.
    """

    def __init__(self, specs: Sequence[RuntimeSpec], make: Callable[[RuntimeSpec], Pool], on_change: Callable[[], None]) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self.installed: list[str] = [spec.name for spec in specs if spec.installed]
        self.usual = make(specs[0])
        self.open: dict[RuntimeName, Pool] = {specs[0].name: self.usual}
        self._make = make
        self._on_change = on_change
        self._used_at: dict[RuntimeName, float] = {}
        self._closing: set[Pool] = set()

    async def close(self) -> None:
        """Close all pools, including those whose closing was cancelled before."""
        await asyncio.gather(*(pool.close() for pool in (*self.open.values(), *self._closing)))

    def get(self, name: RuntimeName) -> Pool:
        """Return the runtime's pool, which may still be warming up. Raises RuntimeAbsent."""
        if name not in self.installed:
            raise RuntimeAbsent(RuntimeAbsence(name, self.installed, self._specs[name].extra if name in self._specs else None))
        self.record_use(name)
        if name not in self.open:
            _log.info("runtime_starts", runtime=name)
            self.open[name] = self._make(self._specs[name])
            self.open[name].start()
            self._on_change()
        return self.open[name]

    def status(self) -> list[RuntimeStatus]:
        """Return the status of each runtime, for operators."""
        return [self.open[name].status() if name in self.open else self._closed_status(spec) for name, spec in self._specs.items()]

    def _closed_status(self, spec: RuntimeSpec) -> RuntimeStatus:
        if spec.name in self.installed:
            return RuntimeStatus(name=spec.name, installed=True, state="idle")
        return RuntimeStatus(name=spec.name, installed=False, state="absent", reason=f"not installed: the extra {spec.extra} installs it")

    def record_use(self, name: RuntimeName) -> None:
        """Record that a run of this runtime has just begun to wait, or has just ended."""
        self._used_at[name] = asyncio.get_running_loop().time()

    async def close_unneeded(self, busy: Collection[RuntimeName], memory_is_short: bool) -> None:
        """Close pools that have failed, and, if memory is short, those that nobody has used for a while. The usual one is never closed.

        `busy`: the runtimes that have runs.
        """
        since = asyncio.get_running_loop().time() - _IDLE_SECONDS
        for name, pool in list(self.open.items()):
            idle = memory_is_short and self._used_at.get(name, since) <= since
            if pool is not self.usual and name not in busy and (idle or pool.failed):
                _log.info("runtime_ends", runtime=name, reason=pool.failure or "idle while memory is short")
                del self.open[name]
                self._closing.add(pool)
                await pool.close()
                self._closing.discard(pool)
                self._on_change()
