"""The port that browsers connect to."""

import resource
import socket

MOST_DESCRIPTORS = 65_536
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


def raise_descriptors() -> int:
    """Let this process have as many descriptors as it may: how many that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(soft, most) if soft != resource.RLIM_INFINITY else MOST_DESCRIPTORS
