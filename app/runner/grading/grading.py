"""Grades a submission: after its program has ended, a second child, the grader's, questions the first and reaches a verdict."""

import os
from collections.abc import Callable

from app.protocol.event import Failed, RunEvent
from app.protocol.grading import CheckResult, Examination, GradeOrder, Message, Verdict
from app.protocol.limits import mebibytes
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Caps
from app.runner.grading.learner import ALL_BYTES, FRAME_BYTES, FRAMES
from app.runner.grading.message_broker import GraderFailed, MessageBroker, RelayStopped
from app.runner.grading.verdict_check import make_presentable, settle
from app.runner.runs.run_children import RunChildren
from app.runtimes.failure import raises_memory_error

_GRADER_SECONDS = 20.0  # the deadline of the grader's child; waiting for the learner's child does not count
_GRADER_CAPS = Caps(seconds=_GRADER_SECONDS, frame_bytes=FRAME_BYTES, all_bytes=ALL_BYTES, frames=FRAMES, output_bytes=1024 * 1024)


class Grading:
    """The follow-up (app.runner.runs.run_task) of a submission's run. `publish` is called with each check as soon as it is decided."""

    def __init__(self, order: GradeOrder, children: RunChildren, publish: Callable[[RunEvent], None]) -> None:
        self._order = order
        self._children = children
        self._publish = publish
        self._broker = MessageBroker(order.run, children, self._publish_check)

    async def run(self, result: RunResult, child: ChildHandle | None) -> Verdict | Failed:
        """Return the verdict on what the child defined. Raises ChildLost and PoolUnavailable.

        A submission whose program did not finish is not passed.
        """
        if child is None or result.outcome is not Outcome.FINISHED:
            return self._refuse(_outcome_to_show(result))
        grader = await self._children.take(self._order.grader_limits)
        try:
            program = self._order.run.program
            # drawn after the program has ended, so that it cannot know the seed
            seed = int.from_bytes(os.urandom(8)) >> 1
            sources = [source.text for source in (*program.replay, program.source)]
            limits = self._order.run.limits
            examination = Examination(
                exercise=self._order.exercise,
                sources=sources,
                seed=seed,
                memory_bytes=limits.memory_bytes,
                deadline_seconds=limits.deadline_seconds,
            )
            verdict = await self._broker.relay(grader, _GRADER_CAPS, child, examination)
            verdict = settle(verdict, self._broker.checks.values(), self._order.run)
        except RelayStopped:
            return self._refuse(Outcome.STOPPED)
        except GraderFailed as error:
            if error.gone:
                await grader.wait_for_exit()  # raises ChildLost if it died with its zygote
            return Failed("grader", str(error))
        for check in verdict.checks:
            if check.id not in self._broker.checks:
                self._publish(check)
        return verdict

    def _publish_check(self, check: CheckResult) -> None:
        self._publish(make_presentable(check, self._order.run))

    def _refuse(self, outcome: Outcome) -> Verdict:
        """Return a verdict of not passed, because the program did not finish, or its child ended before the last question."""
        values = {"mebibytes": mebibytes(self._order.run.limits.memory_bytes)} if outcome is Outcome.OUT_OF_MEMORY else {}
        check = CheckResult(id="runs", passed=False, message=Message(code=outcome.value, values=values))
        published = [make_presentable(one, self._order.run) for one in self._broker.checks.values() if one.id != check.id]
        self._publish(check)
        return Verdict(passed=False, checks=[*published, check])


def _outcome_to_show(result: RunResult) -> Outcome:
    """Return the outcome to be shown. A MemoryError that the program itself raises does not show that it needs too much memory."""
    error = result.error
    own = error is not None and raises_memory_error(error.type, error.traceback)
    return Outcome.RAISED if own else result.outcome
