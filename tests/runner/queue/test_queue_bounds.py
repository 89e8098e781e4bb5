"""The bounds of the queue hold for any sequence of calls."""

import contextlib
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from app.runner.client import QueueFull
from app.runner.queue.candidates import Candidates
from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps
from app.runner.queue.flows import Flow
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket, TicketState
from tests.runner.queue.class_queue import STEP_SECONDS, Class, capacity_of

_OWNERS = st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz"))
_ORDERS = st.tuples(st.sampled_from(["order", "order", "wait for a child"]), _OWNERS, st.integers(1, 3))
_OTHERS = st.tuples(st.sampled_from(["leave", "vacate", "start", "charge", "pass"]), st.integers(0, 50), st.integers(0, 40))


@given(st.lists(st.one_of(_ORDERS, _OTHERS), max_size=60))
@settings(max_examples=200, deadline=None)
def test_whatever_happens_every_bound_holds_and_everything_comes_back(steps: list[tuple[str, object, int]]) -> None:
    capacity = capacity_of(concurrency=2, begun=5, reserve=2, learner=2)
    room = Class(capacity, QueueCaps(overall=6, learner=2, address=4))
    held: list[Ticket] = []
    for kind, what, number in steps:
        if isinstance(what, tuple):
            with contextlib.suppress(QueueFull):
                held.append(room.order(*what, memory_bytes=number) if kind == "order" else room.queue.enter(*what, number))
        elif kind == "pass":
            room.seconds += number * STEP_SECONDS
            room.queue.take_turns()
        elif held:
            assert isinstance(what, int)
            ticket = held[what % len(held)]
            if kind == "charge":
                room.queue.charge(ticket, number / 10)
            elif kind == "start" and not ticket.started:
                room.queue.start(ticket)
            elif kind == "vacate" and ticket.state in (TicketState.RUNNING, TicketState.PAUSED):
                room.queue.vacate(ticket)
            elif kind == "leave":
                held.remove(ticket)
                room.queue.leave(ticket)
        check(room.queue, held, capacity)
    for ticket in held:
        room.queue.leave(ticket)
    assert (len(room.queue), room.queue.active, room.queue.paused) == (0, 0, 0)
    assert room.order("newcomer").state is TicketState.RUNNING


def check(queue: RunQueue, held: list[Ticket], capacity: Capacity) -> None:
    states = Counter(ticket.state for ticket in held)
    begun = [ticket for ticket in held if ticket.state in (TicketState.RUNNING, TicketState.PAUSED, TicketState.VACATED)]
    waiting = [ticket for ticket in held if ticket.state is TicketState.WAITING]
    promised = sum(ticket.memory_bytes for ticket in begun)
    assert (len(queue), queue.active, queue.paused) == (len(waiting), states[TicketState.RUNNING], states[TicketState.PAUSED])
    assert queue.active <= capacity.concurrency
    assert len(waiting) <= 6
    assert promised <= capacity.memory_bytes or len(begun) == 1
    assert sorted(ticket.position for ticket in waiting) == list(range(1, len(waiting) + 1))
    assert all(count <= 4 for count in Counter(ticket.owner.address for ticket in waiting).values())
    assert all(count <= 2 for count in Counter(ticket.owner for ticket in begun).values())
    if queue.active < capacity.concurrency:
        assert not states[TicketState.PAUSED]
        assert begun or not waiting
    assert found(queue._scheduler._candidates) == found(sorted_anew(queue, capacity))


def sorted_anew(queue: RunQueue, capacity: Capacity) -> Candidates:
    """Return the queue's candidates, sorted anew. The queue itself sorts only what has changed."""
    queue._flows.changed.update(flow.owner for flow in queue._flows)
    return Candidates(queue._flows, queue._accounts, queue._reservations, capacity)


def found(candidates: Candidates) -> tuple[list[Flow], bool, bool]:
    return candidates.find("xyz"), candidates.lack_memory(), candidates.lack_trials()
