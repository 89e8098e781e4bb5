"""The port: what it does about a client that reads nothing of its answer."""

import socket

import pytest

from app.serving.web_process import port


def test_a_client_that_reads_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "UNREAD_SECONDS", 1)
    with port.open_port("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        served, _ = listener.accept()
        with served, pytest.raises(TimeoutError):
            served.sendall(bytes(100_000_000))
