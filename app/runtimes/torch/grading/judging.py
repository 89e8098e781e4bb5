"""A learner's own check is asked to judge right functions and wrong ones, each in a new process of its own. Runs in the grader's child.

The process that runs the check sees a function like any other: it answers calls by values alone, in the same requests, under the same
name, and what it raises carries no text. The order and number of right ones are drawn, and a check that told all of them apart is asked a
second time or more, so that one which guesses passes with a probability of less than 10⁻⁴.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from app.protocol.calls import Judge, Judgement
from app.protocol.grading import CheckResult, Message, Rubric
from app.runtimes.runtime import Link
from app.runtimes.torch.calls.call_server import CallServer
from app.runtimes.torch.calls.remote_graph import Asker
from app.runtimes.torch.grading.draws import Draws
from app.runtimes.torch.grading.failing import AuthorFault, NotPassed

_CHANCE = 1e-4  # of passing by guessing
_RIGHT = range(2, 5)  # how many right functions are judged
_SWEEPS = range(2, 6)
RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function to be judged. `check`: the id of the check that the judgement decides."""

    check: str
    function: Any

    @property
    def is_right(self) -> bool:
        return self.check == RIGHT


def plan(mutants: int) -> tuple[int, int]:
    """How many right functions, and how many sweeps over all, so that guessing is hopeless, with the fewest judgements."""
    plans = [(right, sweeps) for right in _RIGHT for sweeps in _SWEEPS if chance(right, mutants) ** sweeps < _CHANCE]
    return min(plans, key=lambda plan: (plan[0] + mutants) * plan[1], default=(_RIGHT[-1], _SWEEPS[-1]))


def chance(right: int, mutants: int) -> float:
    """That one sweep is judged rightly by whoever accepts at random in the best proportion."""
    share = right / (right + mutants)
    return share**right * (1 - share) ** mutants


class Judging:
    """All candidates of one exercise, and the learner's check, reached through the link."""

    def __init__(self, exercise: Rubric, link: Link, draws: Draws) -> None:
        self._examines, self._subject = exercise.examines or "", exercise.subject or ""
        self._link, self._draws = link, draws
        count, self._sweeps = plan(len(exercise.mutants))
        sources = draws.shuffled(list(exercise.right.values()))
        right = [sources[index % len(sources)] for index in range(count)] if sources else []
        self._candidates = [Candidate(RIGHT, self._define(source)) for source in right]
        self._candidates += [Candidate(f"mutant:{name}", self._define(source)) for name, source in exercise.mutants.items()]
        self.checks = list(dict.fromkeys(candidate.check for candidate in self._candidates))

    def _define(self, source: str) -> Any:
        try:
            return define(source, "__main__")[self._subject]
        except Exception as error:
            raise AuthorFault(f"a function to be judged does not define {self._subject}: {error!r}") from error

    def judge(self) -> Iterator[CheckResult]:
        """Each check when it is decided; all of them only after the last sweep. Raises Gone, UnreadableReply, RaisedThere."""
        for sweep in range(1, self._sweeps + 1):
            failed = yield from self._sweep(is_last=sweep == self._sweeps, confirming=sweep > 1)
            if failed:
                return

    def _sweep(self, *, is_last: bool, confirming: bool) -> Generator[CheckResult, None, bool]:
        failed: dict[str, Message] = {}
        waiting = self._draws.shuffled(self._candidates)
        for candidate in waiting:
            judgement = self._ask(candidate)
            if judgement.accepted != candidate.is_right and candidate.check not in failed:
                failed[candidate.check] = _reason(candidate, judgement, confirming)
        if failed or is_last:
            for check in self.checks:
                yield CheckResult(id=check, passed=check not in failed, message=failed.get(check))
        return bool(failed)

    def _ask(self, candidate: Candidate) -> Judgement:
        server = CallServer({self._subject: candidate.function}, only=self._subject)
        asker = Asker(lambda request: self._link.ask(request, fresh=True))
        self._link.answering = server.answer
        try:
            return asker.request(Judge(function=self._examines, subject=self._subject), Judgement)
        finally:
            self._link.answering = None


def _reason(candidate: Candidate, judgement: Judgement, confirming: bool) -> Message:
    if confirming:
        return NotPassed("judged-otherwise").message()
    if not candidate.is_right:
        return NotPassed("mutant-accepted").message()
    raised = judgement.raised
    if raised is None:
        return NotPassed("right-refused").message()
    place = {} if raised.line is None else {"line": raised.line}
    return NotPassed("right-raised", type=raised.type, message=raised.message.partition("\n")[0], **place).message()


def define(source: str, name: str) -> dict[str, Any]:
    """What an author's source defines. Raises what it raises."""
    module = ModuleType(name)
    exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__
