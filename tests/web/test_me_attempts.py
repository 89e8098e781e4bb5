"""`GET /api/me/attempts`: submissions in the words of the present exercise, without what is hidden."""

import httpx
import pytest

from app.lessons.course.catalogue import Catalogue
from tests.postgresql import ONLY_SQLITE
from tests.web.exercises import NOT_PASSED, PASSED, SECRETS, SOLUTIONS, SUBMISSIONS, TESTS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner
from tests.web.kept import LESSON, kept_of

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url")]
ATTEMPTS = f"/api/me/attempts?exercise={LESSON}/fix"


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(make_grading(NOT_PASSED), make_grading(PASSED))


async def test_the_newest_comes_first_with_its_checks_and_its_mistake_in_words(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    first, second = [(await client.post(SUBMISSIONS, json={"source": source})).json() for source in ("a", "b")]
    newest, oldest = (await client.get(ATTEMPTS, headers={"accept-language": "zh"})).json()["attempts"]
    assert [(one["receipt"], one["at"]) for one in (newest, oldest)] == [
        (one["receipt"]["id"], one["receipt"]["at"]) for one in (second, first)
    ]
    assert (newest["source"], newest["passed"], newest["good"], newest["total"], newest["mistake"]) == ("b", True, 2, 2, None)
    assert (oldest["source"], oldest["passed"], oldest["good"], oldest["total"], oldest["imported"]) == ("a", False, 1, 2, False)
    assert oldest["mistake"] == {"id": "forgot-chain", "message": "", "html": "<p>缺少链式法则。</p>"}
    assert [check["title"] for check in oldest["checks"]] == ["值正确"]


async def test_nothing_hidden_is_told(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    await client.post(SUBMISSIONS, json={"source": "a"})
    answer = await client.get(ATTEMPTS)
    assert answer.json()["attempts"]
    assert not [secret for secret in (*SECRETS, *SOLUTIONS) if secret in answer.text]


async def test_the_page_marks_them_oldest_first(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    for source in ("a", "b"):
        await client.post(SUBMISSIONS, json={"source": source})
    fix = (await kept_of(client))["exercises"]["fix"]
    newest_first = [one["receipt"] for one in (await client.get(ATTEMPTS)).json()["attempts"]]
    assert [one["receipt"] for one in fix["attempts"]] == newest_first[::-1]
    assert set(fix["attempts"][0]) == {"receipt", "at", "passed", "good", "total", "imported"}
    assert (fix["standing"], fix["seen"], fix["count"]) == ("passed", False, 2)


async def test_of_another_exercise_and_of_none_there_are_none(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    await client.post(TESTS, json={"source": "a"})
    assert (await client.get(ATTEMPTS)).json() == {"attempts": []}


@ONLY_SQLITE
@pytest.mark.parametrize(
    ("exercise", "status", "code"),
    [
        ("", 422, "bad_field"),
        ("fix", 422, "bad_field"),
        ("one/first", 422, "bad_field"),
        ("one/first/", 422, "bad_field"),
        ("one/first/fix/x", 422, "bad_field"),
        ("one/none/fix", 404, "no_such_lesson"),
        ("one/first/none", 404, "no_such_exercise"),
    ],
)
async def test_what_names_no_exercise_is_refused(client: httpx.AsyncClient, exercise: str, status: int, code: str) -> None:
    await client.get("/en/")
    answer = await client.get("/api/me/attempts", params={"exercise": exercise})
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["error"]["field"]) == (
        status,
        code,
        "lesson" if code == "no_such_lesson" else "exercise",
    )
