"""The runner that an author's command uses: one that is already running, or else one that the command starts. Waits for what it runs."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import TypeVar

from app.protocol.event import Failed
from app.protocol.grading import Verdict
from app.protocol.run import RunResult
from app.runner.client import Runner, RunStream
from app.runner.local import local_runner
from app.runner.socket_runner import SocketRunner
from app.settings import PREFIX, Settings

LOG_LEVEL = f"{PREFIX}LOG_LEVEL"
Last = TypeVar("Last", RunResult, Verdict)


class CheckError(Exception):
    """The sandbox failed. The lesson may still be right."""


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


async def wait_for_last(stream: AbstractAsyncContextManager[RunStream], last: type[Last]) -> Last:
    """Return the result of a run or the verdict of a grading: the last event, of the type `last`. Raises CheckError and RunnerError."""
    async with stream as events:
        async for event in events:
            if isinstance(event, last):
                return event
            if isinstance(event, Failed):
                raise CheckError(event.message)
    raise CheckError("the run ended without a result" if last is RunResult else "the grading ended without a verdict")
