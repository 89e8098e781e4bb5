"""The queue: turns, positions and caps."""

import asyncio
import sys

import pytest

from app.runner.queue.caps import CapReached, QueueCaps
from app.runner.queue.places import Places
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket, TicketState

QUANTUM_SECONDS = 0.25


class OneEach(RunQueue):
    """As if a run were promised one byte, unless a test says otherwise."""

    def enter(self, learner: str, address: str, memory_bytes: int = 1, held: bool = False) -> Ticket:
        return super().enter(learner, address, memory_bytes, held)


class StartedAtOnce(OneEach):
    """As if a child were always ready."""

    def enter(self, learner: str, address: str, memory_bytes: int = 1, held: bool = False) -> Ticket:
        ticket = super().enter(learner, address, memory_bytes, held)
        self.start(ticket)
        return ticket


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def queue_of(concurrency: int = 1, **caps: int) -> RunQueue:
    return timed_queue(concurrency, caps=QueueCaps(**caps))[0]


def timed_queue(
    concurrency: int = 1, begun: int = 100, reserve: int = 0, learner: int = 100, caps: QueueCaps | None = None
) -> tuple[RunQueue, Clock]:
    clock = Clock()
    places = Places(
        concurrency=concurrency,
        begun_bytes=begun,
        reserve_bytes=reserve,
        learner=learner,
        quantum_seconds=QUANTUM_SECONDS,
        least_seconds=0.0,
    )
    return StartedAtOnce(places, caps or QueueCaps(), clock), clock


def test_a_free_place_is_given_at_once() -> None:
    assert queue_of().enter("ann", "host").position == 0


def test_learners_take_turns_whoever_asked_first() -> None:
    queue = queue_of()
    first = queue.enter("ann", "host")
    anns = [queue.enter("ann", "host") for _ in range(3)]
    bob = queue.enter("bob", "host")
    assert [ticket.position for ticket in (*anns, bob)] == [1, 3, 4, 2]
    queue.leave(first)
    assert anns[0].position == 0
    queue.leave(anns[0])
    assert bob.position == 0


def test_a_run_that_is_held_lets_others_pass_and_begins_when_it_is_let_go() -> None:
    queue = queue_of()
    held = queue.enter("ann", "host", held=True)
    assert held.position == 1
    others = [queue.enter("ann", "host"), queue.enter("bob", "host")]
    assert [ticket.position for ticket in others] == [0, 2]
    queue.leave(others[0])
    assert others[1].position == 0
    queue.let_go(held)
    assert (held.held, held.position) == (False, 1)
    queue.leave(others[1])
    assert held.position == 0


def test_a_run_that_is_held_counts_among_those_that_wait_and_may_leave() -> None:
    queue = queue_of(learner=1)
    held = queue.enter("ann", "host", held=True)
    with pytest.raises(CapReached):
        queue.enter("ann", "host", held=True)
    queue.leave(held)
    queue.let_go(held)
    assert (len(queue), queue.active) == (0, 0)


def test_memory_that_is_set_aside_is_not_promised() -> None:
    queue, _ = timed_queue(concurrency=4, begun=4)
    queue.set_aside(2)
    runs = [queue.enter(learner, "host") for learner in "abc"]
    assert [run.position for run in runs] == [0, 0, 1]
    queue.set_aside(0)
    assert runs[2].position == 0


def test_leaving_the_queue_moves_the_others_up() -> None:
    queue = queue_of()
    queue.enter("ann", "host")
    bob, cyd = queue.enter("bob", "host"), queue.enter("cyd", "host")
    queue.leave(bob)
    assert (cyd.position, len(queue), queue.active) == (1, 1, 1)


def test_every_place_comes_back() -> None:
    queue = queue_of(concurrency=2)
    tickets = [queue.enter(str(n), "host") for n in range(10)]
    for ticket in tickets:
        assert ticket.position == 0
        queue.leave(ticket)
    assert (len(queue), queue.active) == (0, 0)
    assert queue.enter("ann", "host").position == 0


@pytest.mark.parametrize(
    ("caps", "learners", "addresses", "reason"),
    [
        ({"overall": 3}, "abcd", "wxyz", "overall"),
        ({"learner": 3}, "aaaa", "wwww", "learner"),
        ({"address": 3}, "abcd", "wwww", "address"),
    ],
)
def test_a_full_queue_refuses_and_says_which_cap(caps: dict[str, int], learners: str, addresses: str, reason: str) -> None:
    queue = queue_of(**caps)
    queue.enter("first", "elsewhere")
    tickets = [queue.enter(learner, address) for learner, address in zip(learners[:3], addresses[:3], strict=True)]
    with pytest.raises(CapReached) as caught:
        queue.enter(learners[3], addresses[3])
    assert caught.value.reason == reason
    queue.leave(tickets[0])
    queue.enter(learners[3], addresses[3])


def test_positions_are_told_as_they_change() -> None:
    async def scenario() -> list[int]:
        queue = queue_of()
        keeper = asyncio.create_task(queue.keep_positions())
        tickets = [queue.enter(str(n), "host") for n in range(3)]
        positions = tickets[2].positions()
        first = await anext(positions)
        queue.leave(tickets[0])
        assert tickets[2].position == 1  # who reads it before it is told keeps nobody from being told
        told = [first, await anext(positions)]
        queue.leave(tickets[1])
        told += [position async for position in positions]
        keeper.cancel()
        return told

    assert asyncio.run(scenario()) == [2, 1]


def test_an_abandoned_ticket_waits_no_longer() -> None:
    async def scenario() -> list[int]:
        queue = queue_of()
        queue.enter("ann", "host")
        ticket = queue.enter("bob", "host")
        seen = asyncio.create_task(collect(ticket))
        await asyncio.sleep(0)
        ticket.abandon()
        return await seen

    assert asyncio.run(scenario()) == [1]


def states(*tickets: Ticket) -> list[str]:
    return [ticket.state.name.lower() for ticket in tickets]


def test_a_long_run_is_paused_for_a_waiting_one_after_a_quantum() -> None:
    queue, clock = timed_queue()
    long = queue.enter("ann", "host")
    clock.seconds = 10.0
    short = queue.enter("bob", "host")
    assert states(long, short) == ["running", "waiting"]
    clock.seconds += QUANTUM_SECONDS
    queue.take_turns()
    assert states(long, short) == ["paused", "running"]
    queue.leave(short)
    assert states(long) == ["running"]


def test_nothing_is_paused_while_nobody_waits() -> None:
    queue, clock = timed_queue(concurrency=2)
    tickets = [queue.enter(learner, "host") for learner in ("ann", "bob")]
    for _ in range(10):
        clock.seconds += 10
        queue.take_turns()
    assert states(*tickets) == ["running", "running"]


def test_who_used_little_lately_waits_for_nobody_long() -> None:
    queue, clock = timed_queue()
    queue.leave(queue.enter("bob", "host"))
    long = queue.enter("ann", "host")
    clock.seconds = 10.0
    short = queue.enter("bob", "host")
    assert states(long, short) == ["paused", "running"]


def test_long_runs_share_a_place_by_turns() -> None:
    queue, clock = timed_queue()
    tickets = [queue.enter(learner, "host") for learner in ("ann", "bob", "cyd")]
    used = dict.fromkeys(tickets, 0)
    for _ in range(300):
        clock.seconds += QUANTUM_SECONDS / 2
        queue.take_turns()
        (running,) = (ticket for ticket in tickets if ticket.state is TicketState.RUNNING)
        used[running] += 1
    assert all(90 <= count <= 110 for count in used.values())


def test_who_used_more_than_others_goes_after_them() -> None:
    queue, clock = timed_queue(concurrency=3)
    first = [queue.enter(learner, "host") for learner in ("ann", "ann", "bob")]
    clock.seconds = 5.0
    for ticket in first:
        queue.leave(ticket)
    for learner in ("cyd", "dan", "eve"):
        queue.enter(learner, "host")
    heavy, light = queue.enter("ann", "host"), queue.enter("fay", "host")
    assert (heavy.position, light.position) == (2, 1)


def test_one_learner_does_not_hold_all_places() -> None:
    queue, _ = timed_queue(concurrency=2, learner=1)
    anns = [queue.enter("ann", "host") for _ in range(2)]
    assert states(*anns) == ["running", "waiting"]
    assert states(queue.enter("bob", "host")) == ["running"]
    queue.leave(anns[0])
    assert states(anns[1]) == ["running"]


def test_no_more_runs_begin_than_memory_allows_except_on_trial_for_who_used_little() -> None:
    queue, clock = timed_queue(begun=2, reserve=1)
    for learner in ("eve", "cyd"):
        ticket = queue.enter(learner, "host")
        clock.seconds += QUANTUM_SECONDS if learner == "cyd" else 0.0
        queue.leave(ticket)
    tickets = [queue.enter(learner, "host") for learner in ("ann", "bob", "cyd")]  # the last run of cyd was long
    for _ in range(20):
        clock.seconds += QUANTUM_SECONDS
        queue.take_turns()
    assert sorted(states(*tickets)) == ["paused", "running", "waiting"]
    assert states(queue.enter("eve", "host")) == ["running"]
    assert (queue.active, queue.paused) == (1, 2)


def test_a_paused_run_may_leave() -> None:
    queue, clock = timed_queue()
    long, short = queue.enter("ann", "host"), queue.enter("bob", "host")
    clock.seconds = QUANTUM_SECONDS
    queue.take_turns()
    assert states(long, short) == ["paused", "running"]
    queue.leave(long)
    queue.leave(short)
    assert (len(queue), queue.active, queue.paused) == (0, 0, 0)


def test_a_run_is_told_when_it_is_paused_and_when_it_goes_on() -> None:
    queue, clock = timed_queue()
    long, told = queue.enter("ann", "host"), []
    long.on_turn = lambda: told.append(long.paused)
    short = queue.enter("bob", "host")
    clock.seconds = QUANTUM_SECONDS
    queue.take_turns()
    queue.leave(short)
    assert told == [True, False]


def test_turns_are_taken_when_they_are_due() -> None:
    async def scenario() -> list[str]:
        places = Places(concurrency=1, begun_bytes=10, reserve_bytes=0, learner=1, quantum_seconds=0.02)
        queue = StartedAtOnce(places, QueueCaps())
        keeper = asyncio.create_task(queue.keep_turns())
        paused = asyncio.Event()
        long, short = queue.enter("ann", "host"), queue.enter("bob", "host")
        long.on_turn = paused.set
        await paused.wait()
        keeper.cancel()
        return states(long, short)

    assert asyncio.run(scenario()) == ["paused", "running"]


@pytest.mark.parametrize("starts", [True, False])
def test_even_the_shortest_run_costs_its_child(starts: bool) -> None:
    queue = OneEach(Places(concurrency=1, begun_bytes=10, reserve_bytes=0, learner=1, least_seconds=0.1), QueueCaps(), Clock())
    first = queue.enter("ann", "host")
    if starts:
        queue.start(first)
    many, few = queue.enter("ann", "host"), queue.enter("bob", "host")
    assert (many.position, few.position) == (1, 2)
    queue.leave(first)
    assert (many.position, few.position) == (1, 0)


def test_waiting_for_a_child_is_not_charged() -> None:
    clock = Clock()
    queue = OneEach(Places(concurrency=1, begun_bytes=10, reserve_bytes=0, learner=1, quantum_seconds=QUANTUM_SECONDS), QueueCaps(), clock)
    first, second = queue.enter("ann", "host"), queue.enter("bob", "host")
    clock.seconds = 10 * QUANTUM_SECONDS
    queue.take_turns()
    assert states(first, second) == ["running", "waiting"]
    queue.start(first)
    clock.seconds += QUANTUM_SECONDS
    queue.take_turns()
    assert states(first, second) == ["paused", "running"]


def test_one_that_waits_for_its_child_keeps_no_long_run_from_being_paused() -> None:
    clock = Clock()
    queue = OneEach(Places(concurrency=2, begun_bytes=10, reserve_bytes=0, learner=1, quantum_seconds=QUANTUM_SECONDS), QueueCaps(), clock)
    long, unready = queue.enter("ann", "host"), queue.enter("bob", "host")
    queue.start(long)
    clock.seconds = 2 * QUANTUM_SECONDS
    short = queue.enter("cid", "host")
    assert states(long, unready, short) == ["paused", "running", "running"]


async def collect(ticket: Ticket) -> list[int]:
    return [position async for position in ticket.positions()]


def count_calls(waiting: int, is_class: bool) -> int:
    """How many functions are called, generators' steps included, when one more learner enters a queue of so many, and leaves it."""
    queue, clock = timed_queue(concurrency=2, begun=20, learner=1, caps=QueueCaps(overall=1000, address=1000))
    for number in range(waiting):
        queue.enter(f"learner {number}", "host" if is_class else f"host {number}")
    for _ in range(20):
        clock.seconds += QUANTUM_SECONDS
        queue.take_turns()
    assert (len(queue), queue.paused) == (waiting - 20, 18)
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        queue.leave(queue.enter("newcomer", "host"))
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("is_class", [True, False])
def test_an_order_makes_no_more_work_where_more_wait(is_class: bool) -> None:
    assert count_calls(400, is_class) < 1.1 * count_calls(100, is_class)


def test_only_those_whose_positions_have_changed_are_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> list[str]:
        queue = queue_of()
        woken: list[str] = []
        _, *waiting = (queue.enter(learner, "host") for learner in ("ann", "bob", "cyd", "dan"))
        followed = [asyncio.create_task(collect(ticket)) for ticket in waiting]
        await asyncio.sleep(0)  # each has been told its position
        monkeypatch.setattr(Ticket, "wake", lambda ticket: woken.append(ticket.owner.learner))
        queue.leave(waiting[1])
        keeper = asyncio.create_task(queue.keep_positions())
        await asyncio.sleep(0)
        for task in (keeper, *followed):
            task.cancel()
        return woken

    assert asyncio.run(scenario()) == ["dan"]
