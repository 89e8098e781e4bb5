"""The queue: places, turns, deferred runs, and what each order costs."""

import sys

import pytest

from app.runner.client import QueueFull
from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps
from tests.runner.queue.timed_queue import QUANTUM_SECONDS, Clock, OneEach, queue_of, states, timed_queue


def test_a_free_place_is_given_at_once() -> None:
    assert queue_of().enter("ann", "host").position == 0


def test_learners_take_turns_whoever_asked_first() -> None:
    queue = queue_of()
    for learner in ("ann", "bob"):
        queue.leave(queue.enter(learner, "host"))
    first = queue.enter("ann", "host")
    anns = [queue.enter("ann", "host") for _ in range(3)]
    bobs = [queue.enter("bob", "host") for _ in range(2)]
    assert [ticket.position for ticket in (*anns, *bobs)] == [1, 3, 5, 2, 4]
    queue.leave(first)
    assert anns[0].position == 0
    queue.leave(anns[0])
    assert bobs[0].position == 0


def test_a_deferred_run_lets_others_go_first_until_it_is_no_longer_deferred() -> None:
    queue = queue_of()
    for learner in ("ann", "bob"):
        queue.leave(queue.enter(learner, "host"))
    deferred = queue.enter("ann", "host", deferred=True)
    assert deferred.position == 1
    others = [queue.enter("ann", "host"), queue.enter("ann", "host")]
    assert [ticket.position for ticket in others] == [0, 2]
    queue.leave(others[0])
    assert others[1].position == 0
    queue.undefer(deferred)
    assert (deferred.deferred, deferred.position) == (False, 1)
    queue.leave(others[1])
    assert deferred.position == 0


def test_a_deferred_run_counts_as_waiting_and_may_leave() -> None:
    queue = queue_of(learner=1)
    deferred = queue.enter("ann", "host", deferred=True)
    with pytest.raises(QueueFull):
        queue.enter("ann", "host", deferred=True)
    queue.leave(deferred)
    queue.undefer(deferred)
    assert (len(queue), queue.active) == (0, 0)


def test_every_place_comes_back() -> None:
    queue = queue_of(concurrency=2)
    tickets = [queue.enter(str(n), "host") for n in range(10)]
    for ticket in (*tickets[:2], *tickets[:1:-1]):
        assert ticket.position == 0
        queue.leave(ticket)
    assert (len(queue), queue.active) == (0, 0)
    assert queue.enter("ann", "host").position == 0


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


@pytest.mark.parametrize("starts", [True, False])
def test_even_the_shortest_run_costs_its_child(starts: bool) -> None:
    queue = OneEach(Capacity(concurrency=1, begun_bytes=10, reserve_bytes=0, learner=1, least_seconds=0.1), QueueCaps(), Clock())
    for learner in ("ann", "bob"):
        queue.leave(queue.enter(learner, "host"))
    first = queue.enter("ann", "host")
    if starts:
        queue.start(first)
    many, few = queue.enter("ann", "host"), queue.enter("bob", "host")
    queue.leave(first)
    assert (many.position, few.position) == (1, 0)


def count_calls(waiting: int, is_class: bool) -> int:
    """Return how many functions, or steps of generators, are called if a learner enters a queue of `waiting` learners and leaves it."""
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
