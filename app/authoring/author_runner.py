"""The runner that the author's commands use: one that serves already, or one of their own."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from app.runner.client import Runner
from app.runner.local import local_runner
from app.runner.socket_runner import SocketRunner
from app.settings import PREFIX, Settings

LOG_LEVEL = f"{PREFIX}LOG_LEVEL"


@asynccontextmanager
async def author_runner(settings: Settings) -> AsyncIterator[Runner]:
    """The runner whose socket the settings name, if one listens there; else one of its own. Raises RunnerUnavailable."""
    if settings.runner_socket is not None and settings.runner_socket.is_socket():
        async with SocketRunner(settings.runner_socket) as runner:
            yield runner
    else:
        with _quiet_runner():
            async with local_runner() as runner:
                yield runner


@contextmanager
def _quiet_runner() -> Iterator[None]:
    """The runner is a child with our environment: unless asked to, it does not log every run between our lines."""
    is_set = LOG_LEVEL in os.environ
    os.environ.setdefault(LOG_LEVEL, "warning")
    try:
        yield
    finally:
        if not is_set:
            del os.environ[LOG_LEVEL]
