"""Waits for the end of a run or a grading, for the author's tools."""

from app.protocol.event import Failed
from app.protocol.grading import GradeOrder, Verdict
from app.protocol.run import RunOrder, RunResult
from app.runner.client import Runner


class CheckError(Exception):
    """The sandbox failed, which says nothing about the lesson."""


async def run_to_end(runner: Runner, order: RunOrder) -> RunResult:
    """Return the result of a run. Raises CheckError and RunnerError."""
    async with runner.run(order) as events:
        async for event in events:
            if isinstance(event, RunResult):
                return event
            if isinstance(event, Failed):
                raise CheckError(event.message)
    raise CheckError("the run ended without a result")


async def grade_to_end(runner: Runner, order: GradeOrder) -> Verdict:
    """Return the verdict of a grading. Raises CheckError and RunnerError."""
    async with runner.grade(order) as events:
        async for event in events:
            if isinstance(event, Verdict):
                return event
            if isinstance(event, Failed):
                raise CheckError(event.message)
    raise CheckError("the grading ended without a verdict")
