"""A class's board over HTTP: its pages, its stream, one member's work, what helpers do, and the projector."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import Connection

from app.classroom.classes import class_staff
from app.classroom.classes.class_notices import announce
from app.classroom.people import person_sessions
from app.classroom.people.people import Person
from app.classroom.people.roles import Role
from app.classroom.store.times import now_ms
from app.lessons.course.catalogue import Catalogue
from app.web.classes.board_feed import MOST_VIEWERS, BoardEnded, BoardViewer
from tests.classroom.classes.planted_class import plant_attempt, plant_class, plant_hand, plant_member
from tests.patience import PATIENCE_SECONDS
from tests.postgresql import PostgresServer
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import make_catalogue
from tests.web.kept import services_of
from tests.web.people import OWN_PAGE, add_person, give_session

pytestmark = pytest.mark.anyio
HOSTILE = "<b>Ana</b>\u202e &"
See = Callable[[], Awaitable[Any]]
SOURCE = "# by <b>Ana</b>, 41-007\nx = 1\n"


@dataclass(frozen=True)
class PlantedBoard:
    """A class with a teacher, an assistant, and a member who failed twice."""

    class_id: int
    teacher: Person
    helper: Person
    member: int
    learner_id: int
    attempts: tuple[int, int]


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def app(make_app: MakeApp) -> FastAPI:
    return make_app()


async def plant_board(app: FastAPI) -> PlantedBoard:
    teacher, helper = await add_person(app, "Tess", Role.INSTRUCTOR), await add_person(app, "Hal", Role.ASSISTANT)

    def plant(connection: Connection) -> PlantedBoard:
        at_ms = now_ms()
        class_id = plant_class(connection, teacher.id)
        class_staff.insert_staff(connection, class_id, helper.id, class_staff.ClassRole.ASSISTANT)
        member, learner_id = plant_member(connection, class_id, HOSTILE, number="41-007", here=3, now_ms=at_ms)
        attempts = [
            plant_attempt(connection, learner_id, ago, source=source, mistake=mistake, now_ms=at_ms)
            for ago, source, mistake in ((2, "x = 0\n", None), (1, SOURCE, "forgot-chain"))
        ]
        return PlantedBoard(class_id, teacher, helper, member, learner_id, (attempts[0], attempts[1]))

    return await services_of(app).database.write(plant)


@pytest.fixture
async def planted(app: FastAPI) -> PlantedBoard:
    return await plant_board(app)


async def client_for(app: FastAPI, person: Person) -> httpx.AsyncClient:
    client = client_of(app)
    client.headers.update(OWN_PAGE)
    await give_session(app, person, client)
    return client


@pytest.fixture
async def client(app: FastAPI, planted: PlantedBoard) -> AsyncIterator[httpx.AsyncClient]:
    async with await client_for(app, planted.teacher) as client:
        yield client


def data_of(page: str) -> Any:
    return json.loads(page.partition('id="page-data">')[2].partition("</script>")[0])


async def test_the_board_and_the_page_have_the_rows_and_the_words_in_the_readers_language(
    client: httpx.AsyncClient, planted: PlantedBoard
) -> None:
    english = (await client.get(f"/api/classes/{planted.class_id}/board")).json()
    chinese = data_of((await client.get(f"/zh-Hans/teach/{planted.class_id}")).text)["board"]
    for board, failure, title in ((english, "The chain rule is missing", "Fix it"), (chinese, "缺少链式法则", "修好它")):
        (row,) = board["rows"]
        assert (row["member"], row["name"], row["number"]) == (planted.member, HOSTILE, "41-007")
        assert (row["group"], row["tries"], row["attempt"]) == ("working", 2, planted.attempts[1])
        assert board["words"]["one/first/fix"] == title
        assert board["words"]["one/first/fix#mistake:forgot-chain"] == failure
        assert board["limits"] == {"tries": 4, "minutes": 10}


async def test_the_matrix_escapes_names(client: httpx.AsyncClient, planted: PlantedBoard) -> None:
    page = await client.get(f"/en/teach/{planted.class_id}/progress")
    assert page.status_code == 200
    assert "<b>Ana" not in page.text


async def test_a_members_work_has_verdicts_and_differences(client: httpx.AsyncClient, planted: PlantedBoard) -> None:
    address = f"/api/classes/{planted.class_id}/members/{planted.member}"
    work = (await client.get(address, params={"place": "one/first/fix"})).json()
    last, first = work["attempts"]
    assert last["lines"] == ["-x = 0", "+# by <b>Ana</b>, 41-007", "+x = 1"]
    assert first["lines"] == [" x = 0"]
    assert "The chain rule" in last["answer"]["mistake"]["html"]
    assert [check["id"] for check in last["answer"]["checks"]] == ["values"]
    assert work["shown"] is None
    assert (await client.get(address)).json()["place"] == "one/first/fix"
    assert (await client.get(address, params={"place": "one/none/x"})).json()["attempts"] == []


async def test_an_assistant_says_that_they_come_and_writes_a_note(app: FastAPI, planted: PlantedBoard) -> None:
    async with await client_for(app, planted.helper) as helper:
        address = f"/api/classes/{planted.class_id}/members/{planted.member}"
        assert (await helper.post(f"{address}/coming")).status_code == 204
        row = (await helper.get(f"/api/classes/{planted.class_id}/board")).json()["rows"][0]
        assert (row["helper"], row.get("hand", False)) == ("Hal", False)
        assert (await helper.delete(f"{address}/coming")).status_code == 204
        await services_of(app).database.write(plant_hand, planted.member, 1)
        assert (await helper.delete(f"{address}/hand")).status_code == 204
        row = (await helper.get(f"/api/classes/{planted.class_id}/board")).json()["rows"][0]
        assert ("helper" in row, row["group"]) == (False, "working")
        notes = f"/api/classes/{planted.class_id}/attempts/{planted.attempts[1]}/notes"
        assert (await helper.post(notes, json={"line": 2, "text": "Why 1?"})).status_code == 201
        assert (await helper.post(notes, json={"line": 0, "text": "x"})).status_code == 422
        written = (await helper.get(address)).json()["attempts"][0]["notes"]
        assert [(one["line"], one["text"], one["author"], one["read_ms"]) for one in written] == [(2, "Why 1?", "Hal", None)]


async def test_who_does_not_teach_the_class_finds_none_of_it(app: FastAPI, planted: PlantedBoard) -> None:
    other = await plant_other(app)
    async with await client_for(app, await add_person(app, "Sam", Role.OPERATOR)) as stranger:
        for class_id in (planted.class_id, 999, 2**40):
            member, attempt = f"/api/classes/{class_id}/members/{planted.member}", planted.attempts[0]
            for path in (f"/api/classes/{class_id}/board", f"/api/classes/{class_id}/board/events", member, f"/en/teach/{class_id}"):
                assert (await stranger.get(path)).status_code == 404
            for path in (f"/en/teach/{class_id}/progress", f"/en/teach/{class_id}/show/{attempt}"):
                assert (await stranger.get(path)).status_code == 404
            assert (await stranger.post(f"{member}/coming")).status_code == 404
            note = {"line": 1, "text": "x"}
            assert (await stranger.post(f"/api/classes/{class_id}/attempts/{attempt}/notes", json=note)).status_code == 404
    async with await client_for(app, planted.teacher) as teacher:  # of another class than the member's
        for path in (f"/api/classes/{other}/members/{planted.member}", f"/en/teach/{other}/show/{planted.attempts[0]}"):
            assert (await teacher.get(path)).status_code == 404
        assert (await teacher.get(f"/api/classes/{planted.class_id}/members/{2**40}")).status_code == 404


async def plant_other(app: FastAPI) -> int:
    """Make a second class of the teacher, and return its id."""

    def plant(connection: Connection) -> int:
        return plant_class(connection, *(row.person_id for row in class_staff.list_staff(connection, 1)))

    return await services_of(app).database.write(plant)


async def test_the_projector_names_nobody_and_turns_to_the_next_of_the_cluster(client: httpx.AsyncClient, planted: PlantedBoard) -> None:
    first, last = planted.attempts
    page = (await client.get(f"/en/teach/{planted.class_id}/show/{last}?among={first},{last}")).text
    for name in ("Ana", "41-007", "Tess", "A class", "\u202e"):
        assert name not in page
    assert "# by &lt;b&gt;…&lt;/b&gt;, …" in page
    assert f'rel="prev" class="ghost square" href="/en/teach/{planted.class_id}/show/{first}?among={first},{last}"' in page
    assert 'rel="next"' not in page
    assert "The chain rule is missing." in page
    assert "SECRET" not in page
    alone = (await client.get(f"/en/teach/{planted.class_id}/show/{last}?among=1,x")).text
    assert 'rel="prev"' not in alone


@asynccontextmanager
async def watching(
    app: FastAPI, planted: PlantedBoard, session_id: int = 1
) -> AsyncIterator[tuple[BoardViewer, Callable[[], Awaitable[Any]]]]:
    """Look at a board as the stream does. The second value waits for the next change that has rows, members who are gone, or clusters."""
    feeds = services_of(app).boards
    viewer = feeds.open(planted.class_id, planted.teacher.id, session_id)
    changes = viewer.changes()

    async def look() -> Any:
        async with asyncio.timeout(PATIENCE_SECONDS):
            async for change in changes:
                if change and (change.rows or change.gone or change.clusters or change.limits):
                    return change
        return None

    try:
        yield viewer, look
    finally:
        await changes.aclose()
        feeds.close(planted.class_id, viewer)


async def session_of(app: FastAPI, person: Person) -> int:
    """Sign a person in, and return the id of the session."""
    database = services_of(app).database
    token = await database.write(person_sessions.make_session, person.id, "", now_ms())
    found = await database.read(person_sessions.find_session, token, now_ms())
    assert found is not None
    return found.id


@pytest.fixture
async def running(app: FastAPI) -> AsyncIterator[FastAPI]:
    async with app.router.lifespan_context(app):
        yield app


async def change(app: FastAPI, make: Callable[..., Any], *args: Any, class_id: int, **kwargs: Any) -> None:
    """Change something of a class and notify its boards, as the app's own changes do."""

    def make_change(connection: Connection) -> None:
        make(connection, *args, **kwargs)
        announce(connection, class_id)

    await services_of(app).database.write(make_change)
    services_of(app).notices.look_soon()


async def test_a_viewer_gets_all_rows_and_then_only_those_that_change(running: FastAPI, planted: PlantedBoard) -> None:
    session = await session_of(running, planted.teacher)
    async with watching(running, planted, session) as (_, look), watching(running, planted, session) as (_, look_beside):
        for see in (look, look_beside):
            first = await see()
            assert first.whole
            assert [row.member for row in first.rows] == [planted.member]
        await change(running, plant_hand, planted.member, 0, now_ms=now_ms(), class_id=planted.class_id)
        for see in (look, look_beside):
            second = await see()
            assert (second.whole, [row.group for row in second.rows], second.limits) == (False, ["hand"], None)
        await change(running, plant_member, planted.class_id, "Bo", now_ms=now_ms(), class_id=planted.class_id)
        assert [row.name for row in (await look()).rows] == ["Bo"]
    assert services_of(running).boards._feeds == {}  # a feed ends with its last viewer


async def test_a_viewer_who_is_signed_out_or_no_longer_teaches_is_ended(running: FastAPI, planted: PlantedBoard) -> None:
    session = await session_of(running, planted.teacher)
    async with watching(running, planted, session) as (_, look):
        await look()
        await change(running, person_sessions.end_session, planted.teacher.id, session, class_id=planted.class_id)
        with pytest.raises(BoardEnded):
            await look()
    async with watching(running, planted, await session_of(running, planted.teacher)) as (_, look):
        await look()
        await change(running, remove_teacher, planted, class_id=planted.class_id)
        with pytest.raises(BoardEnded):
            await look()


def remove_teacher(connection: Connection, planted: PlantedBoard) -> None:
    connection.exec_driver_sql(f"DELETE FROM class_staff WHERE person_id = {planted.teacher.id}")


async def test_a_viewer_is_told_that_the_store_cannot_be_read_and_gets_the_board_again(running: FastAPI, planted: PlantedBoard) -> None:
    session = await session_of(running, planted.teacher)
    async with watching(running, planted, session) as (viewer, look):
        await look()
        viewer.feed.is_unreadable = True
        viewer.wake()
        async with asyncio.timeout(PATIENCE_SECONDS):
            changes = viewer.changes()
            assert await anext(changes) is None
            await changes.aclose()


async def test_the_number_of_viewers_is_bounded(running: FastAPI, planted: PlantedBoard, client: httpx.AsyncClient) -> None:
    feeds = services_of(running).boards
    viewers = [feeds.open(planted.class_id, planted.teacher.id, 1) for _ in range(MOST_VIEWERS)]
    answer = await client.get(f"/api/classes/{planted.class_id}/board/events")
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many_viewers")
    for viewer in viewers:
        feeds.close(planted.class_id, viewer)


async def test_a_change_in_one_process_is_seen_by_a_viewer_of_another(make_app: MakeApp, postgres_server: PostgresServer) -> None:
    url = postgres_server.empty_database()
    async with AsyncExitStack() as stack:
        here, there = [make_app(database_url=url) for _ in range(2)]
        for one in (here, there):
            await stack.enter_async_context(one.router.lifespan_context(one))
        planted = await plant_board(here)
        _, look = await stack.enter_async_context(watching(there, planted, await session_of(here, planted.teacher)))
        await look()
        async with await client_for(here, planted.helper) as helper:
            await helper.post(f"/api/classes/{planted.class_id}/members/{planted.member}/coming")
        assert [row.helper for row in (await look()).rows] == ["Hal"]
