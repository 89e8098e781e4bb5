"""Each mistake that an author can make is reported with file, line and what was expected."""

import pytest

from app.lessons.toml.problem import Problem
from app.protocol.instrument_facts import INSTRUMENTS
from tests.lessons.course_folder import CourseFolder

LESSON = "one/first/lesson.toml"
EN = "one/first/en.md"
ZH = "one/first/zh-Hans.md"


def replaced(course: CourseFolder, file: str, old: str, new: str) -> Problem:
    course.replace(file, old, new)
    return course.problem()


def in_both_texts(course: CourseFolder, old: str, new: str) -> tuple[Problem, ...]:
    course.replace(EN, old, new)
    course.replace(ZH, old, new)
    return course.load().problems


def in_both_languages(key: str, english: str) -> str:
    return f'minutes = 5\n{key}.en = "{english}"\n{key}.zh-Hans = "一"'


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("minutes = 5", "minutes = ", 1, "this is not TOML: Invalid value"),
        ("[[cell]]", "[[cell]", 3, "this is not TOML: Expected ']]' at the end of an array declaration"),
        ("minutes = 5", "minuts = 5", 1, 'expected the key "minutes", a whole number from 1 to 240'),
        ("minutes = 5", 'minutes = "5"', 1, 'minutes: expected a whole number from 1 to 240, got "5"'),
        ("minutes = 5", "minutes = 5.0", 1, "minutes: expected a whole number from 1 to 240, got 5.0"),
        ("minutes = 5", "minutes = true", 1, "minutes: expected a whole number from 1 to 240, got true"),
        ("minutes = 5", "minutes = 0", 1, "minutes: expected a whole number from 1 to 240, got 0"),
        ("minutes = 5", "minutes = 241", 1, "minutes: expected a whole number from 1 to 240, got 241"),
        ("minutes = 5", 'minutes = 5\nterm.en = "leaf"', 2, 'expected the key "zh-Hans", the term: words, and names of the API'),
        ("minutes = 5", in_both_languages("term", "**leaf**"), 2, "en: expected the term: words, and names of the API in backquotes"),
        ("minutes = 5", in_both_languages("term", "no_grad"), 2, "en: expected the term: words, and names of the API in backquotes"),
        ("minutes = 5", in_both_languages("term", "leaf "), 2, "en: expected the term: words, and names of the API in backquotes"),
        ("minutes = 5", in_both_languages("term", "a" * 31), 2, "en: expected the term: words, and names of the API in backquotes"),
        ("minutes = 5", in_both_languages("ability", "a" * 91), 2, "en: expected the ability in one line of at most 90 characters, got"),
        ("minutes = 5", in_both_languages("ability", "a\\nb"), 2, "en: expected the ability in one line of at most 90 characters, got"),
        ("minutes = 5", 'minutes = 5\nruntime = "numpy"', 2, 'runtime: expected one of "torch", "tensorflow", "jax", got "numpy"'),
        ("deadline_seconds = 20", 'runtime = "numpy"', 13, 'runtime: expected one of "torch", "tensorflow", "jax", got "numpy"'),
        ("deadline_seconds = 20", 'runtime = "jax"', 11, 'after: "a-cell" runs in torch, and this cell in jax'),
        ('id = "b"\nafter', 'id = "b"\nafer', 11, 'unknown key "afer" (did you mean "after"?)'),
        ("stdout =", "stdot =", 7, 'unknown key "stdot" (did you mean "stdout"?)'),
        ("stdout =", "zzz =", 7, 'unknown key "zzz" (there is figures, graph, message, outcome, records, stderr, stdout, traced, values)'),
        ('["1"]', '"1"', 7, 'stdout: expected a list of texts, got "1"'),
        ('["1"]', '[\n  "1",\n  2,\n]', 9, "stdout: expected text, got 2"),
        ('["1"]', "[[]]", 7, "stdout: expected text, got a list"),
        ('["1"]', '[""]', 7, 'stdout: expected text, got ""'),
        ("stdout =", "message = 2026-01-01\nstdout =", 7, "message: expected text, got a date or time"),
        ("deadline_seconds = 20", "deadline_seconds = 61", 13, "deadline_seconds: expected a number over 0 and up to 60, got 61"),
        (
            "deadline_seconds = 20",
            'instruments = ["grap"]',
            13,
            'instruments: expected the name of an instrument, got "grap" (did you mean "graph"?)',
        ),
        ("deadline_seconds = 20", "deadline_seconds = 0", 13, "deadline_seconds: expected a number over 0 and up to 60, got 0"),
        ("minutes = 5", "minutes = 5\nlimits.memory_byte = 1", 2, 'unknown key "memory_byte" (did you mean "memory_bytes"?)'),
        ("minutes = 5", "minutes = 5\nlimits.threads = 2", 2, "threads: expected a whole number from 4 to 1024, got 2"),
        ("minutes = 5", "minutes = 5\nlimits.deadline_seconds = 61", 2, "deadline_seconds: expected a number over 0 and up to 60, got 61"),
        ('"ValueError"', '"builtins.ValueError"', 12, 'expected the name of an exception without its module, got "builtins.ValueError"'),
        ('after = ["a-cell"]', 'after = ["a-cel"]', 11, 'after: there is no cell "a-cel" (did you mean "a-cell"?)'),
        ('after = ["a-cell"]', 'after = ["a-cell", "a-cell"]', 11, '"a-cell" is listed twice'),
        (
            'after = ["a-cell"]',
            'after = ["A"]',
            11,
            'after: expected an id (small letters, digits and single hyphens, at most 64), got "A"',
        ),
        ('after = ["a-cell"]', 'after = ["b"]', 11, 'after: a cycle, "b" continues itself'),
        ('id = "a-cell"\n', 'id = "a-cell"\nafter = ["b"]\n', 5, 'after: a cycle, "a-cell" continues "b", which continues "a-cell"'),
        ("stdout =", 'outcome = "finish"\nstdout =', 7, 'outcome: expected one of "finished", "raised", '),
        ("stdout =", 'outcome = "raised"\nstdout =', 7, 'the outcome "raised" and the key "raises" go together'),
        ("stdout =", 'records = ["grap"]\nstdout =', 7, 'records: expected the name of a record, got "grap" (did you mean "graph"?)'),
        ("stdout =", 'values = ["1"]\nstdout =', 7, 'values: expected one text for each "value" in records, 0, got 1'),
        (
            "stdout =",
            'records = ["figure"]\nfigures = []\nstdout =',
            8,
            'figures: expected one text for each "figure" in records, 1, got 0',
        ),
        ('["1"]', '["1"]\n\n[[cell.shows.graph]]', 9, 'expected one [[cell.shows.graph]] for each "graph" in records, 0, got 1'),
        (
            "[cell.shows]\nstdout",
            '[cell.shows]\nrecords = ["graph"]\ngraph = [{ node = 3 }]\nstdout',
            8,
            'unknown key "node" (did you mean "nodes"?)',
        ),
        ('[cell.shows]\nstdout = ["1"]', 'shows = ["1"]', 6, "shows: expected the table [cell.shows], got a list"),
    ],
)
def test_a_mistake_in_lesson_toml(course: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    course.replace(LESSON, old, new)
    catalogue = course.load()
    assert [(problem.file, problem.line) for problem in catalogue.problems[:1]] == [(LESSON, line)]
    assert message in catalogue.problems[0].message
    assert catalogue.lesson("one/first") is None


def test_a_runtime_that_traces_nothing_has_no_second_run(course: CourseFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(INSTRUMENTS, "jax", ())
    course.replace(LESSON, "minutes = 5", 'minutes = 5\nruntime = "jax"')
    course.replace(LESSON, 'stdout = ["1"]', 'traced = ["1 steps"]')
    assert Problem(LESSON, 8, "traced: jax has no second run") in course.load().problems


def test_all_mistakes_of_a_file_are_told_at_once(course: CourseFolder) -> None:
    course.replace(LESSON, "minutes = 5", "minutes = 0\nmore = 1")
    assert [problem.line for problem in course.load().problems] == [1, 2]


def test_a_later_cell_cannot_be_continued(course: CourseFolder) -> None:
    course.replace(LESSON, 'after = ["a-cell"]\n', "")
    problem = replaced(course, LESSON, 'id = "a-cell"\n', 'id = "a-cell"\nafter = ["b"]\n')
    assert problem == Problem(LESSON, 5, 'after: "b" comes later: only cells above can be continued')


def test_after_lists_all_that_is_replayed(course: CourseFolder) -> None:
    course.write(LESSON, (course.folder / LESSON).read_text() + '\n[[cell]]\nid = "c"\nafter = ["b"]\n')
    course.write("one/first/cells/c.py", "")
    problems = in_both_texts(course, ":::{note}", ":::{cell} c\n:::\n\n:::{note}")
    assert problems == (Problem(LESSON, 19, 'after: "b" continues a-cell: expected that before it, since after is not followed further'),)


def test_an_id_is_used_twice(course: CourseFolder) -> None:
    course.write(LESSON, (course.folder / LESSON).read_text() + '\n[[cell]]\nid = "b"\n')
    assert course.problem() == Problem(LESSON, 18, 'there are two cells "b"')


def test_the_code_of_a_cell_is_missing(course: CourseFolder) -> None:
    (course.folder / "one/first/cells/b.py").unlink()
    assert course.problem() == Problem("one/first/cells/b.py", 1, 'expected the code of the cell "b", the file is missing')


def test_a_py_file_belongs_to_no_cell(course: CourseFolder) -> None:
    course.write("one/first/cells/c_d.py", "")
    expected = 'this file is not used: expected a [[cell]] with the id "c-d" in lesson.toml'
    assert course.problem() == Problem("one/first/cells/c_d.py", 1, expected)


def test_a_source_is_too_long(course: CourseFolder) -> None:
    course.write("one/first/cells/b.py", "#" + "é" * 32_768)
    assert course.problem() == Problem("one/first/cells/b.py", 1, "expected at most 65,536 bytes, got 65,537")


def test_a_file_is_not_utf_8(course: CourseFolder) -> None:
    (course.folder / ZH).write_bytes(b"# One\n\nT\xffwo\n")
    assert course.problem() == Problem(ZH, 3, "expected UTF-8 text, got the byte 0xff")


def test_a_file_holds_a_control_character(course: CourseFolder) -> None:
    course.replace(EN, "Text.", "Te\x1bxt.")
    assert course.load().problems[0] == Problem(EN, 19, "expected plain text, got the control character 0x1b")


def test_a_translation_is_missing(course: CourseFolder) -> None:
    (course.folder / ZH).unlink()
    assert course.problem() == Problem(ZH, 1, "expected the text in the language zh-Hans, the file is missing")


def test_a_text_is_in_a_language_the_course_does_not_speak(course: CourseFolder) -> None:
    course.write("one/first/zh.md", "# x\n")
    assert course.problem() == Problem("one/first/zh.md", 1, "the course is in en and zh-Hans: expected no other text")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (":::{cell} a-cell", ":::{cell} a-cel", 6, 'there is no cell "a-cel" in lesson.toml (did you mean "a-cell"?)'),
        (":::{cell} a-cell\n:::\n\n", "", 1, 'the cell "a-cell" is not placed: expected :::{cell} a-cell'),
        (":::{cell} b", ":::{cell} a-cell", 13, 'the cell "a-cell" is placed a second time'),
        (":::{cell} b", ":::{cell}", 13, "expected the cell's id after {cell}"),
        (":::{cell} b\n", ":::{cell} b\nb = 1\n", 13, "expected nothing inside the cell b: its code is in cells/"),
        (
            ":::{cell} b\n:::",
            "- item\n\n  :::{cell} b\n  :::",
            15,
            "a cell stands alone: not in a list, a quotation or a callout, and in a lesson's text",
        ),
        (
            ":::{cell} b\n:::",
            "> :::{cell} b\n> :::",
            13,
            "a cell stands alone: not in a list, a quotation or a callout, and in a lesson's text",
        ),
        (":::{note}", ":::{nota}", 18, 'unknown directive "nota" (did you mean "note"?)'),
        (":::{note}", ":::{zzz} x", 18, 'unknown directive "zzz"'),
        (":::{note}", "::: note", 18, "expected a directive after :::, like :::{cell} its-id"),
        ("Text.\n:::", "Text.", 18, "the directive :::{note} is not closed: expected ::: on a line of its own"),
        ("Text.", "Text,\n$\\foo$ and so on.", 20, "maths, \\foo: unknown command \\foo"),
        ("Text.", "$$\n\\frac{a}\n$$", 19, "maths, \\frac{a}: a command has too few arguments"),
        ("Text.", "[a]{.forwards}", 19, 'unknown meaning "forwards" (did you mean "forward"?)'),
        ("Text.", "`a`{.x}", 19, 'unknown meaning "x" (there is backward, forward, leaf, missing, saved)'),
        ("Text.", "[a]{}", 19, "a span without a meaning: expected [words]{.forward}, {.backward}, {.saved}, {.leaf}, {.missing}"),
        ("Text.", "[a]{.leaf #x}", 19, 'a span has a meaning and nothing else, got "id"'),
        ("Text.", "[a]{leaf}", 19, "]{leaf} gives no meaning: expected [words]{.backward}"),
        ("Text.", "line\nline ![p](p.png)", 20, 'there is no picture "p.png" in the lesson\'s folder images/'),
        ("Text.", "a <b>word</b>", 19, "<b> would be shown literally: HTML is not available"),
        ("Text.", "<!-- note -->", 19, "<!-- would be shown literally: HTML is not available"),
        ("Text.", "[x](../secnd)", 19, 'there is no lesson "../secnd" (did you mean "../second"?)'),
        ("Text.", "[x](../../two/second)", 19, 'there is no lesson "../../two/second"'),
        ("Text.", "[x](../second#part)", 19, 'there is no section "part" in one/second (did you mean "its-part"?)'),
        ("Text.", "[x](#y)", 19, 'there is no section "y" in one/first (there is more, why)'),
        ("Text.", "[x](http://example.org)", 19, 'or https://…, got "http://example.org"'),
        ("Text.", "[x](javascript:alert(1))", 19, 'or https://…, got "javascript:alert(1)"'),
        ("Text.", "[x](//example.org)", 19, 'or https://…, got "//example.org"'),
        ("# First `code`", "# First $x$", 1, "a title is plain words and code: it also names the browser's tab"),
        ("# First `code`", "## First", 1, "expected a title, # …, and then a paragraph, the lede"),
        (
            "# First `code`\n\nThe lede, with $x^2$ and\n[grad_x]{.backward}.\n\n",
            "# First\n\n",
            3,
            "expected a title, # …, and then a paragraph",
        ),
        ("Because.", "- ## Because", 11, "a heading stands alone: not in a list, a quotation or a directive"),
        ("## Why", "# Why", 9, 'expected ## before "Why", got #'),
        ("## Why", "### Why", 9, 'expected ## before "Why", got ###'),
        ("### More", "#### More", 16, 'expected ## or ### before "More", got ####'),
    ],
)
def test_a_mistake_in_a_text(course: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    problems = in_both_texts(course, old, new)
    assert any((problem.file, problem.line) == (EN, line) and message in problem.message for problem in problems), problems
    assert course.load().lesson("one/first") is None


def test_a_text_is_empty(course: CourseFolder) -> None:
    course.write(EN, "")
    assert Problem(EN, 1, "expected a title, # …, and then a paragraph, the lede") in course.load().problems


def test_a_cell_is_missing_in_one_language(course: CourseFolder) -> None:
    problem = replaced(course, ZH, ":::{cell} b\n:::\n", "")
    assert problem == Problem(ZH, 1, 'the cell "b" is not placed: expected :::{cell} b')


def test_one_language_places_the_cells_in_another_order(course: CourseFolder) -> None:
    text = (course.folder / ZH).read_text()
    course.write(ZH, text.replace("} b", "} x").replace("} a-cell", "} b").replace("} x", "} a-cell"))
    assert course.problem() == Problem(ZH, 13, 'expected the cell "a-cell" before "b", as in lesson.toml')


def test_a_heading_is_missing_in_a_translation(course: CourseFolder) -> None:
    assert replaced(course, ZH, "### More\n", "") == Problem(ZH, 9, "expected 2 headings as in en.md, got 1")


def test_a_heading_has_another_level_in_a_translation(course: CourseFolder) -> None:
    assert replaced(course, ZH, "### More", "## More") == Problem(ZH, 16, 'expected ### as for "More" (en.md:16), got ##')


@pytest.mark.parametrize(
    ("file", "text", "line", "message"),
    [
        ("course.toml", "", 1, 'expected the key "chapters", a list of ids'),
        ("course.toml", 'chapters = ["one", "two"]', 1, 'expected the chapter "two" that course.toml lists, the file is missing'),
        ("course.toml", 'chapters = ["one", "one"]', 1, '"one" is listed twice'),
        ("one/chapter.toml", 'number = 1\ntitle.en = "a"\nlessons = ["first", "second"]', 2, 'expected the key "zh-Hans", the title'),
        (
            "one/chapter.toml",
            'number = 1\ntitle = "a"\nlessons = ["first", "second"]',
            2,
            "title: expected one title per language, title.en = …",
        ),
        (
            "one/chapter.toml",
            'number = 0\ntitle.en = "a"\ntitle.zh-Hans = "b"\nlessons = ["first", "second"]',
            1,
            "number: expected a whole number from 1 to 99, got 0",
        ),
        (
            "one/chapter.toml",
            'number = 1\ntitle.en = "a"\ntitle.zh-Hans = "b"\nlessons = ["first"]',
            1,
            '"second" is not listed in one/chapter.toml',
        ),
    ],
)
def test_a_mistake_in_the_outline(course: CourseFolder, file: str, text: str, line: int, message: str) -> None:
    course.write(file, text)
    problem = course.load().problems[0]
    assert problem.line == line
    assert message in problem.message


def test_a_listed_lesson_is_missing(course: CourseFolder) -> None:
    problem = replaced(course, "one/chapter.toml", '"second"', '"second", "third"')
    assert problem == Problem("one/third/lesson.toml", 1, 'expected the lesson "third" that chapter.toml lists, the file is missing')


def test_two_chapters_have_one_number(course: CourseFolder) -> None:
    course.write("course.toml", 'chapters = ["one", "two"]')
    course.write(
        "two/chapter.toml",
        'number = 1\ntitle.en = "Two"\ntitle.zh-Hans = "二"\npromise = { en = "More.", zh-Hans = "更多。" }\nlessons = []',
    )
    assert course.problem() == Problem("two/chapter.toml", 1, "the number 1 is already that of one")


def test_a_planned_chapter_promises_nothing(course: CourseFolder) -> None:
    course.write("course.toml", 'chapters = ["one", "two"]')
    course.write("two/chapter.toml", 'number = 2\ntitle.en = "Two"\ntitle.zh-Hans = "二"\nlessons = []')
    expected = 'expected the key "promise", one sentence per language, promise.en = …'
    assert course.problem() == Problem("two/chapter.toml", 1, expected)


def test_a_promise_is_not_in_every_language(course: CourseFolder) -> None:
    problem = replaced(course, "one/chapter.toml", "lessons =", 'promise.en = "All."\nlessons =')
    assert problem == Problem("one/chapter.toml", 4, 'expected the key "zh-Hans", the promise')


def test_a_chapter_is_not_listed(course: CourseFolder) -> None:
    course.write("two/chapter.toml", "")
    assert course.problem() == Problem("two/chapter.toml", 1, '"two" is not listed in course.toml')


def test_there_is_no_course(course: CourseFolder) -> None:
    (course.folder / "course.toml").unlink()
    catalogue = course.load()
    assert catalogue.problems == (Problem("course.toml", 1, "expected the list of chapters, the file is missing"),)
    assert catalogue.course.lessons == ()


def test_a_problem_reads_as_a_place_that_can_be_clicked() -> None:
    assert str(Problem("a/b.md", 3, "expected c")) == "a/b.md:3: expected c"
