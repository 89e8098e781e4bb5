"""The content of a card is looked up in the lessons. What they lack is reported with the card's line."""

import pytest

from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing

FILE = "cards/sheet.toml"
CARD = """\
number = 1
title.en = "Sheet"
title.zh-Hans = "卡片"
purpose.en = "For a test."
purpose.zh-Hans = "测试用。"

[[section]]
heading.en = "All"
heading.zh-Hans = "全部"
code = [{ lesson = "one/first", cell = "double", first = "if b:", last = "c = 3" }]
rules = ["one/first"]
table = "one/second"
pitfalls = ["ignores-grad-output"]
"""
SOURCE = "b = 1\nif b:\n    a = 2\n    c = 3\n    d = 4\nprint(a)\n"
TABLE = "\n| a | b |\n| --- | --- |\n| {} | 2 |\n"


@pytest.fixture
def course(course: CourseFolder) -> CourseFolder:
    add_doing(course)
    course.write("one/first/cells/double.py", SOURCE)
    for lang, word in (("en", "one"), ("zh-Hans", "一")):
        path = course.folder / f"one/second/{lang}.md"
        path.write_text(path.read_text(encoding="utf-8") + TABLE.format(word), encoding="utf-8")
    course.write(FILE, CARD)
    return course


def test_a_card_has_what_its_sources_say(course: CourseFolder) -> None:
    catalogue = course.load()
    assert catalogue.problems == ()
    (section,) = catalogue.cards["sheet"].sections
    assert [code.source for code in section.code] == ["if b:\n    a = 2\n    c = 3"]
    assert [rule.path for rule in section.rules] == ["one/first"]
    assert "<td>one</td>" in section.table["en"]
    assert "<td>一</td>" in section.table["zh-Hans"]
    assert section.pitfalls == ("ignores-grad-output",)


def test_code_from_within_a_block_begins_at_the_margin(course: CourseFolder) -> None:
    course.replace(FILE, "if b:", "a = 2")
    (section,) = course.load().cards["sheet"].sections
    assert section.code[0].source == "a = 2\nc = 3"


def test_cards_are_in_the_order_of_their_numbers(course: CourseFolder) -> None:
    course.write("cards/another.toml", CARD.replace("number = 1", "number = 2"))
    assert [*course.load().cards] == ["sheet", "another"]


def test_two_cards_of_one_number_are_one_too_many(course: CourseFolder) -> None:
    course.write("cards/zero.toml", CARD)
    assert course.problem() == ("cards/zero.toml", 1, "number: 1 is already that of sheet: expected another")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("number = 1", "number = 0", 1, "number: expected a whole number from 1 to 99, got 0"),
        ("purpose.en", "reason.en", 4, 'unknown key "reason"'),
        ('rules = ["one/first"]', 'rules = ["one/frst"]', 11, 'rules: there is no lesson "one/frst" (did you mean "one/first"?)'),
        ('rules = ["one/first"]', 'rules = ["one/later"]', 11, 'rules: there is no lesson "one/later"'),
        ('rules = ["one/first"]', 'rules = ["one/second"]', 11, "rules: expected a lesson with a :::{rule}, one/second has none"),
        ('"double"', '"doubl"', 10, 'cell: there is no cell "doubl" in one/first (did you mean "double"?)'),
        ("if b:", "if a:", 10, 'first: expected a line that the cell has exactly once, it has "if a:" 0 times'),
        ("c = 3", "b = 1", 10, 'last: expected a line after "if b:"'),
        ('"one/second"', '"one/first"', 12, "table: expected a lesson with one table in each language, one/first has 0 and 0"),
        ("ignores-grad-output", "ignores-grad", 13, "pitfalls: expected the code of a pitfall that has a page"),
    ],
)
def test_a_mistake_in_a_card(course: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    course.replace(FILE, old, new)
    catalogue = course.load()
    assert not catalogue.cards
    assert (catalogue.problems[0].file, catalogue.problems[0].line) == (FILE, line)
    assert catalogue.problems[0].message.startswith(message)


def test_a_card_of_a_broken_lesson_is_left_out_without_a_complaint_of_its_own(course: CourseFolder) -> None:
    course.replace("one/first/lesson.toml", "minutes = 5", "minutes = 0")
    catalogue = course.load()
    assert not catalogue.cards
    assert {problem.file for problem in catalogue.problems} == {"one/first/lesson.toml"}
