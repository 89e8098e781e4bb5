"""Waits for the last event of a run or a grading: its result or its verdict."""

from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from app.protocol.event import Failed
from app.protocol.grading import Verdict
from app.protocol.run import RunResult
from app.runner.client import RunStream

Last = TypeVar("Last", RunResult, Verdict)


class CheckError(Exception):
    """The sandbox failed. The lesson may still be right."""


async def wait_for_last(stream: AbstractAsyncContextManager[RunStream], last: type[Last]) -> Last:
    """Return the result of a run or the verdict of a grading: the last event, of the type `last`. Raises CheckError and RunnerError."""
    async with stream as events:
        async for event in events:
            if isinstance(event, last):
                return event
            if isinstance(event, Failed):
                raise CheckError(event.message)
    raise CheckError("the run ended without a result" if last is RunResult else "the grading ended without a verdict")
