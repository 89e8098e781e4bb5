"""`POST /api/me/work` adds what a browser reports, accepts no verdict, and removes nothing."""

from typing import Any

import httpx
import pytest

from app.lessons.course.catalogue import Catalogue
from tests.web.exercises import SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner
from tests.web.kept import LESSON, kept_of

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url")]
WORK = "/api/me/work"


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(make_grading())


@pytest.fixture
async def learner(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await client.get("/en/")
    return client


async def report(client: httpx.AsyncClient, **told: Any) -> httpx.Response:
    return await client.post(WORK, json={"lesson": LESSON, **told})


async def test_what_is_reported_is_on_the_pages_and_twice_is_once(learner: httpx.AsyncClient) -> None:
    for _ in range(2):
        answer = await report(learner, cells=["use", "make"], predictions={"slope": {"answer": 4, "lang": "en"}}, hints={"fix": 1})
        assert (answer.status_code, answer.content) == (204, b"")
    kept = await kept_of(learner)
    assert sorted(kept["cells"]) == ["make", "use"]
    assert kept["predictions"]["slope"]["first"] == {"said": 4, "right": False}
    assert (kept["exercises"]["fix"]["standing"], kept["exercises"]["fix"]["hints"], kept["exercises"]["fix"]["count"]) == ("new", 1, 0)
    course = await kept_of(learner, "/en/")
    assert sorted(course["done"][LESSON]) == ["make", "prediction:slope", "use"]
    assert course["last"] == LESSON


async def test_the_servers_own_first_answer_stays_and_hints_never_become_fewer(learner: httpx.AsyncClient) -> None:
    await report(learner, predictions={"slope": {"answer": 2.72}}, hints={"fix": 2})
    await report(learner, predictions={"slope": {"answer": 4}}, hints={"fix": 1})
    kept = await kept_of(learner)
    assert kept["predictions"]["slope"]["first"] == {"said": 2.72, "right": True}
    assert kept["exercises"]["fix"]["hints"] == 2


async def test_an_answer_is_judged_here_and_none_is_neither_right_nor_wrong(learner: httpx.AsyncClient) -> None:
    await report(learner, predictions={"slope": {"answer": None}, "size": {"answer": "2 x 3"}})
    predictions = (await kept_of(learner))["predictions"]
    assert predictions["slope"]["first"] == {"said": None, "right": None}
    assert predictions["size"]["first"] == {"said": [2, 3], "right": True}
    judged = await report(learner, predictions={"slope": {"answer": 4, "right": True}})
    assert (judged.status_code, judged.json()["error"]["field"]) == (422, "predictions.slope.right")


async def test_no_report_passes_an_exercise(learner: httpx.AsyncClient) -> None:
    assert (await report(learner, exercises={"fix": "passed"})).status_code == 422
    await learner.post(SUBMISSIONS, json={"source": "x"})
    await report(learner, hints={"fix": 2})
    assert (await kept_of(learner))["exercises"]["fix"]["standing"] == "tried"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"cells": ["none"]}, "cells"),
        ({"cells": ["use", "exercise_fix"]}, "cells"),
        ({"cells": "use"}, "cells"),
        ({"cells": ["use"] * 65}, "cells"),
        ({"cells": ["x" * 65]}, "cells"),
        ({"predictions": {"none": {"answer": 1}}}, "predictions"),
        ({"predictions": {"slope": {"answer": "many"}}}, "predictions"),
        ({"predictions": {"slope": {}}}, "predictions.slope.answer"),
        ({"predictions": {"slope": {"answer": True}}}, "predictions"),
        ({"hints": {"none": 1}}, "hints"),
        ({"hints": {"fix": -1}}, "hints.fix"),
        ({"hints": {"fix": 101}}, "hints.fix"),
        ({"hints": {"fix": 1.5}}, "hints.fix"),
        ({"hints": {f"a{number}": 1 for number in range(65)}}, "hints"),
        ({"lesson": "one"}, "lesson"),
        ({"lang": "fr"}, "lang"),
    ],
)
async def test_what_the_lesson_does_not_have_is_422_and_nothing_is_kept(
    learner: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    answer = await report(learner, **{"cells": ["make"], **body})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
    assert (await learner.get("/api/me")).json()["made_ms"] is None


async def test_an_unknown_lesson_is_404(learner: httpx.AsyncClient) -> None:
    answer = await learner.post(WORK, json={"lesson": "one/none"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_lesson")


async def test_an_empty_report_keeps_nothing(learner: httpx.AsyncClient) -> None:
    assert (await report(learner)).status_code == 204
    assert (await learner.get("/api/me")).json()["made_ms"] is None
