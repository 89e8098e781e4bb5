"""The page for operators, and the same as JSON."""

import re
from html import unescape

import pytest
from pydantic import SecretStr

from app.classroom.people.roles import Role
from app.classroom.store.times import DAY_MS, now_ms
from app.protocol.sandbox import NodeStatus, RunnerStatus, RuntimeStatus, SandboxReport
from app.runner.client import RunnerUnavailable
from app.runner.metrics import Metrics
from app.settings import Settings
from tests.classroom.store_rows import add_learner
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import FakeRunner, make_result
from tests.web.kept import break_store, services_of
from tests.web.people import add_person, browser_of, give_session
from tests.web.test_operations import REPORT

pytestmark = pytest.mark.anyio
TOKEN = "an operator's token"
OPERATOR = {"authorization": f"Bearer {TOKEN}"}
VERSIONS = {"torch": "2.13.0", "python": "3.11.7"}
RUNTIME = RuntimeStatus(name="torch", installed=True, state="ready", versions=VERSIONS)
READY = RunnerStatus(ready=True, sandbox=REPORT, versions=VERSIONS, runtimes=[RUNTIME])


class CountingRunner(FakeRunner):
    """A runner with metrics of the real one."""

    async def metrics(self) -> str:
        metrics = Metrics()
        for _ in range(3):
            metrics.count_result(make_result(), ["graph"])
        metrics.refusals.labels("overall").inc()
        return metrics.render(queued=4, active=2, paused=1, pools=[]).decode()


@pytest.fixture
def runner() -> FakeRunner:
    made = CountingRunner()
    made.answer = lambda: READY
    return made


def gone() -> RunnerStatus:
    raise RunnerUnavailable("gone")


def read_text(page: str) -> str:
    main = page.partition("<main")[2].partition("</main>")[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", main)))


@pytest.mark.parametrize("path", ["/en/operator", "/zh-Hans/operator", "/api/operator"])
async def test_only_an_operator_sees_it(make_app: MakeApp, path: str) -> None:
    app = make_app(operator_token=SecretStr(TOKEN))
    async with client_of(app) as client:
        for headers in ({}, {"authorization": "Bearer another token of 16"}, {"authorization": TOKEN}):
            refused = await client.get(path, headers=headers)
            assert refused.status_code == 403
            assert "SQLite" not in refused.text
        seen = await client.get(path, headers=OPERATOR)
        assert seen.status_code == 200
        assert seen.headers["cache-control"] == "no-store"
        assert "SQLite" in seen.text
    async with client_of(make_app()) as client:  # without a token nobody is an operator
        assert (await client.get(path, headers=OPERATOR)).status_code == 403


async def test_it_shows_what_the_metrics_and_the_store_count(make_app: MakeApp) -> None:
    app = make_app(operator_token=SecretStr(TOKEN), store_bytes=5_000_000)
    async with client_of(app) as client:
        for name, days in (("new", 1), ("soon", 380), ("old", 401)):
            await services_of(app).database.write(add_learner(name, seen_ms=now_ms() - days * DAY_MS, text="x"))
        found = (await client.get("/api/operator", headers=OPERATOR)).json()
        metrics = (await client.get("/metrics")).text
    assert (found["runs"]["outcomes"], found["runs"]["refusals"]) == ({"finished": 3}, {"overall": 1})
    assert [found["runs"][name] for name in ("active", "paused", "waiting")] == [2, 1, 4]
    assert found["runs"]["instrument_faults"] == {"graph": 3}
    figures = found["store"]["figures"]
    for name in ("learners", "attempts", "drafts", "classes", "members", "database_bytes"):
        assert float(re.findall(rf"^gradroom_store_{name} (.*)$", metrics, re.MULTILINE)[0]) == figures[name]
    assert (figures["learners"], found["store"]["limit_bytes"]) == (3, 5_000_000)
    assert found["retention"] == {"retention_days": 400, "due": 1, "days": 30, "soon": 2}
    assert found["people"] == {"people": 0, "sessions": 0}
    assert found["versions"]["frameworks"] == VERSIONS
    assert found["versions"]["runtimes"] == {"torch": "ready"}
    assert re.fullmatch("[0-9a-f]{64}", found["versions"]["grader"])
    assert found["health"]["layers"][1] == {"name": "cgroup", "active": False, "detail": "none", "stands_in": "rlimits"}


async def test_the_page_says_the_same_in_both_languages(make_app: MakeApp) -> None:
    async with client_of(make_app(operator_token=SecretStr(TOKEN))) as client:
        english, chinese = [(await client.get(f"/{lang}/operator", headers=OPERATOR)).text for lang in ("en", "zh-Hans")]
    text = read_text(english)
    assert "Programs are run and confined, and what learners do is stored." in text
    assert "Run now 2 and 1 paused Wait 4 Since the runner started, by outcome finished 3" in text
    assert "cgroup not active none · in its place: rlimits" in text
    assert "torch 2.13.0 runtime torch ready Grader" in text
    assert "Refused by the queue overall 1" in text
    assert "程序正常运行并受到隔离" in read_text(chinese)
    assert '<meta name="robots" content="noindex">' in english


async def test_of_several_machines_each_is_shown_with_what_is_wrong_with_it(make_app: MakeApp, runner: FakeRunner) -> None:
    nodes = [
        NodeStatus(name="n1", accepts=True, places=2, runs=3, waiting=1, spares=4, build="b1", versions={"torch": "2.13.0"}),
        NodeStatus(name="n2", accepts=False, reason="it drains"),
    ]
    runner.answer = lambda: RunnerStatus(ready=True, sandbox=REPORT, nodes=nodes)
    async with client_of(make_app(operator_token=SecretStr(TOKEN))) as client:
        text = read_text((await client.get("/en/operator", headers=OPERATOR)).text)
        found = (await client.get("/api/operator", headers=OPERATOR)).json()
    assert "n1 yes 3 1 2 4 torch 2.13.0, b1 n2 it drains" in text
    assert [node["name"] for node in found["nodes"]] == ["n1", "n2"]


async def test_a_fault_of_ours_is_counted(make_app: MakeApp) -> None:
    app = make_app(operator_token=SecretStr(TOKEN))
    services_of(app).meters.begin()
    services_of(app).meters.end("GET", "/en/", 500, 0.1)
    async with client_of(app) as client:
        await client.get("/en/none")
        assert (await client.get("/api/operator", headers=OPERATOR)).json()["runs"]["failed_requests"] == 1


async def test_without_a_runner_the_rest_is_shown(make_app: MakeApp, runner: FakeRunner) -> None:
    runner.answer = gone
    async with client_of(make_app(operator_token=SecretStr(TOKEN))) as client:
        found = (await client.get("/api/operator", headers=OPERATOR)).json()
        text = read_text((await client.get("/en/operator", headers=OPERATOR)).text)
    assert (found["health"]["reached"], found["health"]["confined"], found["runs"]["outcomes"]) == (False, False, {})
    assert found["store"]["figures"]["learners"] == 0
    assert "The runner cannot be reached, so no program is run." in text
    assert "The runner, which counts them, cannot be reached." in text
    assert "Programs are run and confined" not in text


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (RunnerStatus(ready=False, reason="no seccomp"), "No program is run: no seccomp"),
        (RunnerStatus(ready=True, sandbox=SandboxReport(setting="none", safe=False)), "Programs are not confined as they should be."),
    ],
)
async def test_what_is_wrong_comes_first(make_app: MakeApp, runner: FakeRunner, status: RunnerStatus, words: str) -> None:
    runner.answer = lambda: status
    async with client_of(make_app(operator_token=SecretStr(TOKEN))) as client:
        text = read_text((await client.get("/en/operator", headers=OPERATOR)).text)
    assert words in text.partition("Health")[0]


async def test_a_broken_store_is_shown_and_hides_nothing_else(make_app: MakeApp, settings: Settings) -> None:
    break_store(settings)
    async with client_of(make_app(operator_token=SecretStr(TOKEN))) as client:
        answer = await client.get("/api/operator", headers=OPERATOR)
        text = read_text((await client.get("/en/operator", headers=OPERATOR)).text)
    found = answer.json()
    assert (found["store"]["figures"], found["people"], found["retention"]) == (None, None, None)
    assert found["health"]["not_kept"] == found["store"]["last_fault"] == "broken"
    assert "Nothing is stored: the database is damaged." in text
    assert "Last fault broken until a commit succeeds" in text
    assert "Run now 2" in text


@pytest.mark.parametrize(("role", "leads"), [(Role.OPERATOR, True), (Role.INSTRUCTOR, False)])
async def test_only_an_operators_account_leads_to_it(make_app: MakeApp, role: Role, leads: bool) -> None:
    app = make_app()
    async with browser_of(app) as client:
        await give_session(app, await add_person(app, "Ada", role), client)
        assert ('href="/en/operator"' in (await client.get("/en/account")).text) == leads
        seen = await client.get("/en/operator")
        assert seen.status_code == (200 if leads else 403)
        assert ("People who can sign in 1 signed in: 1 browsers" in read_text(seen.text)) == leads
