"""The pool in this process, with real zygotes (most of them bare): what its callers rely on."""

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from app.protocol.limits import Limits
from app.runner.conversation.child_handle import ChildHandle
from app.runner.runs.run_children import budget_of
from app.runner.zygotes import zygote_handle
from app.runner.zygotes.pool import Pool
from app.runner.zygotes.slots import Slots
from app.runner.zygotes.zygote_rotation import PoolConfig, Recycling
from app.runtimes.specs import SPECS
from app.sandbox.cgroups.cgroup import open_groups
from app.sandbox.confinement.rlimits import Budget
from tests.bare.gradroom import BARE_ZYGOTE
from tests.patience import PATIENCE_SECONDS
from tests.runner.chaos.anatomy import generations

BUDGET = budget_of(Limits())
OWN_BUDGET = budget_of(Limits(threads=5))
FIRST_UID = int(os.environ.get("GRADROOM_FIRST_UID", "210000"))
SPARES = 1
RARELY = Recycling()
SLOTS = 6


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that the uids of runs can pass through."""
    with tempfile.TemporaryDirectory(prefix="gradroom-pool-") as name:
        os.chmod(name, 0o711)
        yield Path(name)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have zygotes import no framework, so that they are warm at once."""
    monkeypatch.setattr(zygote_handle, "COMMAND", BARE_ZYGOTE)


@asynccontextmanager
async def running_pool(folder: Path, recycling: Recycling = RARELY) -> AsyncIterator[Pool]:
    slots = Slots(SLOTS, FIRST_UID, open_groups())
    pool = Pool(PoolConfig(runtime=SPECS["torch"], folder=folder, budget=BUDGET, spares=SPARES, recycling=recycling), slots)
    pool.start()
    try:
        yield pool
    finally:
        await pool.close()
        slots.groups.close()


@pytest.mark.usefixtures("bare")
def test_a_zygote_that_has_served_its_time_is_followed_by_another(folder: Path) -> None:
    async def scenario() -> None:
        async with running_pool(folder, Recycling(seconds=0.1)) as pool:
            while pool.rotation.recycles < 2:
                child = await pool.take(BUDGET)
                assert child.waiting
                pool.give_back(child)
            assert pool.rotation.restarts == 0

    asyncio.run(scenario())


@pytest.mark.usefixtures("bare")
def test_spares_that_get_ready_when_their_zygote_has_been_replaced_are_replaced_too(folder: Path) -> None:
    async def scenario() -> None:
        async with running_pool(folder, Recycling(forks=2)) as pool:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while pool.spares != SPARES:
                    await asyncio.sleep(0.01)
            child = await pool.take(BUDGET)
            (old,) = generations(os.getpid())
            os.kill(old.zygote, signal.SIGSTOP)
            pool.give_back(child)  # orders a second spare, and with it the successor
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not pool.rotation.recycles:
                    await asyncio.sleep(0.01)
                os.kill(old.zygote, signal.SIGCONT)
                while len(pool.rotation.warm) > 1 or pool.spares != SPARES:
                    await asyncio.sleep(0.01)

    asyncio.run(scenario())


@pytest.mark.usefixtures("bare")
def test_memory_is_scarce_for_a_child_that_is_to_have_less_than_the_spares(folder: Path) -> None:
    async def scenario() -> None:
        async with running_pool(folder) as pool:
            for factor, is_scarce in ((0.5, True), (1, False), (2, False)):
                child = await pool.take(msgspec.structs.replace(OWN_BUDGET, memory_bytes=int(BUDGET.memory_bytes * factor)))
                assert child.budget.is_scarce is is_scarce
                pool.give_back(child)
                await child.exited

    asyncio.run(scenario())


@pytest.mark.usefixtures("bare")
def test_slots_come_back_whatever_became_of_their_children(folder: Path) -> None:
    async def scenario() -> None:
        async with running_pool(folder) as pool:
            for number in range(5 * SLOTS):
                child = await pool.take(OWN_BUDGET if number % 2 else BUDGET)
                if number % 3 == 0:
                    child.kill()
                pool.give_back(child)
                await child.exited

    asyncio.run(scenario())


@pytest.mark.usefixtures("bare")
def test_where_all_slots_are_taken_a_child_waits_for_one(folder: Path) -> None:
    async def scenario() -> None:
        async with running_pool(folder) as pool:
            children = [await pool.take(OWN_BUDGET) for _ in range(SLOTS - SPARES)]
            while pool.spares < SPARES:
                await asyncio.sleep(0.01)
            taking = asyncio.create_task(pool.take(OWN_BUDGET))
            done, _ = await asyncio.wait([taking], timeout=0.1)
            assert not done
            for child in children:
                pool.give_back(child)
            pool.give_back(await taking)

    asyncio.run(scenario())


@pytest.mark.usefixtures("bare")
def test_a_cancelled_take_holds_nothing_and_ends_no_sooner_than_its_child_is_made(folder: Path) -> None:
    """Otherwise a client that asks and leaves could order children faster than they are made, until no slot is free."""

    async def scenario() -> None:
        async with running_pool(folder) as pool:
            pool.give_back(await pool.take(BUDGET))
            for _ in range(2 * SLOTS):
                child, taking = await order_child(pool)
                taking.cancel()
                await asyncio.wait([taking])
                assert taking.cancelled()
                assert child.ready.done()
                await child.exited  # so that the next is ordered at once
            assert pool.active == 0
            pool.give_back(await pool.take(OWN_BUDGET))

    asyncio.run(scenario())


async def order_child(pool: Pool) -> tuple[ChildHandle, asyncio.Task[ChildHandle]]:
    """Begin to take a child, and return the child that the zygote makes for it, with the task that waits."""
    zygote = pool.rotation.serving
    assert zygote
    taking = asyncio.create_task(pool.take(OWN_BUDGET))
    await asyncio.sleep(0)
    (child,) = (child for child in zygote.children.values() if child.budget == OWN_BUDGET)
    assert not child.ready.done()
    return child, taking


@pytest.mark.usefixtures("bare")
def test_what_keeps_a_zygote_from_starting_is_said_and_it_is_tried_again(folder: Path) -> None:
    async def scenario() -> None:
        async with running_pool(folder / "missing") as pool:
            async with asyncio.timeout(20):
                while "missing" not in (pool.failure or ""):
                    await asyncio.sleep(0.01)
            assert not pool.ready
            (folder / "missing").mkdir(mode=0o711)
            pool.give_back(await pool.take(BUDGET))
            assert pool.ready

    asyncio.run(scenario())


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("budget", "kept"), [(BUDGET, 1), (OWN_BUDGET, 0)])
def test_a_child_that_was_ordered_and_left_is_kept_as_a_spare(
    folder: Path, monkeypatch: pytest.MonkeyPatch, budget: Budget, kept: int
) -> None:
    async def scenario() -> None:
        async with running_pool(folder) as pool:
            spare = await pool.take(BUDGET)
            monkeypatch.setattr(pool._spares, "refill", lambda: None)
            while pool.spares or pool._spares._forking:
                pool.give_back(await pool.take(BUDGET))
            left = asyncio.create_task(pool.take(budget))
            await asyncio.sleep(0)
            left.cancel()
            with suppress(asyncio.CancelledError):
                await left
            assert pool.spares == kept
            pool.give_back(spare)
            if kept:
                assert (await pool.take(BUDGET)).waiting

    asyncio.run(scenario())
