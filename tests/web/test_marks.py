"""`POST /api/marks`: a program that is read and not executed."""

from typing import Any

import httpx
import pytest

from app.runner.client import RunGaveWay
from app.settings import Settings
from app.web.runs.run_service import READING_SECONDS
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import RUN_ID, FakeRunner

pytestmark = pytest.mark.anyio
MARKS = "/api/marks"
BODY = {"source": "x = 1\n", "lang": "zh-Hans"}


async def test_the_order_executes_nothing_and_gives_way(client: httpx.AsyncClient, runner: FakeRunner, settings: Settings) -> None:
    answer = await client.post(MARKS, json=BODY)
    assert (answer.status_code, answer.headers["x-run-id"], answer.json()["outcome"]) == (200, RUN_ID, "finished")
    (order,) = runner.orders
    assert not order.program.executed
    assert (order.program.source.text, order.program.replay, order.program.instruments) == (BODY["source"], [], ["doctor"])
    assert (order.background, order.lang, order.limits.deadline_seconds) == (True, "zh-Hans", READING_SECONDS)
    assert order.limits.output_bytes == settings.limits.output_bytes


async def test_a_program_that_was_read_cannot_be_traced(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.get("/en/")
    await client.post(MARKS, json=BODY)
    assert (await client.post(f"/api/runs/{RUN_ID}/trace")).status_code == 404
    assert len(runner.orders) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"source": 5},
        {"source": "a\0"},
        {"source": "x" * 65_537},
        {"source": "x", "lang": "de"},
        {"source": "x", "instruments": ["trace"]},
        {"source": "x", "seed": 1},
        [],
    ],
)
async def test_a_body_of_another_form_is_422(client: httpx.AsyncClient, runner: FakeRunner, body: Any) -> None:
    assert (await client.post(MARKS, json=body)).status_code == 422
    assert runner.orders == []


async def test_a_body_over_the_cap_is_413(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    assert (await client.post(MARKS, json={"source": "x" * 2_000_000})).status_code == 413
    assert runner.orders == []


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded"])
async def test_a_body_that_is_not_declared_as_json_is_415(client: httpx.AsyncClient, runner: FakeRunner, content_type: str) -> None:
    answer = await client.post(MARKS, content=b'{"source": "x"}', headers={"content-type": content_type})
    assert answer.status_code == 415
    assert runner.orders == []


async def test_a_place_that_somebody_needs_is_503(make_app: MakeApp) -> None:
    async with client_of(make_app(FakeRunner(RunGaveWay("busy")))) as client:
        answer = await client.post(MARKS, json=BODY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "gave_way")


async def test_many_requests_are_429_and_use_up_nothing_of_runs(client: httpx.AsyncClient) -> None:
    answers = [await client.post(MARKS, json=BODY) for _ in range(100)]
    refused = [answer for answer in answers if answer.status_code != 200]
    assert refused and {answer.status_code for answer in refused} == {429}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    assert (await client.post("/api/runs", json={"source": "x"})).status_code == 200
