"""Grades one submission: first its source, then the author's checks in order, then, if a check failed, the author's mistakes.

Runs in the grader's child, which never executes a learner's source. There is a verdict whatever the learner's process answers, and
also if it does not answer.
"""

from collections.abc import Callable
from traceback import walk_tb
from types import CodeType

import torch
from msgspec import UNSET, UnsetType

from app.protocol.calls import ANSWERED_BYTES, QUESTIONS, Inspect, Inspected
from app.protocol.grading import CHECKS, MARKS, CheckResult, Examination, Message, MistakeFault, Verdict
from app.protocol.limits import mebibytes
from app.protocol.outcome import Outcome
from app.runtimes.plain_text import plain
from app.runtimes.runtime import Gone, Link
from app.runtimes.torch.calls.remote_graph import RaisedThere, UnreadableReply
from app.runtimes.torch.grading.draws import Draws
from app.runtimes.torch.grading.judging import Judging, count_judgements, define
from app.runtimes.torch.grading.learner_asker import LearnerAsker
from app.runtimes.torch.grading.not_passed import VALUE_CHARACTERS, AuthorFault, NotPassed, first_line
from app.runtimes.torch.grading.source_rules.bans import check_bans
from app.runtimes.torch.grading.source_rules.marks import find_marks
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources
from app.runtimes.torch.grading.use_rules import UseRules
from app.runtimes.torch.grading.vocabulary import CheckFunction, Reports, Vocabulary

CHECKS_NAME = "checks"
CHECKS_FILENAME = f"<{CHECKS_NAME}>"
_NOT_SO = "not-so"
Report = Callable[[CheckResult], None]
_GONE = (Outcome.OUTPUT_LIMIT, Outcome.CRASHED, Outcome.FORBIDDEN)


def examine(examination: Examination, link: Link, report: Report) -> Verdict:
    """Grade a submission, whose program the child behind `link` has executed. Call `report` with each check as soon as it is decided.

    Exceptions of the learner's process and of an author's check become part of the verdict. Raises ValueError if there are more checks than
    a verdict can hold.
    """
    return _Examiner(examination, link, report).verdict()


class _Examiner:
    def __init__(self, examination: Examination, link: Link, report: Report) -> None:
        self._exercise, self._sources, self._memory_bytes = examination.exercise, examination.sources, examination.memory_bytes
        self._seconds = f"{examination.deadline_seconds:g}"
        self._draws = Draws(examination.seed)
        torch.default_generator.manual_seed(examination.seed % 2**63)
        self._link, self._report = link, report
        self._rules = UseRules(self._exercise)
        self._asker = LearnerAsker(link.ask, self._rules)
        self._checks: list[CheckResult] = []
        self._gone: Gone | None = None

    def verdict(self) -> Verdict:
        self._check_rules()
        vocabulary = None
        if self._exercise.examines is None:
            vocabulary = self._check_program()
        else:
            self._check_judgements()
        self._report_marks()
        decisive = [check for check in self._checks if not check.reported]
        passed = bool(decisive) and all(check.passed for check in decisive)
        faults: list[MistakeFault] = []
        mistake = self._mistake(vocabulary, faults) if vocabulary is not None and not passed else None
        return Verdict(passed=passed, checks=self._checks, mistake=mistake, faults=faults[:CHECKS] or UNSET)

    def _add(self, check: CheckResult) -> None:
        if len(self._checks) == CHECKS:  # leaving a check out would let a submission that fails it pass
            raise ValueError(f"more than {CHECKS} checks")
        self._checks.append(check)
        self._report(check)

    def _check_rules(self) -> None:
        """Check the program's source: it must define the exercise's Functions, and must not use a name that the exercise bans."""
        exercise = self._exercise
        if exercise.functions:
            self._run("functions", lambda: self._check_functions(exercise.functions))
        if exercise.bans:
            self._run("bans", lambda: check_bans(parse_sources(self._sources), exercise.bans + self._rules.derivers))
        if not all(check.passed for check in self._checks):
            self._rules.stop()

    def _check_functions(self, functions: list[str]) -> None:
        for name in functions:
            fault = self._asker.request(Inspect(function=name), Inspected).fault
            if fault is not None:
                raise NotPassed(f"function-{fault}", function=name)
        check_bans(parse_sources(self._sources), self._rules.derivers)

    def _report_marks(self) -> None:
        """Report lines of the source that make it unclear how the program computes its results."""
        if not self._exercise.functions and not self._exercise.bans:
            return
        try:
            marks = find_marks(parse_sources(self._sources), parse_sources([*self._exercise.right.values(), self._exercise.solution]))
        except NotPassed:  # a check has reported it already
            return
        if marks:
            others = ", ".join(str(line) for line in dict.fromkeys(mark.line for mark in marks[1:]))
            message = NotPassed("marked-again" if others else "marked", line=marks[0].line, name=marks[0].name, others=others).message()
            self._add(CheckResult(id=MARKS, passed=True, reported=True, message=message))

    def _check_program(self) -> Vocabulary | None:
        try:
            solution = define(self._exercise.solution, "solution") if self._exercise.solution else {}
            vocabulary = Vocabulary(self._asker, solution, self._exercise.solution, self._draws)
            with vocabulary.importable():
                define(self._exercise.checks, CHECKS_NAME)
            if not vocabulary.checks:
                raise AuthorFault("checks.py has no check")
        except Exception as error:
            self._add(CheckResult(id="checks", passed=False, message=_author_fault(error), line=_find_line(error)))
            return None
        for name, check in vocabulary.checks.items():
            self._run(name, check, vocabulary.reports if name in vocabulary.reported else None)
            vocabulary.reports.take_message()  # drop it: it belongs to this check
        return vocabulary

    def _run(self, name: str, check: CheckFunction, reports: Reports | None = None) -> None:
        """Run a check and add its result.

        With `reports`, the result does not count for the grade. Its message is then the latest report of the learner's process. Only a
        check that failed with a message of its own keeps that message.
        """
        message, line = self._reason(check)
        passed = message is None
        if reports is not None and (message is None or message.code == _NOT_SO):
            message = reports.take_message() or message
        self._add(CheckResult(id=name, passed=passed, reported=reports is not None, message=message, line=line))

    def _reason(self, check: CheckFunction) -> tuple[Message | None, int | UnsetType]:
        """Run a check. Return why it is not passed, None if it is, and a line of checks.py if the reason comes from there."""
        if self._gone is not None:
            return self._gone_message(self._gone, at_once=False), UNSET
        try:
            passed = not _is_false(check())
        except Exception as error:
            return self._explain(error), _find_line(error)
        return (None, UNSET) if passed else (NotPassed(_NOT_SO).message(), _find_begin(check))

    def _explain(self, error: Exception) -> Message:
        """Return the message of a check that ended with this error."""
        match error:
            case NotPassed():
                return error.message()
            case RaisedThere():
                return self._raised_message(error)
            case UnreadableReply():
                return NotPassed("unreadable").message()
            case Gone():
                self._gone = error
                return self._gone_message(error)
            case AssertionError():
                return NotPassed(_NOT_SO).message()
            case _:
                return _author_fault(error)

    def _check_judgements(self) -> None:
        names = ["checks"]  # the id to report under if the author's functions cannot be defined
        judged: list[CheckResult] = []

        def judge() -> None:
            judging = Judging(self._exercise, self._link, self._draws, self._rules)
            names[:] = judging.checks
            judged.extend(judging.judge())

        message, _ = self._reason(judge)
        for check in judged or [CheckResult(id=name, passed=False, message=message) for name in names]:
            self._add(check)

    def _mistake(self, vocabulary: Vocabulary, faults: list[MistakeFault]) -> str | None:
        """Return the name of the first mistake that the program makes, None if it makes none.

        A mistake counts as not made if the learner's process does not answer its requests properly. Other exceptions of a mistake are added
        to `faults`.
        """
        for name, mistake in vocabulary.mistakes.items():
            try:
                if not _is_false(mistake() or False):
                    return name
            except (NotPassed, RaisedThere, UnreadableReply, Gone):
                continue
            except Exception as error:
                message = plain(_describe(error), VALUE_CHARACTERS)
                faults.append(MistakeFault(mistake=name, message=message, line=_find_line(error)))
        return None

    def _gone_message(self, gone: Gone, *, at_once: bool = True) -> Message:
        """Return the message for a learner's process that has ended. `at_once` says that it ended during this check, not before."""
        if gone.outcome is Outcome.OUT_OF_MEMORY:
            code = "gone-out_of_memory" if at_once else "gone-out_of_memory-before"
            return NotPassed(code, mebibytes=mebibytes(self._memory_bytes)).message()
        if not at_once:
            return NotPassed("gone").message()
        if gone.outcome is Outcome.OUTPUT_LIMIT and self._exercise.examines is not None:
            return NotPassed("gone-asking", questions=f"{QUESTIONS:,}", mebibytes=mebibytes(ANSWERED_BYTES)).message()
        if gone.outcome is Outcome.TIMED_OUT:
            if self._exercise.examines is None:
                return NotPassed("gone-timed_out", seconds=self._seconds).message()
            return NotPassed("gone-judging", seconds=self._seconds, judgements=count_judgements(self._exercise)).message()
        return NotPassed(f"gone-{gone.outcome.value}" if gone.outcome in _GONE else "gone").message()

    def _raised_message(self, error: RaisedThere) -> Message:
        raised = error.raised
        case = {"type": raised.type, "message": first_line(raised.message)}
        if raised.line is None:
            return NotPassed("raised", **case).message()
        if raised.cell is not None:
            return NotPassed("raised-in-cell", **case, line=raised.line, cell=raised.cell).message()
        if raised.type == "MemoryError":  # a MemoryError that shows a lack of memory raises Gone instead
            return NotPassed("raised-memory", line=raised.line, mebibytes=mebibytes(self._memory_bytes)).message()
        return NotPassed("raised-at", **case, line=raised.line).message()


def _is_false(value: object) -> bool:
    return value is False or (isinstance(value, torch.Tensor) and value.numel() == 1 and not bool(value))


def _author_fault(error: Exception) -> Message:
    return NotPassed("broken", message=_describe(error)).message()


def _describe(error: Exception) -> str:
    return str(error) if isinstance(error, AuthorFault) else f"{type(error).__name__}: {error}"


def _find_line(error: Exception) -> int | UnsetType:
    """Return the innermost line of checks.py in the error's traceback."""
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == CHECKS_FILENAME]
    return lines[-1] if lines else UNSET


def _find_begin(check: CheckFunction) -> int | UnsetType:
    """Return the first line of a function of checks.py."""
    code = getattr(check, "__code__", None)
    return code.co_firstlineno if isinstance(code, CodeType) and code.co_filename == CHECKS_FILENAME else UNSET
