"""Cells of several runtimes side by side: they have the width of the page, and their results stand under them."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Block, Cell, Chapter, ColumnsPlace, Course, Lesson, LessonText, Prose
from app.main import create_app
from app.protocol.run import RuntimeName
from app.settings import Settings
from tests.browser.conftest import require_assets, resize
from tests.browser.lesson_page import LessonPage
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_course import say
from tests.browser.test_accessibility import violations

Visit = Callable[..., LessonPage]
LINE = f"x = {'1' * 42}\n"  # 46 characters
RUNTIMES: tuple[RuntimeName, ...] = ("torch", "tensorflow", "jax")
LEFTS = "elements => elements.map(element => element.getBoundingClientRect()).map(box => [Math.round(box.left), Math.round(box.top)])"


def make_catalogue() -> Catalogue:
    cells = tuple(Cell(id=name, filename=f"outside_{name}.py", source=LINE * 3, line=1, runtime=name) for name in RUNTIMES)
    blocks: tuple[Block, ...] = (Prose("<p>Compare.</p>"), ColumnsPlace(RUNTIMES))
    texts = {
        lang: LessonText(title=title, title_html=title, lede_html=f"{title}.", summary=title, blocks=blocks)
        for lang, title in say("Three times", "三种写法").items()
    }
    lesson = Lesson(id="relu", chapter_id="frames", minutes=9, runtime="torch", cells=cells, texts=texts)
    return Catalogue(Course((Chapter(id="frames", number=7, title={"en": "Frameworks", "zh-Hans": "框架"}, lessons=(lesson,)),)))


@pytest.fixture(scope="module")
def columns_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_assets()
    with serving(create_app(Settings(state_folder=tmp_path_factory.mktemp("state")), StagedRunner(), make_catalogue())) as address:
        yield address


@pytest.fixture
def visit(columns_stage: str, first_visit: Callable[..., Page]) -> Visit:
    def open_it(lang: str = "en", **options: object) -> LessonPage:
        page = first_visit(columns_stage, f"/{lang}/frames/relu", **options)
        expect(page.locator(".cm-editor")).to_have_count(3)
        return LessonPage(page)

    return open_it


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh-Hans", "dark")])
def test_46_columns_of_code_fit_in_each_of_three_at_1440_pixels(visit: Visit, lang: str, scheme: str) -> None:
    lesson = visit(lang, color_scheme=scheme)
    page = lesson.page
    places = page.locator(".columns .cell").evaluate_all(LEFTS)
    assert len({top for _, top in places}) == 1, "they do not stand side by side"
    assert page.locator(".column-name").all_text_contents() == ["PyTorch", "TensorFlow", "JAX"]
    room = page.locator(".cm-scroller").evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")
    assert room == [0, 0, 0]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_results_stand_under_their_cell(visit: Visit) -> None:
    lesson = visit()
    for name in ("jax", "torch"):
        lesson.run(name)
        box = lesson.page.locator(f"run-results[data-cell={name}]").evaluate("element => getComputedStyle(element).position")
        assert box == "static"
    assert violations(lesson.page, within="[data-cell]") == []


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("width", [1440, 1024])
def test_their_code_begins_at_one_height_and_an_edit_moves_none(visit: Visit, width: int, lang: str) -> None:
    lesson = visit(lang, width=width)
    tops = "all => all.map(one => Math.round(one.getBoundingClientRect().top))"
    before = lesson.page.locator(".columns .cm-content").evaluate_all(tops)
    assert len(set(before)) == 1
    lesson.write("x = 2\n", "tensorflow")
    lesson.page.wait_for_function("() => document.querySelector('code-cell[data-cell=tensorflow]').cell.changed.value")
    assert lesson.page.locator(".columns .cm-content").evaluate_all(tops) == before


def test_where_there_is_no_room_they_stand_one_below_the_other(visit: Visit) -> None:
    page = visit().page
    for width, columns in ((1100, 3), (900, 1), (360, 1)):
        resize(page, width)
        assert len({left for left, _ in page.locator(".columns .cell").evaluate_all(LEFTS)}) == columns
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_paper_they_stand_one_below_the_other(visit: Visit) -> None:
    page = visit().page
    page.emulate_media(media="print")
    assert len({left for left, _ in page.locator(".columns .cell").evaluate_all(LEFTS)}) == 1


def test_tab_goes_from_column_to_column(visit: Visit) -> None:
    page = visit().page
    page.locator("main button.run").first.focus()
    passed: list[str] = []
    for _ in range(12):
        passed += page.locator("code-cell:has(.run:focus)").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
        page.keyboard.press("Tab")
    assert passed == list(RUNTIMES)
