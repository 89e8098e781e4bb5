"""The author's endpoints: only in author mode, only for our own pages, and only into the course's folder."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.authoring.desk import Desk
from app.authoring.live_catalogue import LiveCatalogue
from app.lessons.catalogue import load_catalogue
from app.main import create_app
from app.protocol.limits import Limits
from app.settings import Settings
from tests.authoring.course import FakeRunner, make_result
from tests.authoring.written_course import write_course

RECORD = "/api/author/lessons/one/first/cells/slope/shows"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return write_course(tmp_path / "course")


@pytest.fixture
def desk(course: Path) -> Desk:
    runner = FakeRunner({"slope": make_result(stdout="8.0\n")})
    return Desk(LiveCatalogue(partial(load_catalogue, course)), course, runner, Limits(), 2)  # type: ignore[arg-type]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_folder=tmp_path / "state")


@pytest.fixture
async def client(desk: Desk, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(settings, FakeRunner({}), desk.catalogue, author=desk)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        yield client


async def first_state(desk: Desk, lesson: str) -> Any:
    stream = desk._follow(lesson)
    event = (await anext(stream)).decode()
    await stream.aclose()
    return json.loads(event.partition("data: ")[2])


@pytest.mark.anyio
async def test_what_a_cell_shows_is_recorded_and_answered(client: httpx.AsyncClient, course: Path) -> None:
    answer = await client.post(RECORD)
    assert answer.status_code == 200
    assert '+stdout = ["8.0"]' in answer.json()["change"]
    assert 'stdout = ["8.0"]' in (course / "one/first/lesson.toml").read_text()


@pytest.mark.anyio
@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "http://elsewhere.example"}])
async def test_a_page_of_another_site_records_nothing(client: httpx.AsyncClient, course: Path, headers: dict[str, str]) -> None:
    before = (course / "one/first/lesson.toml").read_bytes()
    assert (await client.post(RECORD, headers=headers)).status_code == 403
    assert (course / "one/first/lesson.toml").read_bytes() == before


@pytest.mark.anyio
async def test_nothing_outside_of_the_course_is_written(client: httpx.AsyncClient, course: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    (course / "one/first/lesson.toml").rename(outside)
    (course / "one/first/lesson.toml").symlink_to(outside)
    before = outside.read_bytes()
    answer = await client.post(RECORD)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_recorded")
    assert outside.read_bytes() == before


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["one/first/cells/none", "one/none/cells/slope", "..%2F..%2Fone/first/cells/slope"])
async def test_what_is_not_there_cannot_be_recorded(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.post(f"/api/author/lessons/{path}/shows")).status_code == 404


@pytest.mark.anyio
async def test_a_server_for_learners_has_no_desk(settings: Settings, desk: Desk) -> None:
    app = create_app(settings, FakeRunner({}), desk.catalogue)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        assert (await client.get("/api/author/events")).status_code == 404
        assert (await client.post(RECORD)).status_code in (404, 405)
        assert "author.js" not in (await client.get("/en/one/first")).text


@pytest.mark.anyio
async def test_a_page_is_told_its_complaints_and_how_many_others_there_are(desk: Desk, course: Path) -> None:
    (course / "one/first/en.md").unlink()
    (course / "one/second/en.md").unlink()
    await desk.catalogue.reload()
    state = await first_state(desk, "one/first")
    message = "expected the text in the language en, the file is missing"
    assert state["complaints"] == [{"where": "one/first/en.md:1", "message": message, "place": None}]
    assert (state["elsewhere"], state["generation"]) == (1, desk.generation)
    assert len((await first_state(desk, ""))["complaints"]) == 2


@pytest.mark.anyio
async def test_an_open_page_is_told_of_a_change_at_once(desk: Desk) -> None:
    stream = desk._follow("one/first")
    await anext(stream)
    following = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not following.done()
    await desk.catalogue.reload()
    desk._tell_pages()
    assert desk.generation in (await following).decode()
    await stream.aclose()
