"""Problems that do not keep a lesson from being served, and translations that are out of date."""

import pytest

from app.lessons.course.review import find_review_problems
from app.lessons.texts.translations import record_translations
from app.lessons.toml.problem import Problem
from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing

LESSON = "one/first/lesson.toml"
EN = "one/first/en.md"
ZH = "one/first/zh-Hans.md"
FILL = "one/first/exercises/fill"
CHINESE = {
    "How much is": "这里是多少，请看",
    "No, as ": "不对，请看",
    " says.": "的说明。",
    "Because $2 = 2$.": "因为 $2 = 2$。",
    "A footnote": "这里有一个脚注",
    " and a picture:": "和一张图：",
    "What comes of it?": "结果会是什么？",
    "Write a 3.": "写一个三。",
    "It is *more*.": "它*更多*。",
    "**Double it.**": "**把它翻一倍。**",
    "The lede, with an ": "引言讲的是",
    "Write only what is missing, see ": "只写出缺少的部分，参见",
    "It leaves the factor out.": "它漏掉了系数。",
    "It is the double of `a`": "它是 `a` 的两倍",
}


@pytest.fixture
def reviewed(course: CourseFolder) -> CourseFolder:
    """Return the small course with texts that are long enough and in Chinese where they have to be."""
    add_doing(course)
    course.replace("one/chapter.toml", '"first", "second"', '"first"')
    for file in ("lesson.toml", "en.md", "zh-Hans.md"):
        (course.folder / "one/second" / file).unlink()
    course.replace(LESSON, '"one/second", ', "")
    course.replace("glossary.toml", "[second](one/second)", "it")
    for lang in ("en", "zh-Hans"):
        course.replace(f"{FILL}/{lang}.md", "[this](../second)", "this")
    course.write("one/first/exercises/probe/mutants/other.py", "def double(x):\n    return 3 * x\n")
    for lang in ("en", "zh-Hans"):
        path = f"one/first/exercises/probe/{lang}.md"
        course.write(path, (course.folder / path).read_text() + "\n:::{mutant} other\nThree.\n:::\n")
    course.replace(EN, "\n:::{rule}", "\n" + "word " * 140 + "\n\n:::{rule}")
    course.replace(ZH, "\n:::{rule}", "\n" + "字" * 260 + "\n\n:::{rule}")
    for old, new in CHINESE.items():
        for file in (ZH, f"{FILL}/zh-Hans.md", "one/first/exercises/probe/zh-Hans.md"):
            if old in (course.folder / file).read_text():
                course.replace(file, old, new)
    return course


def problems_of(course: CourseFolder) -> list[Problem]:
    catalogue = course.load()
    assert catalogue.problems == ()
    return find_review_problems(course.folder, catalogue.course.lessons)


def assert_told(course: CourseFolder, file: str, line: int, message: str) -> None:
    problems = problems_of(course)
    assert any((one.file, one.line) == (file, line) and message in one.message for one in problems), "\n".join(map(str, problems))


def test_a_good_lesson_is_told_nothing(reviewed: CourseFolder) -> None:
    assert problems_of(reviewed) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "told", "line", "message"),
    [
        (EN, ":::{rule}\n**Double it.**\n:::\n", "", EN, 1, "expected one :::{rule}, the lesson's one sentence, got 0"),
        (EN, ":::{rule}", ":::{rule}\nA.\n:::\n\n:::{rule}", EN, 1, "expected one :::{rule}, the lesson's one sentence, got 2"),
        (EN, "word " * 140, "word", EN, 1, "expected 150 to 350 English words outside {wrong} and {answer}, got"),
        (EN, "word word", "word " * 300, EN, 1, "expected 150 to 350 English words outside {wrong} and {answer}, got"),
        (ZH, "字" * 260, "字", ZH, 1, "expected 250 to 650 Chinese characters outside {wrong} and {answer}, got"),
        (ZH, "写一个三。", "Please write a three here.", ZH, 38, "expected Chinese, got 0 Chinese characters and 5 Latin words"),
        (ZH, ":::{wrong} 3", ":::{wrong} 4", ZH, 8, "expected {wrong} 3 as at en.md:8, got {wrong} 4"),
        (ZH, ":::{rule}", ":::{note}\n甲\n:::\n\n:::{rule}", ZH, 53, "expected {rule} as at en.md:53, got {note}"),
        (EN, "[^1]: The", ":::{tip}\nA.\n:::\n\n[^1]: The", ZH, 57, "expected {tip} as at en.md:57, but the text ends"),
        (ZH, "[^1]: The", ":::{tip}\n甲\n:::\n\n[^1]: The", ZH, 57, "{tip} is not in en.md"),
        (f"{FILL}/en.md", ":::{hint}\nThe second.\n:::\n", "", f"{FILL}/en.md", 1, "expected two or three :::{hint}, got 1"),
        (f"{FILL}/starter.py", "____", "2", f"{FILL}/starter.py", 1, 'kind "blank": expected one or more blanks, ____'),
        (
            f"{FILL}/starter.py",
            "b = ____",
            "c = 1\nb = ____",
            f"{FILL}/solution.py",
            1,
            "expected starter.py with something in place of each ____",
        ),
        (f"{FILL}/solution.py", "b = ", "c = ", f"{FILL}/solution.py", 2, "and otherwise the same"),
    ],
)
def test_a_rule_for_authors(reviewed: CourseFolder, file: str, old: str, new: str, told: str, line: int, message: str) -> None:
    reviewed.replace(file, old, new)
    assert_told(reviewed, told, line, message)


@pytest.mark.parametrize(
    ("file", "told", "message"),
    [
        (
            "fill/solutions/sum.py",
            "fill/exercise.toml",
            "expected solution.py and two others in solutions/, written differently, got 2 in all",
        ),
        ("probe/solutions/a.py", "probe/exercise.toml", "expected solution.py and two others in solutions/"),
    ],
)
def test_three_solutions(reviewed: CourseFolder, file: str, told: str, message: str) -> None:
    (reviewed.folder / "one/first/exercises" / file).unlink()
    assert_told(reviewed, f"one/first/exercises/{told}", 1, message)


def test_one_to_three_mistakes(reviewed: CourseFolder) -> None:
    (reviewed.folder / FILL / "mistakes/by_three.py").unlink()
    reviewed.replace(f"{FILL}/checks.py", "@mistake\n", "")
    for lang in ("en", "zh-Hans"):
        reviewed.replace(f"{FILL}/{lang}.md", ":::{mistake} by-three\nThat is three.\n:::\n", "")
    assert_told(reviewed, f"{FILL}/exercise.toml", 1, "expected one to three programs in mistakes/, got 0")


def test_two_mutants(reviewed: CourseFolder) -> None:
    (reviewed.folder / "one/first/exercises/probe/mutants/other.py").unlink()
    for lang in ("en", "zh-Hans"):
        reviewed.replace(f"one/first/exercises/probe/{lang}.md", ":::{mutant} other\nThree.\n:::\n", "")
    assert_told(reviewed, "one/first/exercises/probe/exercise.toml", 1, "expected 2 mutants or more in mutants/, got 1")


def test_a_lesson_without_a_prediction_and_an_exercise(course: CourseFolder) -> None:
    messages = [one.message for one in problems_of(course) if one.file == "one/second/lesson.toml"]
    assert messages == [
        "expected a prediction, a table [[prediction]]: a lesson opens with a question",
        "expected an exercise, a folder in exercises/",
    ]


def test_what_is_recorded_is_not_stale(reviewed: CourseFolder) -> None:
    assert record_translations(reviewed.folder, "one/first") == [
        "one/first/translation.toml",
        f"{FILL}/translation.toml",
        "one/first/exercises/probe/translation.toml",
    ]
    assert problems_of(reviewed) == []
    assert record_translations(reviewed.folder, "one/first") == []


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "english"),
    [
        (EN, "It is *more*.", "It is *much more*.", 42, 42),
        (EN, "{answer} What happens", "{answer} What happens here", 41, 41),
        (EN, "A footnote[^1]", "A note[^1]", 19, 19),
        (EN, "- An exception.", "- An error.", 26, 26),
        (f"{FILL}/en.md", "The second.", "The last.", 10, 10),
    ],
)
def test_a_paragraph_whose_english_changed_is_stale(reviewed: CourseFolder, file: str, old: str, new: str, line: int, english: int) -> None:
    record_translations(reviewed.folder, "one/first")
    reviewed.replace(file, old, new)
    told = file.replace("en.md", "zh-Hans.md")
    assert problems_of(reviewed) == [Problem(told, line, f"the English paragraph at en.md:{english} changed since this was written")]


def test_a_paragraph_that_changed_in_both_is_not_stale(reviewed: CourseFolder) -> None:
    record_translations(reviewed.folder, "one/first")
    reviewed.replace(EN, "It is *more*.", "It is *much more*.")
    reviewed.replace(ZH, "它*更多*。", "它*多得多*。")
    assert problems_of(reviewed) == []


def test_paragraphs_that_only_moved_are_not_stale(reviewed: CourseFolder) -> None:
    record_translations(reviewed.folder, "one/first")
    for file, words in ((EN, "One more.\n\nA footnote"), (ZH, "还有一段。\n\n这里有一个脚注")):
        reviewed.replace(file, words.split("\n\n")[1], words)
    assert problems_of(reviewed) == []


def test_where_paragraphs_are_divided_otherwise_they_are_held_together(reviewed: CourseFolder) -> None:
    reviewed.replace(ZH, "它*更多*。", "它*更多*。\n\n更多。")
    record_translations(reviewed.folder, "one/first")
    assert problems_of(reviewed) == []
    reviewed.replace(EN, "It is *more*.", "It is *less*.")
    assert [one.line for one in problems_of(reviewed)] == [42]
