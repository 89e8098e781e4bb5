"""Programs that avoid what an exercise of the course teaches. None passes. The second line of each names the checks that fail first."""

import asyncio
from pathlib import Path

import pytest

from app.grading.grade_order import make_grade_order
from app.protocol.grading import Verdict
from app.protocol.limits import Limits
from tests.own_course import load_own_course
from tests.programs import Programs

CHEATS = sorted((Path(__file__).parent / "programs" / "of_lessons").glob("*.py"))
COURSE = load_own_course().course


def grade(programs: Programs, place: str, source: str) -> Verdict:
    chapter, lesson, exercise = place.split("/")
    found = next(one for part in COURSE.chapters if part.id == chapter for one in part.lessons if one.id in (lesson, f"{chapter}/{lesson}"))
    order = make_grade_order(found, next(one for one in found.exercises if one.id == exercise), source, Limits(), 2.0)
    last = asyncio.run(programs.collect_grade(order))[-1]
    assert isinstance(last, Verdict), last
    return last


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in CHEATS])
def test_a_cheat_is_caught_by_the_checks_that_are_made_for_it(programs: Programs, path: Path) -> None:
    source = path.read_text()
    place, caught_by = (line.partition(": ")[2] for line in source.splitlines()[:2])
    verdict = grade(programs, place, source)
    expected = caught_by.split(", ")
    assert [check.id for check in verdict.checks if not check.passed][: len(expected)] == expected
