"""The runner that the author's commands use: one that is already running, or one of their own."""

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
    """Yield a client of the runner whose socket the settings name if there is such a socket, else of a runner that is started here.

    Raises RunnerUnavailable.
    """
    if settings.runner_socket is not None and settings.runner_socket.is_socket():
        async with SocketRunner(settings.runner_socket) as runner:
            yield runner
    else:
        with _quiet_runner():
            async with local_runner() as runner:
                yield runner


@contextmanager
def _quiet_runner() -> Iterator[None]:
    """Set the log level of the runner that is started here to "warning", unless the environment sets one."""
    is_set = LOG_LEVEL in os.environ
    os.environ.setdefault(LOG_LEVEL, "warning")
    try:
        yield
    finally:
        if not is_set:
            del os.environ[LOG_LEVEL]
