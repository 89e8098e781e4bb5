"""`POST …/submissions` and `…/solution`: what learners are told, and what is in no answer."""

import asyncio
import json
from hashlib import sha256
from typing import Any

import httpx
import msgspec
import pytest
import structlog

from app.classroom.classes.class_lessons import ClassLesson, set_lessons
from app.classroom.classes.school_classes import ClassChanges, change_class
from app.classroom.work import attempts
from app.lessons.course.catalogue import Catalogue
from app.protocol.event import Failed, Queued, RunEvent, Started
from app.protocol.grading import CheckResult, Message, Verdict
from app.protocol.outcome import Outcome
from app.runner.client import QueueFull, RunLost, RunnerUnavailable
from app.web.runs.run_service import RunEnded
from app.web.storing.stored_submissions import as_stored
from tests.classroom.classes.sample_classes import join_sample, make_sample
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import (
    HIDDEN,
    NOT_PASSED,
    PASSED,
    SECRETS,
    SOLUTION,
    SOLUTIONS,
    STREAM,
    SUBMISSIONS,
    TESTS,
    VALUES,
    make_catalogue,
    make_grading,
)
from tests.web.fake_runner import RUN_ID, FakeRunner, make_result
from tests.web.kept import learner_of, look, services_of
from tests.web.serving import connect, serving
from tests.web.test_events import parse_events

pytestmark = pytest.mark.anyio
BODY = {"source": "def f(x): return x"}
RUN: list[RunEvent] = [Queued(RUN_ID, 1), Started(RUN_ID), make_result()]


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(make_grading())


def assert_tells_nothing(text: str, *, solutions: bool = True) -> None:
    for secret in (*SECRETS, *(SOLUTIONS if solutions else ())):
        assert secret not in text


VALUES_TOLD = {
    "id": "values",
    "title": "The values are right",
    "passed": True,
    "message": "",
    "html": "",
    "facts": [],
    "gradcheck": None,
    "explanation": "",
    "reported": False,
}


async def test_the_answer_tells_visible_checks_counts_hidden_ones_and_has_the_run(client: httpx.AsyncClient) -> None:
    answer = await client.post(SUBMISSIONS, json=BODY)
    assert answer.status_code == 200
    assert answer.headers["x-run-id"] == RUN_ID
    assert answer.headers["cache-control"].endswith("no-store")
    told = answer.json()
    assert told.pop("run")["stdout"] == "2\n"
    assert told == {
        "passed": False,
        "checks": [VALUES_TOLD],
        "hidden": {"passed": 0, "total": 1},
        "mistake": {"id": "forgot-chain", "message": "", "html": "<p>The chain rule is missing.</p>"},
        "after": "",
        "receipt": None,
        "not_kept": "no_learner",
    }


async def test_the_words_are_in_the_language_of_the_body(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.plays = [make_grading(Verdict(passed=False, checks=[CheckResult(id="runs", passed=True), VALUES], mistake="forgot-chain"))]
    told = (await client.post(SUBMISSIONS, json={**BODY, "lang": "zh-Hans"})).json()
    assert [check["title"] for check in told["checks"]] == ["程序能运行到结束", "值正确"]
    assert told["mistake"]["html"] == "<p>缺少链式法则。</p>"
    assert runner.grades[0].run.lang == "zh-Hans"


async def test_a_solved_exercise_says_so_and_names_no_mistake(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.plays = [make_grading(Verdict(passed=True, checks=PASSED.checks, mistake="forgot-chain"))]
    told = (await client.post(SUBMISSIONS, json=BODY)).json()
    assert (told["passed"], told["after"], told["mistake"]) == (True, "<p>Solved.</p>", None)
    assert told["hidden"] == {"passed": 1, "total": 1}


async def test_the_stream_has_the_runs_events_then_each_visible_check_then_the_submission(client: httpx.AsyncClient) -> None:
    answer = await client.post(SUBMISSIONS, json=BODY, headers=STREAM)
    events = parse_events(answer.text)
    assert [name for _, name, _ in events] == ["queued", "started", "stdout", "result", "check", "submission"]
    assert [number for number, _, _ in events] == [str(number) for number in range(6)]
    assert events[4][2] == VALUES_TOLD
    assert events[5][2]["run"] == events[3][2]
    assert events[5][2]["checks"] == [events[4][2]]


async def test_a_check_is_told_as_soon_as_it_is_decided_and_nothing_of_the_verdict_before_it(make_app: MakeApp) -> None:
    runner = FakeRunner([*RUN, VALUES, HIDDEN], hang=True)
    async with serving(make_app(runner)) as port, connect(port) as client:
        async with client.stream("POST", SUBMISSIONS, json=BODY, headers=STREAM) as answer:
            text = ""
            async for piece in answer.aiter_text():
                text += piece
                if "event: check" in text and text.endswith("\n\n"):
                    break
        assert "chain rule" not in text
        assert "hidden" not in text
        async with asyncio.timeout(10):
            await runner.left.wait()
        assert 'gradroom_web_runs_total{ending="abandoned"} 1.0' in (await client.get("/metrics")).text


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("headers", [{}, STREAM])
@pytest.mark.parametrize("path", [SUBMISSIONS, TESTS])
async def test_no_answer_to_a_submission_names_what_is_hidden(
    client: httpx.AsyncClient, runner: FakeRunner, path: str, headers: dict[str, str], lang: str
) -> None:
    mutants = [CheckResult(id=f"mutant:secret-mutant-{number}", passed=number == "two") for number in ("one", "two")]
    unknown = CheckResult(id="secret-hidden-unknown", passed=True)
    for verdict in (NOT_PASSED, PASSED, Verdict(passed=False, checks=[CheckResult(id="right", passed=True), *mutants, unknown])):
        runner.plays = [make_grading(verdict)]
        answer = await client.post(path, json={**BODY, "lang": lang}, headers=headers)
        assert answer.status_code == 200
        assert_tells_nothing(answer.text)


@pytest.mark.parametrize("path", ["/api/lessons", "/api/lessons/one/first", "/api/openapi.json", "/en/one/first", "/zh-Hans/one/first"])
async def test_no_other_answer_names_a_secret(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 200
    assert_tells_nothing(answer.text)


async def test_a_mutant_that_was_let_through_is_told_by_its_number_with_the_authors_words(
    client: httpx.AsyncClient, runner: FakeRunner
) -> None:
    mutants = [CheckResult(id="mutant:secret-mutant-two", passed=True), CheckResult(id="mutant:secret-mutant-one", passed=False)]
    runner.plays = [make_grading(Verdict(passed=False, checks=[CheckResult(id="right", passed=True), *mutants]))]
    right, two, one = (await client.post(TESTS, json=BODY)).json()["checks"]
    assert right["title"] == "Your check accepts what is right"
    assert (two["id"], two["passed"], two["html"]) == ("mutant:2", True, "")
    assert (one["id"], one["title"]) == ("mutant:1", "Your check finds the fault of wrong version 1")
    assert one["html"] == "<p>It ignores the gradient.</p>"


async def test_a_mutant_that_was_not_simply_let_through_keeps_what_it_is_to_itself(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    check = CheckResult(id="mutant:secret-mutant-one", passed=False, message=Message(code="judged-otherwise"))
    runner.plays = [make_grading(Verdict(passed=False, checks=[check]))]
    (told,) = (await client.post(TESTS, json=BODY)).json()["checks"]
    assert told["html"] == ""
    assert told["message"]


async def test_a_program_that_raises_is_not_passed_for_that(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    check = CheckResult(id="runs", passed=False, message=Message(code="raised"))
    runner.plays = [[make_result(outcome=Outcome.RAISED), check, Verdict(passed=False, checks=[check])]]
    told = (await client.post(SUBMISSIONS, json=BODY)).json()
    assert "ends with an error" in told["checks"][0]["message"]
    assert told["hidden"] == {"passed": 0, "total": 0}
    assert 'gradroom_web_runs_total{ending="raised"} 1.0' in (await client.get("/metrics")).text


async def test_what_the_learner_stopped_is_no_submission(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    check = CheckResult(id="runs", passed=False, message=Message(code="stopped"))
    runner.plays = [[make_result(), check, Verdict(passed=False, checks=[check])], make_grading(PASSED)]
    await client.get("/en/")
    keyed = {"idempotency-key": "a"}
    assert (await client.post(SUBMISSIONS, json=BODY, headers=keyed)).json()["passed"] is False
    assert "gradroom_web_submissions_total{" not in (await client.get("/metrics")).text
    assert (await client.post(SUBMISSIONS, json=BODY, headers=keyed)).json()["passed"] is True


async def test_a_code_without_words_is_said_in_general(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    check = CheckResult(id="values", passed=False, message=Message(code="of-tomorrow", values={"x": "1"}))
    runner.plays = [make_grading(Verdict(passed=False, checks=[check]))]
    told = (await client.post(SUBMISSIONS, json=BODY)).json()
    assert told["checks"][0]["message"] == "This check has not passed."


async def test_the_order_replays_the_cells_as_given_and_is_granted_limits(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    await client.get("/en/")
    await client.post(SUBMISSIONS, json={**BODY, "seed": 7})
    (order,) = runner.grades
    program = order.run.program
    assert (program.source.text, program.source.cell, program.seed) == (BODY["source"], None, 7)
    assert [(source.cell, source.text, source.raises) for source in program.replay] == [
        ("make", "a = 1\n", None),
        ("fail", "b = 1 / 0\n", "ZeroDivisionError"),
    ]
    assert order.run.limits.deadline_seconds == 20
    assert order.run.learner
    assert order.exercise.checks == "SECRET-CHECKS"
    assert order.exercise.solution == "SECRET-SOLUTION"
    assert (order.exercise.functions, order.exercise.bans) == (["Square"], ["torch.exp"])


@pytest.mark.parametrize(
    ("path", "code", "field"),
    [
        ("/api/lessons/one/none/exercises/fix/submissions", "no_such_lesson", "lesson"),
        ("/api/lessons/one/first/exercises/none/submissions", "no_such_exercise", "exercise"),
        ("/api/lessons/one/none/exercises/fix/solution", "no_such_lesson", "lesson"),
        ("/api/lessons/one/first/exercises/none/solution", "no_such_exercise", "exercise"),
    ],
)
async def test_what_is_not_there_is_404(client: httpx.AsyncClient, runner: FakeRunner, path: str, code: str, field: str) -> None:
    answer = await client.post(path, json=BODY) if path.endswith("submissions") else await client.post(path)
    assert answer.status_code == 404
    assert (answer.json()["error"]["code"], answer.json()["error"]["field"]) == (code, field)
    assert runner.orders == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "source"),
        ({"source": 1}, "source"),
        ({"source": "x" * 65_537}, "source"),
        ({"source": "x", "seed": -1}, "seed"),
        ({"source": "x", "seed": "1"}, "seed"),
        ({"source": "x", "lang": "fr"}, "lang"),
        ({"source": "x", "cell": "use"}, "cell"),
        ([], "body"),
    ],
)
async def test_a_field_that_is_not_as_it_should_be_is_named(client: httpx.AsyncClient, runner: FakeRunner, body: Any, field: str) -> None:
    answer = await client.post(SUBMISSIONS, json=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field
    assert runner.orders == []


async def test_a_body_that_is_not_json_by_its_content_type_is_refused(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    answer = await client.post(SUBMISSIONS, content=json.dumps(BODY), headers={"content-type": "text/plain"})
    assert answer.status_code == 415
    assert runner.orders == []


@pytest.mark.parametrize("last", [[RunLost("gone")], [Failed("lost", "gone")], []])
async def test_a_submission_that_is_lost_before_its_verdict_is_503_and_counted_as_failed(
    make_app: MakeApp, last: list[RunEvent | Exception]
) -> None:
    runner = FakeRunner([*RUN, VALUES, *last])
    async with client_of(make_app(runner)) as client:
        answer = await client.post(SUBMISSIONS, json=BODY)
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "lost"
        streamed = parse_events((await client.post(SUBMISSIONS, json=BODY, headers=STREAM)).text)
        assert [name for _, name, _ in streamed] == ["queued", "started", "result", "check", "error"]
        assert streamed[-1][2]["code"] == "lost"
        metrics = (await client.get("/metrics")).text
    assert 'gradroom_web_runs_total{ending="failed"} 2.0' in metrics
    assert "gradroom_web_submissions_total{" not in metrics


@pytest.mark.parametrize(("refusal", "status"), [(RunnerUnavailable("gone"), 503), (QueueFull("learner", 7), 429)])
@pytest.mark.parametrize("headers", [{}, STREAM])
async def test_what_was_not_accepted_is_refused_by_its_status(
    make_app: MakeApp, refusal: Exception, status: int, headers: dict[str, str]
) -> None:
    async with client_of(make_app(FakeRunner(refusal))) as client:
        answer = await client.post(SUBMISSIONS, json=BODY, headers=headers)
    assert answer.status_code == status
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_verdict_that_cannot_be_told_is_a_fault_of_ours(make_app: MakeApp, accept: str) -> None:
    runner = FakeRunner([*RUN, Verdict(passed=False, checks=[CheckResult(id=5, passed=False)])])  # type: ignore[arg-type]
    async with client_of(make_app(runner)) as client:
        answer = await client.post(SUBMISSIONS, json=BODY, headers={"accept": accept})
        if accept == "application/json":
            assert (answer.status_code, answer.json()["error"]["code"]) == (500, "incompatible")
        else:
            assert parse_events(answer.text)[-1][2]["code"] == "incompatible"
        assert 'gradroom_web_runs_total{ending="failed"} 1.0' in (await client.get("/metrics")).text


async def test_submissions_are_counted_by_their_verdict_and_as_runs_by_their_outcome(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    runner.plays = [make_grading(PASSED), make_grading(NOT_PASSED)]
    for _ in range(3):
        await client.post(SUBMISSIONS, json=BODY)
    metrics = (await client.get("/metrics")).text
    assert 'gradroom_web_submissions_total{outcome="passed"} 1.0' in metrics
    assert 'gradroom_web_submissions_total{outcome="not_passed"} 2.0' in metrics
    assert 'gradroom_web_runs_total{ending="finished"} 3.0' in metrics


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_closing_the_connection_kills_a_submission_and_nothing_is_stored(make_app: MakeApp, accept: str) -> None:
    runner = FakeRunner([*RUN, VALUES], hang=True)
    body = json.dumps(BODY).encode()
    head = f"POST {SUBMISSIONS} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    async with serving(make_app(runner)) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode() + body)
        async with asyncio.timeout(10):
            await runner.entered.wait()
        assert not runner.left.is_set()
        writer.close()
        async with asyncio.timeout(10):
            await runner.left.wait()
        async with connect(port) as client:
            metrics = (await client.get("/metrics")).text
    assert 'gradroom_web_runs_total{ending="abandoned"} 1.0' in metrics
    assert "gradroom_web_submissions_total{" not in metrics


async def test_a_large_submission_arrives_whole(make_app: MakeApp) -> None:
    verdict = [make_result("中\n" * 300_000), PASSED]
    async with serving(make_app(FakeRunner(verdict))) as port, connect(port) as client:
        answer = await client.post(SUBMISSIONS, json=BODY)
        assert answer.json()["run"]["stdout"] == "中\n" * 300_000
        streamed = await client.post(SUBMISSIONS, json=BODY, headers=STREAM)
        assert parse_events(streamed.text)[-1][2]["run"] == answer.json()["run"]


async def test_the_solution_is_shown_and_that_is_recorded(client: httpx.AsyncClient) -> None:
    await client.get("/en/")
    await client.post(SUBMISSIONS, json=BODY)
    with structlog.testing.capture_logs() as logs:
        answer = await client.post(SOLUTION)
    assert answer.json() == {"source": SOLUTIONS[0], "solutions": [{"name": "other", "source": SOLUTIONS[1]}]}
    assert_tells_nothing(answer.text, solutions=False)
    (shown,) = [entry for entry in logs if entry["event"] == "solution_shown"]
    assert (shown["lesson"], shown["exercise"]) == ("one/first", "fix")
    assert "learner" not in shown


@pytest.mark.parametrize(
    ("policy", "tries", "status", "message"),
    [
        ("always", 0, 200, ""),
        ("after-try", 0, 403, "Submissions of yours until the solution is shown: 1."),
        ("after-try", 1, 200, ""),
        ("after-3-tries", 1, 403, "Submissions of yours until the solution is shown: 2."),
        ("after-3-tries", 3, 200, ""),
        ("never", 1, 403, "The solutions are not shown here."),
    ],
)
async def test_the_solution_is_shown_as_the_operator_says(make_app: MakeApp, policy: str, tries: int, status: int, message: str) -> None:
    async with client_of(make_app(solutions=policy)) as client:
        await client.get("/en/")
        for _ in range(tries):
            assert (await client.post(SUBMISSIONS, json=BODY)).json()["receipt"]
        answer = await client.post(SOLUTION)
    assert answer.status_code == status
    if message:
        assert (answer.json()["error"]["code"], answer.json()["error"]["message"]) == ("solution_withheld", message)
        assert_tells_nothing(answer.text)


async def test_a_class_decides_when_its_members_are_shown_the_solution(make_app: MakeApp) -> None:
    app = make_app(solutions="always")
    database = services_of(app).database
    async with client_of(app) as client:
        assert (await client.post(SOLUTION)).status_code == 200
        await client.get("/en/")
        sample = await database.write(make_sample)
        await database.write(set_lessons, sample.teacher, sample.id, [ClassLesson(lesson="one/first")])
        await database.write(change_class, sample.teacher, sample.id, ClassChanges(solutions="after-2-tries"), 1)
        assert (await client.post(SOLUTION)).status_code == 200
        page = (await client.get("/en/one/first")).text
        await database.write(join_sample, sample, learner_of(app, client))
        answer = await client.post(SOLUTION)
        assert (await client.get("/en/one/first")).text != page
    assert answer.json()["error"]["message"] == "Submissions of yours until the solution is shown: 2."


async def test_who_sends_no_cookie_is_shown_no_solution(client: httpx.AsyncClient) -> None:
    answer = await client.post(SOLUTION)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no_learner")


async def test_a_verdict_is_counted_once_and_stored_with_what_was_submitted(make_app: MakeApp) -> None:
    app = make_app()
    ended: list[RunEnded] = []
    app.state.services.runs._subscribers = (ended.append,)
    async with client_of(app) as client:
        await client.get("/en/")
        await client.post(SUBMISSIONS, json=BODY, headers={"idempotency-key": "a"})
        await client.post(SUBMISSIONS, json=BODY, headers={"idempotency-key": "a"})
        learner = learner_of(app, client)
        (attempt,) = await look(app, attempts.list_attempts, learner=learner, lesson="one/first", exercise="fix")
        metrics = (await client.get("/metrics")).text
    assert (attempt.run_id, attempt.source, attempt.receipt.sha256) == (RUN_ID, BODY["source"], sha256(BODY["source"].encode()).hexdigest())
    assert msgspec.json.decode(attempt.verdict, type=Verdict) == as_stored(NOT_PASSED)
    assert [(one.principal.learner, one.ending) for one in ended] == [(learner, "finished")]
    assert 'gradroom_web_submissions_total{outcome="not_passed"} 1.0' in metrics
