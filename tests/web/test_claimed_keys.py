"""Idempotency-Keys: the first answer is repeated, also for a concurrent request and after a restart."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from app.lessons.course.catalogue import Catalogue
from app.runner.client import RunLost
from app.web.storing.claimed_keys import AskedOtherwise, ClaimedKeys, FirstAnswer, Key
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import NOT_PASSED, PASSED, STREAM, SUBMISSIONS, TESTS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner, make_result
from tests.web.test_events import parse_events

pytestmark = pytest.mark.anyio
BODY = {"source": "x"}
KEYED = {"idempotency-key": "3f2c"}


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    """Return a runner for which the first submission does not pass and the second does."""
    return FakeRunner(make_grading(NOT_PASSED), make_grading(PASSED))


@pytest.fixture
async def learner(make_app: MakeApp) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(make_app()) as client:
        await client.get("/en/")  # which brings the cookie
        yield client


async def test_the_same_key_gets_the_first_answer_again_and_nothing_is_run(learner: httpx.AsyncClient, runner: FakeRunner) -> None:
    first = await learner.post(SUBMISSIONS, json=BODY, headers=KEYED)
    again = await learner.post(SUBMISSIONS, json=BODY, headers=KEYED)
    assert again.content == first.content
    assert again.headers["x-run-id"] == first.headers["x-run-id"]
    streamed = parse_events((await learner.post(SUBMISSIONS, json=BODY, headers={**KEYED, **STREAM})).text)
    assert streamed == [("0", "submission", first.json())]
    assert len(runner.grades) == 1


@pytest.mark.parametrize("body", [{"source": "y"}, {"source": "x", "seed": 1}])
async def test_the_same_key_with_another_source_is_422(learner: httpx.AsyncClient, runner: FakeRunner, body: dict[str, object]) -> None:
    await learner.post(SUBMISSIONS, json=BODY, headers=KEYED)
    answer = await learner.post(SUBMISSIONS, json=body, headers=KEYED)
    assert answer.status_code == 422
    assert (answer.json()["error"]["code"], answer.json()["error"]["field"]) == ("key_used", "Idempotency-Key")
    assert len(runner.grades) == 1


async def test_another_key_another_exercise_another_learner_and_no_key_are_graded_anew(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    async with client_of(app) as ada, client_of(app) as bob:
        for client in (ada, bob):
            await client.get("/en/")
        await ada.post(SUBMISSIONS, json=BODY, headers=KEYED)
        await ada.post(SUBMISSIONS, json=BODY, headers={"idempotency-key": "other"})
        await ada.post(TESTS, json=BODY, headers=KEYED)
        await bob.post(SUBMISSIONS, json=BODY, headers=KEYED)
        await ada.post(SUBMISSIONS, json=BODY)
    assert len(runner.grades) == 5


async def test_nothing_is_kept_for_who_has_no_cookie(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    for _ in range(2):
        async with client_of(app) as client:
            await client.post(SUBMISSIONS, json=BODY, headers=KEYED)
    assert len(runner.grades) == 2


@pytest.mark.parametrize("key", ["", "x" * 129, "a b", "é".encode()])
async def test_a_key_that_cannot_be_one_is_422(learner: httpx.AsyncClient, runner: FakeRunner, key: str | bytes) -> None:
    answer = await learner.post(SUBMISSIONS, json=BODY, headers={"idempotency-key": key})  # type: ignore[dict-item]
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "Idempotency-Key"
    assert runner.grades == []


async def test_of_two_at_once_with_one_key_one_is_graded_and_both_are_answered_the_same(
    learner: httpx.AsyncClient, runner: FakeRunner
) -> None:
    answers = await asyncio.gather(*(learner.post(SUBMISSIONS, json=BODY, headers=KEYED) for _ in range(5)))
    assert {answer.content for answer in answers} == {answers[0].content}
    assert len(runner.grades) == 1


async def test_a_submission_that_failed_through_our_fault_is_graded_anew(make_app: MakeApp) -> None:
    runner = FakeRunner([make_result(), RunLost("gone")], make_grading())
    async with client_of(make_app(runner)) as client:
        await client.get("/en/")
        assert (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).status_code == 503
        assert (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).status_code == 200
    assert len(runner.grades) == 2


async def test_who_waits_takes_the_place_of_one_that_came_to_nothing(make_app: MakeApp) -> None:
    runner = FakeRunner([make_result(), RunLost("gone")], [make_result(), PASSED])
    async with client_of(make_app(runner)) as client:
        await client.get("/en/")
        answers = await asyncio.gather(*(client.post(SUBMISSIONS, json=BODY, headers=KEYED) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503]
    assert len(runner.grades) == 2


async def test_a_key_that_is_being_answered_takes_no_other_question_and_is_free_afterwards() -> None:
    keys, key = ClaimedKeys(), Key("ada", "one/first", "fix", "a")
    async with keys.claim(key, "asked") as claim:
        with pytest.raises(AskedOtherwise):
            async with keys.claim(key, "something else"):
                pass
        claim.settle(FirstAnswer("r", b"{}"))
        async with keys.claim(key, "asked") as again:
            assert again.answer == FirstAnswer("r", b"{}")
    async with keys.claim(key, "something else") as other:
        assert other.answer is None
