"""The log of requests."""

import httpx
import pytest
from structlog.testing import capture_logs

from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import RUN_ID

pytestmark = pytest.mark.anyio


async def test_a_run_is_one_line_with_id_outcome_and_time_but_not_the_source(client: httpx.AsyncClient) -> None:
    with capture_logs() as lines:
        await client.post("/api/runs", json={"source": "private = 1"})
    (line,) = lines
    assert line["event"] == "request"
    assert (line["method"], line["path"], line["status"]) == ("POST", "/api/runs", 200)
    assert (line["run_id"], line["outcome"]) == (RUN_ID, "finished")
    assert line["ms"] > 0
    assert "private" not in repr(lines)


async def test_the_events_of_a_run_are_logged_alike(client: httpx.AsyncClient) -> None:
    with capture_logs() as lines:
        await client.post("/api/runs", json={"source": "private = 1"}, headers={"accept": "text/event-stream"})
    (line,) = lines
    assert (line["run_id"], line["outcome"]) == (RUN_ID, "finished")


async def test_a_body_that_cannot_be_read_is_not_logged_either(client: httpx.AsyncClient) -> None:
    with capture_logs() as lines:
        await client.post("/api/runs", content=b'{"source": "private', headers={"content-type": "application/json"})
    assert "private" not in repr(lines)


async def test_probes_and_assets_are_not_worth_a_line(client: httpx.AsyncClient) -> None:
    with capture_logs() as lines:
        await client.get("/healthz")
        await client.get("/static/page-ABCD2345.css")
    assert {line["log_level"] for line in lines} == {"debug"}


async def test_refusals_by_rate_do_not_fill_the_log(make_app: MakeApp) -> None:
    async with client_of(make_app(burst_per_learner=1, rate_per_learner=0.01)) as client:
        await client.get("/en/")
        with capture_logs() as lines:
            for _ in range(3):
                await client.post("/api/runs", json={"source": "x"})
    assert [(line["status"], line["log_level"]) for line in lines] == [(200, "info"), (429, "debug"), (429, "debug")]
