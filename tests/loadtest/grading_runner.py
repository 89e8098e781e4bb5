"""A runner that executes nothing, and passes every submission."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from app.protocol.event import RunEvent
from app.protocol.grading import GradeOrder, Verdict
from app.runner.client import RunStream
from tests.web.fake_runner import FakeRunner, FakeStream


class GradingRunner(FakeRunner):
    def grade(self, order: GradeOrder) -> AbstractAsyncContextManager[RunStream]:
        return self._grade(order)

    @asynccontextmanager
    async def _grade(self, order: GradeOrder) -> AsyncIterator[RunStream]:
        async with super().grade(order) as stream:
            events: list[RunEvent | Exception] = [event async for event in stream]
            yield FakeStream([*events, Verdict(passed=True, checks=[])], hang=False)
