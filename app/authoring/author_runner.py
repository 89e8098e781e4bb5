"""The runner that an author's command uses: one that is already running, or else one that the command starts."""

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
    """Yield a client of the runner whose socket the settings name. If there is no such socket, start a runner.

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
    """While the context lasts, make runners log only warnings, unless the environment sets another log level."""
    is_set = LOG_LEVEL in os.environ
    os.environ.setdefault(LOG_LEVEL, "warning")
    try:
        yield
    finally:
        if not is_set:
            del os.environ[LOG_LEVEL]
