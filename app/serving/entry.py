"""Runs the two kinds of processes of the server, web and the runner. Each imports only its own half of the code."""

import gc
import socket
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import cast

import uvicorn

from app.machine import raise_descriptors
from app.serving.confinement.unconfined import refuse_in_public
from app.serving.web_process.port import open_port, peer_socket
from app.serving.web_process.web_server import WebServer
from app.serving.web_process.web_user import become_web_user, has_web_user, open_to_web
from app.settings import Settings

WILDCARDS = ("", "0.0.0.0", "::")
OWN_DESCRIPTORS = 256  # that web needs besides two for each connection
FEWEST_CONNECTIONS = 64
SWITCH_SECONDS = 0.0005  # after which a computing thread lets the event loop run
IDLE_CONNECTION_SECONDS = 75  # longer than reverse proxies keep idle connections, so that they close them first


def serve_web(
    settings: Settings,
    host: str,
    port: int,
    *,
    unconfined: bool = False,
    author: bool = False,
    migrate_first: bool = False,
    name: str = "web",
    fds: Sequence[int] = (),
    peer_fd: int | None = None,
    peers_folder: Path | None = None,
) -> None:
    """Serve the pages and the API until a signal ends it. Without an inherited listener, this opens the port. Raises CommandRefused.

    `author` turns author mode on. If `migrate_first` is set, an old database is first backed up and migrated. The others are of a process
    that `gradroom serve` has started: `fds` are inherited listeners on the port, its own first, then those of other web processes. If there
    are others, `peer_fd` is an inherited listener at a Unix socket in `peers_folder`, by which they reach it under its `name`.
    """
    listeners = [socket.socket(fileno=fd) for fd in fds] or [open_port(host, port)]
    others = listeners[1:]
    if unconfined:
        refuse_in_public(listeners[0], settings)
    become_web_user(settings)  # after opening the port, which may need root, and before reading anything
    from app.main import create_app
    from app.serving.operating.store_commands import serving_store
    from app.web.guards.connection_caps import caps_of
    from app.web.guards.connections import Connection, Connections
    from app.web.peers import Peers

    caps = caps_of(settings, max((raise_descriptors() - OWN_DESCRIPTORS) // 2, FEWEST_CONNECTIONS))
    settings = limit_streams(allow_host(settings, host), caps.overall)
    if author:
        from app.serving.author import create_author_app

        app = create_author_app(settings)
    else:
        peers = None
        if peers_folder is not None and peer_fd is not None:
            listeners.append(socket.socket(fileno=peer_fd))
            sockets = {other: peer_socket(peers_folder, other) for other in settings.web_names if other != name}
            peers = Peers(name, sockets, settings.allowed_hosts[0])
        app = create_app(settings, unconfined=unconfined, peers=peers)
    connections = Connections(caps, app.state.services.sessions.read)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # what is imported is never freed, and examining it in each collection would delay answers
    gc.enable()
    config = uvicorn.Config(
        app,
        http=cast(type[Connection], partial(Connection, connections)),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_keep_alive=IDLE_CONNECTION_SECONDS,
        timeout_graceful_shutdown=round(settings.shutdown_seconds),
    )
    with serving_store(settings, app.state.services.database, migrate_first=migrate_first):
        WebServer(config, others).run(listeners)


def limit_streams(settings: Settings, connections: int) -> Settings:
    """Return the settings with at most half of the connections for the streams of learners in classes.

    A stream is never idle. If all connections had one, the server would have to close each new connection at once.
    """
    return settings.model_copy(update={"learner_streams": min(settings.learner_streams, connections // 2)})


def allow_host(settings: Settings, host: str) -> Settings:
    """Return the settings with `host` among the allowed hosts. `host` is the address on which the server listens."""
    if host in WILDCARDS:
        return settings
    name = f"[{host}]" if ":" in host else host
    return settings.model_copy(update={"allowed_hosts": (*settings.allowed_hosts, name)})


def make_socket_folder(settings: Settings) -> None:
    """Make the folder of the runner's socket. Only this user and web's user may enter it."""
    folder = settings.socket.parent
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True)
        if has_web_user(settings):
            open_to_web(folder, settings)


def serve_programs(settings: Settings, unconfined: bool) -> None:
    """Run programs for web until a signal ends it."""
    gc.disable()  # imported modules are never freed, and collections during the imports would take a tenth of the start
    from app.runner.queue.capacity import Capacity
    from app.runner.queue.caps import QueueCaps
    from app.runner.server import serve_runner
    from app.runner.supervisor import RunnerConfig
    from app.runner.zygotes.zygote_rotation import Recycling
    from app.runtimes.specs import list_specs
    from app.serving.scratch_folder import scratch_folder

    make_socket_folder(settings)
    with scratch_folder(settings) as folder:
        config = RunnerConfig(
            folder=folder,
            limits=settings.limits,
            caps=QueueCaps(overall=settings.queue_runs, learner=settings.queue_runs_per_learner, address=settings.queue_runs_per_address),
            capacity=Capacity(
                concurrency=settings.concurrency,
                begun_bytes=settings.begun * settings.limits.promised_bytes,
                reserve_bytes=settings.reserved_runs * settings.limits.promised_bytes,
                learner=settings.concurrency_for_learner,
                quantum_seconds=settings.quantum_seconds,
            ),
            spares=settings.spares,
            first_uid=settings.first_uid,
            runtimes=list_specs(settings.zygote_processor),
            confined=not unconfined,
            shortage=settings.memory_shortage,
            node=settings.node,
            lesson_factor=settings.lesson_factor,
            recycling=Recycling(forks=settings.zygote_runs, seconds=settings.zygote_seconds, early=settings.zygote_early),
        )
        serve_runner(settings.socket, config)
