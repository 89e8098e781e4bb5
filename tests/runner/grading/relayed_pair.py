"""A relay between two children that the test itself plays, for cases that are too rare or too slow with real children."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

import msgspec

from app.protocol.channel import HEADER_BYTES, Down, Examine, Judged, Up
from app.protocol.grading import CheckResult, Examination, Rubric, Verdict
from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.owner import NOBODY
from app.protocol.run import Program, RunOrder, Source
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Caps
from app.runner.grading.message_broker import MessageBroker
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket, TicketState
from app.runner.runs.run_children import RunChildren
from app.runner.zygotes.pool import Pool
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.framing import encode_frame
from tests.patience import PATIENCE_SECONDS

BUDGET = Budget(memory_bytes=64 * MEBIBYTE, cpu_seconds=1, scratch_bytes=MEBIBYTE, scratch_inodes=16, threads=4)
ORDER = RunOrder(program=Program(source=Source(text="1 / 0")), limits=Limits(deadline_seconds=20))
CAPS = Caps(seconds=20, frame_bytes=1000, all_bytes=10_000, frames=100, output_bytes=1000)
EXAMINATION = Examination(exercise=Rubric(), sources=[], seed=1)
PASSED = Verdict(passed=True, checks=[CheckResult(id="a", passed=True)])


class Signalled(ChildHandle):
    """A handle whose messages come from the test, and whose signals are recorded and sent to nobody."""

    signals: list[int]

    def signal(self, number: int) -> None:
        self.signals.append(number)


class FakeChild:
    """The child's ends, and the runner's handle over the other ends."""

    def __init__(self) -> None:
        ours, self._channel = socket.socketpair()
        self._channel.setblocking(False)
        stdout, self._stdout = os.pipe()
        stderr, self._stderr = os.pipe()
        self.child = Signalled(0, BUDGET, None, None, ours, stdout, stderr)
        self.child.signals = []

    def send(self, *frames: Up) -> None:
        self._channel.send(b"".join(map(encode_frame, frames)))

    async def receive(self) -> Down:
        """Return the next frame that is sent to the child."""
        length = int.from_bytes(await self._receive_bytes(HEADER_BYTES))
        return msgspec.msgpack.decode(await self._receive_bytes(length), type=Down)

    async def _receive_bytes(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += await asyncio.get_running_loop().sock_recv(self._channel, count - len(data))
        return data

    def close(self) -> None:
        self.child.close()
        self._channel.close()
        os.close(self._stdout)
        os.close(self._stderr)


class Children(RunChildren):
    """Returns the test's children one after the other. Their conversations follow `ticket`, which the test changes."""

    def __init__(self, *fakes: FakeChild) -> None:
        self.ticket = Ticket(NOBODY, 0)
        super().__init__(cast(Pool, None), cast(RunQueue, None), self.ticket, ORDER.limits)
        self._left = [one.child for one in fakes]
        self.given_back: list[ChildHandle] = []

    async def take(self, limits: Limits | None = None) -> ChildHandle:
        return self._left.pop(0)

    def give_back(self, child: ChildHandle) -> None:
        self.given_back.append(child)

    def enter(self, state: TicketState) -> None:
        self.ticket.enter(state)
        self.follow_ticket()

    def stop(self) -> None:
        self.ticket.abandon()
        self.follow_ticket()


class RelayedPair:
    """A relay between a grader and a learner's child, with a fresh learner's child to replace it."""

    def __init__(self) -> None:
        self.grader, self.learner, self.fresh = FakeChild(), FakeChild(), FakeChild()
        self.children = Children(self.fresh)
        self.checks: list[CheckResult] = []
        self.relay = MessageBroker(ORDER, self.children, self.checks.append)

    async def judge(self, caps: Caps = CAPS) -> Verdict:
        return await self.relay.relay(self.grader.child, caps, self.learner.child, EXAMINATION)

    async def finish(self, judging: "asyncio.Task[Verdict]") -> None:
        self.grader.send(Judged(PASSED))
        assert await judging == PASSED


@asynccontextmanager
async def relaying(caps: Caps = CAPS) -> AsyncIterator[tuple[RelayedPair, "asyncio.Task[Verdict]"]]:
    """Yield a relay that has sent the examination."""
    pair = RelayedPair()
    judging = asyncio.create_task(pair.judge(caps))
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await pair.grader.receive() == Examine(EXAMINATION)
            yield pair, judging
    finally:
        judging.cancel()
        await asyncio.wait([judging])
        for fake in (pair.grader, pair.learner, pair.fresh):
            fake.close()


def with_relay(scenario: Callable[[RelayedPair, "asyncio.Task[Verdict]"], Awaitable[None]], caps: Caps = CAPS) -> None:
    async def run() -> None:
        async with relaying(caps) as (pair, judging):
            await scenario(pair, judging)

    asyncio.run(run())
