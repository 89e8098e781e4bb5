"""Two web processes that share a PostgreSQL database and a runner: here two apps, each with connections of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError

from app.classroom.people import person_sessions
from app.classroom.store.times import now_ms
from app.lessons.course.catalogue import Catalogue
from app.web.guards.principal import Principal
from app.web.storing.shared_keys import SharedKeys
from app.web.storing.sign_ins import Verified, replace_password, start_session
from tests.patience import PATIENCE_SECONDS
from tests.postgresql import PostgresServer
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import NOT_PASSED, PASSED, SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner
from tests.web.kept import services_of
from tests.web.people import HASHED, add_person, browser_of, is_signed_in, make_link

pytestmark = pytest.mark.anyio
BODY = {"source": "x"}
KEYED = {"idempotency-key": "3f2c"}
DRAFT = "/api/me/drafts/one/first/exercise_fix"
Clients = tuple[httpx.AsyncClient, httpx.AsyncClient]


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(make_grading(NOT_PASSED), make_grading(PASSED))


@pytest.fixture
async def apps(make_app: MakeApp, postgres_server: PostgresServer) -> AsyncIterator[list[FastAPI]]:
    url = postgres_server.empty_database()
    async with AsyncExitStack() as stack:
        made = [make_app(database_url=url) for _ in range(2)]
        for app in made:
            await stack.enter_async_context(app.router.lifespan_context(app))
            await connected(app)
        yield made


@pytest.fixture
async def clients(apps: list[FastAPI]) -> AsyncIterator[Clients]:
    """Return two clients of one learner, one at each process."""
    async with client_of(apps[0]) as first, client_of(apps[1]) as second:
        await first.get("/en/")
        second.cookies = first.cookies
        yield first, second


async def connected(app: FastAPI) -> None:
    """Wait until the app's session is open, so that its claims hold for others too."""
    keys = app.state.services.claimed_keys
    assert isinstance(keys, SharedKeys)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while keys._session._connection is None:
            await asyncio.sleep(0)


async def test_one_key_at_both_processes_at_once_is_graded_once_and_answered_the_same(clients: Clients, runner: FakeRunner) -> None:
    for number in range(10):
        headers = {"idempotency-key": str(number)}
        answers = await asyncio.gather(*(client.post(SUBMISSIONS, json=BODY, headers=headers) for client in clients))
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[0].json() == answers[1].json()
        assert len(runner.grades) == number + 1


async def test_a_key_that_was_used_for_another_source_at_another_process_is_422(clients: Clients, runner: FakeRunner) -> None:
    answers = await asyncio.gather(
        *(client.post(SUBMISSIONS, json={"source": source}, headers=KEYED) for client, source in zip(clients, "xy", strict=True))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 422]
    assert len(runner.grades) == 1


async def test_simultaneous_saves_from_one_version_are_one_save_and_one_conflict(clients: Clients) -> None:
    for version in range(15):
        body = [{"source": f"{version} {name}", "version": version} for name in "ab"]
        answers = await asyncio.gather(*(client.put(DRAFT, json=one) for client, one in zip(clients, body, strict=True)))
        assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_a_learner_who_deletes_everything_is_forgotten_by_both_processes(apps: list[FastAPI], clients: Clients) -> None:
    first, second = clients
    assert (await second.put(DRAFT, json={"source": "a", "version": 0})).status_code == 200
    learner = apps[0].state.services.sessions.read(first.cookies["learner"])
    assert (await first.delete("/api/me")).status_code == 204
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not apps[1].state.services.sessions.is_forgotten(learner):
            await asyncio.sleep(0)


async def test_a_change_is_refused_although_the_copy_in_memory_lags_behind(apps: list[FastAPI], clients: Clients) -> None:
    first, second = clients
    cookie = first.cookies["learner"]
    await apps[1].state.services.notices.close()
    assert (await first.delete("/api/me")).status_code == 204
    answer = await second.put(DRAFT, json={"source": "a", "version": 0}, headers={"cookie": f"learner={cookie}"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no_learner")


async def test_a_process_that_starts_later_knows_who_is_forgotten(make_app: MakeApp, apps: list[FastAPI], clients: Clients) -> None:
    first, _ = clients
    learner = apps[0].state.services.sessions.read(first.cookies["learner"])
    assert (await first.delete("/api/me")).status_code == 204
    later = make_app(database_url=apps[0].state.services.settings.database_url)
    async with later.router.lifespan_context(later):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not later.state.services.sessions.is_forgotten(learner):
                await asyncio.sleep(0)


async def test_without_a_session_submissions_are_graded_all_the_same(apps: list[FastAPI], clients: Clients, runner: FakeRunner) -> None:
    for app in apps:
        await app.state.services.notices.close()
    answers = await asyncio.gather(*(client.post(SUBMISSIONS, json=BODY, headers=KEYED) for client in clients))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json()["receipt"] == answers[1].json()["receipt"]


async def test_one_link_at_both_processes_at_once_signs_in_once(apps: list[FastAPI]) -> None:
    person = await add_person(apps[0], "Ada")
    link = await make_link(apps[0], person)
    async with browser_of(apps[0]) as first, browser_of(apps[1]) as second:
        passwords = ("the first new password", "the second new password")
        posts = [client.post(link, data={"password": one}) for client, one in zip((first, second), passwords, strict=True)]
        answers = await asyncio.gather(*posts)
        assert sorted(answer.status_code for answer in answers) == [303, 404]
        assert [await is_signed_in(client) for client in (first, second)] == [answer.status_code == 303 for answer in answers]


async def test_no_sign_in_with_the_old_password_outlives_a_change_of_it(apps: list[FastAPI]) -> None:
    person, nobody = await add_person(apps[0], "Ada"), Principal(learner=None, address="")
    verified = Verified(person=person, hashed=HASHED)
    engine = services_of(apps[0]).database._engines.writer
    with engine.connect() as signing_in, engine.connect() as changing:
        start_session(signing_in, nobody, verified, "a browser")
        changing.exec_driver_sql("SET LOCAL lock_timeout = '20ms'")
        with pytest.raises(OperationalError, match="lock timeout"):
            replace_password(changing, nobody, verified, "another hash")
        changing.rollback()
        signing_in.commit()
        replace_password(changing, nobody, verified, "another hash")
        changing.commit()
    assert await services_of(apps[1]).database.read(person_sessions.list_sessions, person.id, now_ms()) == []
