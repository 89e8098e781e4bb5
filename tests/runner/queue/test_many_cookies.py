"""Many cookies at the class's own address, each with a loop that does not end, and memory for fewer."""

import pytest

from app.runner.queue.ticket import Ticket, TicketState
from tests.runner.queue.class_queue import LONG_STEP_SECONDS, STEP_SECONDS, Class, capacity_of

COOKIES = 110
DEADLINE_SECONDS = 10.0  # of places: a run is ended after it
RUN_SECONDS = 0.05
SLOW_RUN_SECONDS = 0.4  # of the same program on a machine that is busy otherwise


class Loops:
    """Runs that do not end by themselves, each ordered again as soon as it has been ended."""

    def __init__(self, room: Class, cookies: int) -> None:
        self._room = room
        self._tickets = {f"loop-{number}": room.order(f"loop-{number}") for number in range(cookies)}

    def go_on(self, seconds: float) -> None:
        end = self._room.seconds + seconds
        while self._room.seconds < end:
            self._room.step()
            for learner, ticket in self._tickets.items():
                if ticket.charged_seconds >= DEADLINE_SECONDS:
                    self._room.queue.leave(ticket)
                if ticket.refusal or ticket.charged_seconds >= DEADLINE_SECONDS:
                    self._tickets[learner] = self._room.order(learner)

    def wait_beside(self, ticket: Ticket, run_seconds: float = RUN_SECONDS) -> float:
        """Return how many seconds the ticket waits before it has had a place for `run_seconds`."""
        start = self._room.seconds
        while ticket.charged_seconds < run_seconds and not ticket.refusal:
            self.go_on(STEP_SECONDS)
            assert self._room.seconds < start + 60.0
        self._room.queue.leave(ticket)
        return self._room.seconds - start - run_seconds


def wait_again_and_again(room: Class, loops: Loops, kind: str) -> list[float]:
    """Return how many seconds each of forty runs waits. A newcomer has a new cookie for each; the other kinds are one learner."""
    waits = []
    for number in range(40):
        learner, address = {"newcomer": (f"new-{number}", "class"), "elsewhere": ("bob", "home")}.get(kind, ("ann", "class"))
        waits.append(loops.wait_beside(room.order(learner, address)))
        if kind != "quick classmate":
            loops.go_on(0.25)
    return waits


@pytest.mark.parametrize("kind", ["classmate", "quick classmate", "newcomer", "elsewhere"])
@pytest.mark.parametrize(("cookies", "lead_seconds"), [(40, 3.0), (COOKIES, 1.0), (COOKIES, 25.0)])
def test_nobody_waits_long_beside_cookies_that_run_something_long(kind: str, cookies: int, lead_seconds: float) -> None:
    room = Class(capacity_of(concurrency=2, begun=36, reserve=2))
    for learner, address in [("ann", "class"), ("bob", "home")] * 12:  # a dozen short programs in a row
        ticket = room.order(learner, address)
        room.step(0.1)
        room.queue.leave(ticket)
    loops = Loops(room, cookies)
    loops.go_on(lead_seconds)
    waits = wait_again_and_again(room, loops, kind)
    assert max(waits) <= 0.4, waits
    assert sorted(waits)[20] <= 0.15, waits


def test_a_classmate_is_known_for_short_runs_also_where_the_machine_is_slow() -> None:
    room = Class(capacity_of(concurrency=2, begun=36, reserve=2))
    room.run_short("ann")
    loops = Loops(room, COOKIES)
    loops.go_on(30.0)
    waits = [loops.wait_beside(room.order("ann"), SLOW_RUN_SECONDS) for _ in range(20)]
    assert max(waits) <= 0.4, waits


def test_a_newcomer_does_not_wait_for_many_learners_whose_runs_are_short() -> None:
    room = Class(capacity_of(concurrency=2))
    learners = [f"quick-{number}" for number in range(20)]
    for learner in learners:
        room.run_short(learner)
    running = {learner: room.order(learner) for learner in learners}
    for number in range(20):
        newcomer = room.order(f"new-{number}")
        waited = 0.0
        while newcomer.state is not TicketState.RUNNING:
            repeat_short_runs(room, running)
            waited += STEP_SECONDS
        room.queue.leave(newcomer)
        assert waited <= 0.3
        for _ in range(50):
            repeat_short_runs(room, running)


def repeat_short_runs(room: Class, running: dict[str, Ticket]) -> None:
    """Do one step. Each learner whose run has had RUN_SECONDS ends it and orders the next one at once."""
    room.step()
    for learner, ticket in running.items():
        if ticket.charged_seconds >= RUN_SECONDS:
            room.queue.leave(ticket)
            running[learner] = room.order(learner)


@pytest.mark.parametrize(("begun", "reserve"), [(1, 0), (2, 0), (1, 1), (8, 2)])
def test_forty_honest_long_runs_all_end_on_a_small_machine(begun: int, reserve: int) -> None:
    room = Class(capacity_of(concurrency=2, begun=begun, reserve=reserve))
    tickets = {f"learner-{number}": room.order(f"learner-{number}") for number in range(40)}
    evictions = dict.fromkeys(tickets, 0)
    while tickets:
        room.step(LONG_STEP_SECONDS)
        for learner, ticket in list(tickets.items()):
            if ticket.refusal:
                evictions[learner] += 1
                tickets[learner] = room.order(learner)
            elif ticket.charged_seconds >= 3.0:
                room.queue.leave(tickets.pop(learner))
        assert room.seconds < 40 * 3.0 + 30.0
    assert max(evictions.values()) <= 1


@pytest.mark.parametrize("address", ["class", "elsewhere"])
def test_forty_submissions_at_once_all_end_and_none_is_evicted(address: str) -> None:
    """The machine has 8 GiB and two cores. A submission needs two children, beside which another learner's runs take turns."""
    room = Class(capacity_of(concurrency=2, begun=9, reserve=2))
    submissions = [room.order(f"learner-{number}", memory_bytes=2, graded=True) for number in range(40)]
    begun = room.seconds
    other = room.order("other", address)
    while submissions:
        room.step(LONG_STEP_SECONDS)
        assert not any(ticket.refusal for ticket in submissions)
        room.end(submissions, lambda ticket: ticket.charged_seconds >= 1.0)
        if other.refusal or other.charged_seconds >= 0.1:
            room.queue.leave(other)
            other = room.order("other", address)
        assert room.seconds < begun + 60.0


def test_a_submission_begins_although_endless_runs_of_its_address_hold_the_memory_once_one_of_them_ends() -> None:
    room = Class(capacity_of(concurrency=2, begun=9, reserve=2))
    attackers = room.attack(9, "class")
    room.go_on(attackers, 3.0)
    submission = room.order("ann", memory_bytes=2, graded=True)
    newcomer = room.order("bob", memory_bytes=2, address="elsewhere", graded=True)
    assert room.wait_for(newcomer) < 5.0  # an address that holds little has a reserve
    room.queue.leave(newcomer)
    for attacker in attackers[:2]:
        room.queue.leave(attacker)
    assert room.wait_for(submission) < 5.0
