"""An Idempotency-Key: the first answer again, also to who asks at the same time, and what is kept for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest

from app.lessons.catalogue import Catalogue
from app.protocol.event import Ended, Graded
from app.runner.client import RunLost
from app.web.kept_answers import AskedOtherwise, KeptAnswer, KeptAnswers, KeptBounds, Key
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
    """The first submission does not pass, the second does."""
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
    runner = FakeRunner([Ended(make_result()), RunLost("gone")], make_grading())
    async with client_of(make_app(runner)) as client:
        await client.get("/en/")
        assert (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).status_code == 503
        assert (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).status_code == 200
    assert len(runner.grades) == 2


async def test_who_waits_takes_the_place_of_one_that_came_to_nothing(make_app: MakeApp) -> None:
    runner = FakeRunner([Ended(make_result()), RunLost("gone")], [Ended(make_result()), Graded(PASSED)])
    async with client_of(make_app(runner)) as client:
        await client.get("/en/")
        answers = await asyncio.gather(*(client.post(SUBMISSIONS, json=BODY, headers=KEYED) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503]
    assert len(runner.grades) == 2


def key_of(name: str, learner: str = "ada") -> Key:
    return Key(learner, "one/first", "fix", name)


class Store:
    """Kept answers with small bounds and a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        bounds = KeptBounds(answers_per_learner=3, bytes_per_learner=100, bytes_overall=150, seconds=10)
        self.answers = KeptAnswers(bounds, lambda: self.now)

    async def keep(self, key: Key, size: int = 1) -> None:
        async with self.answers.claim(key, "asked") as claim:
            assert claim.answer is None
            self.answers.keep(key, claim, KeptAnswer("r", b"x" * size))

    async def has(self, key: Key) -> bool:
        async with self.answers.claim(key, "asked") as claim:
            return claim.answer is not None


async def test_a_learners_oldest_answers_are_forgotten_beyond_a_number() -> None:
    store = Store()
    for name in "abcd":
        await store.keep(key_of(name))
    await store.keep(key_of("a", "bob"))
    assert [await store.has(key_of(name)) for name in "abcd"] == [False, True, True, True]
    assert await store.has(key_of("a", "bob"))


async def test_a_learners_answers_have_a_bound_in_bytes_and_so_have_all() -> None:
    store = Store()
    await store.keep(key_of("a"), 60)
    await store.keep(key_of("b"), 60)
    assert [await store.has(key_of(name)) for name in "ab"] == [False, True]
    await store.keep(key_of("a", "bob"), 60)
    await store.keep(key_of("a", "eve"), 60)
    assert [await store.has(key) for key in (key_of("b"), key_of("a", "bob"), key_of("a", "eve"))] == [False, True, True]
    assert store.answers.total_bytes == 120


async def test_an_answer_that_is_beyond_the_bound_by_itself_is_given_to_who_waits_and_then_forgotten() -> None:
    store = Store()
    async with AsyncExitStack() as stack:
        claim = await stack.enter_async_context(store.answers.claim(key_of("a"), "asked"))
        waiting = asyncio.create_task(store.has(key_of("a")))
        await asyncio.sleep(0)
        store.answers.keep(key_of("a"), claim, KeptAnswer("r", b"x" * 101))
    assert await waiting
    assert not await store.has(key_of("a"))
    assert store.answers.total_bytes == 0


async def test_answers_are_forgotten_after_their_time() -> None:
    store = Store()
    await store.keep(key_of("a"))
    store.now = 10
    assert await store.has(key_of("a"))
    store.now = 10.1
    assert not await store.has(key_of("a"))
    assert store.answers.total_bytes == 0


async def test_a_key_that_is_being_answered_takes_no_other_question() -> None:
    store = Store()
    async with store.answers.claim(key_of("a"), "asked"):
        with pytest.raises(AskedOtherwise):
            async with store.answers.claim(key_of("a"), "something else"):
                pass
