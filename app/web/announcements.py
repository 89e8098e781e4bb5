"""What happened, as typed events that the log, the counts and whoever else wants to know subscribe to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import structlog

from app.grading.submission_answer import SubmissionAnswer
from app.protocol.grading import Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunOrder
from app.web.guards.sessions import Principal

RunEnding = Outcome | Literal["abandoned", "failed"]

log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class RunEnded:
    """A run is over. `ending` is its outcome; `abandoned` if the client left first, `failed` through a fault of ours."""

    principal: Principal
    lesson: str | None
    order: RunOrder
    run_id: str
    ending: RunEnding


@dataclass(frozen=True, kw_only=True)
class Submitted:
    """A submission has its verdict. `lesson` is its path; `source_sha256` is of the source as UTF-8; `key` is its Idempotency-Key; `answer`
    is what the learner is told, with the receipt if it is kept.

    An answer that is given again for the same Idempotency-Key is not announced again.
    """

    principal: Principal
    lesson: str
    exercise: str
    run_id: str
    key: str | None
    source: str
    source_sha256: str
    seed: int
    verdict: Verdict
    answer: SubmissionAnswer


@dataclass(frozen=True, kw_only=True)
class SolutionShown:
    """A learner asked for the solution of an exercise, and was given it."""

    principal: Principal
    lesson: str
    exercise: str


@dataclass(frozen=True, kw_only=True)
class Predicted:
    """A prediction was answered. `about` is a hash of what was asked; `answer` is JSON, "null" if none was given; then `right` is None."""

    principal: Principal
    lesson: str
    prediction: str
    about: str
    answer: str
    right: bool | None


Announcement = RunEnded | Submitted | SolutionShown | Predicted


class Announcer:
    """Each of `subscribers` is told of everything, in order; it must not wait for anything."""

    def __init__(self, subscribers: Sequence[Callable[[Announcement], None]]) -> None:
        self._subscribers = subscribers

    def tell(self, announcement: Announcement) -> None:
        for subscriber in self._subscribers:
            try:
                subscriber(announcement)
            except Exception:  # a fault of a subscriber's is not what happened
                log.exception("subscriber_failed", announcement=type(announcement).__name__)


def log_solution(announcement: Announcement) -> None:
    """One line for each solution that was shown; to whom is kept in the store, and in no log."""
    if isinstance(announcement, SolutionShown):
        log.info("solution_shown", lesson=announcement.lesson, exercise=announcement.exercise)
