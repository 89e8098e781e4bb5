"""The version of an exercise changes with what decides about a verdict, and with nothing else."""

import msgspec
import pytest

from app.grading import exercise_version
from app.grading.exercise_version import hash_exercise
from app.lessons.model.exercise import CheckFacts
from tests.web.exercises import make_catalogue

LESSON = make_catalogue().course.chapters[0].lessons[0]
FIX = LESSON.exercises[0]


@pytest.mark.parametrize(
    "change",
    [
        {"checks_source": "other"},
        {"solutions": {"solution": "other"}},
        {"bans": ()},
        {"functions": ()},
        {"asks": {"deadline_seconds": 30}},
        {"after": ("make",)},
        {"checks": (CheckFacts(id="values"),)},
    ],
)
def test_what_decides_about_the_verdict_changes_it(change: dict[str, object]) -> None:
    assert hash_exercise(LESSON, msgspec.structs.replace(FIX, **change)) != hash_exercise(LESSON, FIX)


@pytest.mark.parametrize("change", [{"texts": {}}, {"starter": "other"}, {"mistakes": {}}])
def test_a_mended_sentence_does_not(change: dict[str, object]) -> None:
    assert hash_exercise(LESSON, msgspec.structs.replace(FIX, **change)) == hash_exercise(LESSON, FIX)


def test_the_grader_is_a_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = hash_exercise(LESSON, FIX)
    monkeypatch.setattr(exercise_version, "hash_grader", lambda: "another grader")
    assert hash_exercise(LESSON, FIX) != before


def test_the_graders_modules_are_there() -> None:
    assert all(exercise_version.list_modules(exercise_version.APP / part) for part in exercise_version.GRADER)
