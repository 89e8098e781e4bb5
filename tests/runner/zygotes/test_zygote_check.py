"""A zygote serves only if a child of it was refused every attack."""

import asyncio
import os
import socket
from typing import cast

import pytest

from app.protocol.channel import Over
from app.protocol.limits import Limits
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.runs.run_children import budget_of
from app.runner.zygotes.zygote_check import Unfit, examine
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.sandbox.cgroups.cgroup import Grant
from app.sandbox.framing import encode_frame
from tests.sandbox.test_assessment import FULL


class StandIn:
    """A zygote with one child. The child reports no attack, and then sends `answer`."""

    host = FULL
    confined = True

    def __init__(self, answer: bytes, ready: Exception | None = None) -> None:
        self.alive = True
        ours, self._theirs = socket.socketpair()
        reader, self._writer = os.pipe()
        self.child = Watched(0, budget_of(Limits()), None, None, ours, reader, os.dup(reader))
        if ready:
            self.child.ready.set_exception(ready)
        else:
            self.child.ready.set_result(None)
        self._theirs.sendall(answer)
        self._theirs.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._theirs.close()
        os.close(self._writer)


class Watched(ChildHandle):
    killed = False

    def kill(self) -> None:
        self.killed = True


async def examine_stand_in(stand_in: StandIn) -> None:
    try:
        await examine(cast(ZygoteHandle, stand_in), Grant(), lambda: stand_in.child)
    finally:
        stand_in.close()
        assert stand_in.child.killed


@pytest.mark.parametrize("answer", [encode_frame(Over(ending="finished")), b""])
def test_a_child_that_does_not_say_that_it_was_refused_is_not_trusted(answer: bytes) -> None:
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
            await examine_stand_in(StandIn(b"", OSError("no room")))

    asyncio.run(scenario())
