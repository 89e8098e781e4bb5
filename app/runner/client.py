"""The interface of the runner for web and the author's tools; app.runner.socket_runner implements it.

The runner refuses an order with one of these errors, too: app.runner.server makes an answer of it, and app.runner.socket_runner the error
again.

RunnerError
├── RunnerUnavailable    the runner could not be reached, or is about to end; sending the run again may help
├── RunLost              the run was accepted, then the runner, its connection or its child died
├── RunBroken            the runner accepted the run and failed at it; its log says how
├── QueueFull            a queue cap is reached; `retry_after_seconds` says when to come back
├── RunGaveWay           a background run was not begun, or was ended, because another run needed its place
├── RunnerUnconfined     the runner has no sandbox, and the order does not agree to that
├── RunUntraceable       the learner has no such run that can be run again, or it was run again already
├── RuntimeAbsent        the runner does not have the order's runtime installed
└── RunnerIncompatible   the runner and this client are of different versions and cannot read each other's messages
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol, TypeVar

import msgspec

from app.protocol.event import RunEvent
from app.protocol.event_frame import EventFrame
from app.protocol.grading import GradeOrder
from app.protocol.run import Lang, RunOrder, TraceOrder
from app.protocol.sandbox import RunnerStatus

QueueCap = Literal["learner", "address", "overall", "memory"]
Answer = TypeVar("Answer")
LANG_HEADER = "x-run-lang"
RETRY_SECONDS = 5


class RunnerError(Exception):
    """The runner did not accept a run, or did not finish it."""


class RunnerUnavailable(RunnerError):
    """The runner could not be reached, or did not accept the run."""


class RunLost(RunnerError):
    """The run was accepted and has no result: the runner, its connection or the run's child died."""


class RunBroken(RunnerError):
    """The runner accepted the run and failed at it."""


class RunGaveWay(RunnerError):
    """A background run was not begun, or was ended, because another run needed its place or its memory."""

    reason = "gave_way"


class RunnerUnconfined(RunnerError):
    """The runner has no sandbox, and the order does not agree to that."""


class RunnerIncompatible(RunnerError):
    """The runner refused a request of ours as invalid, or its answer cannot be read."""


class QueueFull(RunnerError):
    """A cap of the queue was reached, or the run was ended because others waited for its memory. `reason` says which."""

    def __init__(self, reason: QueueCap, retry_after_seconds: int = RETRY_SECONDS) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after_seconds = retry_after_seconds


class RunUntraceable(RunnerError):
    """The learner has no such run that can be traced, or it has been traced already."""


class Refusal(msgspec.Struct):
    """The body of the runner's answer with status 429, too many requests."""

    reason: QueueCap
    retry_after_seconds: int


class RuntimeAbsence(msgspec.Struct):
    """The body of the runner's answer with status 404. `extra`: the project's extra that installs the runtime."""

    runtime: str
    installed: list[str]
    extra: str | None


class RuntimeAbsent(RunnerError):
    """The runner does not have the order's runtime installed."""

    def __init__(self, absence: RuntimeAbsence) -> None:
        super().__init__(f"the runtime {absence.runtime} is not installed")
        self.absence = absence


class RunStream(Protocol):
    """The events of one run, in order; the last is a `RunResult`, or for a submission a `Verdict`, or `Failed`.

    Read them once. Iterate to get decoded events, or use `frames` to get bytes, which are read only as fast as the caller takes them. Both
    raise RunLost if the stream ends early, and RunnerIncompatible. Read the stream to its end, so that its connection can be used again.
    """

    @property
    def run_id(self) -> str: ...
    @property
    def lang(self) -> Lang: ...
    def __aiter__(self) -> AsyncIterator[RunEvent]: ...
    def frames(self) -> AsyncIterator[EventFrame]: ...


class Runner(Protocol):
    """Executes programs. Leaving the context of `run`, `grade` or `trace` kills a run that is not over.

    `trace` runs the program of one of the learner's last runs again, in the background. It raises RunUntraceable if there is no such run.
    `forget` removes what is in memory of the learner's last runs.
    `stop` stops a run of this learner, and returns False if there is no such run. For a client without a cookie, `learner` is its address.
    """

    def run(self, order: RunOrder) -> AbstractAsyncContextManager[RunStream]: ...
    def grade(self, order: GradeOrder) -> AbstractAsyncContextManager[RunStream]: ...
    def trace(self, order: TraceOrder) -> AbstractAsyncContextManager[RunStream]: ...
    async def forget(self, learner: str) -> None: ...
    async def stop(self, run_id: str, learner: str = "") -> bool: ...
    async def status(self) -> RunnerStatus: ...
    async def metrics(self) -> str: ...
    async def close(self) -> None: ...


def decode(data: bytes, decoder: "msgspec.json.Decoder[Answer]") -> Answer:
    """Decode what the runner sent. Raises RunnerIncompatible for what cannot be decoded."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunnerIncompatible(f"the runner's answer cannot be read: {error}") from error
