"""The supervisor with small programs in place of its two processes. It runs in another process, which is signalled and killed."""

import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.serving.command_refused import CommandRefused
from app.serving.serve import SOCKET_PATH_BYTES, make_web_processes, open_peers, private_folder, refuse_several_on_sqlite
from app.serving.web_process.port import open_port, open_ports
from app.settings import PROJECT, Settings

# Two stand-ins that print their pids; "stubborn" ones do not end when they are asked to.
SUPERVISOR = """
import asyncio, sys
from app.serving.supervised_process import SupervisedProcess
from app.serving.logs import configure_logs
from app.serving.serve import supervise

STAND_IN = '''
import os, signal, sys, time
if sys.argv[2] == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if sys.argv[1:] == ["web", "refusing"]:
    sys.exit(2)
print(sys.argv[1], os.getpid(), flush=True)
time.sleep(600)
'''

async def announce():
    print("announced 0", flush=True)

configure_logs("serve", "console", "info")
children = [SupervisedProcess(name, (sys.executable, "-E", "-c", STAND_IN, name, sys.argv[1])) for name in ("runner", "web")]
status = asyncio.run(supervise(children, announce(), 60))
print("ended", status, flush=True)
"""
PATIENCE_SECONDS = 60


class Supervisor:
    """A running supervisor; reads what it and its stand-ins print, one line at a time."""

    def __init__(self, manner: str) -> None:
        command = (sys.executable, "-E", "-c", SUPERVISOR, manner)  # unbuffered by the environment, two lines at once would mix
        self.process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)

    def read(self, count: int) -> dict[str, int]:
        """The next `count` lines, as name to number."""
        assert self.process.stdout
        lines = []
        for _ in range(count):
            assert select.select([self.process.stdout], [], [], PATIENCE_SECONDS)[0], f"only {lines} came"
            lines.append(self.process.stdout.readline().split())
        return {name.decode(): int(number) for name, number in lines}

    def read_to_the_end(self) -> bytes:
        """Return the remaining lines. The end comes when no process has the pipe open any more, so when no orphan is left."""
        assert self.process.stdout
        return self.process.stdout.read()


@pytest.fixture
def supervisor(request: pytest.FixtureRequest) -> Iterator[Supervisor]:
    supervisor = Supervisor(getattr(request, "param", "meek"))
    yield supervisor
    supervisor.process.kill()
    supervisor.process.wait()


def alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_a_killed_child_is_started_again_and_the_other_is_left_alone(supervisor: Supervisor) -> None:
    first = supervisor.read(3)
    os.kill(first["web"], signal.SIGKILL)
    second = supervisor.read(1)
    assert second["web"] != first["web"]
    assert alive(first["runner"])
    os.kill(first["runner"], signal.SIGKILL)
    assert supervisor.read(1)["runner"] != first["runner"]
    assert alive(second["web"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_both_and_then_the_supervisor(supervisor: Supervisor, number: signal.Signals) -> None:
    pids = supervisor.read(3)
    supervisor.process.send_signal(number)
    assert supervisor.process.wait(PATIENCE_SECONDS) == 0
    assert supervisor.read_to_the_end() == b"ended 0\n"
    assert not alive(pids["web"])
    assert not alive(pids["runner"])


@pytest.mark.parametrize("supervisor", ["refusing"], indirect=True)
def test_a_child_that_refuses_to_serve_ends_all(supervisor: Supervisor) -> None:
    """The child has said what must be changed, and would only say it again after a restart."""
    assert supervisor.process.wait(PATIENCE_SECONDS) == 0
    assert b"ended 2\n" in supervisor.read_to_the_end()


@pytest.mark.parametrize("supervisor", ["stubborn"], indirect=True)
def test_a_second_signal_ends_them_at_once(supervisor: Supervisor) -> None:
    supervisor.read(3)
    for number in (signal.SIGINT, signal.SIGTERM):
        supervisor.process.send_signal(number)
    assert supervisor.process.wait(PATIENCE_SECONDS / 2) == 0


@pytest.mark.parametrize("supervisor", ["stubborn"], indirect=True)
def test_a_killed_supervisor_leaves_no_orphan(supervisor: Supervisor) -> None:
    supervisor.read(3)
    supervisor.process.kill()
    assert supervisor.read_to_the_end() == b""


def test_a_port_in_use_is_said_clearly() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(match=rf"port {port}: Address already in use.*PORT"):
            open_port("127.0.0.1", port)


def test_a_host_that_is_not_ours_is_said_clearly() -> None:
    with pytest.raises(match=r"Cannot listen on 192\.0\.2\.1"):
        open_port("192.0.2.1", 0)


def test_the_socket_has_a_private_folder_that_goes_away() -> None:
    with tempfile.TemporaryDirectory() as short, private_folder(Settings(state_folder=Path(short, "state"), web_uid=0)) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        assert folder.parent == Path(short, "state").resolve()
    assert not folder.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_webs_user_may_enter_the_sockets_folder_and_not_change_it(tmp_path: Path) -> None:
    settings = Settings(state_folder=tmp_path / "state")
    with private_folder(settings) as folder:
        status = folder.stat()
        assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (0, settings.web_uid, 0o710)
        assert tmp_path not in folder.parents


def test_where_the_state_folders_path_is_too_long_for_a_socket_a_temporary_one_is_taken(tmp_path: Path) -> None:
    with private_folder(Settings(state_folder=tmp_path / ("x" * SOCKET_PATH_BYTES))) as folder:
        assert len(bytes(folder / "runner.sock")) <= SOCKET_PATH_BYTES


def test_several_web_processes_are_refused_on_sqlite_and_not_on_postgresql() -> None:
    with pytest.raises(CommandRefused, match=r"2 web processes need PostgreSQL.*GRADROOM_DATABASE_URL"):
        refuse_several_on_sqlite(Settings(web_processes=2))
    refuse_several_on_sqlite(Settings(web_processes=1))
    refuse_several_on_sqlite(Settings(web_processes=2, database_url="postgresql://localhost/gradroom"))


def test_each_web_process_has_a_name_a_listener_of_its_own_first_and_a_socket_for_the_others(tmp_path: Path) -> None:
    settings = Settings(web_processes=3, web_uid=0)
    with open_ports("127.0.0.1", 0, 3) as listeners, open_peers(settings, tmp_path) as peers:
        assert len({listener.getsockname() for listener in listeners}) == 1
        processes = make_web_processes(settings.web_names, listeners, peers, ("--host", "127.0.0.1"))
        fds = [listener.fileno() for listener in listeners]
        peer_fds = [peer.fileno() for peer in peers]
        assert [peer.getsockname() for peer in peers] == [str(tmp_path / f"{name}.sock") for name in settings.web_names]
    assert [process.name for process in processes] == ["web-1", "web-2", "web-3"]
    assert [list(process.fds) for process in processes] == [
        [fds[0], fds[1], fds[2], peer_fds[0]],
        [fds[1], fds[0], fds[2], peer_fds[1]],
        [fds[2], fds[0], fds[1], peer_fds[2]],
    ]
    words = ["--name", "web-2", "--fd", fds[1], "--fd", fds[0], "--fd", fds[2], "--peer-fd", peer_fds[1]]
    assert processes[1].command[-10:] == tuple(map(str, words))


def test_a_single_web_process_keeps_its_name_and_has_no_others(tmp_path: Path) -> None:
    with open_ports("127.0.0.1", 0, 1) as listeners, open_peers(Settings(), tmp_path) as peers:
        (process,) = make_web_processes(Settings().web_names, listeners, peers, ())
    assert (process.name, len(process.fds), list(tmp_path.iterdir())) == ("web", 1, [])


def test_a_port_that_another_server_shares_among_its_processes_is_in_use() -> None:
    with open_ports("127.0.0.1", 0, 2) as listeners:
        port = listeners[0].getsockname()[1]
        with pytest.raises(CommandRefused, match="Address already in use"), open_ports("127.0.0.1", port, 2):
            pass
