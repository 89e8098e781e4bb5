"""The `gradroom` command, as a process of its own; its servers have bare zygotes, because none of them runs a program."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from app.settings import PROJECT
from tests.bare.gradroom import BARE_GRADROOM
from tests.patience import wait_for
from tests.warm_gradroom import WarmGradroom

PATIENCE_SECONDS = 100
SECRET = "what-the-runner-must-not-have"
HEAVY = ("torch", "fastapi", "starlette", "uvicorn", "pydantic", "httpx", "jinja2", "markdown_it", "structlog", "numpy")
BEHIND = ("ray", "cryptography", "alembic", "torch", "numpy", "app.sandbox", "app.runtimes", "app.runner.server", "pygraphviz", "pyseccomp")


def imported(statement: str) -> set[str]:
    """Return the modules that a new interpreter has imported after `statement`."""
    program = f"{statement}; import sys; print(*sys.modules)"
    return set(subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, cwd=PROJECT, check=True).stdout.split())


def test_the_command_itself_imports_nothing_heavy() -> None:
    assert imported("import app.cli").isdisjoint(HEAVY)


def test_web_imports_nothing_of_what_runs_programs() -> None:
    """Neither with runners on other machines."""
    modules = "app.main, app.serving.entry, app.serving.operating.store_commands, app.cluster.commands, app.runner.cluster.ray_runner"
    assert imported(f"import {modules}").isdisjoint(BEHIND)


def test_version() -> None:
    command = (sys.executable, "-m", "app.cli", "--version")
    assert subprocess.run(command, capture_output=True, text=True, cwd=PROJECT).stdout == f"gradroom {version('gradroom')}\n"


@pytest.mark.parametrize("command", ["serve", "web", "runner", "backup", "restore", "migrate", "lessons", "loadtest", "doctor", "sandbox"])
def test_every_command_explains_itself(warm_gradroom: WarmGradroom, command: str) -> None:
    assert warm_gradroom.run(command, "--help").returncode == 0


@pytest.mark.parametrize("command", ["serve", "web", "runner"])
def test_a_setting_that_does_not_fit_is_one_line_and_status_2(warm_gradroom: WarmGradroom, command: str) -> None:
    ended = warm_gradroom.run(command, GRADROOM_CONCURRENCY="none")
    assert ended.returncode == 2
    assert re.fullmatch(r"GRADROOM_CONCURRENCY: .*\n", ended.stderr)


@pytest.mark.parametrize("command", ["serve", "web"])
def test_a_port_in_use_is_one_line_and_status_2(warm_gradroom: WarmGradroom, command: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = warm_gradroom.run(command, PORT=str(taken.getsockname()[1]), GRADROOM_STATE_FOLDER=str(tmp_path))
    assert ended.returncode == 2
    assert re.fullmatch(r"Cannot listen on 127.0.0.1, port \d+: Address already in use.*\n", ended.stderr)


@pytest.mark.parametrize("command", ["serve", "web"])
def test_without_a_sandbox_nothing_is_served_to_others(warm_gradroom: WarmGradroom, command: str, tmp_path: Path) -> None:
    arguments = (command, "--host", "0.0.0.0", "--port", "0", "--run-programs-without-a-sandbox")
    ended = warm_gradroom.run(*arguments, GRADROOM_STATE_FOLDER=str(tmp_path))
    assert ended.returncode == 2
    assert ended.stderr.startswith("--run-programs-without-a-sandbox is refused, because others could run programs too")
    assert "listen on 0.0.0.0" in ended.stderr


@pytest.fixture
def served(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A whole server on a free port."""
    command = (*BARE_GRADROOM, "serve", "--port", "0")
    folders = {"GRADROOM_STATE_FOLDER": str(tmp_path), "GRADROOM_SCRATCH_FOLDER": str(tmp_path)}
    secrets = {"GRADROOM_OPERATOR_TOKEN": SECRET, "GRADROOM_DATABASE_URL": f"sqlite:///{tmp_path}/{SECRET}.sqlite3"}
    environment = {**os.environ, **folders, **secrets}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=PROJECT, env=environment)
    yield server
    server.kill()
    server.wait()


def test_a_command_that_is_ended_in_the_middle_has_failed_and_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "GRADROOM_STATE_FOLDER": str(tmp_path), "GRADROOM_WEB_UID": "0"}
    with subprocess.Popen((*BARE_GRADROOM, "restore", "-"), stdin=subprocess.PIPE, cwd=PROJECT, env=environment) as command:
        wait_for(lambda: list(tmp_path.iterdir()))  # it waits for the rest of the backup
        command.terminate()
        assert command.wait(PATIENCE_SECONDS) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_without_a_sandbox_serve_says_so_at_its_start_and_on_its_pages(tmp_path: Path) -> None:
    command = (*BARE_GRADROOM, "serve", "--port", "0", "--run-programs-without-a-sandbox")
    environment = {**os.environ, "GRADROOM_STATE_FOLDER": str(tmp_path), "GRADROOM_SCRATCH_FOLDER": str(tmp_path)}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=PROJECT, env=environment, **streams) as server:
        assert server.stdout
        assert server.stderr
        address = server.stdout.readline().split()[-1]
        with urllib.request.urlopen(f"{address}en/", timeout=PATIENCE_SECONDS) as page:
            assert b"No sandbox: programs here may do whatever" in page.read()
        server.terminate()
        assert "WITHOUT A SANDBOX" in server.stderr.read()


def children(pid: int) -> dict[str, int]:
    """Return the processes of a server by their command, runner or web."""
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        arguments = Path(f"/proc/{child}/cmdline").read_text().split("\0")
        found.update({name: int(child) for name in ("runner", "web") if name in arguments})
    return found


def test_serve_prints_its_address_survives_the_death_of_web_and_ends_whole(served: subprocess.Popen[str], tmp_path: Path) -> None:
    assert served.stdout
    line = served.stdout.readline()
    address = re.fullmatch(r"Gradroom is at (http://127.0.0.1:\d+/)\n", line)
    assert address, line
    assert ask(address[1]) == 200

    before = children(served.pid)
    if os.geteuid() == 0:  # nobody else may read it
        assert SECRET not in Path(f"/proc/{before['runner']}/environ").read_text()
    os.kill(before["web"], signal.SIGKILL)
    assert ask(address[1]) == 200  # the port is held open: the request waits for the next web

    after = children(served.pid)
    assert after["web"] != before["web"]
    assert after["runner"] == before["runner"]

    served.send_signal(signal.SIGTERM)
    assert served.wait(PATIENCE_SECONDS) == 0
    assert served.stdout.read() == ""
    assert [pid for pid in (*before.values(), *after.values()) if Path(f"/proc/{pid}").exists()] == []
    assert {path.name for path in tmp_path.iterdir()} == {f"{SECRET}.sqlite3", "cookie_secret"}


def ask(address: str) -> int:
    """Return the status of /healthz. If the server dies while it answers, ask again."""
    try:
        return urllib.request.urlopen(f"{address}healthz", timeout=PATIENCE_SECONDS).status
    except ConnectionError:
        return urllib.request.urlopen(f"{address}healthz", timeout=PATIENCE_SECONDS).status
