"""Hosts that lack a layer, imitated by a filter for the runner and all that it starts: what replaces the layer, and what is refused."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from app.main import create_app
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.sandbox import Layer, RunnerStatus
from app.settings import Settings
from tests.own_course import load_own_course
from tests.programs import BARE_RUNNER, Programs, running_programs, starting_programs
from tests.sandbox.container import inside
from tests.sandbox.missing import LANDLOCK, NAMESPACES, without

TOKEN = "an operator's token"
SINH_BAD_GRAPH = """
import torch
from torchviz import make_dot
x = torch.ones(2, requires_grad=True)
make_dot(x.exp().sum())
"""


@pytest.fixture(scope="module")
def without_landlock() -> Iterator[Programs]:
    with running_programs(without(LANDLOCK)) as running:
        yield running


@pytest.fixture(scope="module")
def without_namespaces() -> Iterator[Programs]:
    with running_programs(without(NAMESPACES), runner=BARE_RUNNER) as running:
        yield running


@pytest.fixture(scope="module")
def without_both() -> Iterator[Programs]:
    with starting_programs(without(LANDLOCK, NAMESPACES), runner=BARE_RUNNER) as starting:
        starting.wait_until_refused()
        yield starting


def layer_of(status: RunnerStatus, name: str) -> Layer:
    assert status.sandbox
    return next(layer for layer in status.sandbox.layers if layer.name == name)


def test_without_landlock_the_minimal_root_stands_in(without_landlock: Programs) -> None:
    status = without_landlock.status()
    layer = layer_of(status, "landlock")
    assert (layer.active, layer.stands_in) == (False, "the minimal root")
    assert "Landlock" in layer.detail
    assert status.sandbox
    assert status.sandbox.safe
    assert [check.name for check in status.sandbox.checks if not check.passed] == []


def test_without_landlock_programs_run_and_find_nothing_to_read(without_landlock: Programs) -> None:
    result = without_landlock.run("print(repr(open('/etc/passwd').read()))\nopen('/etc/hostname')")
    assert result.stdout == "''\n"
    assert (result.outcome, result.error and result.error.type) == (Outcome.RAISED, "FileNotFoundError")
    assert without_landlock.run("open('/usr/here', 'w')").outcome == Outcome.RAISED  # a read-only file system


def test_without_landlock_graphs_are_drawn(without_landlock: Programs) -> None:
    (graph,) = without_landlock.run(SINH_BAD_GRAPH).records
    assert "<svg" in str(getattr(graph, "svg", ""))


def test_without_namespaces_landlock_and_the_filter_stand_in(without_namespaces: Programs) -> None:
    layer = layer_of(without_namespaces.status(), "namespaces")
    assert not layer.active
    assert "Operation not permitted" in layer.detail
    assert layer.stands_in
    assert "Landlock" in layer.stands_in
    assert without_namespaces.run("open('/etc/passwd')").outcome == Outcome.FORBIDDEN
    assert without_namespaces.run("print(1)").stdout == "1\n"


def test_without_both_nothing_is_run_and_the_reason_says_how_to_get_them(without_both: Programs) -> None:
    status = without_both.status()
    assert status.sandbox
    assert not status.sandbox.safe
    assert status.reason
    for words in ("files are not confined", "Landlock ABI 3 is needed", "Operation not permitted", "lsm=", "Docker 20.10.18"):
        assert words in status.reason
    assert {layer.stands_in for layer in status.sandbox.layers if layer.name == "landlock"} == {None}


def test_without_both_web_is_not_ready_and_learners_are_told_at_once(without_both: Programs, tmp_path: Path) -> None:
    settings = Settings(state_folder=tmp_path, runner_socket=without_both.socket, operator_token=SecretStr(TOKEN))
    app = create_app(settings, catalogue=load_own_course())

    async def ask() -> tuple[httpx.Response, httpx.Response, httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=20) as client:
            run = await client.post("/api/runs", json={"source": "1", "lang": "en"})
            return await client.get("/readyz"), await client.get("/api/sandbox", headers={"authorization": f"Bearer {TOKEN}"}), run

    ready, report, run = asyncio.run(ask())
    assert (ready.status_code, run.status_code) == (503, 503)
    assert "files are not confined" in ready.json()["error"]["message"]
    assert report.json()["safe"] is False
    assert report.json()["reason"] == ready.json()["error"]["message"]
    assert run.json()["error"]["message"].startswith("Programs cannot be run at this moment.")


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make everything read-only")


@needs_root
def test_a_closed_container_without_both_runs_programs_and_says_what_stands_in() -> None:
    with running_programs([*inside("755"), *without(LANDLOCK, NAMESPACES)]) as programs:
        status = programs.status()
        assert status.sandbox
        assert (status.sandbox.setting, status.sandbox.safe) == ("container", True)
        assert layer_of(status, "landlock").stands_in == "a uid that can write nowhere but in its scratch folder"
        assert any("keep every secret out of it" in weakness for weakness in status.sandbox.degraded)
        checks = {check.name: check.passed for check in status.sandbox.checks}
        assert "read_files" not in checks
        assert checks["write_outside"]
        assert all(checks.values())
        assert programs.run("open('here', 'w').write('1')\nprint(open('here').read())").stdout == "1\n"
        assert programs.run("open('../there', 'w')").outcome == Outcome.FORBIDDEN
        assert programs.run("open('/proc/1/environ')").outcome == Outcome.FORBIDDEN


STOPS_WHO_LOOKS = """
import contextlib, os, signal, time
def stop_others(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGSTOP)
open("one", "w").close()
stop_others(1)
for number in range(100):
    open(str(number), "w").close()
stop_others(10)
"""


@needs_root
def test_a_program_cannot_stop_who_measures_its_files() -> None:
    """Without Landlock's scopes and without namespaces, the kernel lets a process signal all processes of its uid."""
    with running_programs([*inside("755"), *without(LANDLOCK, NAMESPACES)], runner=BARE_RUNNER) as programs:
        result = programs.run(STOPS_WHO_LOOKS, Limits(deadline_seconds=5, scratch_inodes=16))
        assert result.error
        assert (result.outcome, result.error.type) == (Outcome.FORBIDDEN, "ScratchLimit")


@needs_root
def test_a_container_with_a_place_to_write_to_is_refused_and_the_place_named() -> None:
    with starting_programs([*inside("777"), *without(LANDLOCK, NAMESPACES)], runner=BARE_RUNNER) as programs:
        status = programs.wait_until_refused()
        assert status.reason
        assert f"{programs.socket.parent} can be written to" in status.reason
