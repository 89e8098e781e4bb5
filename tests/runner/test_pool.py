"""The pool in this process, with real zygotes: what its callers rely on."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from app.protocol.limits import Limits
from app.runner.child import ChildLost
from app.runner.generations import Recycling
from app.runner.pool import Pool, PoolConfig
from app.runner.run import budget_of

BUDGET = budget_of(Limits())
OWN_BUDGET = budget_of(Limits(threads=5))
FIRST_UID = int(os.environ.get("GRADROOM_FIRST_UID", "210000"))
SPARES = 1
SLOTS = 6


@asynccontextmanager
async def running_pool(recycling: Recycling) -> AsyncIterator[Pool]:
    with tempfile.TemporaryDirectory(prefix="gradroom-pool-") as folder:
        os.chmod(folder, 0o711)  # the uids of runs pass through
        pool = Pool(
            PoolConfig(
                runtime="torch", folder=Path(folder), budget=BUDGET, spares=SPARES, slots=SLOTS, first_uid=FIRST_UID, recycling=recycling
            )
        )
        pool.start()
        try:
            yield pool
        finally:
            await pool.close()


def test_a_zygote_that_has_served_its_time_is_followed_by_another() -> None:
    async def scenario() -> None:
        async with running_pool(Recycling(seconds=0.1)) as pool:
            while pool.recycles < 2:
                child = await pool.take(BUDGET)
                assert child.waiting
                pool.give_back(child)
            assert pool.restarts == 0

    asyncio.run(scenario())


def test_slots_come_back_whatever_became_of_their_children() -> None:
    async def scenario() -> None:
        async with running_pool(Recycling()) as pool:
            for number in range(5 * SLOTS):
                child = await pool.take(OWN_BUDGET if number % 2 else BUDGET)
                if number % 3 == 0:
                    child.kill()
                pool.give_back(child)
                await child.exited

    asyncio.run(scenario())


def test_a_taking_that_is_cancelled_holds_nothing() -> None:
    async def scenario() -> None:
        async with running_pool(Recycling()) as pool:
            pool.give_back(await pool.take(BUDGET))
            for _ in range(2 * SLOTS):
                taking = asyncio.create_task(pool.take(OWN_BUDGET))
                await asyncio.sleep(0)
                taking.cancel()
                await asyncio.wait([taking])
            assert pool.active == 0
            await take_and_give_back(pool)

    asyncio.run(scenario())


async def take_and_give_back(pool: Pool) -> None:
    """As soon as there is a free slot."""
    async with asyncio.timeout(20):
        while True:
            with suppress(ChildLost):
                pool.give_back(await pool.take(OWN_BUDGET))
                return
            await asyncio.sleep(0.01)
