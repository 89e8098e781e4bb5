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
from sqlalchemy import Connection, update
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.types import Receive, Scope, Send

from app.classroom.classes.board.board_rows import Board, read_board
from app.classroom.classes.class_lessons import ClassLesson, set_lessons
from app.classroom.classes.school_classes import find_class, make_class
from app.classroom.people import people, sign_in_links
from app.classroom.people.roles import Role
from app.classroom.store.schema.class_tables import SchoolClassRow
from app.classroom.store.times import now_ms
from app.lessons.course.catalogue import Catalogue
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
from app.web.services import Services
from tests.browser.site import serving
from tests.loadtest.grading_runner import GradingRunner
from tests.own_course import load_own_course
from tests.programs import Programs
from tests.web.exercises import make_catalogue
from tests.web.fake_runner import RUN_ID, FakeRunner, make_result

SECONDS = 6.0
LESSON = "autograd/chain-rule"


def loadtest(*arguments: str) -> subprocess.Popen[str]:
    command = (sys.executable, "-m", "app.cli", "loadtest", *arguments)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=PROJECT)


def rehearse_here(address: str, code: str | None = None, link: str | None = None) -> LoadtestReport:
    server = find_server(address, operated=False)
    return asyncio.run(play_until_interrupted(Loadtest(server, trust_in(None), Pace(3, SECONDS), 1, code, link)))


@contextmanager
def web_with(runner: FakeRunner, folder: Path, catalogue: Catalogue | None = None) -> Iterator[str]:
    with serving(create_app(Settings(state_folder=folder), runner, catalogue or load_own_course())) as address:
        yield address


@pytest.fixture(scope="module")
def site_app(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The app with the real runner and lessons."""
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"), runner_socket=programs.socket)
    return create_app(settings, catalogue=load_own_course())


@pytest.fixture(scope="module")
def site(site_app: FastAPI) -> Iterator[str]:
    """Yield the address of the app."""
    with serving(site_app) as address:
        yield address


def plant_classroom(connection: Connection, name: str = "Tess Teacher") -> tuple[int, str, str]:
    """Make a class that asks for numbers, and return its id, its code, and a link's token for who teaches it."""
    teacher = people.make_person(connection, name, Role.INSTRUCTOR, now_ms())
    class_id = make_class(connection, teacher.id, "Rehearsal", now_ms())
    connection.execute(update(SchoolClassRow).values(asks_number=True))
    set_lessons(connection, teacher.id, class_id, [ClassLesson(lesson=LESSON, opens_ms=1)])
    return class_id, find_class(connection, teacher.id, class_id).code, sign_in_links.make_link(connection, teacher.id, now_ms())


def test_a_class_of_four_meets_no_error_and_every_cell_ends_as_its_lesson_says(site: str) -> None:
    process = loadtest("--learners", "4", "--minutes", "0.2", "--json", site)
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
    assert "of 12 s:" in progress


def test_learners_join_a_class_work_on_its_lessons_and_the_board_shows_their_submissions_and_hands(site_app: FastAPI, site: str) -> None:
    services: Services = site_app.state.services
    class_id, code, token = services.database.enqueue(plant_classroom).result()
    process = loadtest("--learners", "4", "--minutes", "0.25", "--json", "--class", code, "--instructor", f"{site}/sign-in/{token}", site)
    printed, words = process.communicate(timeout=100)
    assert process.returncode != 2, words
    report = json.loads(printed)["report"]
    assert (report["refusals"], report["faults"], report["mismatches"], report["unfinished"]) == ({}, {}, {}, 0)
    counts = {name: wait["count"] for name, wait in report["waits"].items()}
    assert (counts["joined"], counts["board_page"]) == (4, 1)
    assert 0 < counts["submission_on_board"] <= counts["graded"] + report["wave_waits"]["graded"]["count"]
    assert 0 < counts["hand_on_board"] <= counts["hand"]

    def read_class(connection: Connection) -> Board | None:
        return read_board(connection, class_id, services.boards.failures, now_ms())

    board = services.database.read_here(read_class)
    assert board
    assert len({row.number for row in board.rows.values()} - {""}) == 4
    assert {row.lesson for row in board.rows.values()} == {LESSON}


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
    """Nobody asks for a solution, which the server refuses without an attempt: of a course of one lesson, there is time to come to that."""
    with web_with(FakeRunner([Queued(RUN_ID, 1), RuntimeError("gone")]), tmp_path, make_catalogue()) as address:
        report = rehearse_here(address)
    assert "run: internal" in report.faults
    assert set(report.faults) <= {"run: internal", "prediction: internal", "submission: internal"}
    assert report.runs == 0


def test_a_server_that_cannot_run_programs_is_not_rehearsed(tmp_path: Path) -> None:
    runner = GradingRunner(RunnerUnavailable("no zygote"))
    runner.answer = lambda: RunnerStatus(ready=False, reason="warming up")
    with web_with(runner, tmp_path) as address, pytest.raises(NotTestable, match=r"cannot run programs now.*warming up"):
        rehearse_here(address)


def test_a_wrong_code_and_a_wrong_link_are_said_before_the_class_begins(tmp_path: Path) -> None:
    app = create_app(Settings(state_folder=tmp_path), GradingRunner(), load_own_course())
    services: Services = app.state.services
    with serving(app) as address:
        _, code, token = services.database.enqueue(plant_classroom).result()
        with pytest.raises(NotTestable, match=r"cannot join the class with this code: page: 404"):
            rehearse_here(address, "0000-0000")
        with pytest.raises(NotTestable, match=r"The link signs nobody in: page: 404"):
            rehearse_here(address, code, "/sign-in/wrong")
        _, other, _ = services.database.enqueue(plant_classroom, "Olga Other").result()
        with pytest.raises(NotTestable, match=r"cannot open the board of this class: page: 404"):
            rehearse_here(address, other, f"/sign-in/{token}")


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
