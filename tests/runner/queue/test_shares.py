"""The shares of addresses and learners."""

from collections import Counter

import pytest

from app.runner.queue.ticket import TicketState
from tests.runner.queue.class_queue import QUANTUM_SECONDS, STEP_SECONDS, Class, capacity_of


def test_two_addresses_share_alike_however_many_learners_each_has() -> None:
    room = Class(capacity_of(begun=400))
    tickets = [*room.attack(170, "elsewhere"), *(room.order(f"learner-{number}") for number in range(40))]
    room.go_on(tickets, 30.0)
    assert room.used["class"] == pytest.approx(room.used["elsewhere"], rel=0.05)


def test_learners_of_one_address_share_alike() -> None:
    room = Class(capacity_of(concurrency=1, begun=400))
    tickets = [room.order(learner) for learner in ("ann", "bob", "cyd")]
    used = Counter[str]()
    for _ in range(3000):
        room.step()
        used.update(ticket.owner.learner for ticket in tickets if ticket.state is TicketState.RUNNING)
    assert max(used.values()) - min(used.values()) <= 2 * QUANTUM_SECONDS / STEP_SECONDS


@pytest.mark.parametrize("address", ["class", "elsewhere"])
def test_who_ran_short_things_before_goes_at_once_wherever_the_attackers_are(address: str) -> None:
    room = Class(capacity_of())
    room.run_short("ann")
    tickets = room.attack(170, address)
    room.go_on(tickets, 20.0)
    for _ in range(20):
        ann = room.order("ann")
        assert room.wait_for(ann) <= 2 * STEP_SECONDS
        room.seconds += STEP_SECONDS
        room.queue.leave(ann)
        room.go_on(tickets, 1.0)


def test_a_newcomer_at_another_address_than_the_attackers_goes_at_once() -> None:
    room = Class(capacity_of())
    room.go_on(room.attack(170, "elsewhere"), 20.0)
    for number in range(10):
        newcomer = room.order(f"newcomer-{number}")
        assert room.wait_for(newcomer) <= 3 * STEP_SECONDS
        room.queue.leave(newcomer)
        room.go_on([], 0.5)


def test_a_newcomer_among_the_attackers_goes_before_them_while_memory_lasts() -> None:
    room = Class(capacity_of(begun=400))
    room.go_on(room.attack(170, "class"), 20.0)
    assert room.wait_for(room.order("newcomer")) <= 0.1


def test_a_new_run_takes_no_place_from_one_that_is_as_new() -> None:
    room = Class(capacity_of(concurrency=1))
    first = room.order("ann")
    second = room.order("bob")
    assert 0.1 - STEP_SECONDS <= room.wait_for(second) <= 0.1 + 2 * STEP_SECONDS
    assert first.state is TicketState.PAUSED


def test_a_run_whose_child_is_still_being_cleared_away_keeps_its_learner_from_the_next() -> None:
    room = Class(capacity_of(concurrency=2, learner=1))
    left, next_one, other = room.order("ann"), room.order("ann"), room.order("bob")
    room.queue.vacate(left)
    assert (next_one.state, other.state, room.queue.active) == (TicketState.WAITING, TicketState.RUNNING, 1)
    room.queue.leave(left)
    assert next_one.state is TicketState.RUNNING


def test_what_is_done_for_a_learner_who_has_left_is_charged() -> None:
    room = Class(capacity_of(concurrency=1))
    room.order("first")
    abandoned = room.order("ann")
    room.queue.leave(abandoned)
    room.queue.charge(abandoned, 5.0)
    again, other = room.order("ann"), room.order("bob")
    assert (again.position, other.position) == (2, 1)
