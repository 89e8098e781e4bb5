"""What web and the author's tools know of the runner; app.runner.socket_runner is the way to it.

RunnerError
├── RunnerUnavailable    it could not be reached, or did not accept the run; sending it again may help
├── RunLost              the run was accepted, then the runner, its connection or its child died
├── RunBroken            the runner accepted the run and failed at it; its log says how
├── QueueFull            a queue cap is reached; `retry_after_seconds` says when to come back
├── RunnerUnconfined     it has no sandbox, and the order does not agree to that
├── RuntimeAbsent        the order's runtime is not installed there
└── RunnerIncompatible   it and this client do not understand each other: they are of two versions
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol, TypeVar

import msgspec

from app.protocol.event import RunEvent
from app.protocol.event_frame import EventFrame
from app.protocol.grading import GradeOrder
from app.protocol.run import RunOrder
from app.protocol.sandbox import RunnerStatus

QueueCap = Literal["learner", "address", "overall", "memory"]
Answer = TypeVar("Answer")


class RunnerError(Exception):
    """The runner did not take a run, or did not bring it to an end."""


class RunnerUnavailable(RunnerError):
    """The runner could not be reached, or did not accept the run."""


class RunLost(RunnerError):
    """The run was accepted and has no result: the runner, its connection or the run's child died."""


class RunBroken(RunnerError):
    """The runner accepted the run and failed at it."""


class RunnerUnconfined(RunnerError):
    """The runner has no sandbox, and the order does not agree to that."""


class RunnerIncompatible(RunnerError):
    """The runner refused a request of ours as wrong, or answered what we cannot read."""


class QueueFull(RunnerError):
    """A queue cap is reached: this learner's, this address's, or the one for all; or the run's memory was wanted by others (`memory`)."""

    def __init__(self, reason: QueueCap, retry_after_seconds: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after_seconds = retry_after_seconds


class Refusal(msgspec.Struct):
    """The body of the runner's 429."""

    reason: QueueCap
    retry_after_seconds: int


class RuntimeAbsence(msgspec.Struct):
    """The body of the runner's 404. `extra`: the project's extra that installs the runtime."""

    runtime: str
    installed: list[str]
    extra: str | None


class RuntimeAbsent(RunnerError):
    """The order's runtime is not installed there."""

    def __init__(self, absence: RuntimeAbsence) -> None:
        super().__init__(f"the runtime {absence.runtime} is not installed")
        self.absence = absence


class RunStream(Protocol):
    """The events of one run, in order; the last is a `RunResult`, or for a submission a `Verdict`, or `Failed`.

    Iterating raises RunLost if they break off, and RunnerIncompatible.
    They are followed once: decoded by iterating, or as bytes with `frames`, of which no more is read than is taken. Who follows them to
    the end, beyond the last, lets the connection be used again.
    """

    @property
    def run_id(self) -> str: ...
    def __aiter__(self) -> AsyncIterator[RunEvent]: ...
    def frames(self) -> AsyncIterator[EventFrame]: ...


class Runner(Protocol):
    """What executes programs. Leaving the context of `run` or `grade` kills a run that is not over.

    `stop` stops a run that was ordered for this learner, who is an address where there is no cookie; False if there is no such run.
    """

    def run(self, order: RunOrder) -> AbstractAsyncContextManager[RunStream]: ...
    def grade(self, order: GradeOrder) -> AbstractAsyncContextManager[RunStream]: ...
    async def stop(self, run_id: str, learner: str = "") -> bool: ...
    async def status(self) -> RunnerStatus: ...
    async def metrics(self) -> str: ...
    async def close(self) -> None: ...


def decode(data: bytes, decoder: "msgspec.json.Decoder[Answer]") -> Answer:
    """What the runner said; raises RunnerIncompatible for what cannot be read."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunnerIncompatible(f"the runner's answer cannot be read: {error}") from error
