"""Every lesson in both languages: each cell, run in the browser as given, ends as declared, and axe then finds nothing to object to.

Of a runtime that is not installed, the cells show what is recorded of them.

`make course` calls this; it grows with the course, and `make test` does not.
"""

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from app.lessons.catalogue import load_catalogue
from app.lessons.model import LANGS, Chapter, Lesson
from app.main import create_app
from app.protocol.run import Lang
from app.runtimes.specs import SPECS
from app.settings import load_settings
from tests.browser.conftest import require_assets
from tests.browser.lesson_page import LessonPage
from tests.browser.site import serving
from tests.browser.test_accessibility import violations
from tests.programs import Programs

CATALOGUE = load_catalogue(load_settings().lessons_folder)
COURSE = CATALOGUE.course
ABSENT = {spec.name for spec in SPECS.values() if not spec.installed}
THEMES: dict[Lang, Literal["light", "dark"]] = {"en": "light", "zh-Hans": "dark"}


@pytest.fixture(scope="session")
def site(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """As for other tests, but with the course that the settings name."""
    require_assets()
    settings = load_settings(state_folder=tmp_path_factory.mktemp("state"), runner_socket=programs.socket)
    with serving(create_app(settings, catalogue=CATALOGUE)) as address:
        yield address


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.path)
def test_every_cell_ends_as_declared(open_page: Callable[..., Page], lesson: Lesson, lang: Lang) -> None:
    page = LessonPage(open_page(f"/{lang}/{lesson.path}"))
    page.page.emulate_media(color_scheme=THEMES[lang])
    for cell in lesson.cells:
        page.run(cell.id)
        result = page.cell(cell.id).evaluate("cell => cell.cell.run.value.result")
        assert cell.shows
        assert result["outcome"] == cell.shows.outcome, (cell.id, result["error"])
        assert (result["recorded"] is not None) == (cell.runtime in ABSENT)
        if cell.runtime in ABSENT:
            expect(page.status(cell.id)).to_contain_text(result["recorded"]["mark"])
            assert lesson.recordings[cell.id].version in result["recorded"]["mark"]
        panels = page.results(cell.id).locator(".records > *")
        expect(panels).to_have_count(len(cell.shows.records))
        assert page.results(cell.id).locator("graph-view svg.graph").count() == sum(record == "graph" for record in cell.shows.records)
    assert violations(page.page) == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("chapter", COURSE.chapters, ids=lambda chapter: chapter.id)
def test_axe_finds_nothing_to_object_to_in_chapters(open_page: Callable[..., Page], chapter: Chapter, lang: Lang) -> None:
    page = open_page(f"/{lang}/{chapter.id}")
    page.emulate_media(color_scheme=THEMES[lang])
    assert violations(page) == []
