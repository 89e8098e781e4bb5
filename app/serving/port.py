"""The port that browsers connect to."""

import socket

SEND_BYTES = 262_144  # of an answer that the kernel may hold for a connection; by itself it takes up to 4 MiB
UNREAD_SECONDS = 60  # how long a client may read nothing of what it was sent; the kernel then drops the connection


class PortError(Exception):
    """The port cannot be had; the message says why and what to do."""


def open_port(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises PortError."""
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=1024)
    except OSError as error:
        reason = error.strerror or error
        raise PortError(
            f"Cannot listen on {host}, port {port}: {reason}. Choose another with PORT or --port (and HOST or --host)."
        ) from None
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)  # its connections inherit both
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
    return listener
