import msgspec

from app.authoring.checking.exercise_trials import Trial, check_mutants, check_trial, list_broken, list_trials
from app.lessons.model.exercise import Exercise, Promise
from app.lessons.model.model import Lesson
from app.protocol.grading import CheckResult, Message, MistakeFault, Verdict

EXERCISE = Exercise(
    id="mend",
    kind="test",
    filename="mend.py",
    starter="s",
    solutions={"solution": "a"},
    right={"r": "1"},
    mutants={"m-n": "2"},
    mistakes={"x-y": "b"},
)
RIGHT = Trial("solution.py", "a", passes=True)
STEP = msgspec.structs.replace(EXERCISE, id="step", continues="mend", solutions={}, mistakes={})
LESSON = Lesson(id="first", chapter_id="one", minutes=5, runtime="torch", cells=(), exercises=(EXERCISE, STEP), texts={})


def verdict(*checks: CheckResult, passed: bool = True, mistake: str | None = None) -> Verdict:
    return Verdict(passed=passed, checks=list(checks), mistake=mistake)


def test_the_programs_are_the_starter_the_solutions_and_the_mistakes() -> None:
    assert list(list_trials(LESSON, EXERCISE)) == [
        Trial("starter.py", "s", passes=False),
        RIGHT,
        Trial("mistakes/x_y.py", "b", passes=False, mistake="x-y"),
    ]


def test_the_starter_of_a_step_comes_after_the_solution_of_the_one_before() -> None:
    assert list(list_trials(LESSON, STEP)) == [Trial("starter.py", "a\n\n\ns", passes=False)]


def test_a_solution_that_fails_is_told_with_what_failed_and_not_with_what_is_only_reported() -> None:
    message = Message(code="number", values={"expected": "2", "got": "1"})
    checks = (
        CheckResult(id="values", passed=False, message=message),
        CheckResult(id="saved", passed=False, reported=True),
        CheckResult(id="ok", passed=True),
    )
    assert check_trial(RIGHT, verdict(*checks, passed=False)) == ["expected it to pass, but it fails: values (number: expected 2, got 1)"]
    assert check_trial(RIGHT, verdict(*checks)) == []


def test_the_line_of_checks_py_at_which_a_solution_fails_is_told() -> None:
    failed = CheckResult(id="values", passed=False, line=12, message=Message(code="number", values={"expected": "2"}))
    [told] = check_trial(RIGHT, verdict(failed, passed=False))
    assert told == "expected it to pass, but it fails: values (number: expected 2) at checks.py:12"
    [shared] = check_trial(RIGHT, verdict(failed, msgspec.structs.replace(failed, line=9), passed=False), common_lines=10)
    assert shared == f"{told.removesuffix('12')}2; values (number: expected 2) at ../common.py:9"


def test_a_solution_that_is_marked_is_told() -> None:
    marked = CheckResult(id="marks", passed=True, reported=True, message=Message(code="marked", values={"line": "3", "name": "exec"}))
    [told] = check_trial(RIGHT, verdict(marked))
    assert told.startswith("it is marked: Line 3 uses exec.")


def test_a_mistake_that_raises_is_told_at_its_line() -> None:
    faults = [MistakeFault(mistake="x-y", line=12, message="NameError: no"), MistakeFault(mistake="z", message="ValueError: no")]
    found = list_broken(EXERCISE, Verdict(passed=False, checks=[], faults=faults))
    assert found == [
        ("checks.py", 12, "@mistake x_y() does not work: NameError: no"),
        ("checks.py", 1, "@mistake z() does not work: ValueError: no"),
    ]


def test_a_mistake_must_be_recognised_as_itself() -> None:
    trial = Trial("mistakes/x_y.py", "b", passes=False, mistake="x-y")
    failed = CheckResult(id="values", passed=False)
    assert check_trial(trial, verdict(failed, passed=False, mistake="x-y")) == []
    assert check_trial(trial, verdict(failed, passed=False, mistake="z")) == [
        "expected the mistake x-y, got z (failed: values): @mistake x_y() in checks.py must be the first that is true for it"
    ]
    assert check_trial(trial, verdict()) == ["expected it to fail, but it passes every check"]


def test_what_breaks_a_promise_is_refused_by_the_check_that_holds_it_and_by_no_other() -> None:
    promising = msgspec.structs.replace(
        EXERCISE, mistakes={}, promises=(Promise(id="no-loop", words="without", check="values"),), broken={"no-loop": "c"}
    )
    trial = Trial("broken/no_loop.py", "c", passes=False, refused_by="values")
    assert trial in list_trials(LESSON, promising)
    values, other = CheckResult(id="values", passed=False), CheckResult(id="other", passed=False)
    reported = CheckResult(id="saved", passed=False, reported=True)
    assert check_trial(trial, verdict(values, reported, passed=False)) == []
    assert check_trial(trial, verdict(values, other, passed=False)) == ["expected the check values alone to refuse it, got values, other"]
    assert check_trial(trial, verdict()) == ["expected it to fail, but it passes every check"]


def test_a_check_that_ended_with_an_error_of_its_own_is_told_apart_from_one_that_failed() -> None:
    broken = CheckResult(id="gradient", passed=False, line=14, message=Message(code="broken", values={"message": "NameError: torch"}))
    failed = CheckResult(id="values", passed=False, message=Message(code="number", values={}))
    expected = "the check gradient does not work: NameError: torch"
    assert list_broken(EXERCISE, verdict(failed, broken, passed=False)) == [("checks.py", 14, expected)]
    shared = msgspec.structs.replace(EXERCISE, common_lines=10)
    assert list_broken(shared, verdict(broken, passed=False)) == [("checks.py", 4, expected)]
    assert list_broken(msgspec.structs.replace(EXERCISE, common_lines=20), verdict(broken, passed=False)) == [
        ("../common.py", 14, expected)
    ]


def test_a_solution_must_have_been_asked_about_every_mutant() -> None:
    assert check_mutants(EXERCISE, verdict(CheckResult(id="right", passed=True))) == ["expected a check mutant:m-n, but there is none"]
    assert check_mutants(EXERCISE, verdict(CheckResult(id="right", passed=True), CheckResult(id="mutant:m-n", passed=True))) == []
