"""`gradroom serve`: starts the processes of the server, restarts each when it ends, and ends all when it is stopped.

    serve ──┬── gradroom runner --socket S             executes programs
            └── gradroom web --socket S --fd N         answers browsers, on a port that `serve` has opened

There may be several web processes, which share the port, the runner and a PostgreSQL database. Because the port stays open in this process,
connections wait while web restarts instead of being refused. All processes write to this process's standard error.
"""

import asyncio
import os
import socket
import tempfile
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from signal import SIGINT, SIGTERM
from typing import Any

from app.serving import command_line
from app.serving.command_refused import REFUSED_STATUS, CommandRefused
from app.serving.confinement.unconfined import SWITCH, refuse_in_public
from app.serving.supervised_process import SupervisedProcess
from app.serving.web_process.port import open_ports, peer_socket
from app.serving.web_process.web_user import has_web_user, open_to_web, verify_web_user
from app.settings import PREFIX, SECRETS, Settings

SOCKET_PATH_BYTES = 100  # the kernel accepts 107, sockaddr_un(7)
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"


def serve_processes(settings: Settings, host: str, port: int, unconfined: bool, options: Sequence[str] = (), *, with_runner: bool) -> int:
    """Serve with as many web processes as the settings say, until SIGTERM or SIGINT.

    With `with_runner`, this also starts a runner, unless programs run on other machines. `options` are added to web's command. Return the
    exit status: REFUSED_STATUS if one of the processes ended with it, else 0. Raises CommandRefused.
    """
    refuse_several_on_sqlite(settings)
    verify_web_user(settings)
    with (
        private_folder(settings) as folder,
        open_ports(host, port, settings.web_processes) as listeners,
        open_peers(settings, folder) as peers,
    ):
        if unconfined:
            refuse_in_public(listeners[0], settings)
        runners = []
        if with_runner and not settings.entries:
            shared = ("--socket", str(settings.runner_socket or folder / "runner.sock"), *([SWITCH] if unconfined else []))
            options = (*shared, *options)
            hidden = [f"{PREFIX}{name.upper()}" for name in SECRETS]  # the process that runs learners' programs has no secrets
            runners.append(SupervisedProcess("runner", (*command_line.GRADROOM, "runner", *shared), hidden=hidden))
        webs = make_web_processes(settings.web_names, listeners, peers, ("--host", host, "--peers", str(folder), *options))
        announcement = announce(*listeners[0].getsockname()[:2])
        return asyncio.run(supervise([*runners, *webs], announcement, settings.shutdown_seconds))


def refuse_several_on_sqlite(settings: Settings) -> None:
    """Raise CommandRefused if several web processes would share an SQLite database."""
    if settings.web_processes > 1 and settings.database.startswith("sqlite"):
        raise CommandRefused(
            f"{settings.web_processes} web processes need PostgreSQL, because an SQLite database is for one: set {PREFIX}DATABASE_URL to a "
            f"PostgreSQL database, or {PREFIX}WEB_PROCESSES (--web-processes) to 1."
        )


def make_web_processes(
    names: Sequence[str], listeners: Sequence[socket.socket], peers: Sequence[socket.socket], options: Sequence[str]
) -> list[SupervisedProcess]:
    """Return a web process for each listener. Each inherits all listeners, its own first, and its socket of `peers`, if any."""
    processes = []
    for number, (name, listener) in enumerate(zip(names, listeners, strict=True)):
        fds = [listener.fileno(), *(other.fileno() for other in listeners if other is not listener)]
        given = ["--name", name, *(word for fd in fds for word in ("--fd", str(fd)))]
        if peers:
            given += ["--peer-fd", str(peers[number].fileno())]
            fds.append(peers[number].fileno())
        processes.append(SupervisedProcess(name, (*command_line.GRADROOM, "web", *options, *given), fds))
    return processes


@contextmanager
def open_peers(settings: Settings, folder: Path) -> Iterator[list[socket.socket]]:
    """Yield a listening Unix socket for each web process, or none if there is only one. Web's user may connect to them."""
    with ExitStack() as stack:
        listeners = []
        for name in settings.web_names if settings.web_processes > 1 else ():
            listeners.append(stack.enter_context(socket.socket(socket.AF_UNIX)))
            path = peer_socket(folder, name)
            listeners[-1].bind(str(path))
            listeners[-1].listen()
            if has_web_user(settings):
                os.chown(path, settings.web_uid, settings.web_uid)
        yield listeners


async def supervise(children: Sequence[SupervisedProcess], announcement: Coroutine[Any, Any, None], patience_seconds: float) -> int:
    """Keep `children` running until SIGTERM or SIGINT, then end them within `patience_seconds`, or at once on a second signal.

    `announcement` runs at the same time. If a child ends with REFUSED_STATUS, end the others and return that status; else return 0.
    """
    stop, stop_now = asyncio.Event(), asyncio.Event()
    for number in (SIGTERM, SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, lambda: (stop_now if stop.is_set() else stop).set())
    keeping = [asyncio.create_task(child.keep_alive()) for child in children]
    stopping, announcing = asyncio.create_task(stop.wait()), asyncio.create_task(announcement)
    await asyncio.wait((stopping, *keeping), return_when=asyncio.FIRST_COMPLETED)
    status = 0 if stopping.done() else REFUSED_STATUS
    await cancel(stopping, announcing, *keeping)
    ending = asyncio.gather(*(child.end(patience_seconds) for child in children))
    second = asyncio.create_task(stop_now.wait())
    await asyncio.wait((ending, second), return_when=asyncio.FIRST_COMPLETED)
    await cancel(ending, second)
    return status


async def cancel(*work: asyncio.Future[Any]) -> None:
    """Cancel tasks, and wait until they have ended."""
    for one in work:
        one.cancel()
    await asyncio.gather(*work, return_exceptions=True)


async def announce(host: str, port: int) -> None:
    """Print the server's address once the server answers."""
    near = ANYWHERE.get(host, host)
    while not await answers(near, port):
        await asyncio.sleep(0.05)
    print(f"Gradroom is at http://{write_host(near)}:{port}/", flush=True)


async def answers(host: str, port: int) -> bool:
    """Return whether web answers. While web starts, this waits, because the open port already accepts connections."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(HEALTH % write_host(host).encode())
        status = await reader.readline()
        writer.close()
    except OSError:
        return False
    return b" 200 " in status


def write_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@contextmanager
def private_folder(settings: Settings) -> Iterator[Path]:
    """Make a folder for the sockets of the runner and of several web processes, and remove the folder at the end.

    It is usually in the state folder. It is in the folder for temporary files if the socket's path would be too long, or if web runs as
    another user, who owns the state folder.
    """
    settings.state_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = settings.state_folder.resolve()
    short = len(bytes(state)) + len("/serve-12345678/runner.sock") <= SOCKET_PATH_BYTES
    apart = has_web_user(settings)
    with tempfile.TemporaryDirectory(prefix="serve-", dir=state if short and not apart else None) as name:
        folder = Path(name)
        if apart:
            open_to_web(folder, settings)
        yield folder
