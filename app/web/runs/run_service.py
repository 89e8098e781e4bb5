"""Runs that are requested over HTTP: turns requests into orders for the runner, and follows the runs to their end."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import msgspec
import structlog

from app.grading.grade_order import make_grade_order
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.locale.messages import mark
from app.protocol.event import Failed
from app.protocol.event_frame import DECODERS, EventFrame
from app.protocol.instrument_facts import DOCTOR
from app.protocol.outcome import Outcome
from app.protocol.run import Lang, Program, RunOrder, Source, TraceOrder
from app.runner.client import (
    QueueCap,
    QueueFull,
    RunBroken,
    RunGaveWay,
    RunLost,
    Runner,
    RunnerError,
    RunnerUnavailable,
    RunStream,
    RuntimeAbsent,
    RunUntraceable,
    decode,
)
from app.settings import Settings
from app.web.guards.principal import Principal
from app.web.http.errors import Missing
from app.web.runs.order import make_order
from app.web.runs.recorded_runs import find_recorded
from app.web.runs.run_request import RunRequest

FAILURES: dict[str, type[RunnerError]] = {  # by the code of Failed; for all others RunBroken
    "unavailable": RunnerUnavailable,
    "lost": RunLost,
    "gave_way": RunGaveWay,
}
QUEUE_RETRY_SECONDS = 5
READING_SECONDS = 0.1  # the deadline for reading a program that is not executed
RunEnding = Outcome | Literal["abandoned", "failed"]

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class RunEnded:
    """The end of a run that the runner had accepted. `lesson` is the path of its lesson, if it has one.

    `ending` is the run's outcome, "abandoned" if its client left before the end, or "failed" if a fault of ours ended it.
    """

    principal: Principal
    lesson: str | None
    order: RunOrder
    run_id: str
    ending: RunEnding


class FollowedRun(Protocol):
    """A run whose events are sent to a client. The events can be iterated over only once.

    `answers_with` is the kind of the last event. The data of that event is the answer as JSON. `lang` is the client's language.
    """

    id: str
    lang: Lang
    answers_with: str

    def __aiter__(self) -> AsyncIterator[EventFrame]: ...
    def fail(self) -> None:
        """Record that a fault of ours ended the run. The caller reports it to the client."""


class AcceptedRun:
    """A run that the runner has accepted. Its last event is `result`, or `verdict` if it is graded."""

    def __init__(self, stream: RunStream, lang: Lang, answers_with: Literal["result", "verdict"]) -> None:
        self.id, self.lang = stream.run_id, lang
        self.answers_with: str = answers_with
        self.ending: RunEnding = "abandoned"
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        """Iterate over the events. Raises RunnerError for a fault of ours.

        The run's outcome becomes its `ending` when the caller asks for an event after the last one. Only then has the client got all
        events.
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
                    await anext(frames, None)  # read to the end, so that the connection to the runner can be used again
                    return
            raise RunLost("the runner left the run unfinished")
        except Exception:
            self.fail()
            raise

    def fail(self) -> None:
        self.ending = "failed"


def make_error(failed: Failed) -> RunnerError:
    """Return the exception for the runner's report that it could not finish a run."""
    for cap in get_args(QueueCap):
        if (failed.code, failed.message) == ("queue_full", cap):
            return QueueFull(cap, QUEUE_RETRY_SECONDS)
    return FAILURES.get(failed.code, RunBroken)(failed.message)


class RunService:
    """Starts, grades and stops runs.

    Each of `subscribers` is called with the end of every accepted run, in the context of the request. A subscriber must not block. The end
    of a second run is not published, because it is not a run that the learner made.
    """

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
    async def start(self, request: RunRequest, principal: Principal, lang: Lang) -> AsyncIterator[FollowedRun]:
        """Start a run, and yield it once the runner has accepted it. Leaving the context kills an unfinished run.

        If the runtime is not installed and the lesson has a recorded result, that result is yielded in place of a run. Raises ApiError or
        RunnerError if the run is not accepted.
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
    async def trace(self, run_id: str, principal: Principal) -> AsyncIterator[AcceptedRun]:
        """Run the program of one of the learner's last runs again, traced and in the background, and yield the run like `start`.

        A run can be traced only once. Raises Missing if there is no such run, or its runtime has no instrument that traces. Raises
        RunnerError if the second run is not accepted: RunGaveWay if another run needs the place.
        """
        order = TraceOrder(run_id=run_id, learner=principal.counts_as, address=principal.address, unconfined=self._unconfined)
        async with AsyncExitStack() as stack:
            try:
                stream = await stack.enter_async_context(self._runner.trace(order))
            except RunUntraceable:
                raise Missing("no_such_run", mark("You have no such run that can be traced, or it has been traced already.")) from None
            yield AcceptedRun(stream, stream.lang, "result")

    @asynccontextmanager
    async def read(self, source: str, principal: Principal, lang: Lang) -> AsyncIterator[AcceptedRun]:
        """Let the doctor read a program that is not executed, in the background, and yield the run like `start`.

        Raises RunnerError if it is not accepted: RunGaveWay if another run needs the place.
        """
        program = Program(source=Source(text=source), instruments=[DOCTOR.name], executed=False)
        limits = msgspec.structs.replace(self._settings.limits, deadline_seconds=READING_SECONDS)
        order = self._count_for(RunOrder(program=program, limits=limits, background=True), principal, lang)
        async with self._runner.run(order) as stream:
            yield AcceptedRun(stream, order.lang, "result")

    async def forget(self, learner: str) -> None:
        """Make the runner forget the learner's runs. Does nothing if the runner cannot be reached, because it has lost them, too."""
        with suppress(RunnerError):
            await self._runner.forget(learner)

    @asynccontextmanager
    async def grade(
        self, lesson: Lesson, exercise: Exercise, source: str, seed: int, principal: Principal, lang: Lang
    ) -> AsyncIterator[AcceptedRun]:
        """Start the graded run of a submission, and yield it like `start`. Its last event is the verdict."""
        order = make_grade_order(lesson, exercise, source, self._settings.limits, self._settings.lesson_factor, seed=seed)
        order = msgspec.structs.replace(order, run=self._count_for(order.run, principal, lang))
        async with self._runner.grade(order) as stream, self._follow(stream, "verdict", order.run, principal, lesson.path) as run:
            yield run

    async def stop(self, run_id: str, principal: Principal) -> bool:
        """Stop a run. Return False if it has ended, is unknown, or belongs to another learner. Raises RunnerError."""
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
            self._publish(RunEnded(principal=principal, lesson=lesson, order=order, run_id=run.id, ending=run.ending))

    def _publish(self, ended: RunEnded) -> None:
        for subscriber in self._subscribers:
            try:
                subscriber(ended)
            except Exception:  # the run itself did not fail
                log.exception("subscriber_failed")
