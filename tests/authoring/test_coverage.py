import tomllib
from pathlib import Path

import pytest

from app.authoring.coverage.coverage import Coverage, load_coverage
from app.authoring.coverage.coverage_page import render_coverage
from app.lessons.course.catalogue import load_catalogue
from app.settings import PROJECT, Settings
from tests.authoring.written_course import write_course
from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing
from tests.own_course import load_own_course

CONCEPT = '[[concept]]\nchapter = "one"\nsays = "slopes"\nshown = ["one/first#slope"]\n'


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return write_course(tmp_path)


def load(course: Path, text: str) -> Coverage:
    (course / "coverage.toml").write_text(text, encoding="utf-8")
    return load_coverage(course, load_catalogue(course))


def messages(coverage: Coverage) -> list[str]:
    return [f"{problem.line}: {problem.message}" for problem in coverage.problems]


def test_a_course_needs_no_list_of_what_it_has_to_teach(course: Path) -> None:
    assert load_coverage(course, load_catalogue(course)) == Coverage((), {}, ())


def test_what_has_its_place_is_listed_with_it(course: Path) -> None:
    fact = '[[fact]]\nchapter = "one"\nsays = "6 | at 3"\nmyth = true\nshown = ["one/first#slope"]\n'
    coverage = load(course, f'{CONCEPT}{fact}[names]\none = ["print"]\n')
    assert messages(coverage) == []
    page = render_coverage(load_catalogue(course), coverage)
    assert "| slopes | [one/first `slope`](../lessons/one/first) |" in page
    assert "| 6 \\| at 3 *(believed otherwise)* | [one/first `slope`](../lessons/one/first) |" in page
    assert "| `print` | [one/first](../lessons/one/first) |" in page
    assert page.endswith("## Still owed\n\nNothing.\n")


def test_a_place_that_does_not_exist_is_told_at_its_line(course: Path) -> None:
    coverage = load(course, CONCEPT.replace("#slope", "#slop"))
    assert messages(coverage) == ['4: there is no "one/first#slop" (did you mean "one/first#slope"?): expected chapter/lesson#id']


def test_a_chapter_that_is_complete_owes_nothing_and_one_that_is_not_may(course: Path) -> None:
    owing = CONCEPT.replace('"one/first#slope"', "") + '[names]\none = ["exec"]\n'
    assert messages(load(course, owing)) == [
        '4: "slopes": expected the place where the chapter one shows it',
        "6: exec: expected a lesson of the chapter one that uses it",
    ]
    planned = '\n[[planned]]\nid = "more"\ntitle.en = "More"\ntitle.zh-Hans = "更多"\n'
    (course / "one/chapter.toml").write_text((course / "one/chapter.toml").read_text() + planned)
    coverage = load(course, owing)
    assert messages(coverage) == []
    assert render_coverage(load_catalogue(course), coverage).endswith("## Still owed\n\n**1 · One**\n\n- slopes\n- to use: `exec`\n")


def test_a_fact_is_shown_by_more_than_an_exercise(tmp_path: Path) -> None:
    course = add_doing(CourseFolder(tmp_path)).folder
    lesson = next(one for one in load_catalogue(course).course.lessons if one.exercises)
    fact = f'[[fact]]\nchapter = "one"\nsays = "so"\nshown = ["{lesson.path}#{lesson.exercises[0].id}"]\n'
    assert messages(load(course, fact)) == ['4: "so": expected a cell, a prediction or a try-it that shows it']
    assert messages(load(course, fact.replace("fact", "concept"))) == []


ERROR = '[[error]]\nchapter = "one"\nsays = "y = None"\n'


def test_an_error_is_explained_by_a_pitfall_or_shown_or_both(course: Path) -> None:
    explained = load(course, CONCEPT + ERROR + 'pitfall = "no-backward"\n' + ERROR + 'shown = ["one/first#slope"]\n')
    assert messages(explained) == []
    page = render_coverage(load_catalogue(course), explained)
    assert "| Error that tutorials make | explained by |" in page
    assert "| y = None | what is told of the error, `no-backward` |" in page
    assert "| y = None | [one/first `slope`](../lessons/one/first) |" in page
    both = load(course, ERROR + 'pitfall = "no-backward"\nshown = ["one/first#slope"]\n')
    assert "| y = None | what is told of the error, `no-backward`, [one/first `slope`](../lessons/one/first) |" in render_coverage(
        load_catalogue(course), both
    )


def test_an_error_that_nothing_explains_and_a_pitfall_that_does_not_exist_are_told(course: Path) -> None:
    assert messages(load(course, ERROR)) == ['1: "y = None": expected a pitfall that explains it, or places that show it']
    assert messages(load(course, ERROR + 'pitfall = "no-bacward"\n')) == [
        '4: there is no pitfall "no-bacward" (did you mean "no-backward"?): expected one of app/pitfalls'
    ]


def test_an_unknown_chapter_and_an_unknown_key_are_told(course: Path) -> None:
    coverage = load(course, CONCEPT.replace('"one"', '"two"') + '[names]\ntwo = ["print"]\n')
    assert [message.split(",")[0].split(" (")[0] for message in messages(coverage)] == [
        '2: chapter: expected one of "one"',
        '6: unknown key "two"',
    ]
    assert messages(load(course, CONCEPT + 'why = "x"\n')) == ['5: unknown key "why" (there is chapter, says, shown)']


def test_the_page_in_the_docs_is_that_of_the_course() -> None:
    catalogue = load_own_course()
    coverage = load_coverage(Settings().lessons_folder, catalogue)
    assert coverage.problems == ()
    assert (PROJECT / "docs/coverage.md").read_text(encoding="utf-8") == render_coverage(catalogue, coverage), (
        "write it anew: gradroom lessons coverage > docs/coverage.md"
    )


def test_what_is_believed_otherwise_is_tested_in_the_chapter_on_myths() -> None:
    facts = tomllib.loads((Settings().lessons_folder / "coverage.toml").read_text(encoding="utf-8"))["fact"]
    believed = [fact for fact in facts if fact.get("myth")]
    assert believed
    assert [fact["says"] for fact in believed if not any(place.startswith("myths/") for place in fact["shown"])] == []
