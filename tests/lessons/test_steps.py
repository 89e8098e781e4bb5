"""Exercises that continue each other: their chain, and each mistake in it with file and line."""

import pytest

from app.lessons.course.review import find_review_problems
from app.lessons.model.exercise import start_step
from app.lessons.toml.problem import Problem
from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import CHECK_TABLES, EXERCISE, add_doing

FOLDER = "one/first/exercises"
MORE = f"{FOLDER}/more/exercise.toml"


@pytest.fixture
def steps(course: CourseFolder) -> CourseFolder:
    """Return the small course, in which the exercise `more` continues `fill`."""
    doing = add_doing(course)
    doing.write(MORE, f'kind = "blank"\ncontinues = "fill"\nafter = ["double"]\n{CHECK_TABLES}')
    for path in sorted((doing.folder / FOLDER / "fill").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(doing.folder / FOLDER / "fill")
        doing.write(
            f"{FOLDER}/more/{name}", "c = ____\n" if path.name == "starter.py" else f"{text}c = b\n" if name.name != "checks.py" else text
        )
    for lang in ("en", "zh-Hans"):
        doing.write(f"{FOLDER}/more/{lang}.md", EXERCISE)
        doing.replace(f"one/first/{lang}.md", ":::{exercise} fill\n:::\n", ":::{exercise} fill\n:::\n\n:::{exercise} more\n:::\n")
    return doing


def test_a_step_knows_the_chain_that_it_belongs_to(steps: CourseFolder) -> None:
    catalogue = steps.load()
    lesson = catalogue.lesson("one/first")
    assert catalogue.problems == () and lesson is not None
    fill, more, probe = lesson.exercises
    assert (more.id, more.continues) == ("more", "fill")
    assert lesson.steps(fill) == lesson.steps(more) == (fill, more)
    assert lesson.steps(probe) == (probe,)


def test_a_step_begins_with_the_program_before_it_and_what_is_new() -> None:
    assert start_step("b = 2\n\n", "c = ____\n") == "b = 2\n\n\nc = ____\n"


def test_the_solution_of_a_blank_may_begin_with_the_program_of_the_step_before(steps: CourseFolder) -> None:
    def complaints() -> list[Problem]:
        lessons = steps.load().course.lessons
        return [one for one in find_review_problems(steps.folder, lessons) if one.file.startswith(f"{FOLDER}/more/solution")]

    assert complaints() == []
    steps.write(f"{FOLDER}/more/solution.py", "b = 2 * a\nd = b\n")
    assert len(complaints()) == 1


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "message"),
    [
        (MORE, '"fill"', '"fil"', 2, 'continues: there is no other exercise "fil" in this lesson (did you mean "fill"?)'),
        (MORE, '"fill"', '"more"', 2, 'continues: there is no other exercise "more" in this lesson'),
        (MORE, '"fill"', '"Fill"', 2, 'continues: expected an id (small letters, digits and single hyphens, at most 64), got "Fill"'),
        (
            MORE,
            '"fill"',
            '"probe"',
            2,
            'continues: "probe" is of the kind "test" and this one "blank": expected both or none of the kind "test"',
        ),
        (MORE, 'after = ["double"]\n', "", 2, 'continues: the program of "fill" runs after double: expected that in after'),
        (
            "one/first/en.md",
            ":::{exercise} fill\n:::\n\n:::{exercise} more\n:::\n",
            ":::{exercise} more\n:::\n\n:::{exercise} fill\n:::\n",
            45,
            'expected the exercise "more" after "fill" (line 48), from which it goes on',
        ),
    ],
)
def test_a_mistake_in_a_step(steps: CourseFolder, file: str, old: str, new: str, line: int, message: str) -> None:
    steps.replace(file, old, new)
    catalogue = steps.load()
    assert catalogue.lesson("one/first") is None
    assert any(one.file == file and one.line == line and message in one.message for one in catalogue.problems), catalogue.problems


def test_steps_stand_in_a_row(steps: CourseFolder) -> None:
    (steps.folder / FOLDER / "fork").mkdir()
    for path in sorted((steps.folder / FOLDER / "more").rglob("*.*")):
        steps.write(f"{FOLDER}/fork/{path.relative_to(steps.folder / FOLDER / 'more')}", path.read_text(encoding="utf-8"))
    for lang in ("en", "zh-Hans"):
        steps.replace(f"one/first/{lang}.md", ":::{exercise} more\n:::\n", ":::{exercise} more\n:::\n\n:::{exercise} fork\n:::\n")
    assert steps.problem() == Problem(MORE, 2, 'continues: "fork" already goes on from "fill": expected steps in a row')


def test_what_checks_have_in_common_stands_before_each_of_them(steps: CourseFolder) -> None:
    own = (steps.folder / FOLDER / "more/checks.py").read_text(encoding="utf-8")
    steps.write(f"{FOLDER}/common.py", "LIMIT = 3\n")
    catalogue = steps.load()
    lesson = catalogue.lesson("one/first")
    assert catalogue.problems == () and lesson is not None
    assert {one.id: one.checks_source.startswith("LIMIT = 3\n\n") for one in lesson.exercises} == {
        "fill": True,
        "more": True,
        "probe": False,
    }
    assert lesson.exercises[1].checks_source.endswith(own)


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("a = 1\nb =", 2, "this is not Python: invalid syntax"),
        (
            "from gradroom import check\n\n\n@check\ndef first():\n    pass\n",
            5,
            '"first": checks and mistakes belong in the checks.py of their exercise',
        ),
    ],
)
def test_what_checks_have_in_common_is_python_without_a_check(steps: CourseFolder, source: str, line: int, message: str) -> None:
    steps.write(f"{FOLDER}/common.py", source)
    assert steps.load().problems == (Problem(f"{FOLDER}/common.py", line, message),)


def test_a_fault_of_checks_is_told_with_its_own_line(steps: CourseFolder) -> None:
    steps.write(f"{FOLDER}/common.py", "LIMIT = 3\n")
    steps.write(f"{FOLDER}/more/checks.py", "a = 1\nb =")
    assert steps.load().problems == (Problem(f"{FOLDER}/more/checks.py", 2, "this is not Python: invalid syntax"),)
