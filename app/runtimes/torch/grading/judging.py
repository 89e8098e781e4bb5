"""Grades a learner's own check: it must accept right functions and refuse mutants. Runs in the grader's child.

Each function is judged in a new process that has executed the learner's program. There, only a function's values distinguish it from
others: requests and names are the same, errors have no text, and the order is random. A check that judged every function rightly must judge
all of them again, each mutant several times. So a check that guesses passes less than once in a thousand tries.
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
from app.runtimes.torch.grading.learner_asker import LearnerAsker
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed, first_line
from app.runtimes.torch.grading.use_rules import UseRules

_CHANCE = 1e-3  # the highest probability of passing by guessing
_FIRST_RIGHT = 2  # how many right functions are judged in the first sweep
MUTANT_TIMES = 3  # how often each mutant is judged in both sweeps together; any other number would need more judgements
RIGHT = "right"
_NO_RULES = UseRules(Rubric())  # for the second sweep: what the check uses was watched in the first


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function to be judged. `check` is the id of the check that passes or fails by this judgement."""

    check: str
    function: Any

    @property
    def is_right(self) -> bool:
        return self.check == RIGHT


def chance(right: int, wrong: int) -> float:
    """Return the highest probability with which random guesses judge `right` right functions and `wrong` mutants correctly."""
    share = right / (right + wrong)
    return share**right * (1 - share) ** wrong


# How many judgements of right functions are needed in all: then guessing fails even if the check recognises all mutants but one.
RIGHT_TIMES = next(right for right in count(_FIRST_RIGHT) if chance(right, MUTANT_TIMES) < _CHANCE)


def count_judgements(exercise: Rubric) -> int:
    """Return how often the learner's check is called if it judges every function rightly."""
    return max(RIGHT_TIMES, len(exercise.right)) + MUTANT_TIMES * len(exercise.mutants)


class Judging:
    """All candidates of one exercise, and the learner's check, which is reached through `link`."""

    def __init__(self, exercise: Rubric, link: Link, draws: Draws, rules: UseRules) -> None:
        self._rules = rules
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
        """Yield the result of each check, after all candidates are judged. Raises Gone, UnreadableReply, RaisedThere and NotPassed."""
        rights = list(
            islice(cycle(self._draws.shuffled(self._right)), max(RIGHT_TIMES, len(self._right)))
        )  # so that each right function is judged
        failed = self._sweep([*rights[:_FIRST_RIGHT], *self._wrong], confirming=False)
        if not failed:
            failed = self._sweep(rights[_FIRST_RIGHT:] + self._wrong * (MUTANT_TIMES - 1), confirming=True)
        for check in self.checks:
            yield CheckResult(id=check, passed=check not in failed, message=failed.get(check))

    def _sweep(self, candidates: list[Candidate], *, confirming: bool) -> dict[str, Message]:
        """Judge each candidate once, in random order. Return the messages of the checks that failed, by id."""
        failed: dict[str, Message] = {}
        for candidate in self._draws.shuffled(candidates):
            judgement = self._ask(candidate, self._rules if not confirming else _NO_RULES)
            if judgement.accepted != candidate.is_right and candidate.check not in failed:
                failed[candidate.check] = _reason(candidate, self._subject, judgement, confirming)
        return failed

    def _ask(self, candidate: Candidate, rules: UseRules) -> Judgement:
        server = CallServer({self._subject: candidate.function}, only=self._subject)
        asker = LearnerAsker(lambda request: self._link.ask(request, fresh=True), rules)
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
    said = "" if raised.message == raised.type else first_line(raised.message)  # an error of the candidate's own has no text, only a type
    if raised.line is None or raised.cell is not None:
        return NotPassed("right-raised-elsewhere", function=function, type=raised.type, message=said).message()
    return NotPassed("right-raised", function=function, type=raised.type, message=said, line=raised.line).message()


def define(source: str, name: str) -> dict[str, Any]:
    """Execute an author's source and return all that it defines, by name. Raises what the source raises.

    `name` is the file name in tracebacks, there in angle brackets.
    """
    module = ModuleType(name)
    exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__
