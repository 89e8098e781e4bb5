"""Receipts: they are given for committed submissions alone, and a key is one submission, also after a restart."""

import asyncio
import re
import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
import structlog
from sqlalchemy import Connection, update

from app.classroom.store.schema.tables import StoredAnswerRow
from app.classroom.store.stored_work_types import LessonWork
from app.classroom.store.times import format_time, now_ms
from app.classroom.work import attempts, progress
from app.grading.earlier_answers import renew_answer
from app.lessons.course.catalogue import Catalogue
from app.settings import Settings
from tests.grading.test_earlier_answers import EARLIER_ANSWER
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import NOT_PASSED, PASSED, SECRETS, SOLUTION, STREAM, SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import RUN_ID, FakeRunner
from tests.web.kept import LESSON, LockedStore, break_store, learner_of, look
from tests.web.test_events import parse_events

pytestmark = pytest.mark.anyio
BODY = {"source": "def f(x): return x  # 中"}
KEYED = {"idempotency-key": "3f2c"}
FIX = {"lesson": LESSON, "exercise": "fix"}


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    """Return a runner for which the first submission does not pass and the second does."""
    return FakeRunner(make_grading(NOT_PASSED), make_grading(PASSED))


async def test_the_receipt_is_of_what_is_in_the_store(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        told = (await client.post(SUBMISSIONS, json={**BODY, "seed": 7})).json()
        (kept,) = await look(app, attempts.list_attempts, learner=learner_of(app, client), **FIX)
    receipt = told["receipt"]
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}", receipt["id"])
    assert receipt["sha256"] == sha256(BODY["source"].encode()).hexdigest()
    assert (kept.receipt.id, kept.receipt.at, kept.receipt.sha256) == (receipt["id"], receipt["at"], receipt["sha256"])
    assert receipt["at"] == format_time(kept.at_ms)
    assert receipt["at"].endswith("Z")
    assert told["not_kept"] is None
    assert (kept.source, kept.seed, kept.run_id, kept.passed, kept.good, kept.total) == (BODY["source"], 7, RUN_ID, False, 1, 2)
    assert kept.mistake == "forgot-chain"


async def test_a_restarted_server_answers_the_key_as_before_and_counts_once(make_app: MakeApp, runner: FakeRunner) -> None:
    app, again = make_app(), make_app()
    async with client_of(app) as client, client_of(again) as later:
        await client.get("/en/")
        first = await client.post(SUBMISSIONS, json=BODY, headers=KEYED)
        later.cookies = client.cookies
        second = await later.post(SUBMISSIONS, json=BODY, headers=KEYED)
        streamed = parse_events((await later.post(SUBMISSIONS, json=BODY, headers={**KEYED, **STREAM})).text)
        other = await later.post(SUBMISSIONS, json={**BODY, "seed": 1}, headers=KEYED)
        kept = await look(again, progress.read_lesson_work, learner=learner_of(again, later), lesson=LESSON, now_ms=now_ms())
    assert second.content == first.content
    assert second.headers["x-run-id"] == first.headers["x-run-id"]
    assert streamed == [("0", "submission", first.json())]
    assert (other.status_code, other.json()["error"]["code"]) == (422, "key_used")
    assert len(runner.grades) == 1
    assert kept.exercises["fix"].count == 1


async def test_an_answer_that_was_stored_in_the_earlier_format_is_repeated_in_the_present_one(make_app: MakeApp) -> None:
    """After an update the answers of the day before are still in the store."""
    app = make_app()
    stored = update(StoredAnswerRow).values(data=zlib.compress(EARLIER_ANSWER))
    async with client_of(app) as client:
        await client.get("/en/")
        await client.post(SUBMISSIONS, json=BODY, headers=KEYED)
        await app.state.services.database.write(lambda connection: connection.execute(stored))
        again = await client.post(SUBMISSIONS, json=BODY, headers=KEYED)
        streamed = parse_events((await client.post(SUBMISSIONS, json=BODY, headers={**KEYED, **STREAM})).text)
    assert again.content == renew_answer(EARLIER_ANSWER)
    assert again.json()["run"]["error"]["pitfall"] == "earlier-run"
    assert streamed == [("0", "submission", again.json())]


async def test_an_answer_that_is_forgotten_is_made_of_the_verdict_without_its_run_in_the_language_of_who_asks(make_app: MakeApp) -> None:
    async with client_of(make_app(burst_per_learner=100)) as client:
        await client.get("/en/")
        first = (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).json()
        for number in range(attempts.MOST_ANSWERS):
            await client.post(SUBMISSIONS, json=BODY, headers={"idempotency-key": str(number)})
        again = await client.post(SUBMISSIONS, json={**BODY, "lang": "zh-Hans"}, headers=KEYED)
    assert again.headers["x-run-id"] == RUN_ID
    told = again.json()
    assert told["run"] is None
    assert told["receipt"] == first["receipt"]
    assert (told["passed"], told["hidden"]) == (first["passed"], first["hidden"])
    assert told["checks"][0]["title"] == "值正确"
    assert told["mistake"]["html"] == "<p>缺少链式法则。</p>"
    assert not [secret for secret in SECRETS if secret in again.text]


async def test_a_store_that_cannot_be_used_costs_the_receipt_and_nothing_else(make_app: MakeApp, settings: Settings) -> None:
    break_store(settings)
    async with client_of(make_app()) as client:
        await client.get("/en/")
        for headers in (KEYED, KEYED, {}):
            answer = await client.post(SUBMISSIONS, json=BODY, headers=headers)
            assert answer.status_code == 200
            assert answer.json()["checks"]
            assert (answer.json()["receipt"], answer.json()["not_kept"]) == (None, "broken")


async def test_a_locked_store_is_named_and_once_it_is_free_the_same_key_is_kept(make_app: MakeApp, settings: Settings) -> None:
    async with client_of(make_app()) as client:
        await client.get("/en/")
        await client.put(f"/api/me/drafts/{LESSON}/use", json={"source": "x", "version": 0})
        async with LockedStore(settings):
            first = (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).json()
        second = (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).json()
    assert (first["receipt"], first["not_kept"]) == (None, "locked")
    assert second["receipt"]["id"]
    assert second["not_kept"] is None


async def test_who_has_too_much_kept_is_told_so(make_app: MakeApp) -> None:
    async with client_of(make_app(kept_bytes_per_learner=1000)) as client:
        await client.get("/en/")
        answer = (await client.post(SUBMISSIONS, json={"source": "#" * 1000})).json()
    assert (answer["receipt"], answer["not_kept"]) == (None, "too_much")


async def test_a_key_that_was_used_while_the_store_could_not_be_read_gets_no_receipt(make_app: MakeApp, settings: Settings) -> None:
    """The claim does not find the stored submission, but the commit does, so it stays the only one with its key."""
    app = make_app()
    async with client_of(app) as client:
        await client.get("/en/")
        first = (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).json()
        submissions = app.state.services.submissions

        async def find_nothing(_: object) -> None:
            return None

        submissions.find = find_nothing
        same = (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).json()
        other = (await client.post(SUBMISSIONS, json={"source": "y"}, headers=KEYED)).json()
        kept = await look(app, attempts.list_attempts, learner=learner_of(app, client), **FIX)
    assert same == first
    assert (other["receipt"], other["not_kept"]) == (None, "key_used")
    assert [one.receipt.id for one in kept] == [first["receipt"]["id"]]


async def test_what_was_stopped_or_came_without_a_cookie_is_not_kept(make_app: MakeApp, settings: Settings) -> None:
    app = make_app()
    async with client_of(app) as client:
        told = (await client.post(SUBMISSIONS, json=BODY)).json()
        assert (told["receipt"], told["not_kept"]) == (None, "no_learner")
        assert await look(app, progress.read_lesson_work, learner=learner_of(app, client), lesson=LESSON, now_ms=0) == LessonWork()


async def test_a_client_that_leaves_while_its_submission_is_being_kept_has_it_kept_and_the_store_goes_on(
    make_app: MakeApp, settings: Settings
) -> None:
    app = make_app()
    database, writing = app.state.services.database, asyncio.Event()
    enqueue = database.enqueue_in_order

    def enqueue_and_signal(key: str, change: Callable[[Connection], Any]) -> Any:
        writing.set()
        return enqueue(key, change)

    async with client_of(app) as client:
        await client.get("/en/")
        await client.put(f"/api/me/drafts/{LESSON}/use", json={"source": "x", "version": 0})
        async with LockedStore(settings):
            database.enqueue_in_order = enqueue_and_signal
            leaving = asyncio.create_task(client.post(SUBMISSIONS, json=BODY, headers=KEYED))
            await writing.wait()
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
        (kept,) = await look(app, attempts.list_attempts, learner=learner_of(app, client), **FIX)
        again = (await client.post(SUBMISSIONS, json=BODY, headers=KEYED)).json()
    assert again["receipt"]["id"] == kept.receipt.id


async def test_that_the_solution_was_shown_is_kept_and_a_pass_afterwards_is_one_with_help(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    runner.plays = [make_grading(NOT_PASSED), make_grading(PASSED)]
    async with client_of(app) as client:
        await client.get("/en/")
        await client.post(SUBMISSIONS, json=BODY)
        with structlog.testing.capture_logs() as logs:
            await client.post(SOLUTION)
        await client.post(SUBMISSIONS, json=BODY)
        learner = learner_of(app, client)
        kept = await look(app, progress.read_lesson_work, learner=learner, lesson=LESSON, now_ms=now_ms())
    assert (kept.exercises["fix"].standing, kept.exercises["fix"].seen) == ("shown", True)
    assert learner not in str(logs)


async def test_nothing_of_a_submission_is_logged(make_app: MakeApp, runner: FakeRunner, settings: Settings) -> None:
    runner.plays = [make_grading(NOT_PASSED)]
    with structlog.testing.capture_logs() as logs:
        async with client_of(make_app()) as client:
            await client.get("/en/")
            told = await client.post(SUBMISSIONS, json=BODY, headers=KEYED)
            await client.put(f"/api/me/drafts/{LESSON}/use", json={"source": BODY["source"], "version": 0})
            cookie = client.cookies["learner"].partition(".")[0]
    assert logs
    for word in (BODY["source"], cookie, told.json()["receipt"]["id"], KEYED["idempotency-key"]):
        assert word not in str(logs)
