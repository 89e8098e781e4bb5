"""The second tab of the course map, and lessons that are read as parts of a path."""

import re
from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest

from app.classroom.work import learners
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Chapter, Course, CoursePath, Lesson, PredictionPlace
from app.lessons.model.prediction import Prediction, PredictionText
from app.protocol.run import Lang
from tests.web.conftest import MakeApp, client_of
from tests.web.kept import learner_of, look

pytestmark = pytest.mark.anyio
TURNS = re.compile(r'rel="(prev|next)" href="([^"]+)"')
CRUMB = re.compile(r'<nav class="crumb"[^>]*>\s*<a href="([^"]+)">(.*?)</a>', re.DOTALL)
ASKED: dict[Lang, str] = {"en": "<p>Which <code>grad</code>?</p>", "zh-Hans": "<p>哪个 <code>grad</code>？</p>"}


def make_lesson(like: Lesson, name: str, requires: tuple[str, ...] = ()) -> Lesson:
    """A lesson whose text begins with a prediction."""
    texts: dict[Lang, PredictionText] = {lang: PredictionText(question=question) for lang, question in ASKED.items()}
    prediction = Prediction(id="which", cell_id="make", asks="value", answer=1, line=1, texts=texts)
    term: dict[Lang, str] = {"en": "`save_for_backward`, <hooks>", "zh-Hans": "`save_for_backward`、钩子"}
    return msgspec.structs.replace(
        like,
        id=name,
        term=term,
        ability={"en": f"Call `{name}()`", "zh-Hans": f"会调用 `{name}()`"},
        requires=requires,
        predictions=(prediction,),
        texts={
            lang: msgspec.structs.replace(text, title=f"{name} {lang}", blocks=(PredictionPlace("which"), *text.blocks))
            for lang, text in like.texts.items()
        },
    )


def make_path(name: str, *lessons: str, then: str = "") -> CoursePath:
    def words(about: str) -> dict[Lang, str]:
        return {"en": f"{name} <{about}>", "zh-Hans": f"{name} 中文 {about}"}

    return CoursePath(id=name, title=words("title"), question=words("question"), end=words("end"), lessons=lessons, then=then)


@pytest.fixture
def paths_catalogue(catalogue: Catalogue) -> Catalogue:
    """Two chapters with the lessons a, b and c, d; the path `there` is c, a, `back` is d, b, and prepares for a."""
    (like,) = catalogue.course.lessons
    lessons = {name: make_lesson(like, name, ("one/b",) if name == "c" else ()) for name in ("a", "b", "c", "d")}
    chapters = tuple(
        Chapter(
            id=chapter,
            number=number,
            title={"en": chapter, "zh-Hans": chapter},
            lessons=tuple(msgspec.structs.replace(lessons[name], chapter_id=chapter) for name in names),
        )
        for number, (chapter, names) in enumerate({"one": "ab", "two": "cd"}.items(), 1)
    )
    return Catalogue(Course(chapters, (make_path("there", "two/c", "one/a"), make_path("back", "two/d", "one/b", then="one/a"))))


@pytest.fixture
async def reader(make_app: MakeApp, paths_catalogue: Catalogue) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(make_app(catalogue=paths_catalogue)) as reader:
        yield reader


async def text_of(reader: httpx.AsyncClient, address: str) -> str:
    answer = await reader.get(address)
    assert answer.status_code == 200
    return answer.text


def open_folds(text: str) -> list[str]:
    return re.findall(r'<details class="chapter chapter-fold" open>.*?<div class="fold-body" id="([\w-]+)">', text, re.DOTALL)


async def test_a_row_of_the_map_has_the_term_and_what_one_can_do(reader: httpx.AsyncClient) -> None:
    text = await text_of(reader, "/en/map")
    assert '<span class="path-term"><code>save_<wbr>for_<wbr>backward</code>, &lt;hooks&gt;</span>' in text
    assert "Call <code>b()</code>" in text
    assert "会调用 <code>b()</code>" in await text_of(reader, "/zh-Hans/map")


@pytest.mark.parametrize(("tab", "opened"), [("map", "one"), ("paths", "there")])
async def test_a_new_visitor_sees_the_first_fold_open(reader: httpx.AsyncClient, tab: str, opened: str) -> None:
    text = await text_of(reader, f"/en/{tab}")
    assert open_folds(text) == [opened]
    assert f'href="/en/{tab}" aria-current="page"' in text


@pytest.mark.parametrize(("tab", "opened"), [("map", "two"), ("paths", "back")])
async def test_who_worked_in_a_lesson_sees_its_fold_open(make_app: MakeApp, paths_catalogue: Catalogue, tab: str, opened: str) -> None:
    app = make_app(catalogue=paths_catalogue)
    async with client_of(app) as reader:
        await reader.get("/en/")  # which brings the cookie
        await reader.post("/api/lessons/two/d/predictions/which", json={"answer": 1})
        await look(app, learners.read_holdings, learner=learner_of(app, reader))
        assert open_folds(await text_of(reader, f"/en/{tab}")) == [opened]


async def test_a_path_s_page_says_for_which_question_it_is_and_what_it_builds_on(reader: httpx.AsyncClient) -> None:
    text = await text_of(reader, "/en/paths/there")
    assert "there &lt;question&gt;" in text
    assert "there &lt;end&gt;" in text
    assert re.findall(r'<a href="([^"]+)" data-lesson', text) == ["/en/two/c?path=there", "/en/one/a?path=there"]
    assert re.findall(r'It builds on:\s+<a href="([^"]+)">', text) == ["/en/one/b"]
    assert "there 中文 question" in await text_of(reader, "/zh-Hans/paths/there")
    assert (await reader.get("/en/paths/none")).status_code == 404
    assert (await reader.get("/paths/there")).headers["location"].endswith("/en/paths/there")


async def test_a_lesson_leads_on_along_its_path(reader: httpx.AsyncClient) -> None:
    text = await text_of(reader, "/en/two/c?path=there")
    assert TURNS.findall(text) == [("prev", "/en/paths/there"), ("next", "/en/one/a?path=there")]
    assert CRUMB.findall(text) == [("/en/paths/there", "there &lt;title&gt;")]
    assert re.findall(r'<a href="([^"]+)" data-lesson', text)[:2] == ["/en/two/c?path=there", "/en/one/a?path=there"]
    assert "path-foot" not in text


async def test_the_language_switch_stays_on_the_path_and_other_addresses_of_the_page_do_not_name_it(reader: httpx.AsyncClient) -> None:
    text = await text_of(reader, "/en/two/c?path=there")
    assert '<a href="/zh-Hans/two/c?path=there" lang="zh-Hans"' in text
    assert '<link rel="alternate" hreflang="zh-Hans" href="http://localhost/zh-Hans/two/c">' in text


@pytest.mark.parametrize("query", ["none", "back", "", '"><script>'])
async def test_a_path_without_the_lesson_is_ignored(reader: httpx.AsyncClient, query: str) -> None:
    answer = await reader.get("/en/two/c", params={"path": query})
    assert TURNS.findall(answer.text) == [("prev", "/en/two"), ("next", "/en/two/d")]
    assert CRUMB.findall(answer.text)[0][0] == "/en/two"
    assert "?path=" not in answer.text


async def test_the_last_lesson_of_a_path_says_its_end_and_begins_the_next_with_its_first_prediction(reader: httpx.AsyncClient) -> None:
    text = await text_of(reader, "/en/one/a?path=there")
    assert TURNS.findall(text) == [("next", "/en/two/d?path=back#prediction-which"), ("prev", "/en/two/c?path=there")]
    foot = text.partition('class="path-foot"')[2]
    assert "there &lt;end&gt;" in foot
    assert "Next path: back &lt;title&gt;" in foot
    assert ASKED["en"] in foot
    assert ASKED["zh-Hans"] in (await text_of(reader, "/zh-Hans/one/a?path=there")).partition('class="path-foot"')[2]


async def test_after_the_last_path_comes_the_first_and_a_longer_lesson_is_offered(reader: httpx.AsyncClient) -> None:
    foot = (await text_of(reader, "/en/one/b?path=back")).partition('class="path-foot"')[2]
    assert 'href="/en/two/c?path=there#prediction-which"' in foot
    assert re.findall(r'Then: <a href="([^"]+)">a en</a>', foot) == ["/en/one/a"]


async def test_a_path_without_another_ends_with_the_list_of_paths(make_app: MakeApp, paths_catalogue: Catalogue) -> None:
    course = paths_catalogue.course
    app = make_app(catalogue=Catalogue(msgspec.structs.replace(course, paths=course.paths[:1])))
    text = (await client_of(app).get("/en/one/a?path=there")).text
    assert TURNS.findall(text) == [("prev", "/en/two/c?path=there")]
    assert "Next path" not in text


async def test_the_progress_beside_a_lesson_is_that_of_its_path(reader: httpx.AsyncClient) -> None:
    text = await text_of(reader, "/en/two/c?path=there")
    assert 'aria-label="Lessons of this path"' in text
    assert 'data-lesson="two/d"' not in text


async def test_a_course_without_paths_says_so(client: httpx.AsyncClient) -> None:
    assert "There are no paths here yet." in await text_of(client, "/en/paths")


async def test_the_api_lists_the_paths_and_what_each_lesson_is_about(reader: httpx.AsyncClient) -> None:
    answer = (await reader.get("/api/lessons", headers={"accept-language": "en"})).json()
    assert answer["paths"][0] == {
        "id": "there",
        "title": "there <title>",
        "question": "there <question>",
        "end": "there <end>",
        "minutes": 10,
        "lessons": ["two/c", "one/a"],
    }
    lesson = answer["chapters"][0]["lessons"][0]
    assert (lesson["term"], lesson["ability"]) == ("`save_for_backward`, <hooks>", "Call `a()`")
