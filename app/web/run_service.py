"""Every run that is asked for over HTTP: it becomes an order, the runner accepts it, its events are followed, its end is announced."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal, get_args

import msgspec
import structlog

from app.lessons.catalogue import Catalogue
from app.protocol.event import Failed
from app.protocol.outcome import Outcome
from app.protocol.run import Lang, RunOrder
from app.runner.client import QueueCap, QueueFull, RunBroken, RunLost, Runner, RunnerError, RunnerUnavailable, RunStream, decode
from app.runner.event_bytes import BrokenOff, EventBytes
from app.settings import Settings
from app.web.order import make_order
from app.web.run_request import RunRequest
from app.web.sessions import Principal

RunEnding = Outcome | Literal["abandoned", "failed"]
FAILURES: dict[str, type[RunnerError]] = {"unavailable": RunnerUnavailable, "lost": RunLost}  # by the code of Failed; else RunBroken
QUEUE_RETRY_SECONDS = 5

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class RunEnded:
    """A run is over. `ending` is its outcome; `abandoned` if the client left first, `failed` through a fault of ours."""

    principal: Principal
    lesson: str | None
    order: RunOrder
    run_id: str
    ending: RunEnding


class AcceptedRun:
    """A run that the runner has accepted. Its events are followed once."""

    def __init__(self, stream: RunStream, lang: Lang) -> None:
        self.id, self.lang = stream.run_id, lang
        self.ending: RunEnding = "abandoned"
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[EventBytes]:
        """The events, the last of which is the `result`. The run has ended so only for who asks on after it: its client then has it all.

        Raises RunnerError when the fault is ours.
        """
        try:
            events = self._stream.encoded()
            async for event in events:
                if event.name == "error":
                    failed = decode(b'{"event":"error",' + (await event.whole())[1:], msgspec.json.Decoder(Failed))
                    raise make_error(failed)
                yield event
                if event.outcome is not None:
                    self.ending = event.outcome
                    await anext(events, None)  # to its end, so that the connection can be used again
                    return
            raise RunLost("the runner left the run unfinished")
        except BrokenOff:
            self.ending = "failed"
            raise RunLost("the runner went away in mid-run") from None
        except Exception:
            self.ending = "failed"
            raise


def make_error(failed: Failed) -> RunnerError:
    """What the runner's words on a run that it did not bring to an end mean."""
    for cap in get_args(QueueCap):
        if (failed.code, failed.message) == ("queue_full", cap):
            return QueueFull(cap, QUEUE_RETRY_SECONDS)
    return FAILURES.get(failed.code, RunBroken)(failed.message)


class RunService:
    """Starts and stops runs. Each of `subscribers` is told of every accepted run's end; it must not wait for anything."""

    def __init__(
        self,
        runner: Runner,
        catalogue: Catalogue,
        settings: Settings,
        subscribers: Sequence[Callable[[RunEnded], None]] = (),
        *,
        unconfined: bool = False,
    ) -> None:
        self._runner, self._catalogue, self._settings = runner, catalogue, settings
        self._subscribers, self._unconfined = subscribers, unconfined

    @asynccontextmanager
    async def start(self, request: RunRequest, principal: Principal, lang: Lang) -> AsyncIterator[AcceptedRun]:
        """The run, accepted; leaving the context kills it if it is not over. Raises ApiError and RunnerError if it is not accepted."""
        order = make_order(request, self._catalogue, self._settings.limits, self._settings.lesson_factor)
        counted = {"learner": principal.counts_as, "address": principal.address, "lang": lang, "unconfined": self._unconfined}
        order = msgspec.structs.replace(order, **counted)
        async with self._runner.run(order) as stream:
            run = AcceptedRun(stream, lang)
            try:
                yield run
            finally:
                self._announce(RunEnded(principal=principal, lesson=request.lesson, order=order, run_id=run.id, ending=run.ending))

    async def stop(self, run_id: str, principal: Principal) -> bool:
        """Stops a run; False if it is over, unknown or somebody else's. Raises RunnerError."""
        return await self._runner.stop(run_id, principal.counts_as)

    def _announce(self, ended: RunEnded) -> None:
        for tell in self._subscribers:
            try:
                tell(ended)
            except Exception:  # a fault of a subscriber's is not the run's
                log.exception("subscriber_failed", run_id=ended.run_id)
