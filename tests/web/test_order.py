"""The order for the runner: the replayed cells, the limits, the instruments, and whom the run counts for."""

from typing import Any

import httpx
import msgspec
import pytest

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Course
from app.protocol.limits import MEBIBYTE
from app.runner.client import RuntimeAbsence, RuntimeAbsent
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import SUBMISSIONS, make_catalogue
from tests.web.fake_runner import FakeRunner

pytestmark = pytest.mark.anyio
CELL = {"source": "x", "lesson": "one/first", "cell": "use"}


def with_exercise(asks: dict[str, float]) -> Catalogue:
    """The course, in which the first exercise asks for limits."""
    (chapter,) = make_catalogue().course.chapters
    (lesson,) = chapter.lessons
    first = msgspec.structs.replace(lesson.exercises[0], asks=asks)
    lesson = msgspec.structs.replace(lesson, exercises=(first, *lesson.exercises[1:]))
    return Catalogue(Course((msgspec.structs.replace(chapter, lessons=(lesson,)),)))


async def test_the_order_has_the_program_and_the_servers_limits(make_app: MakeApp, runner: FakeRunner) -> None:
    async with client_of(make_app(deadline_seconds=7.0)) as client:
        await client.post("/api/runs", json={"source": "x", "seed": 3, "instruments": ["graph"], "lang": "zh-Hans"})
    order = runner.orders[0]
    assert (order.program.source.text, order.program.seed, order.program.instruments) == ("x", 3, ["graph"])
    assert (order.lang, order.runtime, order.limits.deadline_seconds) == ("zh-Hans", "torch", 7)


async def test_a_cell_is_run_after_the_cells_it_continues(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.post("/api/runs", json={"source": "a", "lesson": "one/first", "cell": "use", "sources": {"make": "a = 2"}})
    program = runner.orders[0].program
    assert program.source.cell == "use"
    assert [(source.cell, source.text, source.raises) for source in program.replay] == [
        ("make", "a = 2", None),
        ("fail", "b = 1 / 0\n", "ZeroDivisionError"),
    ]
    assert runner.orders[0].limits.deadline_seconds == 42


async def test_an_exercises_source_is_run_after_the_cells_it_continues(make_app: MakeApp, runner: FakeRunner) -> None:
    body = {"source": "x", "lesson": "one/first", "exercise": "fix"}
    async with client_of(make_app(catalogue=make_catalogue())) as client:
        assert (await client.post("/api/runs", json=body)).status_code == 200
        assert (await client.post("/api/runs", json={**body, "exercise": "none"})).status_code == 404
    assert [source.cell for source in runner.orders[0].program.replay] == ["make", "fail"]
    assert (runner.orders[0].program.source.text, runner.orders[0].limits.deadline_seconds) == ("x", 20)
    assert runner.grades == []


async def test_an_exercises_source_is_traced(make_app: MakeApp, runner: FakeRunner) -> None:
    """The page asks for that if a submission's steps are to be shown, because a submission has no second run of its own."""
    body = {"source": "x", "lesson": "one/first", "exercise": "fix"}
    async with client_of(make_app(catalogue=make_catalogue())) as client:
        assert (await client.post("/api/runs", json={**body, "instruments": ["trace"]})).status_code == 200
        assert (await client.post("/api/runs", json={**body, "instruments": ["telescope"]})).status_code == 422
    assert [order.program.instruments for order in runner.orders] == [["trace"]]


@pytest.mark.parametrize(("usual", "granted"), [(512, 128), (64, 96)])
async def test_an_exercises_memory_is_what_is_asked_and_granted_and_its_page_says_so(
    make_app: MakeApp, runner: FakeRunner, usual: int, granted: int
) -> None:
    asks = {"deadline_seconds": 20, "memory_bytes": 128 * MEBIBYTE}
    app = make_app(catalogue=with_exercise(asks), lesson_factor=1.5, memory_bytes=usual * MEBIBYTE)
    body = {"source": "x", "lesson": "one/first", "exercise": "fix"}
    async with client_of(app) as client:
        assert (await client.post("/api/runs", json=body)).status_code == 200
        await client.post(SUBMISSIONS, json={"source": "x", "lang": "en"})
        english, chinese = [(await client.get(f"/{lang}/one/first")).text for lang in ("en", "zh-Hans")]
    assert runner.orders[0].limits.memory_bytes == runner.grades[0].run.limits.memory_bytes == granted * MEBIBYTE
    assert f"This exercise runs in {granted} MiB of memory." in english
    assert f"{granted} MiB" in chinese


async def test_a_page_says_nothing_of_memory_where_none_is_asked_for(make_app: MakeApp) -> None:
    async with client_of(make_app(catalogue=make_catalogue())) as client:
        assert "MiB of memory" not in (await client.get("/en/one/first")).text


async def test_accept_language_decides_when_the_body_does_not(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.post("/api/runs", json={"source": "x"}, headers={"accept-language": "zh-CN,en;q=0.5"})
    assert runner.orders[0].lang == "zh-Hans"


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"source": "x", "cell": "use"}, "cell", "cell_without_lesson"),
        ({"source": "x", "sources": {"make": "x"}}, "sources", "cell_without_lesson"),
        ({"source": "x", "exercise": "fix"}, "exercise", "cell_without_lesson"),
        ({**CELL, "exercise": "fix"}, "exercise", "bad_field"),
        ({**CELL, "sources": {"other": "x"}}, "sources", "bad_field"),
        ({"source": "x", "instruments": ["graph", "telescope"]}, "instruments", "no_such_instrument"),
    ],
)
async def test_what_only_the_course_and_the_runtimes_can_tell_is_422_too(
    client: httpx.AsyncClient, runner: FakeRunner, body: dict[str, Any], field: str, code: str
) -> None:
    answer = await client.post("/api/runs", json=body)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["field"], error["code"]) == (field, code)
    assert error["message"].startswith(f"{field}: expected ")
    assert runner.orders == []


@pytest.mark.parametrize(("named", "expected"), [({}, "jax"), ({"runtime": "torch"}, "torch")])
async def test_a_cell_runs_in_its_own_runtime_unless_another_is_named(
    make_app: MakeApp, runner: FakeRunner, catalogue: Catalogue, named: dict[str, Any], expected: str
) -> None:
    [chapter] = catalogue.course.chapters
    [lesson] = chapter.lessons
    cells = tuple(msgspec.structs.replace(cell, runtime="jax") for cell in lesson.cells)
    changed = msgspec.structs.replace(chapter, lessons=(msgspec.structs.replace(lesson, cells=cells),))
    async with client_of(make_app(catalogue=Catalogue(Course((changed,))))) as client:
        await client.post("/api/runs", json={**CELL, **named})
    assert runner.orders[0].runtime == expected


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
async def test_a_runtime_that_is_not_installed_is_422_with_those_that_are_and_the_extra(
    make_app: MakeApp, runner: FakeRunner, lang: str
) -> None:
    runner.plays = [RuntimeAbsent(RuntimeAbsence("jax", ["torch", "tensorflow"], "jax-extra"))]
    async with client_of(make_app()) as client:
        answer = await client.post("/api/runs", json={"source": "x", "runtime": "jax", "lang": lang})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("no_such_runtime", "runtime")
    assert "PyTorch, TensorFlow" in error["message"]
    assert "jax-extra" in error["message"]
    assert error["message"].isascii() == (lang == "en")


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
async def test_an_unknown_instrument_is_told_the_known_ones(client: httpx.AsyncClient, lang: str) -> None:
    known = [one["name"] for one in (await client.get("/api/instruments")).json()["instruments"]]
    answer = await client.post("/api/runs", json={"source": "x", "instruments": ["telescope"], "lang": lang})
    message = answer.json()["error"]["message"]
    assert ", ".join(known) in message
    assert message.isascii() == (lang == "en")
    assert "telescope" not in message


@pytest.mark.parametrize(("body", "field"), [({**CELL, "lesson": "one/second"}, "lesson"), ({**CELL, "cell": "none"}, "cell")])
async def test_an_unknown_lesson_or_cell_is_404(client: httpx.AsyncClient, body: dict[str, Any], field: str) -> None:
    answer = await client.post("/api/runs", json=body)
    assert answer.status_code == 404
    assert answer.json()["error"]["field"] == field
