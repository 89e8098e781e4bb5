"""How much memory runs are promised, and which runs get it only on trial."""

from collections import Counter

import pytest

from app.runner.queue.ticket import Ticket, TicketState
from tests.runner.queue.class_queue import LONG_STEP_SECONDS, QUANTUM_SECONDS, STEP_SECONDS, Class, capacity_of, is_running
from tests.runner.queue.timed_queue import states, timed_queue


def test_memory_that_is_set_aside_is_not_promised() -> None:
    queue, _ = timed_queue(concurrency=4, begun=4)
    queue.set_aside(2)
    runs = [queue.enter(learner, "host") for learner in "abc"]
    assert [run.position for run in runs] == [0, 0, 1]
    queue.set_aside(0)
    assert runs[2].position == 0


def test_no_more_runs_begin_than_memory_allows_except_on_trial_for_who_used_little() -> None:
    queue, clock = timed_queue(begun=2, reserve=1)
    for learner in ("eve", "cyd"):
        ticket = queue.enter(learner, "host")
        clock.seconds += 4 * QUANTUM_SECONDS if learner == "cyd" else 0.0
        queue.leave(ticket)
    tickets = [queue.enter(learner, "host") for learner in ("ann", "bob", "cyd")]  # the last run of cyd was long
    for _ in range(20):
        clock.seconds += QUANTUM_SECONDS
        queue.take_turns()
    assert sorted(states(*tickets)) == ["paused", "running", "waiting"]
    assert states(queue.enter("eve", "host")) == ["running"]
    assert (queue.active, queue.paused) == (1, 2)


def test_a_run_that_is_promised_more_counts_for_more() -> None:
    room = Class(capacity_of(concurrency=4, begun=4, reserve=0))
    tickets = [room.order("ann", memory_bytes=2), room.order("bob"), room.order("cyd", memory_bytes=2), room.order("dan")]
    assert [ticket.state.name for ticket in tickets] == ["RUNNING", "RUNNING", "WAITING", "RUNNING"]
    room.queue.leave(tickets[1])
    room.queue.leave(tickets[3])
    assert tickets[2].state is TicketState.RUNNING


def test_one_run_goes_however_much_it_is_promised() -> None:
    room = Class(capacity_of(begun=1, reserve=0))
    first, second = room.order("ann", memory_bytes=3), room.order("bob", memory_bytes=3)
    assert (first.state, second.state) == (TicketState.RUNNING, TicketState.WAITING)
    room.queue.leave(first)
    assert second.state is TicketState.RUNNING


def test_one_address_leaves_memory_for_others() -> None:
    room = Class(capacity_of(concurrency=2, begun=4, reserve=1))
    room.go_on(room.attack(10, "elsewhere"), 5.0)
    assert room.queue.paused + room.queue.active == 5  # one of them on trial
    ann = room.order("ann")
    assert room.wait_for(ann) <= 3 * STEP_SECONDS
    assert room.order("bob").state is TicketState.WAITING  # the class has what was left for it


def test_newcomers_among_attackers_who_hold_all_memory_wait_for_one_run_and_not_for_all() -> None:
    room, deadline_seconds = Class(capacity_of(begun=40)), 10.0
    attackers = room.attack(44, "class")
    ran: Counter[Ticket] = Counter()
    room.go_on([], 3.0)
    newcomers = [room.order(f"newcomer-{number}") for number in range(20)]
    left = room.seconds + 60.0
    while newcomers:
        assert room.seconds < left
        room.step(LONG_STEP_SECONDS)
        ran.update(ticket for ticket in attackers if ticket.state is TicketState.RUNNING)
        room.end(attackers, lambda ticket: ran[ticket] * LONG_STEP_SECONDS >= deadline_seconds)
        room.end(newcomers, is_running)
    assert room.seconds < 40.0  # four attackers wait beside them, and one run takes ten seconds


@pytest.mark.parametrize("reserve", [1, 2, 4])
def test_newcomers_among_attackers_who_hold_all_memory_begin_within_seconds(reserve: int) -> None:
    room = Class(capacity_of(begun=38, reserve=reserve))
    attackers = room.attack(44, "class")
    room.go_on([], 3.0)
    newcomers = [room.order(f"newcomer-{number}") for number in range(40)]
    start = room.seconds
    while newcomers:
        assert room.seconds < start + 10.0
        room.step()
        room.end(newcomers, is_running)
    assert sum(ticket.refusal is None for ticket in attackers) >= 38  # who had begun before goes on


def test_a_long_run_on_trial_is_kept_when_there_is_room_by_then() -> None:
    room = Class(capacity_of(concurrency=2, begun=1, reserve=1))
    first, tried = room.order("first"), room.order("second")
    assert tried.state is TicketState.RUNNING
    room.queue.leave(first)
    room.go_on([], 2.0)
    third = room.order("third")  # has the memory of the trial, and the trial has what `first` had
    assert (tried.refusal, third.state) == (None, TicketState.RUNNING)


def test_a_long_run_on_trial_ends_only_for_somebody_who_can_use_its_memory_and_then_waits_its_turn() -> None:
    room = Class(capacity_of(concurrency=2, begun=1, reserve=1))
    kept, tried = room.order("first"), room.order("second")
    room.go_on([], 2.0)
    assert tried.refusal is None
    third = room.order("third")
    room.queue.take_turns()
    assert (tried.refusal, tried.state, third.state) == ("memory", TicketState.VACATED, TicketState.WAITING)
    room.step()
    assert third.state is TicketState.RUNNING
    again = room.order("second")  # its last run was long: no other trial
    room.go_on([], 3.0)
    assert (again.state, third.refusal) == (TicketState.WAITING, None)
    room.queue.leave(kept)
    room.step()
    assert again.state is TicketState.WAITING  # the one on trial was kept
    room.queue.leave(third)
    assert again.state is TicketState.RUNNING


def test_a_run_on_trial_goes_on_before_long_ones_and_is_over_soon() -> None:
    room = Class(capacity_of(concurrency=1, begun=3, reserve=1))
    for number in range(3):
        room.wait_for(room.order(f"loop-{number}"))
    tried = room.order("tried")
    room.wait_for(tried)
    room.go_on([], 0.3)  # nobody waits for memory: all share alike
    assert room.wait_for(room.order("newcomer")) <= 0.2
    assert tried.refusal == "memory"


def test_learners_in_credit_find_memory_although_cookies_fill_what_is_kept_for_trials() -> None:
    room = Class(capacity_of(begun=10, reserve=2))
    for name in ("ann", *(f"attacker-{number}" for number in range(20))):
        room.run_short(name, "class")
    attackers = room.attack(20, "class")  # each in credit once: those that wait before her have a second each
    for patience_seconds in (7.0, *[0.5] * 10):
        ann = room.order("ann")
        room.wait_for(ann, patience_seconds)
        room.queue.leave(ann)
        room.go_on(attackers, 1.0)


def test_a_trial_that_has_no_child_yet_and_a_run_that_is_none_do_not_take_turns_for_ever() -> None:
    room = Class(capacity_of(concurrency=1, begun=1, reserve=1))
    loop = room.order("loop")
    tried = room.queue.enter("tried", "class", 1)
    room.wait_for(tried)
    room.order("newcomer")
    room.queue.charge(tried, 2.0)  # another cookie's doing, say
    room.go_on([], 1.0)
    assert (loop.state, tried.state) == (TicketState.PAUSED, TicketState.RUNNING)


def test_who_ran_short_things_before_does_not_lose_all_credit_with_one_slow_run() -> None:
    room = Class(capacity_of(concurrency=2, begun=10, reserve=2))
    for _ in range(3):
        room.run_short("ann")
    attackers = room.attack(40, "class")
    for is_slow in (False, True, False, False):
        ann = room.order("ann")
        room.wait_for(ann, 1.0)
        room.seconds += 2 * QUANTUM_SECONDS if is_slow else STEP_SECONDS
        room.queue.leave(ann)
        room.go_on(attackers, 1.0)
    assert ann.refusal is None


def test_who_has_thought_for_long_enough_may_try_again() -> None:
    room = Class(capacity_of(concurrency=2, begun=1, reserve=1))
    room.order("first")
    for seconds, state in ((0.0, TicketState.RUNNING), (5.0, TicketState.WAITING), (31.0, TicketState.RUNNING)):
        room.seconds += seconds
        again = room.order("second")
        assert again.state is state
        room.go_on([], 2.0)
        room.queue.leave(again)  # by itself, and long where it ran


def test_of_runs_on_trial_that_of_a_learner_whose_runs_are_short_is_spared() -> None:
    room = Class(capacity_of(concurrency=2, begun=3, reserve=2))
    room.run_short("ann")
    room.attack(3, "class")
    newcomers = [room.order("first"), room.order("second")]
    slow = room.order("ann")
    room.go_on([], 3.0)
    room.wait_for(room.order("third"))
    assert [ticket.refusal for ticket in (*newcomers, slow)] == ["memory", "memory", None]
