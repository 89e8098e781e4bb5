"""Checks exercises by grading the author's programs: solutions must pass, all others must fail, and each mistake must be recognised."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from app.grading.submission_answer import say
from app.lessons.model.exercise import Exercise, start_step
from app.lessons.model.model import Lesson
from app.lessons.toml.problem import Problem
from app.protocol.grading import MARKS, CheckResult, Verdict

BROKEN = "broken"  # the code of a message: the check itself raised an exception


class Trial(NamedTuple):
    """A program that is submitted, and the verdict that it must get.

    - `file` is relative to the exercise's folder.
    - `mistake` is the mistake that the verdict must name, if any.
    - `refused_by` is the only check that may fail, if any is named.
    """

    file: str
    source: str
    passes: bool
    mistake: str | None = None
    refused_by: str | None = None


def list_trials(lesson: Lesson, exercise: Exercise) -> Iterator[Trial]:
    """Yield a trial for the starter and for each program in solutions/, mistakes/ and broken/.

    A step's starter follows the solution of the step before, as it does for learners.
    """
    before = lesson.exercise(exercise.continues) if exercise.continues else None
    yield Trial("starter.py", start_step(before.solution, exercise.starter) if before else exercise.starter, passes=False)
    for name, source in exercise.solutions.items():
        yield Trial("solution.py" if name == "solution" else f"solutions/{name}.py", source, passes=True)
    for name, source in exercise.mistakes.items():
        yield Trial(f"mistakes/{name.replace('-', '_')}.py", source, passes=False, mistake=name)
    checks = {promise.id: promise.check for promise in exercise.promises}
    for name, source in exercise.broken.items():
        yield Trial(f"broken/{name.replace('-', '_')}.py", source, passes=False, refused_by=checks.get(name))


def check_trial(trial: Trial, verdict: Verdict, common_lines: int = 0) -> list[str]:
    """Return a sentence for each fault of the verdict. `common_lines` is that of Exercise."""
    if trial.passes:
        failed = [_describe(check, common_lines) for check in verdict.checks if not check.passed and not check.reported]
        if not verdict.passed:
            return [f"expected it to pass, but it fails: {'; '.join(failed) or 'nothing was checked'}"]
        return [f"it is marked: {say(check, 'en')}" for check in verdict.checks if check.id == MARKS]
    if verdict.passed:
        return ["expected it to fail, but it passes every check"]
    failed = [check.id for check in verdict.checks if not check.passed and not check.reported]
    if trial.refused_by is not None and failed != [trial.refused_by]:
        return [f"expected the check {trial.refused_by} alone to refuse it, got {', '.join(failed)}"]
    if trial.mistake is not None and verdict.mistake != trial.mistake:
        function = f"{_name_mistake(trial.mistake)} in checks.py"
        got = f"got {verdict.mistake or 'none'} (failed: {', '.join(failed)})"
        return [f"expected the mistake {trial.mistake}, {got}: {function} must be the first that is true for it"]
    return []


def find_faults(exercise: Exercise, trial: Trial, verdict: Verdict) -> list[Problem]:
    """Return what is wrong with the verdict, in files relative to the exercise's folder.

    If a check itself raised an exception, only such faults of checks.py are returned.
    """
    broken = list_broken(exercise, verdict)
    if any(check.message and check.message.code == BROKEN for check in verdict.checks):
        return broken
    found = [*check_trial(trial, verdict, exercise.common_lines), *(check_mutants(exercise, verdict) if trial.passes else [])]
    return [*broken, *(Problem(trial.file, 1, sentence) for sentence in found)]


def list_broken(exercise: Exercise, verdict: Verdict) -> list[Problem]:
    """Return a finding for each check and mistake of checks.py that raised an exception of its own."""
    found = [
        (check.line, f"the check {check.id} does not work: {check.message.values.get('message', '')}")
        for check in verdict.checks
        if check.message and check.message.code == BROKEN
    ]
    found += [(fault.line, f"{_name_mistake(fault.mistake)} does not work: {fault.message}") for fault in verdict.faults or ()]
    return [Problem(*_find_place(line, exercise.common_lines), sentence) for line, sentence in found]


def _find_place(line: int | UnsetType, common_lines: int) -> tuple[str, int]:
    """Return the file and the line in it that a line of `checks_source` comes from. An unknown line is taken for the first of checks.py."""
    if line is not UNSET and line <= common_lines:
        return "../common.py", line
    return "checks.py", 1 if line is UNSET else line - common_lines


def _name_mistake(mistake: str) -> str:
    return f"@mistake {mistake.replace('-', '_')}()"


def check_mutants(exercise: Exercise, verdict: Verdict) -> list[str]:
    """Return a sentence for each check that the verdict lacks. An exercise of the kind "test" has a check for each mutant."""
    checked = {check.id for check in verdict.checks}
    wanted = ["right", *(f"mutant:{name}" for name in exercise.mutants)] if exercise.kind == "test" else []
    return [f"expected a check {name}, but there is none" for name in wanted if name not in checked]


def _describe(check: CheckResult, common_lines: int) -> str:
    place = "" if check.line is UNSET else " at {}:{}".format(*_find_place(check.line, common_lines))
    if check.message is None:
        return f"{check.id}{place}"
    values = ", ".join(f"{name} {value}" for name, value in check.message.values.items())
    return f"{check.id} ({check.message.code}{': ' if values else ''}{values}){place}"
