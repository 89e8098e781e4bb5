"""The addresses for operators."""

import re

import httpx
import pytest
from pydantic import SecretStr

from app.protocol.sandbox import Check, Layer, RunnerStatus, RuntimeStatus, SandboxReport
from app.runner.client import RunnerIncompatible, RunnerUnavailable
from app.settings import Settings
from tests.classroom.store_rows import add_learner
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import FakeRunner
from tests.web.kept import break_store

pytestmark = pytest.mark.anyio
TOKEN = "an operator's token"
REPORT = SandboxReport(
    setting="user",
    safe=True,
    layers=[Layer(name="seccomp", active=True, detail="filter"), Layer(name="cgroup", active=False, detail="none", stands_in="rlimits")],
    checks=[Check(name="fork", passed=True)],
)


def gone() -> RunnerStatus:
    raise RunnerUnavailable("gone")


def incompatible() -> RunnerStatus:
    raise RunnerIncompatible("no status")


async def test_healthz_answers_without_the_runner(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = gone
    assert (await client.get("/healthz")).status_code == 200
    assert (await client.head("/healthz")).status_code == 200


async def test_readyz_is_ready_when_the_runner_is(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = lambda: RunnerStatus(ready=True, versions={"torch": "2.13.0"})
    answer = await client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["versions"] == {"torch": "2.13.0"}


async def test_readyz_says_why_not(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = lambda: RunnerStatus(ready=False, reason="no seccomp")
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["error"]["message"] == "no seccomp"
    assert "retry-after" in answer.headers


async def test_readyz_says_that_the_runner_is_out_of_reach(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = gone
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert "runner" in answer.json()["error"]["message"]


async def test_readyz_says_that_the_runner_is_of_another_version(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = incompatible
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert "its runner have different versions" in answer.json()["error"]["message"]


async def test_metrics_are_webs_and_the_runners(client: httpx.AsyncClient) -> None:
    await client.post("/api/runs", json={"source": "x"})
    await client.get("/en/one/none")
    await client.get("/no/such/page/at/all")
    text = (await client.get("/metrics")).text
    assert 'gradroom_web_requests_total{method="POST",route="/api/runs",status="200"} 1.0' in text
    assert 'route="/en/{chapter}/{lesson}",status="404"' in text
    assert "/no/such" not in text
    assert "gradroom_web_request_seconds_bucket" in text
    assert 'gradroom_web_runs_total{ending="finished"} 1.0' in text
    assert "gradroom_web_runner_up 1.0" in text
    assert "gradroom_runs_total 3" in text


async def test_metrics_are_answered_without_the_runner(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.answer = lambda: RunnerStatus(ready=False)
    answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert "gradroom_web_runner_up 0.0" in answer.text


async def test_metrics_have_the_figures_of_the_store(make_app: MakeApp) -> None:
    app = make_app()
    await app.state.services.database.write(add_learner("a learner's name", text="a learner's text", drafts=2))
    async with client_of(app) as client:
        text = (await client.get("/metrics")).text
    assert "gradroom_store_up 1.0" in text
    assert "gradroom_store_learners 1.0" in text
    assert "gradroom_store_attempts 1.0" in text
    assert "gradroom_store_drafts 2.0" in text
    assert re.search(r"^gradroom_store_database_bytes [1-9]", text, re.MULTILINE)
    assert re.search(r"^gradroom_store_log_bytes [1-9]", text, re.MULTILINE)
    assert "gradroom_store_commit_seconds_count 1.0" in text
    assert "a learner's" not in text


async def test_metrics_are_answered_without_the_store(make_app: MakeApp, settings: Settings) -> None:
    break_store(settings)
    async with client_of(make_app()) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert "gradroom_store_up 0.0" in answer.text
    assert 'gradroom_store_faults_total{reason="broken"} 1.0' in answer.text
    assert "gradroom_store_learners" not in answer.text


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "203.0.113.9"])
@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 403),
        (TOKEN, 403),
        ("Bearer ", 403),
        (f"Bearer {TOKEN}x", 403),
        ("Bearer 中", 403),
        (None, 403),
    ],
)
async def test_the_sandbox_is_reported_to_the_operators_token_alone(
    make_app: MakeApp, runner: FakeRunner, authorization: str | None, status: int, address: str
) -> None:
    runtime = RuntimeStatus(name="jax", installed=False, state="absent", reason="not installed")
    runner.answer = lambda: RunnerStatus(ready=True, sandbox=REPORT, runtimes=[runtime])
    headers = {"authorization": authorization.encode()} if authorization is not None else {}
    async with client_of(make_app(operator_token=SecretStr(TOKEN)), address) as client:
        answer = await client.get("/api/sandbox", headers=headers)
    assert answer.status_code == status
    if status == 200:
        assert answer.json()["ready"]
        assert answer.json()["safe"]
        assert [layer["name"] for layer in answer.json()["layers"]] == ["seccomp", "cgroup"]
        assert [(one["name"], one["installed"], one["state"]) for one in answer.json()["runtimes"]] == [("jax", False, "absent")]


async def test_where_there_is_no_token_nobody_gets_the_report(make_app: MakeApp) -> None:
    async with client_of(make_app()) as client:
        assert (await client.get("/api/sandbox", headers={"authorization": "Bearer None"})).status_code == 403


async def test_a_sandbox_that_is_not_known_yet_is_503(make_app: MakeApp, runner: FakeRunner) -> None:
    runner.answer = lambda: RunnerStatus(ready=False, reason="starting")
    async with client_of(make_app(operator_token=SecretStr(TOKEN))) as client:
        answer = await client.get("/api/sandbox", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 503
    assert answer.json()["error"]["message"] == "starting"
