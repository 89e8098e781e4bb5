"""The two processes of the server, as the commands `web` and `runner` start them. Each imports only its own half."""

import contextlib
import fcntl
import gc
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from app.serving.port import open_port
from app.settings import Settings

WILDCARDS = ("", "0.0.0.0", "::")
SCRATCH_PREFIX = "gradroom-runner-"
KEPT_OPEN_SECONDS = 75  # longer than reverse proxies keep an idle connection, so that they close it and not we


def serve_web(settings: Settings, host: str, port: int, fd: int | None) -> None:
    """Serves pages and API until a signal, on the given descriptor if there is one. Raises PortError."""
    listener = open_port(host, port) if fd is None else socket.socket(fileno=fd)
    from app.main import create_app

    app = create_app(allow_host(settings, host))
    gc.freeze()  # what is there now stays: collections that look through all of it would only delay answers
    gc.enable()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_keep_alive=KEPT_OPEN_SECONDS,
        timeout_graceful_shutdown=round(settings.shutdown_seconds),
    )
    uvicorn.Server(config).run([listener])


def allow_host(settings: Settings, host: str) -> Settings:
    """The settings, with the host that is listened on among the allowed ones."""
    if host in WILDCARDS:
        return settings
    name = f"[{host}]" if ":" in host else host
    return settings.model_copy(update={"allowed_hosts": (*settings.allowed_hosts, name)})


def serve_programs(settings: Settings) -> None:
    """Runs programs until a signal."""
    from app.runner.generations import Recycling
    from app.runner.queue import QueueCaps
    from app.runner.server import serve_runner
    from app.runner.supervisor import RunnerConfig

    settings.socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with scratch_folder(settings) as folder:
        config = RunnerConfig(
            folder=folder,
            limits=settings.limits,
            caps=QueueCaps(overall=settings.queue_runs, learner=settings.queue_runs_per_learner, address=settings.queue_runs_per_address),
            concurrency=settings.concurrency,
            spares=settings.spares,
            first_uid=settings.first_uid,
            recycling=Recycling(forks=settings.zygote_runs, seconds=settings.zygote_seconds, standby=settings.zygote_standby),
        )
        serve_runner(settings.socket, config)


@contextlib.contextmanager
def scratch_folder(settings: Settings) -> Iterator[Path]:
    """A folder for this runner's scratch, gone afterwards; locked, so that nobody who cleans up takes it for abandoned."""
    parent = Path(settings.scratch_folder or tempfile.gettempdir())
    remove_abandoned(parent)
    with tempfile.TemporaryDirectory(prefix=SCRATCH_PREFIX, dir=parent, ignore_cleanup_errors=True) as folder, locked(Path(folder)):
        yield Path(folder)


def remove_abandoned(parent: Path) -> None:
    """Remove what runners that were killed have left: our own folders that nobody holds a lock on."""
    for folder in parent.glob(f"{SCRATCH_PREFIX}*"):
        with contextlib.suppress(OSError):
            if not folder.is_symlink() and folder.stat().st_uid == os.geteuid():
                with locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path, how: int = fcntl.LOCK_SH) -> Iterator[None]:
    """Hold a lock on a folder. Raises BlockingIOError if it cannot be had at once and `how` says not to wait."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, how)
        yield
    finally:
        os.close(lock)
