"""A zygote serves only if a child of it was refused every attack."""

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from app.protocol.channel import Over
from app.protocol.limits import Limits
from app.protocol.run import Program
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.conversation.streams import Listener
from app.runner.runs.run_task import budget_of
from app.runner.zygotes.fitness import Unfit, examine
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.sandbox.cgroup import Grant
from tests.sandbox.test_assessment import FULL


class StandIn:
    """A zygote and its child in one. The child says nothing of the attacks, and ends as `answer` does."""

    host = FULL
    confined = True
    budget = budget_of(Limits())

    def __init__(self, answer: Callable[[Listener], None], ready: Exception | None = None) -> None:
        self.alive = True
        self.killed = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answer = answer
        if ready:
            self.ready.set_exception(ready)
        else:
            self.ready.set_result(None)

    def execute(self, program: Program, output_bytes: int, displays_bytes: int, listener: Listener) -> None:
        self._answer(listener)

    def kill(self) -> None:
        self.killed = True

    def close(self) -> None:
        pass


async def examine_stand_in(stand_in: StandIn) -> None:
    try:
        await examine(cast(ZygoteHandle, stand_in), Grant(), lambda: cast(ChildHandle, stand_in))
    finally:
        assert stand_in.killed


@pytest.mark.parametrize("answer", [lambda listener: listener.on_over(Over(ending="finished")), lambda listener: listener.on_gone()])
def test_a_child_that_does_not_say_that_it_was_refused_is_not_trusted(answer: Callable[[Listener], None]) -> None:
    async def scenario() -> None:
        with pytest.raises(Unfit, match="did not refuse") as caught:
            await examine_stand_in(StandIn(answer))
        assert not caught.value.report.safe
        assert caught.value.report.checks
        assert not any(check.passed for check in caught.value.report.checks)

    asyncio.run(scenario())


def test_a_child_that_never_gets_ready_makes_its_zygote_unfit() -> None:
    async def scenario() -> None:
        with pytest.raises(ChildLost, match="no room"):
            await examine_stand_in(StandIn(lambda listener: None, OSError("no room")))

    asyncio.run(scenario())
