"""A process dies in each phase of a run: the result never blames the program, and nothing is left behind."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator

import pytest
from msgspec import Raw

from app.protocol.event import RunEvent, Started, Stdout
from app.protocol.outcome import Outcome
from tests.patience import wait_for
from tests.runner.chaos.anatomy import gone, kill, layout_processes
from tests.runner.chaos.victim import Victim, outcome_of, running_victim

pytestmark = pytest.mark.timeout(300)  # a warm-up each, on a busy machine
SPARES = 3
TOGETHER = 16
ROUNDS = 5  # of so many runs: more than there are slots
SETTINGS = {"concurrency": TOGETHER, "concurrency_per_learner": TOGETHER, "begun_runs": TOGETHER + 8, "spares": SPARES}

SILENT = "import time\ntime.sleep(0.5)\nprint('done')"
SPEAKING = "print('on', flush=True)\nimport time\ntime.sleep(20)"
FLOODING = "import time\nprint('x' * 500_000, flush=True)\ntime.sleep(20)"
SHOWING = "show_graph()\nprint('done')"

Pick = Callable[[Victim], int]


def keeper(victim: Victim) -> int:
    return victim.zygote.keeper


def zygote(victim: Victim) -> int:
    return victim.zygote.zygote


def child(victim: Victim) -> int:
    return victim.zygote.children[0]


def layout(victim: Victim) -> int:
    return layout_processes(victim.pid)[0]


def once(moment: type[RunEvent], strike: Callable[[], None]) -> Callable[[RunEvent], None]:
    """Strike at the first event of a kind."""
    struck = []

    def on_event(event: RunEvent) -> None:
        if isinstance(event, moment) and not struck:
            struck.append(event)
            strike()

    return on_event


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    with running_victim(**SETTINGS) as running:
        running.still_works()
        yield running


@pytest.mark.parametrize("pick", [keeper, zygote, child, layout])
def test_who_dies_while_nothing_runs_is_replaced(victim: Victim, pick: Pick) -> None:
    before = victim.settle(SPARES)
    pid = pick(victim)
    kill(pid)
    wait_for(lambda: gone([pid]))
    victim.still_works()
    assert victim.programs.run(SHOWING).outcome == Outcome.FINISHED
    victim.holds_as_much_as(before)


@pytest.mark.parametrize("pick", [keeper, zygote])
def test_a_silent_run_is_tried_again_when_its_zygote_dies(victim: Victim, pick: Pick) -> None:
    before = victim.settle(SPARES)

    async def scenario() -> list[RunEvent]:
        task = asyncio.create_task(victim.ask(SILENT))
        await victim.until_active()
        kill(pick(victim))
        return await task

    events = asyncio.run(scenario())
    assert outcome_of(events) == Outcome.FINISHED
    assert [event.text for event in events if isinstance(event, Stdout)] == ["done\n"]
    victim.holds_as_much_as(before)


@pytest.mark.parametrize("source", [SPEAKING, FLOODING], ids=["a word", "a flood"])
@pytest.mark.parametrize("pick", [keeper, zygote])
def test_a_run_that_has_spoken_is_reported_as_our_fault(victim: Victim, pick: Pick, source: str) -> None:
    before = victim.settle(SPARES)

    assert outcome_of(asyncio.run(victim.ask(source, once(Stdout, lambda: kill(pick(victim)))))) == "ours"
    victim.holds_as_much_as(before)


@pytest.mark.parametrize("moment", [Started, Raw])
@pytest.mark.parametrize("pick", [keeper, zygote, layout])
def test_a_death_at_any_moment_blames_no_program(victim: Victim, pick: Pick, moment: type[RunEvent]) -> None:
    before = victim.settle(SPARES)
    strike = once(moment, lambda: kill(pick(victim)))
    assert outcome_of(asyncio.run(victim.ask(SHOWING, strike))) in (Outcome.FINISHED, "ours")
    victim.still_works()
    victim.holds_as_much_as(before)


@pytest.mark.parametrize("pick", [keeper, zygote, layout])
def test_under_load_no_run_is_blamed_and_none_is_lost(victim: Victim, pick: Pick) -> None:
    before = victim.settle(SPARES)

    started = []

    def on_event(event: RunEvent) -> None:
        if isinstance(event, Started):
            started.append(event)
            if len(started) == 2 * TOGETHER:  # all of the second round have
                kill(pick(victim))

    async def one(number: int) -> tuple[int, list[RunEvent]]:
        return number, await victim.ask(f"import time\ntime.sleep(0.2)\nprint({number})", on_event)

    async def scenario() -> list[tuple[int, list[RunEvent]]]:
        found = []
        for start in range(0, ROUNDS * TOGETHER, TOGETHER):
            found += await asyncio.gather(*(one(number) for number in range(start, start + TOGETHER)))
        return found

    for number, events in asyncio.run(scenario()):
        assert outcome_of(events) in (Outcome.FINISHED, "ours")
        if outcome_of(events) == Outcome.FINISHED:
            assert "".join(event.text for event in events if isinstance(event, Stdout)) == f"{number}\n"
    victim.still_works()
    victim.holds_as_much_as(before)


def test_a_child_that_dies_in_its_own_program_harms_no_other(victim: Victim) -> None:
    before = victim.settle(SPARES)
    strike = once(Stdout, lambda: kill(*victim.zygote.children))

    async def scenario() -> list[list[RunEvent]]:
        return [await victim.ask(SPEAKING, strike), await victim.ask("print('other')")]

    hit, other = map(outcome_of, asyncio.run(scenario()))
    assert hit in (Outcome.CRASHED, Outcome.OUT_OF_MEMORY)
    assert other == Outcome.FINISHED
    victim.holds_as_much_as(before)


def test_a_hung_zygote_is_replaced(victim: Victim) -> None:
    before = victim.settle(SPARES)
    hung = victim.zygote
    os.kill(hung.zygote, signal.SIGSTOP)
    outcomes = [outcome_of(asyncio.run(victim.ask("print('on')"))) for _ in range(SPARES + 1)]
    assert outcomes == [Outcome.FINISHED] * (SPARES + 1)
    wait_for(lambda: gone([hung.keeper, hung.zygote]))
    victim.still_works()
    victim.holds_as_much_as(before)
