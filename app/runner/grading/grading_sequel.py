"""What comes after the program of a submission: a second child, the grader's, asks the first and comes to a verdict."""

import os
from collections.abc import Callable

import structlog

from app.protocol.event import Failed, RunEvent
from app.protocol.grading import CheckResult, Examination, GradeOrder, Message, Verdict
from app.protocol.limits import mebibytes
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Caps, Cut
from app.runner.grading.learner import ALL_BYTES, FRAME_BYTES, FRAMES
from app.runner.grading.message_broker import GraderFailed, MessageBroker, RelayStopped
from app.runner.grading.verdict_check import Contradiction, make_tellable, settle
from app.runner.runs.run_children import RunChildren
from app.runtimes.failure import raises_memory_error

_GRADER_SECONDS = 20.0  # while it is not waiting for the learner's child
_GRADER_CAPS = Caps(seconds=_GRADER_SECONDS, frame_bytes=FRAME_BYTES, all_bytes=ALL_BYTES, frames=FRAMES, output_bytes=1024 * 1024)

_log = structlog.get_logger()


class GradingSequel:
    """The sequel (app.runner.runs.run_task) of a submission's run."""

    def __init__(self, order: GradeOrder, children: RunChildren, tell: Callable[[RunEvent], None]) -> None:
        self._order = order
        self._children = children
        self._tell = tell
        self._broker = MessageBroker(order.run, children, self._tell_check)

    def pause(self) -> None:
        self._broker.pause()

    def resume(self) -> None:
        self._broker.resume()

    def cut(self, cut: Cut) -> None:
        self._broker.stop()

    async def follow(self, result: RunResult, child: ChildHandle | None) -> Verdict | Failed:
        """Grade what the child defined, if its program finished; else it is not passed for that. Raises ChildLost and PoolUnavailable."""
        if child is None or result.outcome is not Outcome.FINISHED:
            return self._refuse(_outcome_to_tell(result))
        grader = await self._children.take(self._order.grader_limits)
        try:
            program = self._order.run.program
            # drawn now, when the program has had its last word without having been asked anything
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
                await grader.wait_for_exit()  # which tells if it was not its own doing
            return Failed("grader", str(error))
        except Contradiction as error:
            return Failed("grader", str(error))
        for check in verdict.checks:
            if check.id not in self._broker.checks:
                self._tell(check)
        return verdict

    def _tell_check(self, check: CheckResult) -> None:
        self._tell(make_tellable(check, self._order.run))

    def _refuse(self, outcome: Outcome) -> Verdict:
        """Not passed, because the program did not finish, or was not asked to the end."""
        values = {"mebibytes": mebibytes(self._order.run.limits.memory_bytes)} if outcome is Outcome.OUT_OF_MEMORY else {}
        check = CheckResult(id="runs", passed=False, message=Message(code=outcome.value, values=values))
        told = [make_tellable(one, self._order.run) for one in self._broker.checks.values() if one.id != check.id]
        self._tell(check)
        return Verdict(passed=False, checks=[*told, check])


def _outcome_to_tell(result: RunResult) -> Outcome:
    """How the program ended: a MemoryError that a line of it raises does not show that it needs too much."""
    error = result.error
    own = error is not None and raises_memory_error(error.type, error.traceback)
    return Outcome.RAISED if own else result.outcome
