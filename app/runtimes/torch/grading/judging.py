"""A learner's own check is asked to judge right functions and wrong ones, each in a new process of its own. Runs in the grader's child.

The process that runs the check sees a function like any other: it answers calls by values alone, in the same requests, under the same
name, and what it raises carries no text. Order is drawn. A check that told all mutants from two right functions is asked again, of each
mutant several times, so that one which guesses passes less than once in a thousand tries.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, cycle, islice
from types import ModuleType
from typing import Any

from app.protocol.calls import Judge, Judgement
from app.protocol.grading import CheckResult, Message, Rubric
from app.runtimes.runtime import Link
from app.runtimes.torch.calls.call_server import CallServer
from app.runtimes.torch.grading.draws import Draws
from app.runtimes.torch.grading.failing import AuthorFault, NotPassed, first_line
from app.runtimes.torch.grading.learner_asker import LearnerAsker
from app.runtimes.torch.grading.means import Means

_CHANCE = 1e-3  # of passing by guessing
_FIRST_RIGHT = 2  # right functions among the first that are judged
_EACH_WRONG = 3  # times that every mutant is judged in all; with as many right ones as that takes, it is the fewest judgements
RIGHT = "right"
_ANYTHING = Means(Rubric())  # to watch all of it once is enough


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function to be judged. `check`: the id of the check that the judgement decides."""

    check: str
    function: Any

    @property
    def is_right(self) -> bool:
        return self.check == RIGHT


def plan() -> tuple[int, int]:
    """How often right functions are judged in all, and how often each mutant.

    So often that guessing is hopeless also for a check that tells all mutants but one from right functions.
    """
    return next(right for right in count(_FIRST_RIGHT) if chance(right, _EACH_WRONG) < _CHANCE), _EACH_WRONG


def chance(right: int, wrong: int) -> float:
    """That all are judged rightly by whoever accepts at random in the best proportion."""
    share = right / (right + wrong)
    return share**right * (1 - share) ** wrong


def count_judgements(exercise: Rubric) -> int:
    """How often a check that tells all of them apart is called."""
    right, each_wrong = plan()
    return max(right, len(exercise.right)) + each_wrong * len(exercise.mutants)


class Judging:
    """All candidates of one exercise, and the learner's check, reached through the link."""

    def __init__(self, exercise: Rubric, link: Link, draws: Draws, means: Means) -> None:
        self._means = means
        self._examines, self._subject = exercise.examines or "", exercise.subject or ""
        self._link, self._draws = link, draws
        self._right = [Candidate(RIGHT, self._define(source)) for source in exercise.right.values()]
        self._wrong = [Candidate(f"mutant:{name}", self._define(source)) for name, source in exercise.mutants.items()]
        self.checks = list(dict.fromkeys(candidate.check for candidate in (*self._right, *self._wrong)))

    def _define(self, source: str) -> Any:
        try:
            return define(source, "__main__")[self._subject]
        except Exception as error:
            raise AuthorFault(f"a function to be judged does not define {self._subject}: {error!r}") from error

    def judge(self) -> Iterator[CheckResult]:
        """Each check when it is decided, a pass only after all are judged. Raises Gone, UnreadableReply, RaisedThere, NotPassed."""
        right, each_wrong = plan()
        rights = list(islice(cycle(self._draws.shuffled(self._right)), max(right, len(self._right))))  # each is judged
        failed = self._sweep([*rights[:_FIRST_RIGHT], *self._wrong], confirming=False)
        if not failed:
            failed = self._sweep(rights[_FIRST_RIGHT:] + self._wrong * (each_wrong - 1), confirming=True)
        for check in self.checks:
            yield CheckResult(id=check, passed=check not in failed, message=failed.get(check))

    def _sweep(self, candidates: list[Candidate], *, confirming: bool) -> dict[str, Message]:
        """What is said of the checks that failed."""
        failed: dict[str, Message] = {}
        for candidate in self._draws.shuffled(candidates):
            judgement = self._ask(candidate, self._means if not confirming else _ANYTHING)
            if judgement.accepted != candidate.is_right and candidate.check not in failed:
                failed[candidate.check] = _reason(candidate, self._subject, judgement, confirming)
        return failed

    def _ask(self, candidate: Candidate, means: Means) -> Judgement:
        server = CallServer({self._subject: candidate.function}, only=self._subject)
        asker = LearnerAsker(lambda request: self._link.ask(request, fresh=True), means)
        self._link.answering = server.answer
        try:
            return asker.request(Judge(function=self._examines, subject=self._subject), Judgement)
        finally:
            self._link.answering = None


def _reason(candidate: Candidate, function: str, judgement: Judgement, confirming: bool) -> Message:
    if confirming:
        return NotPassed("judged-otherwise").message()
    if not candidate.is_right:
        return NotPassed("mutant-accepted", function=function).message()
    raised = judgement.raised
    if raised is None:
        return NotPassed("right-refused", function=function).message()
    said = "" if raised.message == raised.type else first_line(raised.message)  # of what a candidate raises, only the type is known there
    if raised.line is None or raised.cell is not None:
        return NotPassed("right-raised-elsewhere", function=function, type=raised.type, message=said).message()
    return NotPassed("right-raised", function=function, type=raised.type, message=said, line=raised.line).message()


def define(source: str, name: str) -> dict[str, Any]:
    """What an author's source defines. Raises what it raises."""
    module = ModuleType(name)
    exec(compile(source, filename_of(name), "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def filename_of(name: str) -> str:
    """What a traceback calls an author's source."""
    return f"<{name}>"
