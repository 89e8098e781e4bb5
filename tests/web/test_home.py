"""The home page as the server renders it: its program and the recorded result, and where learners begin or go on."""

import re

import httpx
import msgspec
import pytest

from app.classroom.store.stored_work_types import CourseWork
from app.classroom.work import learners
from app.lessons.cells.recordings import find_other_result
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS, Chapter, Course
from app.protocol.run import Lang
from app.web.views.class_view import find_next
from app.web.views.lesson.demonstration import RECORD, ShownCheck, ShownEdge, read_source, view_demonstration
from tests.demonstration import make_record
from tests.own_course import load_own_course
from tests.programs import Programs
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import make_catalogue
from tests.web.kept import LESSON, learner_of, look

pytestmark = pytest.mark.anyio
SLOPE = f"/api/lessons/{LESSON}/predictions/slope"


def make_course(*names: str) -> Catalogue:
    """A course of one chapter with lessons of these names."""
    lesson = make_catalogue().lesson(LESSON)
    assert lesson is not None
    lessons = tuple(msgspec.structs.replace(lesson, id=name) for name in names)
    return Catalogue(Course((Chapter(id="one", number=1, title={"en": "One", "zh-Hans": "一"}, lessons=lessons),)))


def list_doors(page: str) -> list[str]:
    """The addresses to which the doors lead."""
    return re.findall(r'class="home-door"(?:>\s*<a(?: class="also")?)?[^>]* (?:href|action)="([^"]+)"', page)


def test_a_run_of_the_program_shows_what_is_recorded(programs: Programs) -> None:
    assert find_other_result(RECORD.read_text(encoding="utf-8"), make_record(programs)) is None, "run: python -m tests.demonstration"


@pytest.mark.parametrize("lang", LANGS)
def test_the_record_has_the_missing_path_the_check_that_passes_and_the_one_that_fails(lang: Lang) -> None:
    view = view_demonstration(lang)
    assert ShownEdge("x", "grad_x", "missing") in view.edges
    assert view.checks == (ShownCheck("gradcheck", True), ShownCheck("gradgradcheck", False))
    assert 'class="edge missing"' in view.svg
    assert "<code>ctx.up</code>" in view.message_html


async def test_a_newcomer_gets_the_program_its_result_and_three_doors(client: httpx.AsyncClient) -> None:
    page = (await client.get("/en/")).text
    listing = "".join(re.findall(r'<span class="l">(.*?)\n</span>', page, re.DOTALL))
    assert re.sub("<[^>]+>", "", listing) == read_source().replace("\n", "")
    assert 'class="edge missing"' in page
    assert page.index("gradcheck passes") < page.index("gradgradcheck fails")
    assert list_doors(page) == ["/en/one/first", "/en/search", "/en/playground"]
    assert '<body class="home">' in page


async def test_the_door_to_writing_a_function_is_its_path(make_app: MakeApp) -> None:
    async with client_of(make_app(catalogue=load_own_course())) as client:
        page = (await client.get("/en/")).text
    assert list_doors(page)[-1] == "/en/paths/function"
    assert "First lesson: backward(), 5 minutes" in page
    assert re.search(r"the last check, line 20, is meant to fail", page)


async def test_a_learner_who_returns_gets_where_to_go_on_before_the_program(make_app: MakeApp) -> None:
    app = make_app(catalogue=make_course("zero", "first"))
    async with client_of(app) as client:
        await client.get("/en/")
        await client.post(SLOPE, json={"answer": 4})
        await look(app, learners.read_holdings, learner=learner_of(app, client))
        page = (await client.get("/zh-Hans/")).text
    assert '<body class="home returning">' in page
    assert '<p class="go-on"><a class="button" href="/zh-Hans/one/first">继续：' in page
    assert list_doors(page) == ["/zh-Hans/map", "/zh-Hans/search", "/zh-Hans/playground"]
    assert page.index("go-on") < page.index('class="home-doors"') < page.index("<code-cell")


async def test_a_course_without_lessons_has_a_home_page(make_app: MakeApp) -> None:
    async with client_of(make_app(catalogue=Catalogue(Course()))) as client:
        page = await client.get("/en/")
    assert page.status_code == 200
    assert list_doors(page.text)[0] == "/en/map"


@pytest.mark.parametrize(
    ("done", "last", "path"),
    [
        ((), None, "one/a"),
        ((), "one/b", "one/b"),
        (("one/b",), "one/b", "one/c"),
        (("one/b", "one/c"), "one/b", "one/a"),
        ((), "one/gone", "one/a"),
        (("one/a", "one/b", "one/c"), "one/b", None),
    ],
)
def test_one_goes_on_with_the_last_lesson_or_the_next_that_is_not_done(done: tuple[str, ...], last: str | None, path: str | None) -> None:
    lessons = make_course("a", "b", "c").course.lessons
    passed = [f"exercise:{one.id}" for one in lessons[0].exercises]
    found = find_next(lessons, CourseWork(done=dict.fromkeys(done, passed), last=last))
    assert (found.path if found else None) == path
