"""Cells that only the checks call: folded, and opened for whoever goes to one of them."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Cell, CellPlace, Chapter, Course, Lesson, LessonText
from app.main import create_app
from app.settings import Settings
from tests.browser.conftest import require_assets
from tests.browser.lesson_page import LessonPage
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_course import say
from tests.browser.test_accessibility import violations


def make_catalogue() -> Catalogue:
    names = ("own", "adapter", "readers", "last")
    cells = tuple(Cell(id=name, filename=f"{name}.py", source="a = 1\nb = 2\n", line=1, for_checks=name in names[1:3]) for name in names)
    texts = {
        lang: LessonText(title=title, title_html=title, lede_html=f"{title}.", summary=title, blocks=tuple(map(CellPlace, names)))
        for lang, title in say("An engine", "引擎").items()
    }
    lesson = Lesson(id="engine", chapter_id="bench", minutes=9, runtime="torch", cells=cells, texts=texts)
    return Catalogue(Course((Chapter(id="bench", title={"en": "The bench", "zh-Hans": "工作台"}, lessons=(lesson,)),)))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_assets()
    with serving(create_app(Settings(state_folder=tmp_path_factory.mktemp("state")), StagedRunner(), make_catalogue())) as address:
        yield address


@pytest.fixture
def lesson(address: str, first_visit: Callable[..., Page]) -> LessonPage:
    page = first_visit(address, "/en/bench/engine")
    expect(page.locator(".cm-editor")).to_have_count(4)
    return LessonPage(page)


def test_they_are_folded_and_run_once_they_are_opened(lesson: LessonPage) -> None:
    page = lesson.page
    expect(lesson.cell("adapter")).to_be_hidden()
    page.get_by_text("What the checks call").click()
    expect(lesson.cell("readers")).to_be_visible()
    lesson.run("readers")
    lesson.says("Finished", "readers")
    assert violations(page) == []


def test_walking_from_cell_to_cell_opens_them(lesson: LessonPage) -> None:
    lesson.editor("own").focus()
    lesson.page.keyboard.press("Escape")
    lesson.page.keyboard.press("ArrowDown")
    expect(lesson.cell("adapter")).to_be_visible()
    assert lesson.cell("adapter").evaluate("cell => cell.contains(document.activeElement)")


def test_who_is_sent_to_a_line_of_one_finds_it_open(lesson: LessonPage) -> None:
    lesson.cell("own").evaluate("({ cell }) => cell.page.goTo('readers', 2, null)")
    expect(lesson.editor("readers")).to_be_focused()
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number", "readers") == 2


def test_running_the_cell_before_goes_on_to_the_one_after(lesson: LessonPage) -> None:
    lesson.editor("own").focus()
    lesson.page.keyboard.press("Shift+Enter")
    expect(lesson.editor("last")).to_be_focused()
    expect(lesson.cell("adapter")).to_be_hidden()


def test_a_link_to_one_opens_them(address: str, lesson: LessonPage) -> None:
    lesson.page.goto(f"{address}/en/bench/engine#cell-readers")
    expect(lesson.cell("readers")).to_be_visible()
