"""Submissions to a bare runner. The learner's program and the grader's checks are each a few lines of Python that see only frames."""

import asyncio
from collections.abc import Callable

from app.protocol.event import Failed, RunEvent
from app.protocol.grading import CheckResult, GradeOrder, Rubric, Verdict
from app.protocol.limits import Limits
from app.protocol.run import Program, RunOrder, RunResult, Source
from app.runner.socket_runner import SocketRunner
from tests.runner.chaos.victim import Victim

ECHO = "def answer(request, link):\n    return request + b'!'\n"

# asks `times` times, and reports the replies, or how the other child ended
HEARS = """
def examine(link, tell):
    heard = []
    try:
        for number in range({times}):
            heard.append(link.ask(b"%d" % number).decode())
        code = "heard"
    except Gone as gone:
        code = str(gone.outcome)
    check = CheckResult(id="heard", passed=code == "heard", message=Message(code=code, values={{"heard": ",".join(heard)}}))
    tell(check)
    return Verdict(passed=True, checks=[check])
"""


def order_of(source: str, checks: str, limits: Limits | None = None, learner: str = "") -> GradeOrder:
    run = RunOrder(program=Program(source=Source(text=source)), limits=limits or Limits(), learner=learner)
    return GradeOrder(run=run, exercise=Rubric(checks=checks))


async def submit(victim: Victim, order: GradeOrder, on_event: Callable[[RunEvent], None] | None = None) -> list[RunEvent]:
    events = []
    async with SocketRunner(victim.programs.socket) as runner, runner.grade(order) as stream:
        async for event in stream:
            events.append(event)
            if on_event:
                on_event(event)
    return events


def graded(victim: Victim, source: str, checks: str, limits: Limits | None = None) -> Verdict:
    """Return the verdict. A submission has a result before it."""
    events = asyncio.run(submit(victim, order_of(source, checks, limits)))
    assert [type(event) for event in events].count(RunResult) == 1
    last = events[-1]
    assert isinstance(last, Verdict), last
    return last


def failed(victim: Victim, source: str, checks: str, limits: Limits | None = None) -> Failed:
    events = asyncio.run(submit(victim, order_of(source, checks, limits)))
    last = events[-1]
    assert isinstance(last, Failed), last
    assert not any(isinstance(event, Verdict) for event in events)
    return last


def heard(verdict: Verdict) -> tuple[str, str]:
    """Return what HEARS reports: how its questions ended, and the replies."""
    (check,) = verdict.checks
    assert isinstance(check, CheckResult)
    assert check.message
    return check.message.code, check.message.values["heard"]
