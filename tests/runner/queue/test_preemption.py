"""Which run is paused for which."""

import asyncio

from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps
from app.runner.queue.ticket import TicketState
from tests.runner.queue.timed_queue import QUANTUM_SECONDS, Clock, OneEach, StartedAtOnce, states, timed_queue


def test_a_run_is_paused_for_a_waiting_one_when_it_is_long() -> None:
    queue, clock = timed_queue()
    long, short = queue.enter("ann", "host"), queue.enter("bob", "host")
    assert states(long, short) == ["running", "waiting"]
    clock.seconds = QUANTUM_SECONDS
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


def test_a_short_run_waits_for_no_long_one() -> None:
    for has_run in (True, False):
        queue, clock = timed_queue()
        if has_run:
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
    long.on_state_change = lambda: told.append(long.state is TicketState.PAUSED)
    short = queue.enter("bob", "host")
    clock.seconds = QUANTUM_SECONDS
    queue.take_turns()
    queue.leave(short)
    assert told == [True, False]


def test_turns_are_taken_when_they_are_due() -> None:
    async def scenario() -> list[str]:
        capacity = Capacity(concurrency=1, begun_bytes=10, reserve_bytes=0, learner=1, quantum_seconds=0.02)
        queue = StartedAtOnce(capacity, QueueCaps())
        keeper = asyncio.create_task(queue.take_turns_when_due())
        paused = asyncio.Event()
        long, short = queue.enter("ann", "host"), queue.enter("bob", "host")
        long.on_state_change = paused.set
        await paused.wait()
        keeper.cancel()
        return states(long, short)

    assert asyncio.run(scenario()) == ["paused", "running"]


def test_waiting_for_a_child_is_not_charged() -> None:
    clock = Clock()
    queue = OneEach(
        Capacity(concurrency=1, begun_bytes=10, reserve_bytes=0, learner=1, quantum_seconds=QUANTUM_SECONDS), QueueCaps(), clock
    )
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
    queue = OneEach(
        Capacity(concurrency=2, begun_bytes=10, reserve_bytes=0, learner=1, quantum_seconds=QUANTUM_SECONDS), QueueCaps(), clock
    )
    long, unready = queue.enter("ann", "host"), queue.enter("bob", "host")
    queue.start(long)
    clock.seconds = 2 * QUANTUM_SECONDS
    short = queue.enter("cid", "host")
    assert states(long, unready, short) == ["paused", "running", "running"]
