"""The way from a lesson's cell to the playground."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SINH_BAD, OpenPage
from tests.browser.lesson_page import LessonPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage


def test_a_cell_of_a_lesson_opens_in_the_playground_with_what_it_continues(lesson: LessonPage) -> None:
    lesson.write("print('edited')", "sinh-bad-squared")
    lesson.cell("sinh-bad-squared").get_by_role("link", name="Open in the playground").click()
    lesson.page.wait_for_url(f"**{PLAYGROUND}#program=*")
    bench = PlaygroundPage(lesson.page)
    bench.is_called("sinh_bad_squared.py")
    assert bench.text().startswith("# cell 1: sinh_bad_class.py\nimport torch\n")
    assert bench.text().endswith("# cell 4: sinh_bad_squared.py\nprint('edited')\n")
    expect(bench.note()).to_contain_text("the lesson stays as it is")
    bench.run()
    bench.says("Finished")
    expect(bench.cell().locator("run-output")).to_contain_text("edited")
    bench.page.go_back()
    assert lesson.text("sinh-bad-squared") == "print('edited')"


def test_a_cell_that_raises_fails_in_the_playground_as_in_its_lesson(lesson: LessonPage) -> None:
    lesson.cell("sinh-bad-graph").get_by_role("link", name="Open in the playground").click()
    lesson.page.wait_for_url(f"**{PLAYGROUND}#program=*")
    bench = PlaygroundPage(lesson.page)
    bench.run()
    expect(bench.results()).to_contain_text("does not require grad and does not have a grad_fn")
    expect(bench.results().locator("svg .node.isolated")).to_contain_text("grad_x")


def test_the_way_to_the_playground_is_a_link_for_a_new_tab(lesson: LessonPage) -> None:
    link = lesson.cell().get_by_role("link", name="Open in the playground")
    link.hover()
    expect(link).to_have_attribute("href", re.compile(r"^/en/playground#program=1\..+"))
    with lesson.page.context.expect_page() as opened:
        link.click(modifiers=["ControlOrMeta"])
    PlaygroundPage(opened.value).is_called("sinh_bad.py")
    assert lesson.page.url.endswith(SINH_BAD)


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_the_head_of_a_cell_has_room_for_all_on_a_small_phone(open_page: OpenPage, lang: str) -> None:
    lesson = LessonPage(open_page(SINH_BAD.replace("en", lang, 1), width=360, height=740))
    lesson.run("sinh-bad-graph")
    lesson.write("# edited", "sinh-bad-graph")
    inside = """cell => { const { left, right } = cell.querySelector('.cell').getBoundingClientRect();
        return [...cell.querySelectorAll('cell-tools > :is(a, button), .status')].map(one => one.getBoundingClientRect())
            .map(box => box.left >= left && box.right <= right && Math.min(box.width, box.height) >= 24) }"""
    assert lesson.cell("sinh-bad-graph").evaluate(inside) == [True] * 3  # how it ended, the menu, and Run
