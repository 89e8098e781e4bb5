"""`gradroom loadtest` against a server that runs programs, and against ones that refuse or lose runs, answer wrongly, or redirect."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.types import Receive, Scope, Send

from app.loadtest.command import play_until_interrupted, trust_in
from app.loadtest.learner import EDIT
from app.loadtest.loadtest import Loadtest, NotTestable
from app.loadtest.pace import Pace
from app.loadtest.readiness import Grade, assess
from app.loadtest.report import LoadtestReport
from app.loadtest.server_address import AddressRefused, find_server
from app.main import create_app
from app.protocol.event import Queued, RunEvent, Started
from app.protocol.outcome import Outcome
from app.protocol.sandbox import RunnerStatus
from app.runner.client import QueueFull, RunnerUnavailable
from app.settings import PROJECT, Settings
from tests.browser.site import serving
from tests.loadtest.grading_runner import GradingRunner
from tests.own_course import load_own_course
from tests.programs import Programs
from tests.web.fake_runner import RUN_ID, FakeRunner, make_result

SECONDS = 6.0


def loadtest(*arguments: str) -> subprocess.Popen[str]:
    command = (sys.executable, "-m", "app.cli", "loadtest", *arguments)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=PROJECT)


def rehearse_here(address: str, seconds: float = SECONDS) -> LoadtestReport:
    server = find_server(address, operated=False)
    return asyncio.run(play_until_interrupted(Loadtest(server, trust_in(None), Pace(3, seconds), seed=1)))


@contextmanager
def web_with(runner: FakeRunner, folder: Path) -> Iterator[str]:
    with serving(create_app(Settings(state_folder=folder), runner, load_own_course())) as address:
        yield address


@pytest.fixture(scope="module")
def site(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the app with the real runner and lessons."""
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"), runner_socket=programs.socket)
    with serving(create_app(settings, catalogue=load_own_course())) as address:
        yield address


def test_a_class_of_four_meets_no_error_and_every_cell_ends_as_its_lesson_says(site: str) -> None:
    process = loadtest("--learners", "4", "--minutes", "0.1", "--json", site)
    printed, progress = process.communicate(timeout=100)
    answer = json.loads(printed)
    report = answer["report"]
    assert (report["refusals"], report["faults"], report["mismatches"], report["unfinished"]) == ({}, {}, {}, 0)
    assert report["waits"]["page"]["count"] > 4  # each learner opens the course map and lessons
    assert report["wave_waits"]["result"]["count"] > 0
    assert report["runs"] == sum(report[waits][what]["count"] for waits in ("waits", "wave_waits") for what in ("result", "graded"))
    assert report["waits"]["predicted"]["count"] > 0
    assert report["wave_waits"]["graded"]["count"] > 0
    assert process.returncode == (answer["grade"] != "ready")
    assert "of 6 s:" in progress


def test_an_interrupted_rehearsal_reports_what_there_is(site: str) -> None:
    process = loadtest("--learners", "2", "--minutes", "30", site)
    assert process.stderr
    assert "of 1800 s" in process.stderr.readline()  # the load test has begun
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=100)
    assert "interrupted after" in printed
    assert process.returncode == 130


def test_learners_are_told_apart_and_some_edit(tmp_path: Path) -> None:
    runner = GradingRunner()
    with web_with(runner, tmp_path) as address:
        report = rehearse_here(address)
    assert len(runner.orders) == report.runs + report.waits["predicted"].count
    assert report.waits["saved"].count > 0
    assert (report.refusals, report.faults) == ({}, {})
    assert 1 < len({order.learner for order in runner.orders}) <= report.learners
    edited = [EDIT in source.text for order in runner.orders for source in (*order.program.replay, order.program.source)]
    assert any(edited)
    assert not all(edited)


def test_a_refused_run_is_counted_and_asked_again(tmp_path: Path) -> None:
    runner = GradingRunner(QueueFull("address", 1), *GradingRunner().plays)
    with web_with(runner, tmp_path) as address:
        report = rehearse_here(address)
    assert [(name.split()[1:], count) for name, count in report.refusals.items()] == [(["429", "queue_full", "(address)"], 1)]
    assert report.runs + report.waits["predicted"].count + 1 == len(runner.orders)
    assert assess(report).grade == Grade.FAILING


def test_an_outcome_that_the_lesson_does_not_declare_is_counted(tmp_path: Path) -> None:
    late: list[RunEvent | Exception] = [Queued(RUN_ID, 1), Started(RUN_ID), make_result(outcome=Outcome.TIMED_OUT)]
    with web_with(GradingRunner(late), tmp_path) as address:
        report = rehearse_here(address)
    assert sum(report.mismatches.values()) == report.runs - report.waits["graded"].count - report.wave_waits["graded"].count > 0
    assert all(name.endswith(", got timed_out") for name in report.mismatches)
    assert assess(report).grade == Grade.FAILING


def test_a_run_that_is_lost_is_an_error(tmp_path: Path) -> None:
    with web_with(FakeRunner([Queued(RUN_ID, 1), RuntimeError("gone")]), tmp_path) as address:
        report = rehearse_here(address)
    assert "run: internal" in report.faults
    assert all(name.endswith(": internal") for name in report.faults)
    assert report.runs == 0


def test_a_server_that_cannot_run_programs_is_not_rehearsed(tmp_path: Path) -> None:
    runner = GradingRunner(RunnerUnavailable("no zygote"))
    runner.answer = lambda: RunnerStatus(ready=False, reason="warming up")
    with web_with(runner, tmp_path) as address, pytest.raises(NotTestable, match=r"cannot run programs now.*warming up"):
        rehearse_here(address)


async def lead_elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
    assert scope["type"] == "http"
    await RedirectResponse("http://198.51.100.7/")(scope, receive, send)


async def refuse_host(scope: Scope, receive: Receive, send: Send) -> None:
    assert scope["type"] == "http"
    await PlainTextResponse("allow it with GRADROOM_ALLOWED_HOSTS", 400)(scope, receive, send)


async def answer_something(scope: Scope, receive: Receive, send: Send) -> None:
    assert scope["type"] == "http"
    await JSONResponse({"hello": "world"})(scope, receive, send)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lead_elsewhere, "the server redirects to another one: http://198.51.100.7/"),
        (refuse_host, "refuses this address: allow it with GRADROOM_ALLOWED_HOSTS"),
        (answer_something, "not Gradroom"),
    ],
)
def test_what_cannot_be_rehearsed_says_why(answer: Any, words: str) -> None:
    app = FastAPI()
    app.mount("/", answer)
    with serving(app) as address, pytest.raises(NotTestable, match=words):
        rehearse_here(address)


def test_another_machine_needs_a_word_from_its_operator() -> None:
    process = loadtest("http://198.51.100.7:9")
    _, words = process.communicate(timeout=100)
    assert process.returncode == 2
    assert "--i-operate-this-server" in words


def test_a_file_without_a_certificate_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(AddressRefused, match="holds no certificate"):
        trust_in(tmp_path / "ca.pem")
