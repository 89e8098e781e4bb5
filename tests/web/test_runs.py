"""`POST /api/runs` as JSON, and `DELETE`."""

import httpx
import pytest

from app.protocol.event import Failed, Queued, RunEvent, Started
from app.runner.client import QueueFull, RunLost, RunnerIncompatible, RunnerUnavailable
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import RUN_ID, FakeRunner, make_events, make_result

pytestmark = pytest.mark.anyio


async def run(app: object) -> httpx.Response:
    async with client_of(app) as client:  # type: ignore[arg-type]
        return await client.post("/api/runs", json={"source": "x"})


async def test_the_answer_is_the_result(client: httpx.AsyncClient) -> None:
    answer = await client.post("/api/runs", json={"source": "print(1 + 1)"})
    assert answer.status_code == 200
    assert answer.headers["x-run-id"] == RUN_ID
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["outcome"] == "finished"
    assert answer.json()["stdout"] == "2\n"


@pytest.mark.parametrize("last", [[RunLost("gone")], [Failed("lost", "gone")], []])
async def test_a_run_that_is_lost_is_503_lost_and_not_repeated(make_app: MakeApp, last: list[RunEvent | Exception]) -> None:
    runner = FakeRunner([Queued(RUN_ID, 1), Started(RUN_ID), *last], make_events())
    answer = await run(make_app(runner))
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "lost"
    assert "retry-after" not in answer.headers
    assert len(runner.orders) == 1


async def test_a_runner_out_of_reach_is_503_unavailable_and_says_when_to_come_back(make_app: MakeApp) -> None:
    runner = FakeRunner(RunnerUnavailable("gone"), make_events())
    answer = await run(make_app(runner))
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) > 0
    assert len(runner.orders) == 1


async def test_a_runner_of_another_version_is_a_fault_of_ours_that_no_repeating_mends(make_app: MakeApp) -> None:
    for play in (RunnerIncompatible("422"), [Started(RUN_ID), RunnerIncompatible("no event")]):
        answer = await run(make_app(FakeRunner(play)))
        assert answer.status_code == 500
        assert answer.json()["error"]["code"] == "incompatible"
        assert "retry-after" not in answer.headers


@pytest.mark.parametrize(
    ("code", "status", "words"), [("internal", 500, "出了问题"), ("lost", 503, "中断"), ("unavailable", 503, "暂时无法运行程序")]
)
async def test_a_fault_of_the_runner_has_its_status_and_its_own_words_stay_in_its_log(
    make_app: MakeApp, code: str, status: int, words: str
) -> None:
    async with client_of(make_app(FakeRunner([Failed(code, "files are not confined")]))) as client:
        answer = await client.post("/api/runs", json={"source": "x", "lang": "zh-Hans"})
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == code
    assert words in answer.json()["error"]["message"]
    assert "files are not confined" not in answer.text


@pytest.mark.parametrize("reason", ["learner", "address", "overall"])
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_full_queue_is_429_with_retry_after_and_the_reason(make_app: MakeApp, reason: str, accept: str) -> None:
    async with client_of(make_app(FakeRunner(QueueFull(reason, 7)))) as client:  # type: ignore[arg-type]
        answer = await client.post("/api/runs", json={"source": "x"}, headers={"accept": accept})
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "7"
    assert answer.json()["error"] == {**answer.json()["error"], "code": "queue_full", "reason": reason}


async def test_a_refusal_is_told_in_the_language_of_the_body(make_app: MakeApp) -> None:
    async with client_of(make_app(FakeRunner(QueueFull("learner", 7)))) as client:
        answer = await client.post("/api/runs", json={"source": "x", "lang": "zh-Hans"}, headers={"accept-language": "en"})
    assert not answer.json()["error"]["message"].isascii()


async def test_a_run_is_left_when_it_is_over(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.post("/api/runs", json={"source": "x"})
    assert runner.left.is_set()


async def test_delete_stops_a_run(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.post("/api/runs", json={"source": "x"})
    answer = await client.delete(f"/api/runs/{RUN_ID}")
    assert (answer.status_code, answer.json()) == (202, {"id": RUN_ID})
    assert runner.stopped == [RUN_ID]


async def test_what_others_at_the_address_ordered_keeps_nobody_from_stopping(make_app: MakeApp) -> None:
    app = make_app(rate_per_address=0.01, burst_per_address=5, rate_per_learner=0.01, burst_per_learner=4)
    async with client_of(app) as ada, client_of(app) as bob:
        for client in (ada, bob):
            await client.get("/en/")
        assert (await ada.post("/api/runs", json={"source": "x"})).status_code == 200
        for _ in range(4):
            await bob.post("/api/runs", json={"source": "x"})
        stops = [(await ada.delete(f"/api/runs/{RUN_ID}")) for _ in range(4)]
    assert [stop.status_code for stop in stops] == [202, 202, 202, 429]
    error = stops[-1].json()["error"]
    assert (error["code"], error["reason"]) == ("too_often", "learner")
    assert "stopping" in error["message"]


async def test_delete_of_anothers_run_is_404(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    async with client_of(app) as ada, client_of(app) as bob:
        for client in (ada, bob):
            await client.get("/en/")
        await ada.post("/api/runs", json={"source": "x"})
        assert (await bob.delete(f"/api/runs/{RUN_ID}")).status_code == 404
        assert (await ada.delete(f"/api/runs/{RUN_ID}")).status_code == 202


async def test_who_has_a_cookie_stops_no_run_of_those_at_the_address_who_have_none(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as nobody, client_of(app) as ada:
        await ada.get("/en/")
        await nobody.post("/api/runs", json={"source": "x"})
        assert (await ada.delete(f"/api/runs/{RUN_ID}")).status_code == 404


async def test_delete_of_a_run_that_is_over_is_404(client: httpx.AsyncClient) -> None:
    answer = await client.delete("/api/runs/r2")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_such_run"


async def test_delete_of_what_cannot_be_an_id_does_not_reach_the_runner(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    assert (await client.delete("/api/runs/a%3Fb")).status_code == 404
    assert runner.stopped == []


async def test_a_result_is_encoded_with_all_its_fields(make_app: MakeApp) -> None:
    result = (await run(make_app(FakeRunner([make_result()])))).json()
    assert result["records"] == []
    assert result["error"] is None
    assert set(result["timing"]) == {"queued_ms", "run_ms", "total_ms"}
