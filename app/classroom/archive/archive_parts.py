"""Divides the lessons of an archive into small parts.

Each part is merged in a transaction of its own, so that other changes can be made between two parts.
"""

from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from app.classroom.archive.archive_format import ArchivedAttempt, ArchivedDraft, ArchivedExercise, ArchivedLesson
from app.classroom.work.learners import ROW_BYTES, size_of

PART_ROWS = 200
PART_BYTES = 512 * 1024  # of texts. A cell with its earlier texts is not divided, and may have 3 MiB


class ArchivePart(msgspec.Struct, kw_only=True):
    """A part of the lesson `path` of an archive. `rows` and `bytes` are its size.

    `continued` is an exercise that began in an earlier part. That part has its standing; this part has only more of its attempts.
    """

    path: str
    lesson: ArchivedLesson = msgspec.field(default_factory=ArchivedLesson)
    continued: str | None = None
    rows: int = 0
    bytes: int = 0


Put = Callable[[ArchivePart], None]
Unit = tuple[int, int, Put]  # something that is not divided: its rows, its bytes, and a function that adds it to a part


def divide_lesson(path: str, lesson: ArchivedLesson) -> Iterator[ArchivePart]:
    """Iterate over parts of at most PART_ROWS and PART_BYTES. A cell with its earlier texts is not divided, so a part may be larger."""
    part = ArchivePart(path=path)
    for rows, size, put in list_units(lesson):
        if part.rows and (part.rows + rows > PART_ROWS or part.bytes + size > PART_BYTES):
            yield part
            part = ArchivePart(path=path)
        put(part)
        part.rows += rows
        part.bytes += size
    if part.rows:
        yield part


def list_units(lesson: ArchivedLesson) -> Iterator[Unit]:
    for name, at_ms in lesson.cells.items():
        yield 1, ROW_BYTES, partial(put_into, "cells", name, at_ms)
    for name, prediction in lesson.predictions.items():
        yield 1, 2 * ROW_BYTES, partial(put_into, "predictions", name, prediction)
    for name, exercise in lesson.exercises.items():
        yield 1, ROW_BYTES, partial(put_into, "exercises", name, msgspec.structs.replace(exercise, attempts=[]))
        for attempt in exercise.attempts:
            yield 1, size_of(attempt.source) + len(bytes(attempt.verdict)), partial(put_attempt, name, attempt)
    for name, draft in lesson.drafts.items():
        yield 1 + len(draft.versions), size_of_draft(draft), partial(put_into, "drafts", name, draft)


def put_into(kind: str, name: str, value: object, part: ArchivePart) -> None:
    getattr(part.lesson, kind)[name] = value


def put_attempt(exercise: str, attempt: ArchivedAttempt, part: ArchivePart) -> None:
    if exercise not in part.lesson.exercises:
        part.lesson.exercises[exercise] = ArchivedExercise()
        part.continued = exercise
    part.lesson.exercises[exercise].attempts.append(attempt)


def size_of_draft(draft: ArchivedDraft) -> int:
    """Return how many bytes a draft and its earlier texts count against the learner's limit."""
    texts = [version.source for version in draft.versions]
    return sum(map(size_of, texts)) + (size_of(draft.draft.source) if draft.draft else 0)
