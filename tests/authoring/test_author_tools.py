"""The author's endpoints exist only in author mode, answer only our own pages, and write only into the course's folder."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from app.authoring.author_mode.author_tools import AuthorTools
from app.authoring.author_mode.live_catalogue import LiveCatalogue
from app.lessons.cells.recordings import REWRITES, recording_file
from app.lessons.course.catalogue import load_catalogue
from app.main import create_app
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.run import RunOrder, RunResult
from app.settings import Settings
from app.web.guards.access import AuthorRoute
from tests import frameworks_course
from tests.authoring.course import FakeRunner, make_result
from tests.authoring.frameworks_runner import FrameworksRunner
from tests.authoring.written_course import write_course
from tests.frameworks_course import PATH

RECORD = "/api/author/lessons/one/first/cells/slope/shows"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return write_course(tmp_path / "course")


@pytest.fixture
def author_tools(course: Path) -> AuthorTools:
    runner = FakeRunner({"slope": make_result(stdout="8.0\n")})
    return AuthorTools(LiveCatalogue(partial(load_catalogue, course)), course, runner, Limits(), 2, AuthorRoute)  # type: ignore[arg-type]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_folder=tmp_path / "state")


@pytest.fixture
async def client(author_tools: AuthorTools, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(settings, FakeRunner({}), author_tools.catalogue, author=author_tools)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        yield client


async def first_state(author_tools: AuthorTools, lesson: str) -> Any:
    event = await anext(author_tools.get_events(lesson))
    return json.loads(event.raw_data or "")


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
async def test_a_server_for_learners_has_no_author_tools(settings: Settings, author_tools: AuthorTools) -> None:
    app = create_app(settings, FakeRunner({}), author_tools.catalogue)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        assert (await client.get("/api/author/events")).status_code == 404
        assert (await client.post(RECORD)).status_code in (404, 405)
        assert "author.js" not in (await client.get("/en/one/first")).text


@pytest.mark.anyio
async def test_a_page_shows_its_own_language_and_says_of_which_minute(
    client: httpx.AsyncClient, author_tools: AuthorTools, course: Path
) -> None:
    english = course / "one/first/en.md"
    english.write_text(english.read_text().replace("The first lesson.", "The very first lesson.\n\n## A new part\n\nNew."))
    await author_tools.catalogue.reload()
    page, chinese = [(await client.get(f"/{lang}/one/first")).text for lang in ("en", "zh-Hans")]
    assert "The very first lesson." in page
    assert re.search(r'This page shows the version of <time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ">\d\d:\d\d UTC</time>\.', page)
    assert "这是第一课。" in chinese
    assert re.search(r"这一页显示的是 <time datetime=\S+>\d\d:\d\d UTC</time> 的版本，之后的改动还无法显示。", chinese)
    assert "the version of" not in (await client.get("/en/")).text


@pytest.mark.anyio
async def test_a_lesson_that_has_no_version_in_a_language_says_so_in_that_language_alone(
    client: httpx.AsyncClient, author_tools: AuthorTools, course: Path
) -> None:
    (course / "one/second/zh-Hans.md").unlink()
    fresh = LiveCatalogue(partial(load_catalogue, course))
    author_tools.catalogue.__dict__.update(fresh.__dict__)
    assert "The second lesson." in (await client.get("/en/one/second")).text
    assert "这一课暂时无法显示" in (await client.get("/zh-Hans/one/second")).text


@pytest.mark.anyio
async def test_a_page_is_told_its_complaints_and_how_many_others_there_are(author_tools: AuthorTools, course: Path) -> None:
    (course / "one/first/en.md").unlink()
    (course / "one/second/en.md").unlink()
    await author_tools.catalogue.reload()
    state = await first_state(author_tools, "one/first")
    message = "expected the text in the language en, the file is missing"
    assert state["complaints"] == [{"where": "one/first/en.md:1", "message": message, "place": None}]
    assert (state["elsewhere"], state["generation"]) == (1, author_tools.generation)
    assert len((await first_state(author_tools, ""))["complaints"]) == 2


@pytest.mark.anyio
async def test_an_open_page_is_told_of_a_change_at_once(author_tools: AuthorTools) -> None:
    stream = author_tools.get_events("one/first")
    await anext(stream)
    following = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not following.done()
    await author_tools.catalogue.reload()
    author_tools._notify_pages()
    assert author_tools.generation in str((await following).raw_data)


class CrashingRunner(FrameworksRunner):
    def play(self, order: RunOrder) -> RunResult:
        return msgspec.structs.replace(super().play(order), outcome=Outcome.CRASHED)


class Ending(msgspec.Struct):
    lesson: str
    order: RunOrder
    ending: str = "finished"


@pytest.fixture
def frameworks(tmp_path: Path) -> Path:
    """Return a course with a record of each cell that needs one."""
    return frameworks_course.write_course(tmp_path / "frameworks")


def open_author_tools(folder: Path, runner: FakeRunner) -> AuthorTools:
    return AuthorTools(LiveCatalogue(partial(load_catalogue, folder)), folder, runner, Limits(), 2, AuthorRoute)  # type: ignore[arg-type]


async def run_on_page(author_tools: AuthorTools, cell: str, added: str = "") -> Any:
    """Return what the page is told after the cell was run there with `added` at its end."""
    lesson = author_tools.catalogue.lesson(PATH)
    assert lesson
    one = lesson.cell(cell)
    assert one
    author_tools.tell(Ending(PATH, RunOrder(program=author_tools.catalogue.program(lesson, cell, one.source + added), runtime=one.runtime)))
    await asyncio.gather(*author_tools._work)
    return await first_state(author_tools, PATH)


async def press(author_tools: AuthorTools, cell: str) -> Any:
    answer = await author_tools.record(*PATH.split("/"), cell)
    await author_tools.catalogue.reload()
    return answer.status_code, json.loads(answer.body)


def read_records(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in (folder / PATH / "recorded").iterdir()}


@pytest.mark.anyio
@pytest.mark.parametrize("missing", [False, True])
async def test_a_cell_that_fits_lesson_toml_is_offered_where_its_record_is_missing_or_out_of_date(frameworks: Path, missing: bool) -> None:
    before = read_records(frameworks)
    lesson = (frameworks / PATH / "lesson.toml").read_bytes()
    if missing:
        (frameworks / recording_file(PATH, "jax-again")).unlink()
    else:
        with (frameworks / PATH / "cells/jax_again.py").open("a") as file:
            file.write("# changed\n")
    author_tools = open_author_tools(frameworks, FrameworksRunner())
    state = await run_on_page(author_tools, "jax-again")
    record = recording_file(PATH, "jax-again")
    assert state["differences"] == [{"cell": "jax-again", "complaints": [], "change": "", "record": record, "edited": False}]
    [told] = [one for one in state["complaints"] if "record" in one["where"]]
    assert told["place"] == {"kind": "cell", "id": "jax-again"}
    assert await press(author_tools, "jax-again") == (200, {"change": ""})
    assert (frameworks / PATH / "lesson.toml").read_bytes() == lesson
    assert "没有定义。" in read_records(frameworks)["jax-again.json"]  # what is said in Chinese
    assert (read_records(frameworks) == before) == missing
    state = await run_on_page(author_tools, "jax-again")
    assert state["differences"] == []
    assert not [one for one in state["complaints"] if "record" in one["where"]]


@pytest.mark.anyio
async def test_a_record_that_a_run_does_not_bear_out_is_told_with_its_line_and_recorded(frameworks: Path) -> None:
    author_tools = open_author_tools(frameworks, FrameworksRunner(tensorflow="2.22.0"))
    [difference] = (await run_on_page(author_tools, "in-tensorflow"))["differences"]
    record = recording_file(PATH, "in-tensorflow")
    message = f'the cell in-tensorflow: expected "version": "2.22.0",, got "version": "2.21.0",: {REWRITES}'
    assert difference["complaints"] == [{"where": f"{record}:4", "message": message, "place": {"kind": "cell", "id": "in-tensorflow"}}]
    assert (difference["change"], difference["record"]) == ("", record)
    assert (await press(author_tools, "in-tensorflow"))[0] == 200
    assert '"version": "2.22.0"' in read_records(frameworks)["in-tensorflow.json"]
    assert (await run_on_page(author_tools, "in-tensorflow"))["differences"] == []


@pytest.mark.anyio
async def test_what_the_lesson_declares_and_its_record_are_written_at_once(frameworks: Path) -> None:
    with (frameworks / PATH / "cells/in_jax.py").open("a") as file:
        file.write("# 3 * x\n")
    author_tools = open_author_tools(frameworks, FrameworksRunner())
    [difference] = (await run_on_page(author_tools, "in-jax"))["differences"]
    assert '+stdout = ["9.0"]' in difference["change"]
    assert difference["record"] == recording_file(PATH, "in-jax")
    assert await press(author_tools, "in-jax") == (200, {"change": difference["change"]})
    assert '"9.0\\n' in read_records(frameworks)["in-jax.json"]
    state = await run_on_page(author_tools, "in-jax")
    assert state["differences"] == []
    told = [one["place"]["id"] for one in state["complaints"] if "record" in one["where"]]
    assert told == ["jax-again"]  # which continues it


@pytest.mark.anyio
async def test_an_exception_and_its_record_are_written_at_once(frameworks: Path) -> None:
    file = frameworks / PATH / "lesson.toml"
    file.write_text(file.read_text().replace('raises = "NameError"\n', ""))
    (frameworks / recording_file(PATH, "jax-again")).unlink()
    author_tools = open_author_tools(frameworks, FrameworksRunner())
    assert '+raises = "NameError"' in (await press(author_tools, "jax-again"))[1]["change"]
    assert not [one for one in (await first_state(author_tools, PATH))["complaints"] if "record" in one["where"]]


@pytest.mark.anyio
async def test_what_was_edited_on_the_page_is_not_held_against_a_record(frameworks: Path) -> None:
    (frameworks / recording_file(PATH, "in-jax")).unlink()
    author_tools = open_author_tools(frameworks, FrameworksRunner())
    assert (await run_on_page(author_tools, "in-jax", "# mine"))["differences"] == []
    [difference] = (await run_on_page(author_tools, "in-jax", "# 3 * x"))["differences"]
    assert (difference["edited"], difference["change"], difference["record"]) == (True, "", "")


@pytest.mark.anyio
@pytest.mark.parametrize("runner", [FakeRunner({}), CrashingRunner()])
async def test_nothing_is_recorded_of_a_cell_that_was_not_run_to_its_end(frameworks: Path, runner: FakeRunner) -> None:
    before = read_records(frameworks)
    status, answer = await press(open_author_tools(frameworks, runner), "in-jax")
    assert (status, answer["error"]["code"]) == (409, "not_recorded")
    assert read_records(frameworks) == before


@pytest.mark.anyio
async def test_no_record_outside_of_the_course_is_written(frameworks: Path, tmp_path: Path) -> None:
    outside = (frameworks / PATH / "recorded").rename(tmp_path / "outside")
    (frameworks / PATH / "recorded").symlink_to(outside)
    before = read_records(frameworks)
    author_tools = open_author_tools(frameworks, FrameworksRunner(printed="7.0"))
    status, answer = await press(author_tools, "in-tensorflow")
    assert (status, answer["error"]["code"]) == (409, "not_recorded")
    assert read_records(frameworks) == before
    assert (await run_on_page(author_tools, "in-tensorflow"))["differences"][0]["change"] == ""
