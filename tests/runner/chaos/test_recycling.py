"""Zygotes are replaced while runs continue: no run is affected, and there are at most two generations and one that warms up."""

import asyncio
from collections.abc import Iterator

import pytest

from app.protocol.event import RunEvent, Started, Stdout
from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.outcome import Outcome
from tests.patience import wait_for
from tests.runner.chaos.anatomy import Generation, gone, kill
from tests.runner.chaos.victim import Victim, outcome_of, running_victim

SPARES = 3
FORKS = 12  # and no more, from each zygote
pytestmark = pytest.mark.timeout(300)  # several warm-ups each, on a busy machine
LONG = "print('on', flush=True)\nimport time\ntime.sleep(55)"
IS_COMPLETE = "from tests.bare.runtime import BareRuntime\nprint(BareRuntime.is_complete)"
SCARCE = Limits(memory_bytes=64 * MEBIBYTE)
LONG_LIMITS = Limits(deadline_seconds=60)


SETTINGS = {"zygote_runs": FORKS, "spares": SPARES, "concurrency": 4, "queue_runs_per_learner": 50}


@pytest.fixture
def victim() -> Iterator[Victim]:
    with running_victim(**SETTINGS) as running:
        yield running


def recycles(victim: Victim) -> int:
    return int(victim.metric("gradroom_zygote_recycles"))


async def run_until(victim: Victim, recycled: int) -> None:
    """Run programs one after another until zygotes have been replaced `recycled` times. Each run must finish."""
    while recycles(victim) < recycled:
        assert outcome_of(await victim.ask("print('on')")) == Outcome.FINISHED
        assert len(victim.zygotes) <= 3


def test_runs_go_on_while_zygotes_are_replaced(victim: Victim) -> None:
    before = victim.settle(SPARES)
    seen = {victim.zygote.keeper}

    async def scenario() -> None:
        for recycled in (1, 2):
            await asyncio.gather(*(run_until(victim, recycled) for _ in range(2)))
            seen.update(one.keeper for one in victim.zygotes)

    asyncio.run(scenario())
    assert len(seen) >= 3
    assert victim.metric("gradroom_zygote_restarts") == 0
    victim.holds_as_much_as(before)


def test_a_zygote_that_was_ready_early_is_followed_by_a_fuller_one_and_that_by_none() -> None:
    with running_victim(**SETTINGS | {"zygote_early": True}) as victim:
        victim.programs.wait_until_ready()
        assert victim.programs.run(IS_COMPLETE, limits=SCARCE).stdout == "True\n", "what a child imports would count as its program's"
        wait_for(lambda: recycles(victim) == 1)
        victim.settle(SPARES)
        victim.still_works()
        assert (recycles(victim), victim.metric("gradroom_zygote_restarts")) == (1, 0)


def test_a_run_goes_on_in_the_zygote_that_is_being_replaced(victim: Victim) -> None:
    """The zygotes import no framework: on a busy machine the import may take longer than a run may last."""
    before = victim.settle(SPARES)
    old = victim.zygote

    async def scenario() -> list[RunEvent]:
        long, run_id = await start_long(victim)
        await run_until(victim, 1)
        assert victim.zygotes[0].keeper == old.keeper
        await victim.stop(run_id)
        return await long

    events = asyncio.run(scenario())
    assert outcome_of(events) == Outcome.STOPPED
    assert "".join(event.text for event in events if isinstance(event, Stdout)) == "on\n"
    victim.holds_as_much_as(before)


def test_the_old_zygote_serves_on_when_its_successor_dies_while_it_warms_up(victim: Victim) -> None:
    victim.settle(SPARES)
    serving = victim.zygote
    successor = make_due(victim, serving)
    kill(successor.keeper, successor.zygote)
    wait_for(lambda: gone(successor.pids))
    for _ in range(5):
        victim.still_works()
    assert victim.zygote.keeper == serving.keeper
    assert victim.metric("gradroom_zygote_restarts") == 0


def test_a_zygote_that_dies_while_its_successor_warms_up_is_followed_by_it(victim: Victim) -> None:
    before = victim.settle(SPARES)
    serving = victim.zygote
    successor = make_due(victim, serving)
    kill(serving.zygote)
    victim.still_works()
    wait_for(lambda: gone([serving.keeper]))
    assert victim.zygote.keeper == successor.keeper
    victim.holds_as_much_as(before)


def test_the_death_of_a_zygote_that_was_replaced_hits_only_the_runs_that_it_still_has(victim: Victim) -> None:
    before = victim.settle(SPARES)
    old = victim.zygote

    async def scenario() -> list[RunEvent]:
        long, _ = await start_long(victim)
        await run_until(victim, 1)
        kill(old.zygote)
        assert outcome_of(await victim.ask("print('on')")) == Outcome.FINISHED
        return await long

    assert outcome_of(asyncio.run(scenario())) == "ours"
    assert victim.metric("gradroom_zygote_restarts") == 0
    victim.holds_as_much_as(before)


async def start_long(victim: Victim) -> tuple[asyncio.Task[list[RunEvent]], str]:
    """Start a run that lasts as long as a test may need it, wait until it has printed something, and return it with its id."""
    events: asyncio.Queue[RunEvent | None] = asyncio.Queue()
    long = asyncio.create_task(victim.ask(LONG, events.put_nowait, LONG_LIMITS))
    long.add_done_callback(lambda _: events.put_nowait(None))
    run_id = ""
    while not isinstance(event := await events.get(), Stdout):
        assert event is not None, long.result()
        run_id = event.id if isinstance(event, Started) else run_id
    return long, run_id


def make_due(victim: Victim, serving: Generation) -> Generation:
    """Run programs until a successor of the zygote warms up, and return the successor."""
    while len(victim.zygotes) == 1:
        victim.still_works()
    (successor,) = [one for one in victim.zygotes if one.keeper != serving.keeper]
    return successor
