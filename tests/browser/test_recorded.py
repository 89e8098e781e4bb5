"""A lesson whose runtimes are not all installed: the recorded results of its cells in both languages, and what an edit leads to."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from playwright.sync_api import Page, expect

from app.main import create_app
from app.protocol.run import Lang, RunOrder
from app.runner.client import RunStream, RuntimeAbsence, RuntimeAbsent
from app.settings import Settings
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_page import TaskPage
from tests.browser.test_accessibility import violations
from tests.frameworks_course import PATH, load_course

Open = Callable[..., TaskPage]
WORDS: dict[Lang, dict[str, str]] = {
    "en": {
        "tensorflow": "Recorded with TensorFlow 2.21.0",
        "jax": "Recorded with JAX 0.10.2",
        "remedy": "JAX is not installed on this server. To run this cell, whoever runs the server adds it: make serve EXTRAS=jax",
        "undefined": "name 'doubled' is not defined",
    },
    "zh-Hans": {
        "tensorflow": "TensorFlow 2.21.0 的运行记录",
        "jax": "JAX 0.10.2 的运行记录",
        "remedy": "这台服务器没有安装 JAX。要在这里运行这个单元格，维护服务器的人可以用 make serve EXTRAS=jax 安装",
        "undefined": "没有定义。",
    },
}


class TorchRunner(StagedRunner):
    """Has nothing but torch."""

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        if order.runtime != "torch":
            raise RuntimeAbsent(RuntimeAbsence(order.runtime, ["torch"], order.runtime))
        async with super().run(order) as stream:
            yield stream


@pytest.fixture(scope="module")
def frameworks_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_assets()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"))
    with serving(create_app(settings, TorchRunner(), load_course(tmp_path_factory.mktemp("course")))) as address:
        yield address


@pytest.fixture
def open_lesson(frameworks_site: str, first_visit: Callable[..., Page]) -> Open:
    def open_it(lang: Lang = "en", **options: object) -> TaskPage:
        return TaskPage(first_visit(frameworks_site, f"/{lang}/{PATH}", **options))

    return open_it


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_a_cell_shows_what_is_recorded_marked_as_that_with_how_to_install_it(open_lesson: Open, lang: Lang) -> None:
    lesson, words = open_lesson(lang), WORDS[lang]
    lesson.run("in-jax")
    expect(lesson.status("in-jax")).to_contain_text(words["jax"])
    expect(lesson.hindrance("in-jax")).to_contain_text(words["remedy"])
    expect(lesson.results("in-jax")).to_contain_text("mul 2.0:f32[] a")
    lesson.run("jax-again")
    expect(lesson.results("jax-again").locator(".finding")).to_contain_text(words["undefined"])
    assert violations(lesson.page) == []


def test_on_a_dark_phone_axe_has_no_objection(open_lesson: Open) -> None:
    lesson = open_lesson("zh-Hans", width=390, height=844, color_scheme="dark")
    lesson.run("in-jax")
    expect(lesson.status("in-jax")).to_contain_text(WORDS["zh-Hans"]["jax"])
    assert violations(lesson.page) == []
    assert lesson.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_prediction_is_told_by_the_record_and_stays_told(open_lesson: Open) -> None:
    lesson = open_lesson()
    prediction = lesson.prediction("same")
    prediction.locator("input").fill("6")
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction.locator(".verdict-line")).to_contain_text("As you predicted.")
    lesson.says(WORDS["en"]["tensorflow"], "in-tensorflow")
    lesson.page.reload()
    expect(lesson.prediction("same").locator(".verdict-line")).to_contain_text("As you predicted.")
    lesson.says(WORDS["en"]["tensorflow"], "in-tensorflow")


@pytest.mark.parametrize("edited", ["in-jax", "jax-again"])
def test_an_edited_cell_is_refused_and_offers_the_record_of_the_lessons_own_code(open_lesson: Open, edited: str) -> None:
    lesson = open_lesson()
    lesson.write("doubled = 3", edited)
    lesson.editor("jax-again").focus()
    lesson.page.keyboard.press("Control+Enter")
    lesson.says("Not run.", "jax-again")
    expect(lesson.hindrance("jax-again")).to_contain_text("Not run. JAX is not installed on this server, only PyTorch.")
    expect(lesson.hindrance("jax-again")).to_contain_text("make serve EXTRAS=jax")
    assert violations(lesson.page, within='[data-cell="jax-again"]') == []
    lesson.button("Show what was recorded", "jax-again").click()
    lesson.says(WORDS["en"]["jax"], "jax-again")
    lesson.says("edited since", "jax-again")
    assert lesson.text(edited) == "doubled = 3"
    expect(lesson.cell("jax-again").locator(".run")).to_be_focused()


def test_cells_that_run_stand_beside_recorded_ones(open_lesson: Open) -> None:
    lesson = open_lesson()
    for cell in ("in-torch", "in-tensorflow", "in-jax"):
        lesson.run(cell)
    expect(lesson.status("in-torch")).not_to_contain_text("Recorded")
    lesson.says(WORDS["en"]["tensorflow"], "in-tensorflow")
