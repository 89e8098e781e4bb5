"""`POST /api/runs` as JSON, and `DELETE`."""

import httpx
import pytest

from app.protocol.event import Ended, Failed, Queued, Started
from app.runner.client import QueueFull, RunnerUnavailable
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import RUN_ID, FakeRunner, make_events, make_result

pytestmark = pytest.mark.anyio
LOST = RunnerUnavailable("gone")


async def test_the_answer_is_the_result(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/runs", json={"source": "print(1 + 1)"})
    assert answer.status_code == 200
    assert answer.headers["x-run-id"] == RUN_ID
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["outcome"] == "finished"
    assert answer.json()["stdout"] == "2\n"


async def test_the_order_has_the_program_and_the_servers_limits(make_app: MakeApp, runner: FakeRunner) -> None:
    async with client_of(make_app(deadline_seconds=7.0)) as client:
        await client.post("/api/runs", json={"source": "x", "seed": 3, "instruments": ["replay"], "lang": "zh-Hans"})
    order = runner.orders[0]
    assert (order.program.source.text, order.program.seed, order.program.instruments) == ("x", 3, ["replay"])
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


async def test_accept_language_decides_when_the_body_does_not(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.post("/api/runs", json={"source": "x"}, headers={"accept-language": "zh-CN,en;q=0.5"})
    assert runner.orders[0].lang == "zh-Hans"


async def test_a_run_that_is_lost_begins_anew_once(make_app: MakeApp) -> None:
    runner = FakeRunner([Queued(RUN_ID, 1), Started(RUN_ID), LOST], make_events())
    async with client_of(make_app(runner)) as client:
        answer = await client.post("/api/runs", json={"source": "x"})
    assert answer.status_code == 200
    assert len(runner.orders) == 2


async def test_a_run_that_is_lost_twice_is_reported(make_app: MakeApp) -> None:
    runner = FakeRunner([Started(RUN_ID), LOST])
    async with client_of(make_app(runner)) as client:
        answer = await client.post("/api/runs", json={"source": "x"})
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "unavailable"
    assert len(runner.orders) == 2


async def test_a_run_whose_events_just_stop_is_lost(make_app: MakeApp) -> None:
    runner = FakeRunner([Started(RUN_ID)], make_events())
    async with client_of(make_app(runner)) as client:
        assert (await client.post("/api/runs", json={"source": "x"})).status_code == 200


async def test_a_runner_that_is_restarting_is_waited_for(make_app: MakeApp) -> None:
    runner = FakeRunner(LOST, LOST, make_events())
    async with client_of(make_app(runner, runner_wait_seconds=30)) as client:
        assert (await client.post("/api/runs", json={"source": "x"})).status_code == 200
    assert len(runner.orders) == 3


async def test_a_runner_out_of_reach_is_503_and_says_when_to_come_back(make_app: MakeApp) -> None:
    async with client_of(make_app(FakeRunner(LOST))) as client:
        answer = await client.post("/api/runs", json={"source": "x"})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize(("code", "words"), [("internal", "出了问题"), ("unavailable", "暂时无法运行程序")])
async def test_a_fault_of_the_runner_is_503_and_its_own_words_stay_in_its_log(make_app: MakeApp, code: str, words: str) -> None:
    async with client_of(make_app(FakeRunner([Failed(code, "files are not confined")]))) as client:
        answer = await client.post("/api/runs", json={"source": "x", "lang": "zh-Hans"})
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == code
    assert words in answer.json()["error"]["message"]
    assert "files are not confined" not in answer.text


@pytest.mark.parametrize("reason", ["learner", "address", "overall"])
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_full_queue_is_429_with_retry_after_and_the_reason(make_app: MakeApp, reason: str, accept: str) -> None:
    async with client_of(make_app(FakeRunner(QueueFull(reason, 7)))) as client:
        answer = await client.post("/api/runs", json={"source": "x"}, headers={"accept": accept})
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "7"
    assert answer.json()["error"] == {**answer.json()["error"], "code": "queue_full", "reason": reason}


async def test_a_run_is_left_when_it_is_over(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.post("/api/runs", json={"source": "x"})
    assert runner.left.is_set()


async def test_delete_stops_a_run(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    answer = await client.delete(f"/api/runs/{RUN_ID}")
    assert answer.status_code == 202
    assert runner.stopped == [RUN_ID]


async def test_delete_of_a_run_that_is_over_is_404(client: httpx.AsyncClient) -> None:
    answer = await client.delete("/api/runs/r2")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_such_run"


async def test_delete_of_what_cannot_be_an_id_does_not_reach_the_runner(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    assert (await client.delete("/api/runs/a%3Fb")).status_code == 404
    assert runner.stopped == []


async def test_a_result_is_encoded_with_all_its_fields(make_app: MakeApp) -> None:
    async with client_of(make_app(FakeRunner([Ended(make_result())]))) as client:
        result = (await client.post("/api/runs", json={"source": "x"})).json()
    assert result["displays"] == []
    assert result["functions"] == []
    assert result["diagnoses"] == []
    assert result["error"] is None
    assert set(result["timing"]) == {"queued_ms", "run_ms", "total_ms"}
