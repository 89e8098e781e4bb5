"""What "My work" begins with: what the learner can do, the rules they have met, and where to go on."""

import re

import httpx
import msgspec
import pytest

from app.classroom.store.stored_work_types import CourseWork, OwnWork
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Chapter, Course, Lesson, RulePlace
from app.settings import Settings
from app.web.views.own_work_view import OwnWorkView, is_finished, view_own_work
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import make_catalogue as make_exercises_catalogue
from tests.web.kept import break_store

pytestmark = pytest.mark.anyio
PARTS = ["make", "fail", "use"]
NAMES = ("zero", "one", "two", "three", "four", "five")


def make_lesson(lesson: Lesson, name: str, chapter: str) -> Lesson:
    texts = {
        lang: msgspec.structs.replace(
            text, title=f"{lang} {name}", blocks=(*text.blocks, RulePlace(f"<p><strong>rule of {name}</strong></p>"))
        )
        for lang, text in lesson.texts.items()
    }
    ability = {"en": f"do <{name}>", "zh-Hans": f"会做{name}"}
    return msgspec.structs.replace(lesson, id=name, chapter_id=chapter, ability=ability, texts=texts)


@pytest.fixture
def catalogue(catalogue: Catalogue) -> Catalogue:
    """Two chapters of three lessons with three cells each; each lesson has a rule."""
    (chapter,) = catalogue.course.chapters
    (lesson,) = chapter.lessons
    chapters = [
        msgspec.structs.replace(chapter, id=name, number=number, lessons=tuple(make_lesson(lesson, one, name) for one in lessons))
        for number, (name, lessons) in enumerate({"first": NAMES[:3], "last": NAMES[3:]}.items(), 1)
    ]
    return Catalogue(Course(tuple(chapters)))


@pytest.fixture
def lessons(catalogue: Catalogue) -> tuple[Lesson, ...]:
    return catalogue.course.lessons


@pytest.fixture
async def learner(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await client.get("/en/map")
    return client


async def finish(client: httpx.AsyncClient, *paths: str) -> None:
    for path in paths:
        await client.post("/api/me/work", json={"lesson": path, "cells": PARTS})


async def own_words(client: httpx.AsyncClient, path: str, words: str) -> None:
    await client.put(f"/api/me/drafts/{path}/_rule", json={"source": words, "version": 0})


async def read_top(client: httpx.AsyncClient, lang: str = "en") -> str:
    """Return the part of the page above the stored work."""
    answer = await client.get(f"/{lang}/mine")
    assert answer.status_code == 200
    (top,) = re.findall(r'<div id="now">(.*?)<div class="own-bookkeeping">', answer.text, re.DOTALL)
    return str(top)


def view(course: Course, **work: object) -> OwnWorkView:
    own = {name: work.pop(name) for name in ("own_rules", "last_done_ms") if name in work}
    return view_own_work(course, OwnWork(course=CourseWork(**work), **own), "en")  # type: ignore[arg-type]


@pytest.mark.parametrize(("lang", "begin"), [("en", "Begin: en zero"), ("zh-Hans", "开始：zh-Hans zero")])
async def test_a_newcomer_reads_one_sentence_and_begins(learner: httpx.AsyncClient, lang: str, begin: str) -> None:
    top = await read_top(learner, lang)
    assert f'<a class="button" href="/{lang}/first/zero">{begin}</a>' in top
    assert not re.search("<h2|<strong>", top)


async def test_what_one_can_do_stands_under_its_chapter_and_a_rule_only_after_its_lesson(learner: httpx.AsyncClient) -> None:
    await finish(learner, "first/zero", "last/four")
    await learner.post("/api/me/work", json={"lesson": "first/one", "cells": ["make"]})
    top = await read_top(learner)
    assert "Finished lessons: 2 of 6." in top
    assert re.findall(r"<summary><span>(.*?)</span>", top) == ["1 · One", "2 · One"]
    assert top.count("do &lt;zero&gt;") == top.count("do &lt;four&gt;") == 2  # among the latest, and in the fold of the chapter
    assert sorted(set(re.findall(r"rule of (\w+)", top))) == ["four", "zero"]
    assert "do &lt;one&gt;" not in top
    assert "会做zero" in await read_top(learner, "zh-Hans")


async def test_who_has_written_a_rule_in_their_own_words_has_met_it(learner: httpx.AsyncClient) -> None:
    await own_words(learner, "first/one", "what I say")
    await own_words(learner, "first/two", "  ")
    top = await read_top(learner)
    assert re.findall(r"rule of (\w+)", top) == ["one"]
    assert "No lesson is finished yet." in top


async def test_while_the_store_cannot_be_read_the_page_says_so(make_app: MakeApp, settings: Settings) -> None:
    async with client_of(make_app()) as client:
        await client.get("/en/map")
    break_store(settings)
    app = make_app()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost", cookies=client.cookies) as again:
        top = await read_top(again)
    assert "cannot be read right now" in top
    assert "<h2" not in top and "rule of" not in top


def test_the_newest_are_in_sight_and_the_others_folded(catalogue: Catalogue, lessons: tuple[Lesson, ...]) -> None:
    times = {lesson.path: index for index, lesson in enumerate(lessons)}
    seen = view(catalogue.course, done=dict.fromkeys(times, PARTS), last_done_ms=times)
    assert [lesson.id for lesson in seen.latest] == ["five", "four", "three"]
    assert [lesson.id for lesson, _ in seen.rules + seen.folded_rules] == list(reversed(NAMES))
    assert [(len(chapter.lessons), len(finished)) for chapter, finished in seen.chapters] == [(3, 3), (3, 3)]
    assert (seen.finished, seen.next, seen.is_new) == (6, None, False)


@pytest.mark.parametrize(
    ("done", "finished"),
    [
        ([], False),
        (["exercise:fix"], False),
        (["exercise:fix", "exercise:test"], True),
        (["make", "fail", "use", "prediction:slope", "prediction:size"], False),
    ],
)
def test_a_lesson_with_exercises_is_finished_by_them(done: list[str], finished: bool) -> None:
    (lesson,) = make_exercises_catalogue().course.lessons
    assert is_finished(lesson, CourseWork(done={lesson.path: done})) is finished


def test_an_exercise_that_was_tried_is_open_until_it_is_passed() -> None:
    course = make_exercises_catalogue().course
    opened = view(course, standings={"one/first": {"fix": "tried", "test": "new"}}).open
    assert [(lesson.path, exercise.id) for lesson, exercise in opened] == [("one/first", "fix")]
    for standing in "passed", "shown":
        assert view(course, standings={"one/first": {"fix": standing}}).open == []


def test_a_lesson_without_parts_and_a_course_without_lessons_are_no_error() -> None:
    (lesson,) = make_exercises_catalogue().course.lessons
    bare = msgspec.structs.replace(lesson, cells=(), predictions=(), exercises=())
    assert not is_finished(bare, CourseWork())
    assert view(Course((Chapter(id="one", title={"en": "One", "zh-Hans": "一"}, lessons=()),))).next is None
