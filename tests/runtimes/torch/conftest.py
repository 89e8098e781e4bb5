"""What these tests need of the process that they run in."""

import threading

import pytest


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a child: threads that other tests have begun are none of the program's."""
    monkeypatch.setattr("app.runtimes.torch.calls.other_threads._threads", lambda: [threading.current_thread()])
