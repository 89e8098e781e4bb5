"""Prepares the process in which the tests run."""

import threading

import pytest


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the threads that other tests have started, as in a child."""
    monkeypatch.setattr("app.runtimes.torch.calls.autograd_use._threads", lambda: [threading.current_thread()])
