"""The pools of several runtimes: closing one may be given up, because the runner itself closes."""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from app.runner.zygotes import pools as pools_module
from app.runner.zygotes import zygote_handle
from app.runner.zygotes.pool import Pool
from app.runner.zygotes.pools import Pools
from app.runner.zygotes.slots import Slots
from app.runner.zygotes.zygote_rotation import PoolConfig
from app.runtimes.specs import SPECS, RuntimeSpec
from app.sandbox.cgroups.cgroup import open_groups
from tests.bare.gradroom import BARE_ZYGOTE
from tests.runner.chaos.anatomy import generations
from tests.runner.zygotes.test_pool import BUDGET, FIRST_UID

USUAL, OTHER = SPECS["torch"], msgspec.structs.replace(SPECS["jax"], module="json")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that the uids of runs can pass through. Zygotes are bare, and pools without runs count as idle."""
    monkeypatch.setattr(zygote_handle, "COMMAND", BARE_ZYGOTE)
    monkeypatch.setattr(pools_module, "_IDLE_SECONDS", 0.0)
    with tempfile.TemporaryDirectory(prefix="gradroom-pools-") as name:
        os.chmod(name, 0o711)
        yield Path(name)


@pytest.mark.parametrize("turns", range(5))
def test_a_pool_is_closed_although_the_task_that_closed_it_is_cancelled(folder: Path, turns: int) -> None:
    """`turns`: how many turns of the event loop pass between the two."""

    async def scenario() -> None:
        slots = Slots(6, FIRST_UID, open_groups())

        def make(spec: RuntimeSpec) -> Pool:
            return Pool(PoolConfig(runtime=spec, folder=folder, budget=BUDGET, spares=0), slots)

        pools = Pools((USUAL, OTHER), make, lambda: None)
        await pools.get(OTHER.name).served.wait()
        closing = asyncio.create_task(pools.close_unneeded([], memory_is_short=True))
        for _ in range(turns):
            await asyncio.sleep(0)
        closing.cancel()
        await pools.close()
        slots.groups.close()
        assert (generations(os.getpid()), list(folder.iterdir())) == ([], [])

    asyncio.run(scenario())
