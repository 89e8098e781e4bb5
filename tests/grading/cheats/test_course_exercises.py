"""Programs that passed an exercise of the course without solving it before its checks were improved. None passes now."""

from pathlib import Path

import pytest

from app.grading.grade_order import make_rubric
from app.lessons.course.catalogue import Catalogue
from app.protocol.limits import Limits
from tests.own_course import load_own_course
from tests.programs import Programs
from tests.sample import sample

LIMITS = Limits(deadline_seconds=5.0)
CHEATS = sorted((Path(__file__).parent / "course").glob("*.py"))


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_own_course()


@pytest.mark.parametrize("path", sample(pytest.param(path, id=path.stem) for path in CHEATS))
def test_a_cheat_does_not_pass(programs: Programs, catalogue: Catalogue, path: Path) -> None:
    source = path.read_text()
    lesson_path, _, name = source.partition("\n")[0].partition(": ")[2].rpartition("/")
    lesson = catalogue.lesson(lesson_path)
    assert lesson is not None
    exercise = next(one for one in lesson.exercises if one.id == name)
    verdict = programs.grade(source, make_rubric(exercise), LIMITS)
    assert verdict.checks
    assert not verdict.passed
