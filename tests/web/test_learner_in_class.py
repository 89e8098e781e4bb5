"""A learner's raised hand, the stream that says who is coming, and teachers' notes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.classroom.classes import hands, notes
from app.classroom.classes.class_lessons import ClassLesson
from app.classroom.store.times import now_ms
from app.main import create_app
from app.serving.entry import limit_streams
from app.settings import Settings
from app.web.classes.learner_streams import MOST_OF_LEARNER, LearnerStream, LearnerStreams
from app.web.guards.connection_caps import caps_of
from app.web.guards.connections import Connections
from tests.patience import PATIENCE_SECONDS
from tests.web.conftest import MakeApp, share_routes
from tests.web.exercises import SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner
from tests.web.kept import LESSON, services_of
from tests.web.people import find_person, give_session
from tests.web.school import join, new_browser, open_class
from tests.web.serving import connect, serving

pytestmark = pytest.mark.anyio
EVENTS = "/api/me/class-events"
HAND = {"lesson": LESSON, "exercise": "fix", "shares": True}


@pytest.fixture
def app(settings: Settings) -> FastAPI:
    return share_routes(create_app(settings, FakeRunner(make_grading()), make_catalogue()))


async def read_events(answer: httpx.Response) -> AsyncIterator[tuple[str, Any]]:
    """Iterate over the names and data of a stream's events."""
    name = ""
    async for line in answer.aiter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        if line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


async def test_a_hand_is_raised_seen_and_lowered(app: FastAPI) -> None:
    school = await open_class(app)
    database = services_of(app).database
    async with serving(app) as port, connect(port) as ana:
        hand = f"/api/me/classes/{school.class_id}/hand"
        await ana.get("/en/")
        assert (await ana.put(hand, json=HAND)).json()["error"]["code"] == "no_such_class"
        assert (await ana.get(EVENTS)).json()["error"]["code"] == "no_class"
        await join(ana, school)
        async with ana.stream("GET", f"{EVENTS}?lesson={LESSON}", headers={"accept-encoding": "gzip"}) as answer:
            assert "content-encoding" not in answer.headers  # each compressor would need memory
            async with aclosing(read_events(answer)) as events:
                assert await anext(events) == ("state", {"hands": [], "unread": 0})
                assert (await ana.put(hand, json=HAND)).status_code == 204
                (member_id,) = await database.read(lambda db: db.exec_driver_sql("SELECT member_id FROM raised_hand").one())
                await database.write(hands.mark_coming, school.teacher, school.class_id, member_id, "Ms. Noether", now_ms())
                own = {"class_id": school.class_id, "raised": True, "helper": "Ms. Noether", **HAND}
                assert await anext(events) == ("state", {"hands": [own], "unread": 0})
                assert (await ana.delete(hand)).status_code == 204
                assert await anext(events) == ("state", {"hands": [], "unread": 0})
        for place in ("9" * 20, "999"):
            assert (await ana.delete(f"/api/me/classes/{place}/hand")).status_code == 404
        answer = await ana.put(hand, json={**HAND, "exercise": "none"})
        assert answer.json()["error"]["field"] == "exercise"
        here = await database.read(lambda db: db.exec_driver_sql("SELECT lesson, exercise FROM member_learner").one())
        assert tuple(here) == (LESSON, "fix")


async def test_a_note_is_shown_with_its_line_until_it_is_read(app: FastAPI) -> None:
    school = await open_class(app)
    database = services_of(app).database
    ana = await new_browser(app)
    await join(ana, school)
    await ana.post(SUBMISSIONS, json={"source": "if 1:\n    b = '<i>2'\n"})
    attempt = await database.read(lambda db: db.exec_driver_sql("SELECT id FROM attempt").scalar_one())
    note = await database.write(notes.add_note, school.teacher, school.class_id, attempt, 2, "Why <b>2?", "Ms. Noether", now_ms())
    assert "(unread notes)" in (await ana.get("/en/reference")).text
    page = (await ana.get("/en/mine")).text
    for shown in ("<code>b = &#39;&lt;i&gt;2&#39;</code>", "Why &lt;b&gt;2?", "<bdi>Ms. Noether</bdi>", f'data-unread="{note}"', "line 2"):
        assert shown in page
    other = await new_browser(app)
    await join(other, school, "Ben")
    assert (await other.post(f"/api/me/notes/{note}/read")).status_code == 404
    assert (await ana.get("/api/me")).json()["classes"][0]["unread"] == 1
    assert (await ana.post(f"/api/me/notes/{note}/read")).status_code == 204
    page = (await ana.get("/en/mine")).text
    assert "Why &lt;b&gt;2?" in page and "(unread notes)" not in page and "data-unread" not in page


async def test_the_script_of_a_lesson_knows_in_which_classes_a_hand_can_be_raised(app: FastAPI) -> None:
    ana = await new_browser(app)
    assert '"classes"' not in (await ana.get(f"/en/{LESSON}")).text
    school = await open_class(app, "Kai's </script> class")
    await join(ana, school)
    assert (
        f'"classes": [{{"id": {school.class_id}, "name": "Kai\\u0027s \\u003c/script\\u003e class"}}]'
        in (await ana.get(f"/en/{LESSON}")).text
    )
    having = await open_class(app, "Having it", [ClassLesson(lesson=LESSON, opens_ms=0)])
    await join(ana, having)
    assert f'"classes": [{{"id": {having.class_id}, "name": "Having it"}}]' in (await ana.get(f"/en/{LESSON}")).text


async def test_one_stream_too_many_ends_the_oldest_and_says_so(make_app: MakeApp) -> None:
    notices = services_of(make_app()).notices
    streams = LearnerStreams(notices, "test", most=MOST_OF_LEARNER + 2, keep_alive_seconds=30)

    async def read_state() -> dict[str, int]:
        return {}

    def follow(stream: LearnerStream) -> AsyncIterator[bytes]:
        return stream.follow(read_state, lambda: None)

    opened = [streams.open(learner) for learner in ("ana", "ben", *["cem"] * MOST_OF_LEARNER)]
    following = [follow(stream) for stream in opened]
    for one in following:
        assert b"event: state" in await anext(one)
    streams.open("cem")  # the oldest of cem's own
    assert b"give_way" in await anext(following[2])
    streams.open("dan")  # the oldest of all
    assert b"give_way" in await anext(following[0])
    waiting = asyncio.ensure_future(anext(following[1]))
    streams.open("eve")
    assert b"give_way" in await waiting
    with pytest.raises(StopAsyncIteration):
        await anext(following[1])


async def test_at_the_cap_of_connections_learners_streams_give_way_and_the_boards_never(settings: Settings) -> None:
    most = 6
    app = share_routes(create_app(limit_streams(settings, most), FakeRunner(make_grading()), make_catalogue()))
    school = await open_class(app)
    async with serving(app, Connections(caps_of(settings, overall=most))) as port, AsyncExitStack() as stack:

        async def follow(browser: httpx.AsyncClient, path: str) -> AsyncIterator[tuple[str, Any]]:
            return read_events(await stack.enter_async_context(browser.stream("GET", path)))

        teacher = await stack.enter_async_context(connect(port))
        await give_session(app, await find_person(app, "Teacher of Physics 12b"), teacher)
        board = await follow(teacher, f"/api/classes/{school.class_id}/board/events")
        assert (await anext(board))[1]["whole"]
        streams = []
        for name in "abcdefghi":  # more than may have connections
            learner = await stack.enter_async_context(connect(port))
            await learner.get("/en/")
            await join(learner, school, name)
            streams.append(await follow(learner, EVENTS))
            assert (await anext(streams[-1]))[0] == "state"
        assert (await anext(streams[0]))[0] == "give_way"
        assert (await learner.put(f"/api/me/classes/{school.class_id}/hand", json=HAND)).status_code == 204
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not any(row.get("hand") for row in (await anext(board))[1]["rows"]):
                pass


async def test_a_server_that_shuts_down_ends_its_streams(app: FastAPI) -> None:
    school = await open_class(app)
    async with serving(app) as port:
        ana = connect(port)
        await ana.get("/en/")
        await join(ana, school)
        answer = await ana.send(ana.build_request("GET", EVENTS), stream=True)
        events = read_events(answer)
        assert (await anext(events))[0] == "state"
        ended = asyncio.ensure_future(anext(events, None))
    assert await ended is None  # and no error: the server did not break it off
    await ana.aclose()
