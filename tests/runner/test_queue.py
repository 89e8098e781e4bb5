"""The queue: turns, positions and caps."""

import asyncio

import pytest

from app.runner.queue import CapReached, QueueCaps, RunQueue, Ticket


def queue_of(concurrency: int = 1, **caps: int) -> RunQueue:
    return RunQueue(concurrency, QueueCaps(**caps))


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
        ({"learner": 3}, "aaaa", "wxyz", "learner"),
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
        tickets = [queue.enter(str(n), "host") for n in range(3)]
        seen = asyncio.create_task(collect(tickets[2]))
        await asyncio.sleep(0)
        for ticket in tickets[:2]:
            queue.leave(ticket)
            await asyncio.sleep(0)
        return await seen

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


async def collect(ticket: Ticket) -> list[int]:
    return [position async for position in ticket.positions()]
