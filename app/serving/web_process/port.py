"""The port that browsers connect to."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from app.serving.command_refused import CommandRefused

SEND_BYTES = 262_144  # of an answer that the kernel may buffer for a connection; by default it buffers up to 4 MiB
UNREAD_SECONDS = 60  # after which the kernel drops a connection whose client reads nothing


@contextmanager
def open_ports(host: str, port: int, count: int) -> Iterator[list[socket.socket]]:
    """Yield `count` sockets that listen on `host` and `port`, and among which the kernel spreads the connections.

    They are closed at the end of the context. Raises CommandRefused if that fails.
    """
    with ExitStack() as stack:
        first = stack.enter_context(open_port(host, port))
        if count == 1:
            yield [first]
            return
        port = first.getsockname()[1]  # nobody else had it; from here on the kernel would share it with another server of this user
        first.close()
        yield [stack.enter_context(open_port(host, port, shared=True)) for _ in range(count)]


def peer_socket(folder: Path, name: str) -> Path:
    """Return the path of the Unix socket at which a web process listens to other web processes."""
    return folder / f"{name}.sock"


def open_port(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a socket that listens on `host` and `port`. If `shared` is set, other sockets may listen there too. Raises CommandRefused."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=1024, reuse_port=shared)
    except OSError as error:
        reason = error.strerror or error
        raise CommandRefused(
            f"Cannot listen on {host}, port {port}: {reason}. Choose another with PORT or --port (and HOST or --host)."
        ) from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)  # accepted connections inherit both options
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
    return listener
