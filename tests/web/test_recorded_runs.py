"""Cells whose runtime is not installed: their recorded results, or an explanation if there is none."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.runner.client import RuntimeAbsence, RuntimeAbsent
from app.settings import Settings
from app.web.guards.principal import Principal
from app.web.runs.run_request import RunRequest
from app.web.runs.run_service import RunEnded, RunService
from tests.frameworks_course import JAX, JAXPR, PATH, TENSORFLOW, load_course
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import STREAM
from tests.web.fake_runner import FakeRunner
from tests.web.test_events import parse_events

pytestmark = pytest.mark.anyio
RUNS = "/api/runs"
GIVEN = {"source": TENSORFLOW, "lesson": PATH, "cell": "in-tensorflow"}
REMEDY = (
    "TensorFlow is not installed on this server. To run this cell, whoever runs the server adds it: make serve EXTRAS=tensorflow, or with "
    "Docker: EXTRAS=tensorflow docker compose up --build"
)


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return load_course(tmp_path / "course")


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(absent("tensorflow"))


def absent(runtime: str) -> RuntimeAbsent:
    return RuntimeAbsent(RuntimeAbsence(runtime, ["torch"], runtime))


async def test_a_cell_as_it_is_given_is_answered_with_its_record(client: httpx.AsyncClient) -> None:
    answer = await client.post(RUNS, json=GIVEN)
    assert answer.status_code == 200
    told = answer.json()
    assert (told["outcome"], told["stdout"], told["runtime"]) == ("finished", "6.0\n<object object at 0x000000000000>\n", "tensorflow")
    assert told["recorded"] == {"mark": "Recorded with TensorFlow 2.21.0", "remedy": REMEDY}


async def test_a_last_newline_is_no_edit(client: httpx.AsyncClient) -> None:
    told = (await client.post(RUNS, json={**GIVEN, "source": TENSORFLOW.rstrip()})).json()
    assert told["recorded"]


async def test_its_stream_is_the_result_alone(client: httpx.AsyncClient) -> None:
    events = parse_events((await client.post(RUNS, json=GIVEN, headers=STREAM)).text)
    assert [name for _, name, _ in events] == ["result"]
    assert events[0][2]["recorded"]["mark"] == "Recorded with TensorFlow 2.21.0"


async def test_what_is_shown_is_in_the_stream(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.plays = [absent("jax")]
    body = {"source": JAX, "lesson": PATH, "cell": "in-jax"}
    [(_, _, told)] = parse_events((await client.post(RUNS, json=body, headers=STREAM)).text)
    assert [record["text"] for record in told["records"]] == [JAXPR]


async def test_the_record_speaks_the_language_of_the_page(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.plays = [absent("jax")]
    body = {"source": "print(doubled)\n", "lesson": PATH, "cell": "jax-again", "lang": "zh-Hans"}
    told = (await client.post(RUNS, json=body)).json()
    assert told["recorded"]["mark"] == "JAX 0.10.2 的运行记录"
    assert told["error"]["explanation"] == "没有定义。"


@pytest.mark.parametrize(
    "change",
    [
        {"source": "print(1)\n"},
        {"source": "print(doubled)\n", "cell": "jax-again", "sources": {"in-jax": "doubled = 1\n"}},
    ],
)
async def test_an_edited_cell_is_refused_and_told_that_there_is_a_record(client: httpx.AsyncClient, change: dict[str, Any]) -> None:
    answer = await client.post(RUNS, json={**GIVEN, **change})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["code"], error["recorded"]) == ("no_such_runtime", True)
    assert error["message"].startswith("TensorFlow is not installed on this server, only PyTorch.")
    assert "make serve EXTRAS=tensorflow" in error["message"]


@pytest.mark.parametrize("body", [{"source": TENSORFLOW, "runtime": "tensorflow"}, {"source": JAX, "lesson": PATH, "runtime": "jax"}])
async def test_what_has_no_record_is_refused(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    error = (await client.post(RUNS, json=body)).json()["error"]
    assert error["code"] == "no_such_runtime"
    assert "recorded" not in error


async def test_a_cell_whose_sources_have_changed_since_has_no_record(make_app: MakeApp, tmp_path: Path) -> None:
    load_course(tmp_path)
    source = TENSORFLOW + "print(1)\n"
    (tmp_path / PATH / "cells/in_tensorflow.py").write_text(source)
    async with client_of(make_app(catalogue=load_catalogue(tmp_path))) as client:
        error = (await client.post(RUNS, json={**GIVEN, "source": source})).json()["error"]
    assert "recorded" not in error


async def test_a_prediction_is_answered_from_the_record(client: httpx.AsyncClient) -> None:
    answer = await client.post(f"/api/lessons/{PATH}/predictions/same", json={"answer": 5})
    told = answer.json()
    assert (told["right"], told["answer"]) == (False, 6)
    assert told["run"]["recorded"]["mark"] == "Recorded with TensorFlow 2.21.0"
    events = parse_events((await client.post(f"/api/lessons/{PATH}/predictions/same", json={"answer": 6}, headers=STREAM)).text)
    assert [name for _, name, _ in events] == ["result", "prediction"]


async def test_where_the_runtime_is_installed_the_cell_is_run(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.plays = [FakeRunner().plays[0]]
    told = (await client.post(RUNS, json=GIVEN)).json()
    assert (told["stdout"], told["recorded"]) == ("2\n", None)


async def test_a_recorded_result_that_is_shown_is_no_run_that_ended(settings: Settings, catalogue: Catalogue, runner: FakeRunner) -> None:
    ended: list[RunEnded] = []
    runs = RunService(runner, catalogue, settings, (ended.append,))
    async with runs.start(RunRequest.model_validate(GIVEN), Principal(learner="ada", address="203.0.113.9"), "en") as run:
        assert [frame.kind async for frame in run] == ["result"]
    assert ended == []
