"""What is kept although nobody waits for it: predictions, solutions that were shown, visits. It is enqueued for the store."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import partial
from typing import Any

import structlog
from sqlalchemy import Connection

from app.classroom import attempts, learners, predictions
from app.classroom.database import Database
from app.classroom.store_faults import StoreFault
from app.web.announcements import Announcement, Predicted, SolutionShown

VISIT_MS = 24 * 60 * 60 * 1000  # a learner's visits are noted once in so long

log = structlog.get_logger()


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def tell_time(at_ms: int) -> str:
    """Such a time as ISO 8601, in UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Keeper:
    """Enqueues it. Of who has no cookie nothing is kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, announcement: Announcement) -> None:
        """Subscribes to what is announced."""
        match announcement:
            case Predicted(principal=principal) if principal.learner is not None:
                keep = partial(predictions.keep_prediction, learner=principal.learner, now_ms=now_ms())
                keep = partial(keep, lesson=announcement.lesson, prediction=announcement.prediction, about=announcement.about)
                self._enqueue(partial(keep, answer=announcement.answer, right=announcement.right))
            case SolutionShown(principal=principal) if principal.learner is not None:
                note = partial(attempts.note_solution, learner=principal.learner, now_ms=now_ms())
                self._enqueue(partial(note, lesson=announcement.lesson, exercise=announcement.exercise))

    def note_visit(self, learner: str, seen_ms: int | None) -> None:
        """A learner is here, who was seen last at `seen_ms`; None: nothing is kept of it."""
        now = now_ms()
        if seen_ms is not None and now - seen_ms > VISIT_MS:
            self._enqueue(lambda connection: learners.note_visit(connection, learner, now))

    def _enqueue(self, change: Callable[[Connection], Any]) -> None:
        self._database.enqueue(change).add_done_callback(log_failure)


def log_failure(done: Future[Any]) -> None:
    """A fault of the store is logged by the store."""
    error = done.exception()
    if error is not None and not isinstance(error, StoreFault):
        log.error("keeping_failed", exc_info=error)
