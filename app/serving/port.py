"""The port that browsers connect to."""

import socket

from app.serving.command_refused import CommandRefused

SEND_BYTES = 262_144  # of an answer that the kernel may buffer for a connection; by default it buffers up to 4 MiB
UNREAD_SECONDS = 60  # after which the kernel drops a connection whose client reads nothing of what it was sent


def open_port(host: str, port: int) -> socket.socket:
    """Return a socket that listens on `host` and `port`. Raises CommandRefused if that fails."""
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=1024)
    except OSError as error:
        reason = error.strerror or error
        raise CommandRefused(
            f"Cannot listen on {host}, port {port}: {reason}. Choose another with PORT or --port (and HOST or --host)."
        ) from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)  # accepted connections inherit both options
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
    return listener
