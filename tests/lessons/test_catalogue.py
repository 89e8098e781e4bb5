import pytest

from app.lessons.course.catalogue import UnknownCellError
from app.lessons.model.model import CellPlace, Prose
from app.protocol.limits import Limits
from app.protocol.run import Source
from tests.lessons.course_folder import FIRST, CourseFolder
from tests.own_course import load_own_course


def test_a_good_course_has_no_problems(course: CourseFolder) -> None:
    catalogue = course.load()
    assert catalogue.problems == ()
    [chapter] = catalogue.course.chapters
    assert (chapter.id, chapter.number, chapter.title) == ("one", 1, {"en": "One", "zh-Hans": "一"})
    assert [lesson.path for lesson in chapter.lessons] == ["one/first", "one/second"]


def test_a_lesson_has_its_cells_and_what_they_declare(course: CourseFolder) -> None:
    lesson = course.load().lesson("one/first")
    assert lesson is not None
    first, second = lesson.cells
    assert (first.id, first.filename, first.source, first.after, first.raises) == ("a-cell", "a_cell.py", "a = 1\n", (), None)
    assert (second.after, second.raises) == (("a-cell",), "ValueError")
    assert first.shows is not None
    assert second.shows is not None
    assert (first.shows.outcome, first.shows.stdout, first.shows.line("stdout", 0)) == ("finished", ("1",), 7)
    assert second.shows.outcome == "raised"


def test_a_cell_runs_where_it_says_or_where_its_lesson_does(course: CourseFolder) -> None:
    course.replace("one/first/lesson.toml", "minutes = 5", 'minutes = 5\nruntime = "jax"')
    course.replace("one/first/lesson.toml", 'after = ["a-cell"]', 'runtime = "tensorflow"')
    lesson = course.load().lesson("one/first")
    assert lesson is not None
    assert (lesson.runtime, [cell.runtime for cell in lesson.cells]) == ("jax", ["jax", "tensorflow"])


def test_a_text_is_a_title_a_lede_and_blocks(course: CourseFolder) -> None:
    lesson = course.load().lesson("one/first")
    assert lesson is not None
    text = lesson.texts["en"]
    assert (text.title, text.title_html) == ("First code", "First <code>code</code>")
    assert text.summary == "The lede, with x^2 and grad_x."
    assert '<span class="backward">grad_x</span>' in text.lede_html
    assert "<math" in text.lede_html
    assert not text.lede_html.startswith("<p>")
    kinds = [block.cell_id if isinstance(block, CellPlace) else "prose" for block in text.blocks]
    assert kinds == ["a-cell", "prose", "b", "prose"]
    assert isinstance(text.blocks[1], Prose)
    assert text.blocks[1].html == '<h2 id="section-why"><a class="to-section" href="#section-why">Why</a></h2>\n<p>Because.</p>\n'


def test_a_lesson_that_is_not_there_is_none(course: CourseFolder) -> None:
    assert course.load().lesson("one/third") is None


def test_a_chapter_is_read_before_its_lessons_and_after_those_of_the_one_before(course: CourseFolder) -> None:
    course.write("course.toml", 'chapters = ["one", "two"]')
    course.write("two/chapter.toml", 'number = 2\ntitle.en = "Two"\ntitle.zh-Hans = "二"\nlessons = ["last"]')
    course.write("two/last/lesson.toml", "minutes = 2")
    for lang in ("en", "zh-Hans"):
        course.write(f"two/last/{lang}.md", "# Last\n\nLede.\n")
    catalogue = course.load()
    assert catalogue.problems == ()
    first, second, last = catalogue.course.lessons
    one, two = catalogue.course.chapters
    assert catalogue.around(one) == (None, first)
    assert catalogue.around(first) == (one, second)
    assert catalogue.around(second) == (first, two)
    assert catalogue.around(two) == (second, last)
    assert catalogue.around(last) == (two, None)


def test_what_a_chapter_enables_to_do_is_said_as_often_in_each_language(course: CourseFolder) -> None:
    chapter = (course.folder / "one/chapter.toml").read_text()
    course.write("one/chapter.toml", f'{chapter}\noutcomes.en = ["read", "write"]\noutcomes.zh-Hans = ["读", "写"]')
    catalogue = course.load()
    assert catalogue.problems == ()
    assert catalogue.course.chapters[0].outcomes == {"en": ("read", "write"), "zh-Hans": ("读", "写")}
    course.write("one/chapter.toml", f'{chapter}\noutcomes.en = ["read", "write"]\noutcomes.zh-Hans = ["读"]')
    (problem,) = course.load().problems
    assert problem.message == "outcomes: expected equally many in each language, got 2 in en, 1 in zh-Hans"


def test_a_chapter_without_lessons_is_planned(course: CourseFolder) -> None:
    course.write("course.toml", 'chapters = ["two", "one"]')
    promise = 'promise.en = "More."\npromise.zh-Hans = "更多。"'
    course.write("two/chapter.toml", f'number = 2\ntitle.en = "Two"\ntitle.zh-Hans = "二"\n{promise}\nlessons = []')
    catalogue = course.load()
    assert catalogue.problems == ()
    assert [(chapter.id, chapter.planned) for chapter in catalogue.course.chapters] == [("two", True), ("one", False)]
    assert catalogue.course.chapters[0].promise == {"en": "More.", "zh-Hans": "更多。"}


def test_a_chapter_whose_lessons_are_broken_is_not_planned(course: CourseFolder) -> None:
    for lesson in ("first", "second"):
        course.write(f"one/{lesson}/lesson.toml", "")
    [chapter] = course.load().course.chapters
    assert (chapter.planned, chapter.lessons) == (False, ())


def test_a_program_replays_what_the_cell_continues_with_the_edits_of_the_learner(course: CourseFolder) -> None:
    catalogue = course.load()
    lesson = catalogue.lesson("one/first")
    assert lesson is not None
    program = catalogue.program(lesson, "b", "b = 3", seed=7)
    assert program.source == Source(text="b = 3", cell="b", raises="ValueError")
    assert program.replay == [Source(text="a = 1\n", cell="a-cell")]
    assert program.seed == 7
    edited = catalogue.program(lesson, "b", "b = 3", {"a-cell": "a = 2", "b": "ignored"})
    assert edited.replay == [Source(text="a = 2", cell="a-cell")]


def test_a_cell_switches_instruments_on_and_a_learner_adds_to_them(course: CourseFolder) -> None:
    course.replace("one/first/lesson.toml", "deadline_seconds = 20", 'instruments = ["graph", "value"]')
    catalogue = course.load()
    lesson = catalogue.lesson("one/first")
    assert lesson is not None
    assert catalogue.program(lesson, "b", "").instruments == ["graph", "value"]
    assert catalogue.program(lesson, "b", "", instruments=["value", "figure"]).instruments == ["graph", "value", "figure"]
    assert catalogue.program(lesson, "a-cell", "").instruments == []


def test_a_lesson_switches_instruments_on_for_its_cells(course: CourseFolder) -> None:
    course.replace("one/first/lesson.toml", "minutes = 5", 'minutes = 5\ninstruments = ["graph"]')
    course.replace("one/first/lesson.toml", 'after = ["a-cell"]', 'after = ["a-cell"]\ninstruments = ["value", "graph"]')
    lesson = course.load().lesson("one/first")
    assert lesson is not None
    assert [cell.instruments for cell in lesson.cells] == [("graph",), ("graph", "value")]


def test_a_replayed_cell_keeps_its_declared_exception(course: CourseFolder) -> None:
    course.replace("one/first/lesson.toml", 'id = "a-cell"\n', 'id = "a-cell"\nraises = "KeyError"\n')
    catalogue = course.load()
    lesson = catalogue.lesson("one/first")
    assert lesson is not None
    assert catalogue.program(lesson, "b", "").replay[0].raises == "KeyError"


def test_a_program_of_an_unknown_cell_is_refused(course: CourseFolder) -> None:
    catalogue = course.load()
    lesson = catalogue.lesson("one/first")
    assert lesson is not None
    with pytest.raises(UnknownCellError):
        catalogue.program(lesson, "c", "")


def test_a_cell_asks_for_its_own_deadline_only(course: CourseFolder) -> None:
    lesson = course.load().lesson("one/first")
    assert lesson is not None
    defaults = Limits(deadline_seconds=3, threads=8)
    assert lesson.cells[0].limits(defaults, factor=2) == defaults
    assert lesson.cells[1].limits(defaults, factor=2) == Limits(deadline_seconds=20, threads=8)


def test_a_lesson_asks_for_limits_and_gets_them_within_reason(course: CourseFolder) -> None:
    course.write("one/first/lesson.toml", "limits.memory_bytes = 134217728\nlimits.threads = 64\nlimits.deadline_seconds = 30\n" + FIRST)
    lesson = course.load().lesson("one/first")
    assert lesson is not None
    defaults = Limits(deadline_seconds=3, threads=8)
    assert lesson.cells[0].limits(defaults, factor=2) == Limits(deadline_seconds=30, memory_bytes=134217728, threads=16)
    assert lesson.cells[1].limits(defaults, factor=1) == Limits(deadline_seconds=20, memory_bytes=134217728, threads=8)


def test_a_broken_lesson_is_left_out_and_the_others_are_served(course: CourseFolder) -> None:
    course.write("one/first/lesson.toml", "minutes = ")
    catalogue = course.load()
    assert [lesson.path for lesson in catalogue.course.lessons] == ["one/second"]
    assert catalogue.problems[0].file == "one/first/lesson.toml"


def test_windows_line_ends_and_a_byte_order_mark_make_no_difference(course: CourseFolder) -> None:
    before = course.load()
    for path in course.folder.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    after = course.load()
    assert (after.course, after.problems) == (before.course, ())


def test_the_courses_own_lessons_load_without_a_problem() -> None:
    catalogue = load_own_course()
    assert catalogue.problems == ()
    assert catalogue.course.lessons
