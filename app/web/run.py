"""One run as web sees it: begun at the runner, begun anew if the runner is lost too early, killed when nobody waits for it."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

from starlette.types import Receive

from app.protocol.event import Ended, Failed, RunEvent
from app.protocol.run import RunOrder, RunResult
from app.runner.client import Runner, RunnerUnavailable, RunStream
from app.web.errors import RunFailed

FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 0.5

Result = TypeVar("Result")


class ClientGone(Exception):
    """The client closed the connection; there is nobody left to answer."""


class Run:
    """A run and its events; leaving the context kills it if it is not over.

    A runner that is out of reach is tried again for `patience_seconds`. A run that is lost with its runner begins
    anew, once, as long as `sent` is false: whoever passes its events on sets it.
    """

    def __init__(self, runner: Runner, order: RunOrder, patience_seconds: float) -> None:
        self.sent = False
        self._runner, self._order, self._patience_seconds = runner, order, patience_seconds
        self._context = AsyncExitStack()
        self._stream: RunStream

    @property
    def id(self) -> str:
        return self._stream.run_id

    async def __aenter__(self) -> Self:
        await self._begin()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._context.aclose()

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        """The events, the last of which is Ended or Failed; raises RunnerUnavailable for a run that is lost."""
        try:
            async for event in self._events():
                yield event
            return
        except RunnerUnavailable:
            if self.sent:
                raise
        await self._context.aclose()
        await self._begin()
        async for event in self._events():
            yield event

    async def result(self) -> RunResult:
        """The result alone; raises RunFailed and RunnerUnavailable."""
        async for event in self:
            if isinstance(event, Failed):
                raise RunFailed(event)
            if isinstance(event, Ended):
                return event.result
        raise AssertionError("the events of a run end with Ended or Failed")

    async def _events(self) -> AsyncIterator[RunEvent]:
        async for event in self._stream:
            yield event
            if isinstance(event, Ended | Failed):
                return
        raise RunnerUnavailable("the runner left the run unfinished")

    async def _begin(self) -> None:
        give_up = time.monotonic() + self._patience_seconds
        pause_seconds = FIRST_PAUSE_SECONDS
        while True:
            try:
                self._stream = await self._context.enter_async_context(self._runner.run(self._order))
                return
            except RunnerUnavailable:
                if time.monotonic() + pause_seconds > give_up:
                    raise
            await asyncio.sleep(pause_seconds)
            pause_seconds = min(2 * pause_seconds, LONGEST_PAUSE_SECONDS)


async def while_connected(receive: Receive, work: Coroutine[Any, Any, Result]) -> Result:
    """What `work` gives; it is cancelled and ClientGone raised as soon as the client goes away. The request has been read."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(disconnected(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientGone
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def disconnected(receive: Receive) -> None:
    """Returns when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
