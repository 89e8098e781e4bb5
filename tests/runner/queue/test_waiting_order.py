"""Positions in the queue, and who is told of them."""

import asyncio

import pytest

from app.runner.queue.ticket import Ticket
from tests.runner.queue.timed_queue import queue_of


def test_leaving_the_queue_moves_the_others_up() -> None:
    queue = queue_of()
    queue.enter("ann", "host")
    bob, cyd = queue.enter("bob", "host"), queue.enter("cyd", "host")
    assert (bob.position, cyd.position) == (2, 1)
    queue.leave(cyd)
    assert (bob.position, len(queue), queue.active) == (1, 1, 1)


def test_positions_are_told_as_they_change() -> None:
    async def scenario() -> list[int]:
        queue = queue_of()
        keeper = asyncio.create_task(queue.report_positions())
        tickets = [queue.enter(str(n), "host") for n in range(3)]
        positions = tickets[1].positions()
        first = await anext(positions)
        queue.leave(tickets[0])
        assert tickets[1].position == 1  # who reads it before it is told keeps nobody from being told
        told = [first, await anext(positions)]
        queue.leave(tickets[2])
        told += [position async for position in positions]
        keeper.cancel()
        return told

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


def test_only_those_whose_positions_have_changed_are_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> list[str]:
        queue = queue_of()
        woken: list[str] = []
        _, *waiting = (queue.enter(learner, "host") for learner in ("ann", "bob", "cyd", "dan"))
        followed = [asyncio.create_task(collect(ticket)) for ticket in waiting]
        await asyncio.sleep(0)  # each has been told its position
        monkeypatch.setattr(Ticket, "wake", lambda ticket: woken.append(ticket.owner.learner))
        queue.leave(waiting[1])
        keeper = asyncio.create_task(queue.report_positions())
        await asyncio.sleep(0)
        for task in (keeper, *followed):
            task.cancel()
        return woken

    assert asyncio.run(scenario()) == ["bob"]
