"""The grading of a run."""

import asyncio

from app.protocol.event import RunEvent
from app.protocol.grading import CheckResult, GradeOrder, Rubric, Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult, Timing
from app.runner.grading.grading import Grading
from tests.runner.grading.relayed_pair import ORDER, Children


def test_a_run_that_was_stopped_before_it_began_is_not_passed() -> None:
    async def scenario() -> tuple[object, list[RunEvent]]:
        published: list[RunEvent] = []
        grading = Grading(GradeOrder(run=ORDER, exercise=Rubric()), Children(), published.append)
        result = RunResult(id="r1", outcome=Outcome.STOPPED, timing=Timing(queued_ms=0, run_ms=0, total_ms=0))
        return await grading.run(result, None), published

    last, published = asyncio.run(scenario())
    assert isinstance(last, Verdict)
    assert not last.passed
    assert [event for event in published if isinstance(event, CheckResult)] == last.checks
