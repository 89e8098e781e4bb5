"""Every cell of every lesson, in both languages, run in the browser as given: it ends as its lesson declares."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.lessons.catalogue import load_catalogue
from app.lessons.model import LANGS, Lesson
from app.settings import Settings
from tests.browser.lesson_page import LessonPage

LESSONS = load_catalogue(Settings().lessons_folder).course.lessons


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path)
def test_every_cell_ends_as_declared(open_page: Callable[..., Page], lesson: Lesson, lang: str) -> None:
    page = LessonPage(open_page(f"/{lang}/{lesson.path}"))
    for cell in lesson.cells:
        page.run(cell.id)
        result = page.cell(cell.id).evaluate("cell => cell.cell.run.value.result")
        assert cell.shows
        assert result["outcome"] == cell.shows.outcome, (cell.id, result["error"])
        panels = page.results(cell.id).locator(".displays > *")
        expect(panels).to_have_count(len(cell.shows.displays))
        assert page.results(cell.id).locator("graph-view svg.graph").count() == sum(display == "graph" for display in cell.shows.displays)
