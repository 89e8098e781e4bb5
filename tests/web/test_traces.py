"""`POST /api/runs/{id}/trace`: a second run of the same program, which gives way."""

import asyncio

import httpx
import msgspec
import pytest

from app.lessons.course.catalogue import Catalogue
from app.protocol.event import Failed, RunEvent, Started
from app.protocol.instrument_facts import INSTRUMENTS
from app.runner.client import RunGaveWay, RunnerUnavailable
from app.settings import Settings
from app.web.guards.principal import Principal
from app.web.http.errors import Missing
from app.web.runs.run_request import RunRequest
from app.web.runs.run_service import RunEnded, RunService
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import RUN_ID, FakeRunner, make_events

pytestmark = pytest.mark.anyio
TRACE = f"/api/runs/{RUN_ID}/trace"
CELL = {"source": "a + 1 + 1", "lesson": "one/first", "cell": "use", "sources": {"make": "a = 5"}, "seed": 7, "lang": "zh-Hans"}
LEARNER = Principal(learner="ada", address="203.0.113.9")
REQUEST = RunRequest(source="x")


def visitor_of(make_app: MakeApp, *plays: list[RunEvent | Exception] | Exception) -> tuple[httpx.AsyncClient, FakeRunner]:
    runner = FakeRunner(make_events(), *plays)
    return client_of(make_app(runner)), runner


async def begin(client: httpx.AsyncClient, **body: object) -> None:
    """Get a cookie, and run something."""
    await client.get("/en/")
    answer = await client.post("/api/runs", json={"source": "x"} | body)
    assert answer.status_code == 200


def error_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_a_trace_is_the_same_order_traced_and_in_the_background(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await begin(client, **CELL)
    answer = await client.post(TRACE)
    assert (answer.status_code, answer.headers["x-run-id"], answer.json()["outcome"]) == (200, RUN_ID, "finished")
    first, second = runner.orders
    assert (first.background, first.program.instruments) == (False, [])
    assert first.program.seed == 7
    program = msgspec.structs.replace(first.program, instruments=["trace", "doctor"])
    assert second == msgspec.structs.replace(first, program=program, background=True)


async def test_a_trace_has_the_instruments_of_the_run_besides(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await begin(client, instruments=["trace", "graph"])
    assert runner.orders[0].background is False  # asked for with a source, it is an ordinary run
    await client.post(TRACE)
    assert runner.orders[1].program.instruments == ["graph", "trace", "doctor"]


async def test_a_run_that_asks_for_no_instruments_is_traced_without_the_doctor(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await begin(client, instruments=[])
    await client.post(TRACE)
    assert runner.orders[1].program.instruments == ["trace"]


async def test_a_trace_answers_with_events_too(client: httpx.AsyncClient) -> None:
    await begin(client)
    answer = await client.post(TRACE, headers={"accept": "text/event-stream"})
    assert [line for line in answer.text.splitlines() if line.startswith("event")] == [
        "event: queued",
        "event: started",
        "event: stdout",
        "event: result",
    ]


async def test_a_run_is_traced_once(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await begin(client)
    await client.post(TRACE)
    assert error_of(await client.post(TRACE)) == (404, "no_such_run")
    assert len(runner.orders) == 2


async def test_of_requests_at_the_same_time_one_is_accepted(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await begin(client)
    answers = await asyncio.gather(*(client.post(TRACE) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404, 404]
    assert len(runner.orders) == 2


async def test_a_run_of_another_learner_is_404(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    async with client_of(app) as ada, client_of(app) as bob, client_of(app) as nobody:
        await begin(ada)
        await bob.get("/en/")
        assert error_of(await bob.post(TRACE)) == (404, "no_such_run")
        assert error_of(await nobody.post(TRACE)) == (404, "no_such_run")
        assert (await ada.post(TRACE)).status_code == 200
    assert len(runner.orders) == 2


async def test_a_run_at_another_address_counts_for_that_address(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    async with client_of(app) as desk, client_of(app, "203.0.113.9") as train:
        await begin(desk)
        train.cookies = desk.cookies
        await train.post(TRACE)
    assert [order.address for order in runner.orders] == ["127.0.0.1", "203.0.113.9"]


@pytest.mark.parametrize("run_id", ["r2", "a%3Fb", "%E6%A2%AF", "x" * 5000])
async def test_an_unknown_id_is_404(client: httpx.AsyncClient, run_id: str) -> None:
    await begin(client)
    assert (await client.post(f"/api/runs/{run_id}/trace")).status_code == 404


async def test_a_run_whose_runtime_traces_nothing_is_404(
    client: httpx.AsyncClient, runner: FakeRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(INSTRUMENTS, "jax", ())
    await begin(client, runtime="jax")
    assert error_of(await client.post(TRACE)) == (404, "no_such_run")
    assert len(runner.orders) == 1


@pytest.mark.parametrize(
    ("refusal", "status"), [(RunGaveWay("busy"), (503, "gave_way")), (RunnerUnavailable("gone"), (503, "unavailable"))]
)
async def test_a_trace_that_was_not_accepted_can_be_asked_for_again(make_app: MakeApp, refusal: Exception, status: tuple[int, str]) -> None:
    client, runner = visitor_of(make_app, refusal, make_events())
    async with client:
        await begin(client)
        assert error_of(await client.post(TRACE)) == status
        assert (await client.post(TRACE)).status_code == 200
        assert error_of(await client.post(TRACE)) == (404, "no_such_run")
    assert len(runner.orders) == 3


async def test_a_trace_that_gave_way_after_it_began_says_so_and_cannot_be_asked_for_again(make_app: MakeApp) -> None:
    client, _ = visitor_of(make_app, [Started(RUN_ID), Failed("gave_way", "needed")])
    async with client:
        await begin(client)
        assert error_of(await client.post(TRACE, headers={"accept-language": "en"})) == (503, "gave_way")
        assert error_of(await client.post(TRACE)) == (404, "no_such_run")


async def test_a_stream_that_gave_way_ends_with_an_error_event_in_the_readers_words(make_app: MakeApp) -> None:
    client, _ = visitor_of(make_app, [Started(RUN_ID), Failed("gave_way", "needed")])
    async with client:
        await begin(client, lang="zh-Hans")
        answer = await client.post(TRACE, headers={"accept": "text/event-stream"})
    assert answer.status_code == 200
    assert "event: error" in answer.text
    assert '"code":"gave_way"' in answer.text
    assert "让位" in answer.text


async def test_a_flood_of_traces_is_refused_and_leaves_the_runs_of_the_learner_and_of_others_alone(make_app: MakeApp) -> None:
    app = make_app()
    async with client_of(app) as flood, client_of(app) as ada:
        await begin(ada)
        await begin(flood)
        answers = [await flood.post(f"/api/runs/r{number}/trace") for number in range(2, 60)]
        assert {error_of(answer) for answer in answers} == {(404, "no_such_run"), (429, "too_often")}
        assert int(answers[-1].headers["retry-after"]) > 0
        assert (await flood.post("/api/runs", json={"source": "x"})).status_code == 200
        assert (await ada.post("/api/runs", json={"source": "x"})).status_code == 200
        assert (await ada.post("/api/runs/r2/trace")).status_code == 404


async def test_a_trace_counts_against_no_rate_of_runs(make_app: MakeApp) -> None:
    async with client_of(make_app(rate_per_learner=0.001, burst_per_learner=2, rate_per_address=0.001, burst_per_address=2)) as client:
        for _ in range(2):
            await begin(client)
            assert (await client.post(TRACE)).status_code == 200


async def test_a_page_of_another_site_traces_nothing(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await begin(client)
    answer = await client.post(TRACE, headers={"sec-fetch-site": "cross-site"})
    assert error_of(answer) == (403, "other_origin")
    assert len(runner.orders) == 1


async def test_the_programs_of_a_learner_who_deleted_everything_are_not_in_memory(make_app: MakeApp, runner: FakeRunner) -> None:
    app = make_app()
    async with client_of(app) as client:
        await begin(client)
        assert (await client.delete("/api/me")).status_code == 204
    order = runner.orders[0]
    with pytest.raises(Missing):
        async with app.state.services.runs.trace(RUN_ID, Principal(learner=order.learner, address=order.address)):
            pass


async def test_the_end_of_a_trace_is_not_published_as_a_run(settings: Settings, catalogue: Catalogue, runner: FakeRunner) -> None:
    ended: list[RunEnded] = []
    runs = RunService(runner, catalogue, settings, (ended.append,))
    async with runs.start(REQUEST, LEARNER, "en") as run:
        assert [frame.kind async for frame in run][-1] == "result"
    async with runs.trace(RUN_ID, LEARNER) as second:
        assert [frame.kind async for frame in second][-1] == "result"
    assert [end.order.background for end in ended] == [False]


async def test_a_trace_is_counted_as_a_request_and_not_as_a_run(client: httpx.AsyncClient) -> None:
    await begin(client)
    await client.post(TRACE)
    metrics = (await client.get("/metrics")).text
    assert 'gradroom_web_runs_total{ending="finished"} 1.0' in metrics
    assert 'route="/api/runs/{run_id}/trace"' in metrics


async def test_a_client_that_leaves_ends_its_trace(settings: Settings, catalogue: Catalogue) -> None:
    runner = FakeRunner()
    runs = RunService(runner, catalogue, settings)
    async with runs.start(REQUEST, LEARNER, "en"):
        pass
    runner.left.clear()
    async with runs.trace(RUN_ID, LEARNER):
        assert not runner.left.is_set()
    assert runner.left.is_set()


async def test_a_run_of_an_exercise_is_traced_and_not_diagnosed(make_app: MakeApp, runner: FakeRunner) -> None:
    async with client_of(make_app(catalogue=make_catalogue())) as client:
        await begin(client, lesson="one/first", exercise="fix")
        await client.post(TRACE)
    assert runner.orders[1].program.instruments == ["trace"]


async def test_a_submission_is_traced_once(make_app: MakeApp) -> None:
    runner = FakeRunner(make_grading(), make_events())
    async with client_of(make_app(runner, make_catalogue())) as client:
        await client.get("/en/")
        assert (await client.post(SUBMISSIONS, json={"source": "x"})).status_code == 200
        assert [(await client.post(TRACE)).status_code for _ in range(2)] == [200, 404]
    submitted, second = runner.orders[-2:]
    assert second.background and second.program.source == submitted.program.source
    assert second.diagnosis == "cause"  # what to change would be the solution
