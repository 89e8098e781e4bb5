"""A run whose reader leaves, and a child that never begins."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import anyio
import pytest

from app.protocol.limits import Limits
from app.protocol.run import Program, RunOrder, Source
from app.runner.conversation.child_handle import ChildLost
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps
from app.runner.queue.run_queue import RunQueue
from app.runner.runs.attempt import Attempt
from app.runner.runs.run_task import RunTask
from app.runner.zygotes.pool import Pool
from tests.runner.forged.liar import NoLayout, Pipes

ORDER = RunOrder(program=Program(source=Source(text="1")))
ONE_PLACE = Capacity(concurrency=1, begun_bytes=1, reserve_bytes=0, learner=1)


def test_nothing_of_a_run_is_counted_for_a_reader_who_is_cancelled_as_web_servers_do() -> None:
    async def scenario() -> list[int]:
        unread: list[int] = []
        over, heard = asyncio.Event(), asyncio.Event()
        queue = RunQueue(ONE_PLACE, QueueCaps())
        queue.enter("ann", "here", 1)  # has the only place
        ticket = queue.enter("bob", "here", 1)
        pool, layout = cast(Pool, None), cast(LayoutWorkers, None)  # a run that waits needs neither
        run = RunTask(ORDER, ticket, queue, pool, layout, lambda _, unread_bytes: unread.append(unread_bytes), lambda *_: over.set())

        async def read(pieces: AsyncGenerator[bytes, None]) -> None:
            async with aclosing(pieces):
                async for _ in pieces:
                    heard.set()

        async with asyncio.timeout(30), anyio.create_task_group() as group:
            group.start_soon(read, run.pieces())
            await heard.wait()
            group.cancel_scope.cancel()
        await over.wait()
        await asyncio.sleep(0)
        return unread

    assert asyncio.run(scenario())[-1] == 0


def test_a_child_that_does_not_begin_in_time_is_lost_and_no_fault_of_the_program() -> None:
    limits = Limits(deadline_seconds=0.05)

    async def scenario() -> None:
        pipes = Pipes()
        tried = Attempt(
            RunOrder(program=ORDER.program, limits=limits), pipes.child, Pictures(cast(LayoutWorkers, NoLayout()), limits, "en")
        )
        try:
            async for _ in tried.events():
                pass
        finally:
            pipes.close()

    with pytest.raises(ChildLost, match="did not begin"):
        asyncio.run(scenario())
