"""Each sentence of a task that promises something has a check and a program that breaks the promise, or is reported."""

import pytest

from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing

TOML = "one/first/exercises/fill/exercise.toml"
EN = "one/first/exercises/fill/en.md"
PROBE = "one/first/exercises/probe"


@pytest.fixture
def promising(course: CourseFolder) -> CourseFolder:
    return add_doing(course)


def told(course: CourseFolder) -> list[str]:
    return [str(problem) for problem in course.load().problems]


def test_a_promise_with_its_check_and_its_program_is_read(promising: CourseFolder) -> None:
    assert told(promising) == []
    lesson = promising.load().lesson("one/first")
    assert lesson is not None
    [fill, _] = lesson.exercises
    [promise] = fill.promises
    assert (promise.id, promise.words, promise.check) == ("no-loop", "only what is missing", "right-value")
    assert fill.broken == {"no-loop": "b = sum(a for _ in range(2))\n"}


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        (TOML, 'check = "right-value"', 'check = "right"', 'there is no check "right" (did you mean "right-value"?)'),
        (TOML, '"no-loop"', '"no-loops"', "expected broken/no_loops.py, a program that breaks this promise"),
        (TOML, 'check = "right-value"', "", 'expected a [[promise]] with the id "no-loop" and a check'),
        (TOML, "only what is missing", "only what is there", 'no sentence of the task has the words "only what is there"'),
        (EN, "Write only what", "It may be any number. Write only what", '"It may be any number." promises something'),
    ],
)
def test_what_is_missing_is_told(promising: CourseFolder, file: str, old: str, new: str, problem: str) -> None:
    promising.replace(file, old, new)
    assert any(problem in one for one in told(promising)), told(promising)


def test_what_is_given_needs_no_check(promising: CourseFolder) -> None:
    promising.replace(EN, "Write only what", "There is at least one loop. Write only what")
    promising.replace(TOML, "\n[[promise]]", '\n[[promise]]\nid = "one"\nwords = "There is at least one"\n\n[[promise]]')
    assert told(promising) == []


def test_rules_and_mutants_hold_promises_too(promising: CourseFolder) -> None:
    promising.replace(TOML, 'check = "right-value"', 'check = "bans"')
    promising.replace(f"{PROBE}/en.md", "Write a check.", "Write a check that is not fooled.")
    promising.replace(
        f"{PROBE}/exercise.toml",
        'kind = "test"',
        'promise = [{ id = "fooled", words = "is not fooled", check = "mutant:no-factor" }]\nkind = "test"',
    )
    promising.write(f"{PROBE}/broken/fooled.py", "def check(double):\n    assert double(0) == 0\n")
    assert told(promising) == []
