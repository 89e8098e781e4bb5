"""The paths of a course: what paths.toml must say, and what is reported of it."""

from pathlib import Path

import pytest

from app.lessons.course.catalogue import load_courses
from app.lessons.model.model import PATH_LESSONS, PATH_MINUTES
from tests.lessons.course_folder import CourseFolder
from tests.own_course import load_own_course

NAMES = ("a", "b", "c", "d", "e")
PATH = """\
[[path]]
id = "short"
title = { en = "Short", zh-Hans = "短" }
question = { en = "Is it?", zh-Hans = "是吗？" }
end = { en = "You can.", zh-Hans = "你会了。" }
lessons = ["one/a", "one/b", "one/c", "one/d", "one/e"]
"""


@pytest.fixture
def course(tmp_path: Path) -> CourseFolder:
    return write_course(tmp_path)


def write_course(folder: Path) -> CourseFolder:
    """Five lessons of nine minutes besides those of a course folder, and a path through them."""
    course = CourseFolder(folder)
    course.replace("one/chapter.toml", '"second"]', '"second", "a", "b", "c", "d", "e"]')
    for name in NAMES:
        course.write(f"one/{name}/lesson.toml", "minutes = 9")
        for lang in ("en", "zh-Hans"):
            course.write(f"one/{name}/{lang}.md", f"# {name.upper()}\n\nLede.\n")
    course.write("paths.toml", PATH)
    return course


def test_a_path_has_lessons_in_an_order_of_their_own(course: CourseFolder) -> None:
    course.replace("paths.toml", '"one/a", "one/b"', '"one/b", "one/a"')
    course.write("paths.toml", (course.folder / "paths.toml").read_text() + 'then = "one/first"\n')
    catalogue = course.load()
    assert catalogue.problems == ()
    path = catalogue.path("short")
    assert path is not None
    assert (path.title["zh-Hans"], path.question["en"], path.end["en"], path.then) == ("短", "Is it?", "You can.", "one/first")
    assert [lesson.id for lesson in catalogue.lessons_of(path)] == ["b", "a", "c", "d", "e"]
    assert catalogue.path("none") is None


def test_a_course_need_not_have_paths(course: CourseFolder) -> None:
    (course.folder / "paths.toml").unlink()
    catalogue = course.load()
    assert (catalogue.problems, catalogue.course.paths) == ((), ())


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"one/e"', '"one/f"', 6, 'lessons: there is no lesson "one/f" (did you mean "one/e"?)'),
        ('"one/e"', '"one/a"', 6, '"one/a" is listed twice'),
        (', "one/e"', "", 6, 'lessons: expected a list of 5 to 8 lessons, like "chapter/lesson", got 4'),
        ('"one/e"', '"one/second"', 6, "lessons: expected 40 to 60 minutes in all, got 38"),
        ("lessons = [", 'then = "one/x"\nlessons = [', 6, 'then: there is no lesson "one/x"'),
        ('en = "Is it?", ', "", 4, 'expected the key "en", the question'),
        ("question", "questions", 1, 'expected the key "question", one question per language, question.en = …'),
        ('"short"', '"So short"', 2, 'id: expected an id (small letters, digits and single hyphens, at most 64), got "So short"'),
    ],
)
def test_what_is_wrong_with_a_path_is_said_with_its_line_and_what_was_expected(
    course: CourseFolder, old: str, new: str, line: int, message: str
) -> None:
    course.replace("paths.toml", old, new)
    catalogue = course.load()
    problem = catalogue.problems[0]
    assert (problem.file, problem.line) == ("paths.toml", line)
    assert problem.message.startswith(message)
    assert catalogue.course.paths == ()
    assert len(catalogue.course.lessons) == 7  # the lessons are served all the same


def test_too_many_minutes_are_too_many(course: CourseFolder) -> None:
    course.replace("one/c/lesson.toml", "9", "25")
    assert course.problem().message == "lessons: expected 40 to 60 minutes in all, got 61"


def test_a_lesson_comes_after_those_that_it_requires(course: CourseFolder) -> None:
    course.write("one/b/lesson.toml", 'minutes = 9\nrequires = ["one/d"]\n')
    assert course.problem().message == 'lessons: "one/b" requires "one/d": expected it after that'


def test_a_path_is_checked_although_one_of_its_lessons_has_problems(course: CourseFolder) -> None:
    course.write("one/c/en.md", "no title\n")
    course.write("one/b/lesson.toml", 'minutes = 25\nrequires = ["one/c"]\n')
    assert [problem.message for problem in course.load().problems if problem.file == "paths.toml"] == [
        'lessons: "one/b" requires "one/c": expected it after that',
        "lessons: expected 40 to 60 minutes in all, got 61",
    ]


def test_two_paths_have_two_ids(course: CourseFolder) -> None:
    course.write("paths.toml", PATH + PATH)
    assert course.problem().message == 'there are two paths "short"'
    assert len(course.load().course.paths) == 1


def test_a_path_leaves_out_a_lesson_that_has_problems(course: CourseFolder) -> None:
    course.write("one/c/en.md", "no title\n")
    catalogue = course.load()
    assert {problem.file for problem in catalogue.problems} == {"one/c/en.md"}
    assert [lesson.id for lesson in catalogue.lessons_of(catalogue.course.paths[0])] == ["a", "b", "d", "e"]


def test_the_first_path_follows_the_last(course: CourseFolder) -> None:
    course.write("paths.toml", PATH + PATH.replace('"short"', '"other"'))
    catalogue = course.load()
    short, other = catalogue.course.paths
    assert (catalogue.path_after(short), catalogue.path_after(other)) == (other, short)
    course.write("paths.toml", PATH)
    catalogue = course.load()
    assert catalogue.path_after(catalogue.course.paths[0]) is None


def test_several_courses_have_the_paths_of_all(tmp_path: Path) -> None:
    first, second = write_course(tmp_path / "a"), write_course(tmp_path / "b")
    (second.folder / "one").rename(second.folder / "two")
    second.write("course.toml", 'chapters = ["two"]')
    second.write("paths.toml", PATH.replace("one/", "two/").replace('"short"', '"other"') + PATH.replace("one/", "two/"))
    catalogue = load_courses([first.folder, second.folder])
    assert [(path.id, path.lessons[0]) for path in catalogue.course.paths] == [("short", "one/a"), ("other", "two/a")]
    [problem] = catalogue.problems
    assert problem.file == str(second.folder / "paths.toml")
    assert problem.message == 'there is already a path "short", in an earlier course: expected another id'


def test_each_of_our_own_paths_takes_an_hour_at_most_and_has_an_end_in_both_languages() -> None:
    catalogue = load_own_course()
    assert len(catalogue.course.paths) == 6
    for path in catalogue.course.paths:
        lessons = catalogue.lessons_of(path)
        assert PATH_LESSONS[0] <= len(lessons) == len(path.lessons) <= PATH_LESSONS[1]
        assert PATH_MINUTES[0] <= sum(lesson.minutes for lesson in lessons) <= PATH_MINUTES[1]
        assert lessons[0].predictions, "the path before it begins it with a prediction"
        assert set(path.end) == {"en", "zh-Hans"}
