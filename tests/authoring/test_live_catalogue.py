import asyncio
from functools import partial
from pathlib import Path

import pytest

from app.authoring.live_catalogue import LiveCatalogue
from app.lessons.catalogue import load_catalogue
from tests.authoring.written_course import write_course


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return write_course(tmp_path)


@pytest.fixture
def live(course: Path) -> LiveCatalogue:
    return LiveCatalogue(partial(load_catalogue, course))


def paths(live: LiveCatalogue) -> list[str]:
    return [lesson.path for lesson in live.course.lessons]


def test_a_reload_takes_what_is_on_disk_and_is_another_generation(live: LiveCatalogue, course: Path) -> None:
    before = live.generation
    (course / "one/first/cells/slope.py").write_text("print(1)\n")
    asyncio.run(live.reload())
    lesson = live.lesson("one/first")
    assert lesson is not None and lesson.cells[0].source == "print(1)\n"
    assert live.generation != before
    assert live.around(lesson)[1] is live.lesson("one/second")


@pytest.mark.parametrize("file", ["one/first/lesson.toml", "one/chapter.toml", "course.toml"])
def test_what_no_longer_loads_stays_as_it_was_and_its_problem_is_told(live: LiveCatalogue, course: Path, file: str) -> None:
    text = (course / file).read_text()
    (course / file).write_text("what = ")
    asyncio.run(live.reload())
    assert paths(live) == ["one/first", "one/second"]
    assert [problem.file for problem in live.problems][:1] == [file]
    (course / file).write_text(text)
    asyncio.run(live.reload())
    assert (paths(live), live.problems) == (["one/first", "one/second"], ())


def test_a_lesson_that_is_no_longer_listed_is_gone(live: LiveCatalogue, course: Path) -> None:
    for path in sorted((course / "one/second").iterdir()):
        path.unlink()
    (course / "one/chapter.toml").write_text((course / "one/chapter.toml").read_text().replace(', "second"', ""))
    asyncio.run(live.reload())
    assert (paths(live), live.problems) == (["one/first"], ())


def test_a_loader_that_fails_leaves_the_course_as_it_was(live: LiveCatalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError

    monkeypatch.setattr(live, "_load", fail)
    before = live.generation
    with pytest.raises(OSError):
        asyncio.run(live.reload())
    assert (paths(live), live.generation) == (["one/first", "one/second"], before)
