"""`kept` in a page's data: predictions in present words, reviews, visits; and that visitors without a cookie cost nothing."""

from typing import Any

import httpx
import msgspec
import pytest
from fastapi import FastAPI

from app.classroom.store.stored_work_types import CourseWork, DuePrediction, LessonWork
from app.classroom.store.times import DAY_MS, now_ms
from app.classroom.work import learners, predictions, progress
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Chapter, Course
from app.web.pages.own_work.reviews import MOST_REVIEWS, list_reviews
from app.web.pages.own_work.stored_work import describe_lesson_work
from app.web.storing.stored_predictions import hash_question
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import make_catalogue, make_prediction
from tests.web.fake_runner import FakeRunner
from tests.web.kept import DRAFTS, LESSON, kept_of, learner_of, look, services_of

pytestmark = pytest.mark.anyio
SLOPE = f"/api/lessons/{LESSON}/predictions/slope"
SIZE = f"/api/lessons/{LESSON}/predictions/size"
NOTHING = {"drafts": {}, "cells": [], "predictions": {}, "exercises": {}}


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


def change_lesson(**changes: Any) -> Catalogue:
    """Return the course of these tests with a changed lesson."""
    lesson = make_catalogue().lesson(LESSON)
    assert lesson is not None
    changed = msgspec.structs.replace(lesson, **changes)
    return Catalogue(Course((Chapter(id="one", number=1, title={"en": "One", "zh-Hans": "一"}, lessons=(changed,)),)))


async def test_a_prediction_is_on_the_page_as_it_was_first_and_last_told_in_the_pages_language(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        for answer in (4, 2.72):
            await client.post(SLOPE, json={"answer": answer})
        await client.post(SIZE, json={"answer": None})
        await look(app, learners.read_holdings, learner=learner_of(app, client))
        kept = (await kept_of(client, f"/zh-Hans/{LESSON}"))["predictions"]
    slope = {"said": 2.72, "right": True, "answer": 2.718, "explanation": "<p>因为。</p>", "lang": "zh-Hans"}
    assert kept["slope"] == {"first": {"said": 4, "right": False}, "told": slope, "due": False}
    size = {"said": None, "right": None, "answer": [2, 3], "explanation": "<p>因为。</p>", "lang": "zh-Hans"}
    assert kept["size"] == {"first": {"said": None, "right": None}, "told": size, "due": False}


async def test_a_wrong_answer_is_explained_as_it_was(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        await client.post(SLOPE, json={"answer": 4})
        await look(app, learners.read_holdings, learner=learner_of(app, client))
        told = (await kept_of(client))["predictions"]["slope"]["told"]
    assert told["explanation"] == "<p>Four is the value.</p>\n<p>Because.</p>"


async def test_of_who_has_no_cookie_no_prediction_is_kept(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.post(SLOPE, json={"answer": 4})
        assert (await look(app, progress.read_lesson_work, learner=learner_of(app, client), lesson=LESSON, now_ms=0)) == LessonWork()


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({}, True),
        ({"predictions": (make_prediction(answer=3.0),)}, False),
        ({"predictions": (make_prediction(asks="line", answer=2),)}, False),
        ({"cells": tuple(msgspec.structs.replace(cell, source="a + 2\n") for cell in make_catalogue().lesson(LESSON).cells)}, False),  # type: ignore[union-attr]
    ],
)
async def test_a_prediction_whose_question_changed_is_left_out(make_app: MakeApp, changes: dict[str, Any], shown: bool) -> None:
    app = make_app()
    async with client_of(app) as client, client_of(make_app(catalogue=change_lesson(**changes))) as later:
        await client.get("/en/")
        await client.post(SLOPE, json={"answer": 4})
        await look(app, learners.read_holdings, learner=learner_of(app, client))
        later.cookies = client.cookies
        assert set((await kept_of(later))["predictions"]) == ({"slope"} if shown else set())


def make_due(number: int = 1, **changes: Any) -> CourseWork:
    lesson = make_catalogue().lesson(LESSON)
    assert lesson is not None
    about = hash_question(lesson, lesson.predictions[0])
    due = DuePrediction(**{"lesson": LESSON, "prediction": "slope", "about": about, **changes})
    return CourseWork(due=[due] * number)


def test_reviews_are_links_to_the_question(catalogue: Catalogue) -> None:
    (review,) = list_reviews(catalogue, make_due(), "zh-Hans")
    assert (review.question_html, review.lesson_title) == ("<p>是多少？</p>", "First")
    assert review.url == f"/zh-Hans/{LESSON}#prediction-slope"
    own, before = ('a + <span class="n">1</span>',), ('a = <span class="n">1</span>',)
    assert [(code.filename, code.lines, code.folded) for code in review.code] == [("make.py", before, True), ("use.py", own, False)]


async def keep_long_ago(app: FastAPI, client: httpx.AsyncClient, about: str) -> None:
    """Store a wrong answer of long ago. `about` is the hash of the question."""
    learner = learner_of(app, client)
    told = {"lesson": LESSON, "prediction": "slope", "about": about, "answer": "4", "right": False, "now_ms": now_ms() - 40 * DAY_MS}
    await services_of(app).database.write(lambda connection: predictions.record_prediction(connection, learner=learner, **told))  # type: ignore[arg-type]


async def test_a_review_brings_the_code_it_asks_about_folded_if_it_is_long(make_app: MakeApp) -> None:
    for lines, opened in ((12, " open"), (13, "")):
        cells = tuple(msgspec.structs.replace(cell, source="a + 1\n" * lines) for cell in make_catalogue().lesson(LESSON).cells)  # type: ignore[union-attr]
        changed = change_lesson(cells=cells)
        app = make_app(catalogue=changed)
        async with client_of(app) as client:
            await client.get("/en/")
            await keep_long_ago(app, client, hash_question(changed.lesson(LESSON), make_prediction()))  # type: ignore[arg-type]
            page = " ".join((await client.get("/zh-Hans/")).text.split())
        assert f'<details class="review-code"{opened}><summary>use.py</summary>' in page
        assert '<details class="review-code"><summary>make.py</summary>' in page


@pytest.mark.parametrize("changes", [{"lesson": "one/none"}, {"prediction": "none"}, {"about": "other"}])
def test_a_review_of_what_the_course_does_not_ask_any_more_is_none(catalogue: Catalogue, changes: dict[str, str]) -> None:
    assert list_reviews(catalogue, make_due(**changes), "en") == ()


def test_there_are_only_so_many_reviews_at_once_and_none_when_they_are_off(catalogue: Catalogue) -> None:
    assert len(list_reviews(catalogue, make_due(20), "en")) == MOST_REVIEWS
    assert list_reviews(catalogue, msgspec.structs.replace(make_due(), reviews=False), "en") == ()
    assert list_reviews(catalogue, None, "en") == ()


async def test_a_prediction_that_was_wrong_is_due_after_some_days(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        lesson = make_catalogue().lesson(LESSON)
        assert lesson is not None
        await keep_long_ago(app, client, hash_question(lesson, lesson.predictions[0]))
        assert (await kept_of(client))["predictions"]["slope"]["due"] is True


async def test_a_visit_is_noted_once_a_day_of_who_has_something_kept(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        await client.get("/en/")
        name = learner_of(app, client)
        assert (await look(app, learners.read_holdings, learner=name)).made_ms is None
        long_ago = now_ms() - 3 * DAY_MS
        await services_of(app).database.write(lambda connection: learners.set_reviews(connection, name, True, long_ago))
        await client.get("/en/")
        seen_ms = (await look(app, learners.read_holdings, learner=name)).seen_ms
        assert seen_ms is not None
        assert seen_ms > long_ago + 2 * DAY_MS
        services_of(app).store.record_visit(name, seen_ms)
        assert (await look(app, learners.read_holdings, learner=name)).seen_ms == seen_ms


async def test_a_visitor_without_a_cookie_costs_no_read(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    database = services_of(app).database

    async def refuse(_: object) -> None:
        raise AssertionError("the store was read")

    database.read = refuse  # type: ignore[method-assign, assignment]
    for path in ("/en/", f"/en/{LESSON}"):
        for cookies in ({}, {"learner": "forged.abc"}):
            async with client_of(app) as client:
                client.cookies.update(cookies)
                assert await kept_of(client, path) == (
                    NOTHING if path.endswith("first") else {"done": {}, "helped": {}, "last": None, "reviews": True}
                )


async def test_a_page_with_a_learners_work_is_in_no_cache(client: httpx.AsyncClient) -> None:
    """This includes the browser's own cache, from which the Back button would show the page to the next person at the computer."""
    await client.get("/en/")
    await client.put(f"{DRAFTS}/use", json={"source": "</script><b>", "version": 0})
    answer = await client.get(f"/en/{LESSON}")
    assert answer.headers["cache-control"] == "no-store"
    assert "cookie" in answer.headers["vary"]
    assert (await client.get("/en/")).headers["cache-control"] == "no-store"
    assert "</script><b>" not in answer.text
    assert (await kept_of(client))["drafts"] == {"use": {"version": 1, "source": "</script><b>"}}


def test_without_the_store_nothing_is_said_of_what_is_kept(catalogue: Catalogue) -> None:
    lesson = catalogue.lesson(LESSON)
    assert lesson is not None
    assert describe_lesson_work(lesson, None, "en") is None


async def test_a_lesson_is_told_how_far_the_lessons_are_that_its_page_lists(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        await client.post(SLOPE, json={"answer": 4})
        await look(app, learners.read_holdings, learner=learner_of(app, client))
        text = (await client.get(f"/en/{LESSON}")).text
    assert f'"around": {{"done": {{"{LESSON}": ["prediction:slope"]}}, "helped": {{}}}}' in text
