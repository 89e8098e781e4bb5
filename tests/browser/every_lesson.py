"""Every lesson: each cell, run in the browser as given, ends as declared, and axe then finds nothing to object to.

Of a runtime that is not installed, the cells show what is recorded of them.

`make course` calls this; it grows with the course, and `make test` does not. It opens each page in one language and one theme, which change
from page to page. ONE_LESSON_IN=3, as `.ci/run` sets it, opens one lesson in three: `gradroom lessons check` has just run the cells of all.
EVERY_LANGUAGE=1, as `python -m tests.nightly` sets it, opens each page in both languages.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import pytest
from playwright.sync_api import Page, expect

from app.lessons.course.catalogue import load_catalogue
from app.main import create_app
from app.protocol.run import Lang
from app.runtimes.specs import SPECS
from app.settings import load_settings
from tests.browser.axe import Theme, violations
from tests.browser.conftest import require_assets
from tests.browser.lesson_page import LessonPage
from tests.browser.site import serving
from tests.programs import Programs

CATALOGUE = load_catalogue(load_settings().lessons_folder)
COURSE = CATALOGUE.course
ABSENT = {spec.name for spec in SPECS.values() if not spec.installed}
LESSONS = {lesson.path: lesson for lesson in COURSE.lessons}
LOOKS: list[tuple[Lang, Theme]] = [("en", "light"), ("zh-Hans", "dark"), ("en", "dark"), ("zh-Hans", "light")]


def in_turn(paths: Iterable[str], *, every_language: bool = "EVERY_LANGUAGE" in os.environ) -> list[tuple[str, Lang, Theme]]:
    """Return each page with the next of LOOKS; with `every_language` also with the one after that, which is in the other language."""
    return [(path, *LOOKS[(number + later) % 4]) for number, path in enumerate(paths) for later in range(1 + every_language)]


@pytest.fixture(scope="session")
def site(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address as for other tests, but with the course that the settings name."""
    require_assets()
    settings = load_settings(state_folder=tmp_path_factory.mktemp("state"), runner_socket=programs.socket)
    with serving(create_app(settings, catalogue=CATALOGUE)) as address:
        yield address


@pytest.mark.parametrize("every_language", [False, True])
def test_languages_and_themes_take_turns(every_language: bool) -> None:
    asked = in_turn("abcdefgh", every_language=every_language)
    times = 1 + every_language
    assert Counter((lang, theme) for _, lang, theme in asked) == dict.fromkeys(LOOKS, 2 * times)
    assert len({(path, lang) for path, lang, _ in asked}) == 8 * times


@pytest.mark.parametrize(("path", "lang", "theme"), in_turn(list(LESSONS)[:: int(os.environ.get("ONE_LESSON_IN", "1"))]))
def test_every_cell_ends_as_declared(open_page: Callable[..., Page], path: str, lang: Lang, theme: Theme) -> None:
    lesson = LESSONS[path]
    page = LessonPage(open_page(f"/{lang}/{path}"))
    page.page.emulate_media(color_scheme=theme)
    for cell in lesson.cells:
        page.run(cell.id)
        result = page.cell(cell.id).evaluate("cell => cell.cell.run.value.result")
        assert cell.shows
        assert result["outcome"] == cell.shows.outcome, (cell.id, result["error"])
        assert (result["recorded"] is not None) == (cell.runtime in ABSENT)
        if cell.runtime in ABSENT:
            expect(page.status(cell.id)).to_contain_text(result["recorded"]["mark"])
            assert lesson.recordings[cell.id].version in result["recorded"]["mark"]
        panels = page.results(cell.id).locator(".result-records > :not(.one-line:not(.panel-passing))")
        expect(panels).to_have_count(len(cell.shows.records))
        graphs = page.results(cell.id).locator(".result-records > :not(.one-line:not(.panel-passing)) svg.graph")
        assert graphs.count() == sum(record == "graph" for record in cell.shows.records)
    assert violations(page.page) == []


@pytest.mark.parametrize(("path", "lang", "theme"), in_turn(chapter.id for chapter in COURSE.chapters))
def test_axe_finds_nothing_to_object_to_in_chapters(open_page: Callable[..., Page], path: str, lang: Lang, theme: Theme) -> None:
    page = open_page(f"/{lang}/{path}")
    page.emulate_media(color_scheme=theme)
    assert violations(page) == []
