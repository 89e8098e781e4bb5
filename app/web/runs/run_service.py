"""Every run that is asked for over HTTP: it becomes an order, the runner accepts it, its events are followed, its end is announced."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Literal, Protocol, get_args

import msgspec

from app.grading.grade_order import make_grade_order
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.protocol.event import Failed
from app.protocol.event_frame import DECODERS, EventFrame
from app.protocol.run import Lang, RunOrder
from app.runner.client import (
    QueueCap,
    QueueFull,
    RunBroken,
    RunLost,
    Runner,
    RunnerError,
    RunnerUnavailable,
    RunStream,
    RuntimeAbsent,
    decode,
)
from app.settings import Settings
from app.web.announcements import Announcer, RunEnded, RunEnding
from app.web.guards.sessions import Principal
from app.web.runs.order import make_order
from app.web.runs.recorded_runs import find_recorded
from app.web.runs.run_request import RunRequest

FAILURES: dict[str, type[RunnerError]] = {"unavailable": RunnerUnavailable, "lost": RunLost}  # by the code of Failed; else RunBroken
QUEUE_RETRY_SECONDS = 5


class FollowedRun(Protocol):
    """The events of a run as a client gets them, followed once. `answers_with`: the name of the last, whose data is the answer as JSON.

    `lang` is the client's. `fail` says that the client was told of a fault of ours.
    """

    id: str
    lang: Lang
    answers_with: str

    def __aiter__(self) -> AsyncIterator[EventFrame]: ...
    def fail(self) -> None: ...


class AcceptedRun:
    """A run that the runner has accepted. `answers_with` is its last event: `result`, or `verdict` if it is graded."""

    def __init__(self, stream: RunStream, lang: Lang, answers_with: Literal["result", "verdict"]) -> None:
        self.id, self.lang = stream.run_id, lang
        self.answers_with: str = answers_with
        self.ending: RunEnding = "abandoned"
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        """The events. The run has ended so only for who asks on after the last: its client then has it all.

        Raises RunnerError when the fault is ours.
        """
        outcome = None
        try:
            frames = self._stream.frames()
            async for frame in frames:
                if frame.kind == "error":
                    raise make_error(decode(await frame.whole(), DECODERS["error"]))
                yield frame
                outcome = frame.outcome or outcome
                if frame.kind == self.answers_with and outcome is not None:
                    self.ending = outcome
                    await anext(frames, None)  # to its end, so that the connection can be used again
                    return
            raise RunLost("the runner left the run unfinished")
        except Exception:
            self.fail()
            raise

    def fail(self) -> None:
        self.ending = "failed"


def make_error(failed: Failed) -> RunnerError:
    """What the runner's words on a run that it did not bring to an end mean."""
    for cap in get_args(QueueCap):
        if (failed.code, failed.message) == ("queue_full", cap):
            return QueueFull(cap, QUEUE_RETRY_SECONDS)
    return FAILURES.get(failed.code, RunBroken)(failed.message)


class RunService:
    """Starts and stops runs, graded ones too, and announces the end of every run that was accepted."""

    def __init__(self, runner: Runner, catalogue: Catalogue, settings: Settings, announcer: Announcer, *, unconfined: bool = False) -> None:
        self._runner, self._catalogue, self._settings = runner, catalogue, settings
        self._announcer, self._unconfined = announcer, unconfined

    @asynccontextmanager
    async def start(self, request: RunRequest, principal: Principal, lang: Lang) -> AsyncIterator[FollowedRun]:
        """The run, accepted; leaving the context kills it if it is not over. Raises ApiError and RunnerError if it is not accepted.

        Where the runtime is not installed, it is what the lesson has recorded, if it has; then nothing is run, nor announced.
        """
        order = make_order(request, self._catalogue, self._settings.limits, self._settings.lesson_factor)
        order = self._count_for(order, principal, lang)
        async with AsyncExitStack() as stack:
            try:
                stream = await stack.enter_async_context(self._runner.run(order))
            except RuntimeAbsent as error:
                recorded = find_recorded(request, order, self._catalogue, error.absence)
                if recorded is None:
                    raise
                run: FollowedRun = recorded
            else:
                run = await stack.enter_async_context(self._follow(stream, "result", order, principal, request.lesson))
            yield run

    @asynccontextmanager
    async def grade(
        self, lesson: Lesson, exercise: Exercise, source: str, seed: int, principal: Principal, lang: Lang
    ) -> AsyncIterator[AcceptedRun]:
        """The same for a submission: its run, whose last event is the verdict."""
        order = make_grade_order(lesson, exercise, source, self._settings.limits, self._settings.lesson_factor, seed=seed)
        order = msgspec.structs.replace(order, run=self._count_for(order.run, principal, lang))
        async with self._runner.grade(order) as stream, self._follow(stream, "verdict", order.run, principal, lesson.path) as run:
            yield run

    async def stop(self, run_id: str, principal: Principal) -> bool:
        """Stops a run; False if it is over, unknown or somebody else's. Raises RunnerError."""
        return await self._runner.stop(run_id, principal.counts_as)

    def _count_for(self, order: RunOrder, principal: Principal, lang: Lang) -> RunOrder:
        counted = {"learner": principal.counts_as, "address": principal.address, "lang": lang, "unconfined": self._unconfined}
        return msgspec.structs.replace(order, **counted)

    @asynccontextmanager
    async def _follow(
        self, stream: RunStream, last: Literal["result", "verdict"], order: RunOrder, principal: Principal, lesson: str | None
    ) -> AsyncIterator[AcceptedRun]:
        run = AcceptedRun(stream, order.lang, last)
        try:
            yield run
        finally:
            self._announcer.tell(RunEnded(principal=principal, lesson=lesson, order=order, run_id=run.id, ending=run.ending))
