"""`POST …/predictions/{id}`: with and without an answer."""

from typing import Any

import httpx
import pytest

from app.lessons.course.catalogue import Catalogue
from app.protocol.event import Failed, Started
from app.runner.client import RunnerUnavailable
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import STREAM, make_catalogue
from tests.web.fake_runner import RUN_ID, FakeRunner
from tests.web.test_events import parse_events

pytestmark = pytest.mark.anyio
SLOPE = "/api/lessons/one/first/predictions/slope"
SIZE = "/api/lessons/one/first/predictions/size"


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.mark.parametrize(
    ("given", "right", "explanation"),
    [
        (2.72, True, "<p>Because.</p>"),
        ("2.718", True, "<p>Because.</p>"),
        (4, False, "<p>Four is the value.</p>\n<p>Because.</p>"),
        (3, False, "<p>Because.</p>"),
        (None, None, "<p>Because.</p>"),
    ],
)
async def test_the_answer_is_judged_and_explained_with_the_run(
    client: httpx.AsyncClient, runner: FakeRunner, given: object, right: bool | None, explanation: str
) -> None:
    answer = await client.post(SLOPE, json={"answer": given})
    assert answer.status_code == 200
    assert answer.headers["x-run-id"] == RUN_ID
    told = answer.json()
    assert told.pop("run")["stdout"] == "2\n"
    assert told == {"right": right, "answer": 2.718, "explanation": explanation}
    (order,) = runner.orders
    assert (order.program.source.text, order.program.source.cell) == ("a + 1\n", "use")
    assert [source.cell for source in order.program.replay] == ["make"]


async def test_a_shape_is_answered_as_a_list(client: httpx.AsyncClient) -> None:
    told = (await client.post(SIZE, json={"answer": [2, 3]})).json()
    assert (told["right"], told["answer"]) == (True, [2, 3])


async def test_the_words_are_in_the_language_of_the_body(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    told = (await client.post(SLOPE, json={"answer": 4, "lang": "zh-Hans"})).json()
    assert told["explanation"] == "<p>四是函数值。</p>\n<p>因为。</p>"
    assert runner.orders[0].lang == "zh-Hans"


async def test_the_stream_has_the_runs_events_and_then_the_prediction(client: httpx.AsyncClient) -> None:
    events = parse_events((await client.post(SLOPE, json={"answer": 4}, headers=STREAM)).text)
    assert [name for _, name, _ in events] == ["queued", "started", "stdout", "result", "prediction"]
    assert events[-1][2]["run"] == events[-2][2]
    assert events[-1][2]["right"] is False


@pytest.mark.parametrize(
    ("path", "body", "field", "expected"),
    [
        (SLOPE, {}, "answer", "a number"),
        (SLOPE, {"answer": "many"}, "answer", "a number"),
        (SLOPE, {"answer": "nan"}, "answer", "a number"),
        (SLOPE, {"answer": [1]}, "answer", "a number"),
        (SLOPE, {"answer": True}, "answer", "a number"),
        (SLOPE, {"answer": {"x": 1}}, "answer", "a number"),
        (SLOPE, {"answer": "1" * 201}, "answer", "a number"),
        (SLOPE, {"answer": 10**400}, "answer", "a number"),
        (SIZE, {"answer": "wide"}, "answer", "list of whole numbers"),
        (SIZE, {"answer": [2.5]}, "answer", "list of whole numbers"),
        (SIZE, {"answer": [-1]}, "answer", "list of whole numbers"),
        (SIZE, {"answer": [1] * 65}, "answer", "list of whole numbers"),
        (SLOPE, {"answer": 1, "lang": "fr"}, "lang", "zh-Hans"),
        (SLOPE, {"answer": 1, "source": "x"}, "source", "documented"),
    ],
)
async def test_an_answer_of_a_wrong_form_is_422_and_told_what_is_expected(
    client: httpx.AsyncClient, runner: FakeRunner, path: str, body: dict[str, Any], field: str, expected: str
) -> None:
    answer = await client.post(path, json=body)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["field"] == field
    assert expected in error["message"]
    assert runner.orders == []


async def test_nan_as_a_number_is_422(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    answer = await client.post(SLOPE, content=b'{"answer": NaN}', headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert runner.orders == []


async def test_a_wrong_form_is_told_in_chinese(client: httpx.AsyncClient) -> None:
    answer = await client.post(SIZE, json={"answer": "wide", "lang": "zh-Hans"})
    assert answer.json()["error"]["message"] == "answer：应为整数列表，例如 [2, 3]。"


@pytest.mark.parametrize("path", ["/api/lessons/one/none/predictions/slope", "/api/lessons/one/first/predictions/none"])
async def test_what_is_not_there_is_404(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.post(path, json={"answer": 1})
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] in ("no_such_lesson", "no_such_prediction")


async def test_a_fault_of_ours_is_503_or_an_error_event(make_app: MakeApp) -> None:
    async with client_of(make_app(FakeRunner([Started(RUN_ID), Failed("lost", "gone")]))) as client:
        assert (await client.post(SLOPE, json={"answer": 1})).status_code == 503
        events = parse_events((await client.post(SLOPE, json={"answer": 1}, headers=STREAM)).text)
    assert [name for _, name, _ in events] == ["started", "error"]
    async with client_of(make_app(FakeRunner(RunnerUnavailable("gone")))) as client:
        assert (await client.post(SLOPE, json={"answer": 1}, headers=STREAM)).status_code == 503


async def test_the_lesson_asks_without_its_answers(client: httpx.AsyncClient) -> None:
    lesson = await client.get("/api/lessons/one/first")
    asked = {
        "id": "slope",
        "cell": "use",
        "asks": "value",
        "question": "<p>What is it?</p>",
        "choices": ["<p>a</p>", "<p>b</p>"],
        "names": [],
    }
    assert lesson.json()["predictions"][0] == asked
    for secret in ("2.718", "Because", "Four"):
        assert secret not in lesson.text


async def test_the_lesson_has_its_exercises_with_their_hints(client: httpx.AsyncClient) -> None:
    fix, test = (await client.get("/api/lessons/one/first?lang=zh-Hans")).json()["exercises"]
    assert fix == {
        "id": "fix",
        "kind": "fix",
        "title": "修好它",
        "html": "<p>修好二阶导数。</p>",
        "filename": "fix.py",
        "starter": "def f(x): ...\n",
        "continues": None,
        "after": ["make", "fail"],
        "hints": ["<p>看看 ctx。</p>", "<p>…</p>"],
        "checks": [{"id": "values", "title": "值正确"}],
        "hidden": 1,
    }
    assert (test["kind"], test["checks"], test["hidden"]) == ("test", [], 0)


async def test_the_course_lists_predictions_and_exercises(client: httpx.AsyncClient) -> None:
    (chapter,) = (await client.get("/api/lessons")).json()["chapters"]
    assert (chapter["lessons"][0]["predictions"], chapter["lessons"][0]["exercises"]) == (["slope", "size"], ["fix", "test"])
