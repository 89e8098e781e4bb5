"""Who is refused when too many runs wait."""

import pytest

from app.runner.client import QueueFull
from app.runner.queue.caps import QueueCaps
from app.runner.queue.ticket import TicketState
from tests.runner.queue.class_queue import Class, capacity_of
from tests.runner.queue.timed_queue import queue_of


@pytest.mark.parametrize(
    ("caps", "learners", "addresses", "reason"),
    [
        ({"overall": 3}, "abcd", "wxyz", "overall"),
        ({"learner": 3}, "aaaa", "wwww", "learner"),
        ({"address": 3}, "abca", "wwww", "address"),
    ],
)
def test_a_full_queue_refuses_and_says_which_cap(caps: dict[str, int], learners: str, addresses: str, reason: str) -> None:
    queue = queue_of(**caps)
    queue.enter("first", "elsewhere")
    tickets = [queue.enter(learner, address) for learner, address in zip(learners[:3], addresses[:3], strict=True)]
    with pytest.raises(QueueFull) as caught:
        queue.enter(learners[3], addresses[3])
    assert caught.value.reason == reason
    queue.leave(tickets[0])
    queue.enter(learners[3], addresses[3])


def test_of_those_with_as_many_runs_waiting_who_used_most_makes_room() -> None:
    room = Class(capacity_of(concurrency=1, begun=1, reserve=0), QueueCaps(address=2))
    endless = room.order("heavy")
    room.order("first")
    room.go_on([], 5.0)
    room.queue.leave(endless)
    waiting = [room.order(learner) for learner in ("heavy", "second", "third")]
    assert [ticket.refusal for ticket in waiting] == ["address", None, None]
    room.order("fourth")
    assert [ticket.refusal for ticket in waiting] == ["address", "address", None]  # who used no more, and has waited longest
    with pytest.raises(QueueFull, match="address"):
        room.order("heavy")


def test_a_learner_who_used_little_is_not_refused_for_attackers_who_fill_the_address() -> None:
    room = Class(capacity_of(concurrency=1, begun=1, reserve=0), QueueCaps(address=100))
    room.run_short("ann")
    attackers = room.attack(101, "class")
    assert room.order("ann").state is TicketState.WAITING
    assert [ticket.refusal for ticket in attackers].count("address") == 1


def test_whoever_has_most_waiting_makes_room_and_is_told() -> None:
    room = Class(capacity_of(concurrency=1, begun=1), QueueCaps(overall=100, learner=5, address=4))
    room.order("first", "elsewhere")
    greedy = [room.order("greedy") for _ in range(4)]
    modest = room.order("modest")
    assert modest.state is TicketState.WAITING
    assert [ticket.refusal for ticket in greedy] == [None, None, None, "address"]
    room.queue.leave(greedy[3])  # as its run does when it notices
    assert len(room.queue) == 4


def test_the_address_with_most_waiting_makes_room_for_others() -> None:
    room = Class(capacity_of(concurrency=1, begun=1), QueueCaps(overall=10, learner=5, address=100))
    attackers = room.attack(11, "elsewhere")
    assert room.order("ann").state is TicketState.WAITING
    assert [ticket.refusal for ticket in attackers].count("overall") == 1
