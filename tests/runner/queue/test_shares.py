"""The queue between many: shares of addresses and learners, who is refused, and what memory is promised."""

import contextlib
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.protocol.owner import Owner
from app.runner.queue.account_tree import AccountTree
from app.runner.queue.caps import CapReached, QueueCaps
from app.runner.queue.contenders import Contenders
from app.runner.queue.flows import Flow
from app.runner.queue.places import Places
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket, TicketState

QUANTUM_SECONDS = 0.25
STEP_SECONDS = 0.01  # the shortest wait of the queue's own
LONG_STEP_SECONDS = 0.05


class Class:
    """A queue in which every child is ready at once, and a clock that runs in steps."""

    def __init__(self, places: Places, caps: QueueCaps | None = None) -> None:
        self.seconds = 0.0
        self.queue = RunQueue(places, caps or QueueCaps(overall=1000, address=1000), lambda: self.seconds)
        self.used: Counter[str] = Counter()  # by address

    def order(self, learner: str, address: str = "class", memory_bytes: int = 1) -> Ticket:
        ticket = self.queue.enter(learner, address, memory_bytes)
        self.queue.start(ticket)
        return ticket

    def run_short(self, learner: str, address: str = "class") -> None:
        """Something that takes no time; then they think for a while."""
        self.queue.leave(self.order(learner, address))
        self.seconds += 10.0

    def attack(self, count: int, address: str) -> list[Ticket]:
        """As many learners, each with a run that never ends."""
        return [self.order(f"attacker-{number}", address) for number in range(count)]

    def wait_for(self, ticket: Ticket, patience_seconds: float = 60.0, tried: list[Ticket] | None = None) -> float:
        """How long it took the ticket to hold a place. `tried`: runs that end when they are evicted."""
        start = self.seconds
        while ticket.state is not TicketState.RUNNING:
            self.step()
            self.end(tried or [], is_evicted)
            assert self.seconds < start + patience_seconds
        return self.seconds - start

    def end(self, tickets: list[Ticket], is_over: Callable[[Ticket], bool]) -> None:
        """Those of the runs leave that are over by now."""
        for ticket in [each for each in tickets if is_over(each)]:
            tickets.remove(ticket)
            self.queue.leave(ticket)

    def step(self, seconds: float = STEP_SECONDS) -> None:
        self.seconds += seconds
        self.queue.take_turns()

    def go_on(self, tickets: list[Ticket], seconds: float) -> None:
        end = self.seconds + seconds
        while self.seconds < end:
            self.step(LONG_STEP_SECONDS)
            self.used.update(ticket.owner.address for ticket in tickets if ticket.state is TicketState.RUNNING)


def is_evicted(ticket: Ticket) -> bool:
    return ticket.refusal == "memory"


def is_running(ticket: Ticket) -> bool:
    """Where each run is short, it is over as soon as it is looked at."""
    return ticket.state is TicketState.RUNNING


def places(concurrency: int = 2, begun: int = 40, reserve: int = 2, learner: int = 1) -> Places:
    return Places(concurrency=concurrency, begun_bytes=begun, reserve_bytes=reserve, learner=learner, quantum_seconds=QUANTUM_SECONDS)


def test_two_addresses_share_alike_however_many_learners_each_has() -> None:
    room = Class(places(begun=400))
    tickets = [*room.attack(170, "elsewhere"), *(room.order(f"learner-{number}") for number in range(40))]
    room.go_on(tickets, 30.0)
    assert room.used["class"] == pytest.approx(room.used["elsewhere"], rel=0.05)


def test_learners_of_one_address_share_alike() -> None:
    room = Class(places(concurrency=1, begun=400))
    tickets = [room.order(learner) for learner in ("ann", "bob", "cyd")]
    used = Counter[str]()
    for _ in range(3000):
        room.step()
        used.update(ticket.owner.learner for ticket in tickets if ticket.state is TicketState.RUNNING)
    assert max(used.values()) - min(used.values()) <= 2 * QUANTUM_SECONDS / STEP_SECONDS


@pytest.mark.parametrize("address", ["class", "elsewhere"])
def test_who_ran_short_things_before_goes_at_once_wherever_the_attackers_are(address: str) -> None:
    room = Class(places())
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
    room = Class(places())
    room.go_on(room.attack(170, "elsewhere"), 20.0)
    for number in range(10):
        newcomer = room.order(f"newcomer-{number}")
        assert room.wait_for(newcomer) <= 3 * STEP_SECONDS
        room.queue.leave(newcomer)
        room.go_on([], 0.5)


def test_a_newcomer_among_the_attackers_goes_before_them_while_memory_lasts() -> None:
    room = Class(places(begun=400))
    room.go_on(room.attack(170, "class"), 20.0)
    assert room.wait_for(room.order("newcomer")) <= 0.1


def test_a_new_run_takes_no_place_from_one_that_is_as_new() -> None:
    room = Class(places(concurrency=1))
    first = room.order("ann")
    second = room.order("bob")
    assert 0.1 - STEP_SECONDS <= room.wait_for(second) <= 0.1 + 2 * STEP_SECONDS
    assert first.state is TicketState.PAUSED


# who is refused


def test_of_those_with_as_many_runs_waiting_who_used_most_makes_room() -> None:
    room = Class(places(concurrency=1, begun=1, reserve=0), QueueCaps(address=2))
    endless = room.order("heavy")
    room.order("first")
    room.go_on([], 5.0)
    room.queue.leave(endless)
    waiting = [room.order(learner) for learner in ("heavy", "second", "third")]
    assert [ticket.refusal for ticket in waiting] == ["address", None, None]
    with pytest.raises(CapReached, match="address"):  # it used no less than they did, and came last
        room.order("fourth")


def test_a_learner_who_used_little_is_not_refused_for_attackers_who_fill_the_address() -> None:
    room = Class(places(concurrency=1, begun=1, reserve=0), QueueCaps(address=100))
    room.run_short("ann")
    attackers = room.attack(101, "class")
    assert room.order("ann").state is TicketState.WAITING
    assert [ticket.refusal for ticket in attackers].count("address") == 1


def test_whoever_has_most_waiting_makes_room_and_is_told() -> None:
    room = Class(places(concurrency=1, begun=1), QueueCaps(overall=100, learner=5, address=4))
    room.order("first", "elsewhere")
    greedy = [room.order("greedy") for _ in range(4)]
    modest = room.order("modest")
    assert modest.state is TicketState.WAITING
    assert [ticket.refusal for ticket in greedy] == [None, None, None, "address"]
    room.queue.leave(greedy[3])  # as its run does when it notices
    assert len(room.queue) == 4


def test_the_address_with_most_waiting_makes_room_for_others() -> None:
    room = Class(places(concurrency=1, begun=1), QueueCaps(overall=10, learner=5, address=100))
    attackers = room.attack(11, "elsewhere")
    assert room.order("ann").state is TicketState.WAITING
    assert [ticket.refusal for ticket in attackers].count("overall") == 1


# memory


def test_a_run_that_is_promised_more_counts_for_more() -> None:
    room = Class(places(concurrency=4, begun=4, reserve=0))
    tickets = [room.order("ann", memory_bytes=2), room.order("bob"), room.order("cyd", memory_bytes=2), room.order("dan")]
    assert [ticket.state.name for ticket in tickets] == ["RUNNING", "RUNNING", "WAITING", "RUNNING"]
    room.queue.leave(tickets[1])
    room.queue.leave(tickets[3])
    assert tickets[2].state is TicketState.RUNNING


def test_one_run_goes_however_much_it_is_promised() -> None:
    room = Class(places(begun=1, reserve=0))
    first, second = room.order("ann", memory_bytes=3), room.order("bob", memory_bytes=3)
    assert (first.state, second.state) == (TicketState.RUNNING, TicketState.WAITING)
    room.queue.leave(first)
    assert second.state is TicketState.RUNNING


def test_one_address_leaves_memory_for_others() -> None:
    room = Class(places(concurrency=2, begun=4, reserve=1))
    room.go_on(room.attack(10, "elsewhere"), 5.0)
    assert room.queue.paused + room.queue.active == 4
    ann = room.order("ann")
    assert room.wait_for(ann) <= 3 * STEP_SECONDS
    assert room.order("bob").state is TicketState.WAITING  # the class has what was left for it


# what was given up


def test_a_run_whose_child_is_still_being_cleared_away_keeps_its_learner_from_the_next() -> None:
    room = Class(places(concurrency=2, learner=1))
    left, next_one, other = room.order("ann"), room.order("ann"), room.order("bob")
    room.queue.vacate(left)
    assert (next_one.state, other.state, room.queue.active) == (TicketState.WAITING, TicketState.RUNNING, 1)
    room.queue.leave(left)
    assert next_one.state is TicketState.RUNNING


def test_what_is_done_for_a_learner_who_has_left_is_charged() -> None:
    room = Class(places(concurrency=1))
    room.order("first")
    abandoned = room.order("ann")
    room.queue.leave(abandoned)
    room.queue.charge(abandoned, 5.0)
    again, other = room.order("ann"), room.order("bob")
    assert (again.position, other.position) == (2, 1)


# all of it

_OWNERS = st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz"))
_ORDERS = st.tuples(st.sampled_from(["order", "order", "wait for a child"]), _OWNERS, st.integers(1, 3))
_OTHERS = st.tuples(st.sampled_from(["leave", "vacate", "start", "charge", "pass"]), st.integers(0, 50), st.integers(0, 40))


@given(st.lists(st.one_of(_ORDERS, _OTHERS), max_size=60))
@settings(max_examples=200, deadline=None)
def test_whatever_happens_every_bound_holds_and_everything_comes_back(steps: list[tuple[str, object, int]]) -> None:
    given_places = places(concurrency=2, begun=5, reserve=2, learner=2)
    room = Class(given_places, QueueCaps(overall=6, learner=2, address=4))
    held: list[Ticket] = []
    for kind, what, number in steps:
        if isinstance(what, tuple):
            with contextlib.suppress(CapReached):
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
        check(room.queue, held, given_places)
    for ticket in held:
        room.queue.leave(ticket)
    assert (len(room.queue), room.queue.active, room.queue.paused) == (0, 0, 0)
    assert room.order("newcomer").state is TicketState.RUNNING


def check(queue: RunQueue, held: list[Ticket], given_places: Places) -> None:
    states = Counter(ticket.state for ticket in held)
    begun = [ticket for ticket in held if ticket.state in (TicketState.RUNNING, TicketState.PAUSED, TicketState.VACATED)]
    waiting = [ticket for ticket in held if ticket.state is TicketState.WAITING]
    promised = sum(ticket.memory_bytes for ticket in begun)
    assert (len(queue), queue.active, queue.paused) == (len(waiting), states[TicketState.RUNNING], states[TicketState.PAUSED])
    assert queue.active <= given_places.concurrency
    assert len(waiting) <= 6
    assert promised <= given_places.memory_bytes or len(begun) == 1
    assert sorted(ticket.position for ticket in waiting) == list(range(1, len(waiting) + 1))
    assert all(count <= 4 for count in Counter(ticket.owner.address for ticket in waiting).values())
    assert all(count <= 2 for count in Counter(ticket.owner for ticket in begun).values())
    if queue.active < given_places.concurrency:
        assert not states[TicketState.PAUSED]
        assert begun or not waiting
    assert found(queue._scheduler._contenders) == found(sorted_anew(queue, given_places))


def sorted_anew(queue: RunQueue, given_places: Places) -> Contenders:
    """What the queue keeps sorted as it changes, sorted from nothing."""
    queue._flows.changed.update(flow.owner for flow in queue._flows)
    return Contenders(queue._flows, queue._accounts, queue._promises, given_places)


def found(contenders: Contenders) -> tuple[list[Flow], bool, bool]:
    return contenders.find("xyz"), contenders.lack_memory(), contenders.lack_trials()


def test_an_address_is_remembered_and_the_longest_silent_ones_are_forgotten() -> None:
    tree = AccountTree(QUANTUM_SECONDS)
    for number in range(1000):
        owner = Owner(str(number), "ann")
        tree.open(owner, now=0.0)
        tree.charge(owner, 1.0)
        tree.close(owner, now=0.0)
    first, last = Owner("0", "ann"), Owner("999", "ann")
    for owner in (first, last):
        tree.open(owner, now=0.0)
    assert tree[last][1] == 1.0
    assert tree[first][1] == 0.0


def test_newcomers_among_attackers_who_hold_all_memory_wait_for_one_run_and_not_for_all() -> None:
    room, deadline_seconds = Class(places(begun=40)), 10.0
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


# trials


@pytest.mark.parametrize("reserve", [1, 2, 4])
def test_newcomers_among_attackers_who_hold_all_memory_begin_within_seconds(reserve: int) -> None:
    room = Class(places(begun=38, reserve=reserve))
    attackers = room.attack(44, "class")
    room.go_on([], 3.0)
    newcomers = [room.order(f"newcomer-{number}") for number in range(40)]
    start = room.seconds
    while newcomers:
        assert room.seconds < start + 10.0
        room.step()
        room.end(attackers, is_evicted)
        room.end(newcomers, is_running)
    assert len(attackers) >= 38  # who had begun before goes on


def test_a_long_run_on_trial_is_kept_when_there_is_room_by_then() -> None:
    room = Class(places(concurrency=2, begun=1, reserve=1))
    first, tried = room.order("first"), room.order("second")
    assert tried.state is TicketState.RUNNING
    room.queue.leave(first)
    room.go_on([], 2.0)
    third = room.order("third")  # has the memory of the trial, and the trial has what `first` had
    assert (tried.refusal, third.state) == (None, TicketState.RUNNING)


def test_a_long_run_on_trial_ends_only_for_somebody_who_can_use_its_memory_and_then_waits_its_turn() -> None:
    room = Class(places(concurrency=2, begun=1, reserve=1))
    kept, tried = room.order("first"), room.order("second")
    room.go_on([], 2.0)
    assert tried.refusal is None
    third = room.order("third")
    room.step()
    assert (tried.refusal, tried.state, third.state) == ("memory", TicketState.VACATED, TicketState.WAITING)
    room.queue.leave(tried)
    assert third.state is TicketState.RUNNING
    again = room.order("second")  # its last run was long: no other trial
    room.go_on([], 3.0)
    assert (again.state, third.refusal) == (TicketState.WAITING, None)
    room.queue.leave(kept)
    room.step()
    assert again.state is TicketState.WAITING  # the one on trial was kept
    room.queue.leave(third)
    assert again.state is TicketState.RUNNING


def test_a_trial_that_was_paused_goes_on_before_runs_that_are_no_trials() -> None:
    room = Class(places(concurrency=1, begun=3, reserve=1))
    loops = [room.order(f"loop-{number}") for number in range(3)]
    tried = room.order("tried")
    room.wait_for(tried)
    room.go_on(loops, 1.0)  # nobody waits for memory: all share alike
    waiting = room.order("newcomer")
    start = room.seconds
    while tried.refusal is None:
        room.step()
        assert room.seconds < start + 1.5
    room.queue.leave(tried)
    assert room.wait_for(waiting) <= 0.2


def test_learners_in_credit_find_memory_although_cookies_fill_what_is_kept_for_trials() -> None:
    room = Class(places(begun=10, reserve=2))
    for name in ("ann", *(f"attacker-{number}" for number in range(20))):
        room.run_short(name, "class")
    attackers = room.attack(20, "class")  # each in credit once: those that wait before her have a second each
    for patience_seconds in (7.0, *[0.5] * 10):
        ann = room.order("ann")
        room.wait_for(ann, patience_seconds, attackers)
        room.queue.leave(ann)
        room.go_on(attackers, 1.0)
        room.end(attackers, is_evicted)


def test_a_trial_that_has_no_child_yet_and_a_run_that_is_none_do_not_take_turns_for_ever() -> None:
    room = Class(places(concurrency=1, begun=1, reserve=1))
    loop = room.order("loop")
    tried = room.queue.enter("tried", "class", 1)
    room.wait_for(tried)
    room.order("newcomer")
    room.queue.charge(tried, 2.0)  # another cookie's doing, say
    room.go_on([], 1.0)
    assert (loop.state, tried.state) == (TicketState.PAUSED, TicketState.RUNNING)


def test_who_ran_short_things_before_does_not_lose_all_credit_with_one_slow_run() -> None:
    room = Class(places(concurrency=2, begun=10, reserve=2))
    for _ in range(3):
        room.run_short("ann")
    attackers = room.attack(40, "class")
    for is_slow in (False, True, False, False):
        ann = room.order("ann")
        room.wait_for(ann, 1.0, attackers)
        room.seconds += 2 * QUANTUM_SECONDS if is_slow else STEP_SECONDS
        room.queue.leave(ann)
        room.go_on(attackers, 1.0)
        room.end(attackers, is_evicted)
    assert ann.refusal is None


def test_who_has_thought_for_long_enough_may_try_again() -> None:
    room = Class(places(concurrency=2, begun=1, reserve=1))
    room.order("first")
    for seconds, state in ((0.0, TicketState.RUNNING), (5.0, TicketState.WAITING), (11.0, TicketState.RUNNING)):
        room.seconds += seconds
        again = room.order("second")
        assert again.state is state
        room.go_on([], 2.0)
        room.queue.leave(again)  # by itself, and long where it ran
