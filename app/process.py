"""The two processes of the server, as the commands `web` and `runner` start them. Each imports only its own half."""

import contextlib
import fcntl
import gc
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from app.port import open_port
from app.settings import Settings

WILDCARDS = ("", "0.0.0.0", "::")
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
        )
        serve_runner(settings.socket, config)


@contextlib.contextmanager
def scratch_folder(settings: Settings) -> Iterator[Path]:
    """A folder for this runner's scratch, gone afterwards; locked, so that cleaners of temporary folders leave it alone."""
    with tempfile.TemporaryDirectory(prefix="gradroom-runner-", dir=settings.scratch_folder, ignore_cleanup_errors=True) as folder:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_SH)
            yield Path(folder)
        finally:
            os.close(lock)
