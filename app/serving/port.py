"""The port that browsers connect to."""

import socket


class PortError(Exception):
    """The port cannot be had; the message says why and what to do."""


def open_port(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises PortError."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=1024)
    except OSError as error:
        reason = error.strerror or error
        raise PortError(
            f"Cannot listen on {host}, port {port}: {reason}. Choose another with PORT or --port (and HOST or --host)."
        ) from None
