"""Background runs get what nobody else needs, and change nothing for anybody."""

import contextlib
import functools

import pytest

from app.runner.client import RunGaveWay
from app.runner.queue.caps import QueueCaps
from app.runner.queue.run_queue import RunQueue
from tests.runner.queue.class_queue import Class, capacity_of, is_running
from tests.runner.queue.timed_queue import QUANTUM_SECONDS, states, timed_queue


def refuses_background(queue: RunQueue, learner: str = "bob", memory_bytes: int = 1) -> bool:
    try:
        queue.leave(queue.enter_background(learner, "host", memory_bytes))
    except RunGaveWay:
        return True
    return False


def test_a_background_run_gets_a_free_place() -> None:
    queue, _ = timed_queue()
    second = queue.enter_background("ann", "host", 1)
    assert states(second) == ["running"]
    assert (queue.active, len(queue)) == (1, 0)
    queue.leave(second)
    assert (queue.active, queue.unpromised_bytes) == (0, 100)


def test_a_background_run_is_refused_if_no_place_is_free() -> None:
    queue, _ = timed_queue()
    queue.enter("ann", "host")
    assert refuses_background(queue)
    assert (len(queue), queue.active) == (0, 1)


def test_a_background_run_is_refused_while_somebody_waits() -> None:
    queue, _ = timed_queue(concurrency=2, learner=1)
    for _ in range(2):
        queue.enter("ann", "host")  # the second one waits, because a learner may have only one that has begun
    assert (queue.active, len(queue)) == (1, 1)
    assert refuses_background(queue)


def test_a_background_run_is_refused_while_a_run_waits_for_its_runtime() -> None:
    queue, _ = timed_queue(concurrency=2)
    queue.enter("ann", "host", deferred=True)
    assert refuses_background(queue)


def test_a_background_run_is_refused_if_there_is_too_little_memory_for_anybody() -> None:
    queue, _ = timed_queue(concurrency=3, begun=10, reserve=5)
    queue.enter("ann", "host", 8)
    assert refuses_background(queue, memory_bytes=3)
    assert not refuses_background(queue, memory_bytes=2)


def test_background_runs_are_promised_memory_together() -> None:
    queue, _ = timed_queue(concurrency=3, begun=10)
    queue.enter_background("ann", "host", 8)
    assert refuses_background(queue, memory_bytes=3)
    assert not refuses_background(queue, memory_bytes=2)


def test_where_nothing_is_promised_a_background_run_may_ask_for_any_memory() -> None:
    queue, _ = timed_queue(begun=10)
    assert not refuses_background(queue, memory_bytes=11)


def test_a_learner_has_one_background_run_at_a_time() -> None:
    queue, _ = timed_queue(concurrency=3)
    first = queue.enter_background("ann", "host", 1)
    assert refuses_background(queue, "ann")
    assert not refuses_background(queue, "bob")
    queue.leave(first)
    assert not refuses_background(queue, "ann")


@pytest.mark.parametrize("learner", ["ann", "bob"])
def test_a_background_run_ends_at_once_when_anybody_needs_its_place(learner: str) -> None:
    queue, _ = timed_queue()
    second, told = queue.enter_background("ann", "host", 1), []
    second.on_state_change = lambda: told.append(second.refusal)
    first = queue.enter(learner, "host")
    assert states(first, second) == ["running", "vacated"]
    assert told == ["gave_way"]
    queue.leave(second)
    queue.leave(first)
    assert states(second) == ["vacated"]
    assert (queue.active, queue.unpromised_bytes) == (0, 100)


def test_a_background_run_stays_while_another_place_is_free() -> None:
    queue, clock = timed_queue(concurrency=2)
    second = queue.enter_background("ann", "host", 1)
    queue.enter("bob", "host")
    clock.seconds = 100 * QUANTUM_SECONDS
    queue.take_turns()
    assert states(second) == ["running"]


def test_the_newest_background_run_ends_first() -> None:
    queue, _ = timed_queue(concurrency=2)
    older, newer = (queue.enter_background(learner, "host", 1) for learner in ("ann", "bob"))
    queue.enter("cid", "host")
    assert states(older, newer) == ["running", "vacated"]


def test_a_background_run_ends_for_one_that_is_no_longer_deferred() -> None:
    queue, _ = timed_queue()
    second = queue.enter_background("ann", "host", 1)
    first = queue.enter("bob", "host", deferred=True)
    assert states(first, second) == ["waiting", "running"]
    queue.undefer(first)
    assert states(first, second) == ["running", "vacated"]


def test_a_background_run_ends_when_somebody_needs_its_memory_and_they_begin_once_its_child_is_gone() -> None:
    queue, _ = timed_queue(concurrency=3, begun=10)
    second = queue.enter_background("ann", "host", 8)
    first = queue.enter("bob", "host", 9)
    assert states(first, second) == ["waiting", "vacated"]
    queue.leave(second)
    assert states(first) == ["running"]


def test_the_memory_of_a_background_run_brings_nobody_on_trial() -> None:
    queue, clock = timed_queue(concurrency=9, begun=3, reserve=1)
    first = queue.enter("ann", "host")
    second = queue.enter_background("bob", "host", 2)
    others = [queue.enter(learner, "host") for learner in ("cid", "dan")]
    clock.seconds = 2 * QUANTUM_SECONDS  # by now all are long
    newcomers = [queue.enter(learner, learner) for learner in ("eve", "fay", "gil")]
    queue.leave(second)
    queue.take_turns()
    assert states(first, *others) == ["running"] * 3  # one on trial would have been evicted for a newcomer
    assert sorted(states(*newcomers)) == ["running", "running", "waiting"]


def test_no_run_on_trial_is_evicted_in_place_of_a_background_run() -> None:
    queue, clock = timed_queue(concurrency=5, begun=3, reserve=1)
    runs = [queue.enter(learner, "host") for learner in ("ann", "bob")]
    second = queue.enter_background("cid", "host", 1)
    runs += [queue.enter(learner, "host") for learner in ("dan", "eve")]  # eve's is on trial
    clock.seconds = 2 * QUANTUM_SECONDS
    last = queue.enter("fay", "elsewhere")
    assert states(*runs, second, last) == [*["running"] * 4, "vacated", "waiting"]
    queue.leave(second)
    assert states(*runs, last) == [*["running"] * 4, "running"]


def test_a_background_run_is_charged_to_nobody_and_changes_no_priority() -> None:
    """What happens to two learners afterwards is the same, whether one of them has had background runs or not."""

    def play(background: bool) -> list[list[str]]:
        queue, clock = timed_queue()
        for _ in range(5):
            if background:
                second = queue.enter_background("ann", "host", 1)
                queue.start(second)
                clock.seconds += 100 * QUANTUM_SECONDS
                queue.charge(second, 100.0)
                queue.take_turns()
                queue.leave(second)
                queue.charge(second, 100.0)  # a drawing that ends later
            else:
                clock.seconds += 100 * QUANTUM_SECONDS
        runs, seen = [queue.enter(learner, "host") for learner in ("ann", "bob")], []
        for _ in range(40):
            clock.seconds += QUANTUM_SECONDS / 2
            queue.take_turns()
            seen.append([*states(*runs), str(queue.is_short(runs[0]))])
        return seen

    assert play(background=True) == play(background=False)


def test_a_learner_whose_runs_are_short_stays_short_after_a_long_background_run() -> None:
    queue, clock = timed_queue()
    queue.leave(queue.enter("ann", "host"))
    second = queue.enter_background("ann", "host", 1)
    assert not queue.is_short(second)  # its child leaves spares and processor to others
    clock.seconds = 1000 * QUANTUM_SECONDS
    queue.leave(second)
    assert queue.is_short(queue.enter("ann", "host"))


def test_a_background_run_leaves_no_account_behind() -> None:
    queue, _ = timed_queue()
    queue.leave(queue.enter_background("ann", "host", 1))
    assert len(queue._accounts._addresses) == 0
    assert not queue._accounts._learners


def test_background_runs_count_in_no_cap_and_in_nothing_that_a_learner_may_have_begun() -> None:
    queue, _ = timed_queue(concurrency=3, learner=1, caps=QueueCaps(learner=0, address=0, overall=0))
    queue.enter_background("ann", "host", 1)
    assert states(queue.enter("ann", "host")) == ["running"]


def test_a_background_run_that_is_left_early_gives_its_place_back() -> None:
    queue, _ = timed_queue()
    second = queue.enter_background("ann", "host", 1)
    queue.vacate(second)
    assert queue.active == 0
    assert queue.unpromised_bytes == 99  # its child may be there still
    queue.leave(second)
    assert queue.unpromised_bytes == 100


def test_waits_are_the_same_with_a_thousand_requests_for_background_runs_and_without_any() -> None:
    """A class of forty presses Run five times; all the time, one learner asks for background runs."""

    def play(requests: int) -> tuple[list[float], int]:
        room, waits, begun = Class(capacity_of(begun=8)), [], 0
        for _ in range(5):
            begun += ask_for_background(room, requests)
            runs = [room.order(f"learner-{number}") for number in range(40)]
            since = room.seconds
            while runs:
                waits += [room.seconds - since for run in runs if is_running(run)]
                room.end(runs, is_running)
                begun += ask_for_background(room, requests)
                room.step()
            room.step(10.0)
        return waits, begun

    waits, begun = play(10)
    assert begun > 5
    assert (waits, 0) == play(0)


def ask_for_background(room: Class, requests: int) -> int:
    """Request background runs of one learner. They never end by themselves. Return how many have begun."""
    begun = 0
    for _ in range(requests):
        with contextlib.suppress(RunGaveWay):
            ticket = room.queue.enter_background("hog", "class", 1)
            ticket.on_state_change = functools.partial(room.evicted.append, ticket)
            begun += 1
    return begun
