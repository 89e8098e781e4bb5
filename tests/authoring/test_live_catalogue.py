import asyncio
from functools import partial
from pathlib import Path

import pytest

from app.authoring.author_mode.live_catalogue import LiveCatalogue
from app.lessons.course.catalogue import load_catalogue
from app.lessons.model.model import LANGS
from app.protocol.run import Lang
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


def test_a_broken_lesson_that_is_no_longer_listed_keeps_its_place(live: LiveCatalogue, course: Path) -> None:
    (course / "one/chapter.toml").write_text((course / "one/chapter.toml").read_text().replace('"first", ', ""))
    asyncio.run(live.reload())  # "first" still has its files, which is a problem
    assert paths(live) == ["one/first", "one/second"]


class Clock:
    """A clock that shows the time to which it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(course: Path, clock: Clock) -> LiveCatalogue:
    return LiveCatalogue(partial(load_catalogue, course), clock)


def change(live: LiveCatalogue, clock: Clock, file: Path, before: str, after: str) -> None:
    """Save a file a minute after the last change, and reload."""
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    clock.now += 60
    asyncio.run(live.reload())


def told(live: LiveCatalogue, lang: Lang, path: str = "one/first") -> tuple[str, float, bool] | None:
    """Return what is shown of a lesson: its summary, since when, and whether it is stale."""
    version = live.version(path, lang)
    return version and (version.lesson.texts[lang].summary, version.since, version.is_stale)


def test_each_language_is_shown_as_it_is_now_whatever_is_wrong_with_the_other(timed: LiveCatalogue, clock: Clock, course: Path) -> None:
    chinese = ("这是第一课。", 0, False)
    assert (told(timed, "en"), told(timed, "zh-Hans")) == (("The first lesson.", 0, False), chinese)
    change(timed, clock, course / "one/first/en.md", "The first lesson.", "The very first lesson.\n\n## A new part\n\nNew.")
    assert told(timed, "en") == ("The very first lesson.", 60, False)
    assert told(timed, "zh-Hans") == ("这是第一课。", 0, True)  # it has one heading fewer
    lesson = timed.lesson("one/first")
    assert lesson is not None
    assert [lesson.texts[lang].summary for lang in LANGS] == ["The very first lesson.", "这是第一课。"]
    change(timed, clock, course / "one/first/zh-Hans.md", "这是第一课。", "这才是第一课。\n\n## 新的一节\n\n新。")
    assert told(timed, "en") == ("The very first lesson.", 60, False)
    assert told(timed, "zh-Hans") == ("这才是第一课。", 120, False)


def test_what_is_wrong_with_a_text_keeps_only_its_own_language_back(timed: LiveCatalogue, clock: Clock, course: Path) -> None:
    change(timed, clock, course / "one/first/en.md", "The first lesson.", "[The first lesson](../nowhere).")
    assert (told(timed, "en"), told(timed, "zh-Hans")) == (("The first lesson.", 0, True), ("这是第一课。", 0, False))
    change(timed, clock, course / "one/first/zh-Hans.md", "第一课。", "一课。")
    assert (told(timed, "en"), told(timed, "zh-Hans")) == (("The first lesson.", 0, True), ("这是一课。", 120, False))


def test_what_is_wrong_with_what_both_share_keeps_both_back(timed: LiveCatalogue, clock: Clock, course: Path) -> None:
    change(timed, clock, course / "one/first/lesson.toml", "minutes = 5", "minuets = 5")
    assert (told(timed, "en"), told(timed, "zh-Hans")) == (("The first lesson.", 0, True), ("这是第一课。", 0, True))
    change(timed, clock, course / "one/first/lesson.toml", "minuets = 5", "minutes = 5")
    assert (told(timed, "en"), told(timed, "zh-Hans")) == (("The first lesson.", 0, False), ("这是第一课。", 0, False))


def test_a_cell_that_one_text_does_not_place_yet_can_be_run_from_the_other(timed: LiveCatalogue, clock: Clock, course: Path) -> None:
    (course / "one/first/cells/more.py").write_text("print(2)\n")
    change(timed, clock, course / "one/first/en.md", "## Another part", ":::{cell} more\n:::\n\n## Another part")
    change(timed, clock, course / "one/first/lesson.toml", 'stdout = ["6.0"]  # at three\n', 'stdout = ["6.0"]\n\n[[cell]]\nid = "more"\n')
    english, chinese = timed.version("one/first", "en"), timed.version("one/first", "zh-Hans")
    assert english and chinese
    assert [cell.id for cell in english.lesson.cells] == ["slope", "more"]
    assert [cell.id for cell in chinese.lesson.cells] == ["slope"]
    lesson = timed.lesson("one/first")
    assert lesson and lesson.cell("more")


def test_a_lesson_that_is_there_in_one_language_alone_is_shown_in_it(timed: LiveCatalogue, clock: Clock, course: Path) -> None:
    third = course / "one/third"
    third.mkdir()
    (third / "lesson.toml").write_text("minutes = 5\n")
    (third / "en.md").write_text("# Third\n\nThe third lesson.\n")
    change(timed, clock, course / "one/chapter.toml", '"first", "second"', '"first", "third", "second"')
    assert paths(timed) == ["one/first", "one/third", "one/second"]
    assert (told(timed, "en", "one/third"), told(timed, "zh-Hans", "one/third")) == (("The third lesson.", 60, False), None)
    assert timed.version("one/none", "en") is None


def test_a_loader_that_fails_leaves_the_course_as_it_was(live: LiveCatalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError

    monkeypatch.setattr(live, "_load", fail)
    before = live.generation
    with pytest.raises(OSError):
        asyncio.run(live.reload())
    assert (paths(live), live.generation) == (["one/first", "one/second"], before)
