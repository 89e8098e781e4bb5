"""Graded submissions. Each is stored with its verdict before its receipt is sent. An Idempotency-Key belongs to one submission.

The answer to a submission is stored for a day too, so that a client that sends the same key again gets the same answer.
"""

import zlib
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, select

from app.classroom.store.schema.tables import AttemptRow, StoredAnswerRow
from app.classroom.store.stored_work_types import KeyUsed, NewAttempt, StoredAttempt
from app.classroom.store.times import DAY_MS, format_time
from app.classroom.work.learners import id_of, size_of, update_learner
from app.classroom.work.standings import update_standing
from app.protocol.grading import Receipt

MOST_LISTED = 200
MOST_ANSWERS = 50  # of a learner
MOST_ANSWER_BYTES = 4 * 1024 * 1024  # of a learner, compressed
ANSWER_MS = DAY_MS  # after which an answer is deleted
COLUMNS = (
    AttemptRow.id, AttemptRow.receipt, AttemptRow.at_ms, AttemptRow.sha256, AttemptRow.source, AttemptRow.seed, AttemptRow.run_id,
    AttemptRow.passed, AttemptRow.good, AttemptRow.total, AttemptRow.mistake, AttemptRow.verdict, AttemptRow.imported, AttemptRow.version,
)  # fmt: skip


def make_receipt(name: str, at_ms: int, sha256: str) -> Receipt:
    """Return the receipt of a submission. `name` is the receipt's id, `sha256` the hash of the source as UTF-8."""
    return Receipt(id=name, at=format_time(at_ms), sha256=sha256)


def save_attempt(connection: Connection, learner: str, attempt: NewAttempt, *, limit_bytes: int) -> StoredAttempt | None:
    """Store a submission and return None. If one with the same key is already stored, store nothing and return the stored one.

    Raises KeyUsed if the stored one has another source or seed, and TooMuchStored if the learner's texts would exceed `limit_bytes`.
    """
    if attempt.key is not None:
        earlier = find_attempt(connection, learner, lesson=attempt.lesson, exercise=attempt.exercise, key=attempt.key)
        if earlier is not None:
            if not earlier.is_of(attempt.receipt.sha256, attempt.seed):
                raise KeyUsed
            return earlier
    learner_id = update_learner(
        connection,
        learner,
        attempt.at_ms,
        lesson=attempt.lesson,
        exercise=attempt.exercise,
        announces=True,
        added_bytes=size_of(attempt.source, attempt.verdict),
        limit_bytes=limit_bytes,
    )
    values = {name: getattr(attempt, name) for name in NewAttempt.__struct_fields__ if name not in ("receipt", "answer")}
    row = {"learner_id": learner_id, "receipt": attempt.receipt.id, "sha256": attempt.receipt.sha256, **values}
    attempt_id = connection.execute(insert(AttemptRow).returning(AttemptRow.id), row).scalar_one()
    update_standing(
        connection, learner_id=learner_id, lesson=attempt.lesson, exercise=attempt.exercise, passed=attempt.passed, now_ms=attempt.at_ms
    )
    _save_answer(connection, learner_id, attempt_id, attempt.answer, attempt.at_ms)
    return None


def find_attempt(connection: Connection, learner: str, *, lesson: str, exercise: str, key: str) -> StoredAttempt | None:
    """Return the submission that was sent with a key. Its `answer` is None if the answer is no longer stored."""
    row = connection.execute(
        select(*COLUMNS, StoredAnswerRow.data)
        .outerjoin(StoredAnswerRow, StoredAnswerRow.attempt_id == AttemptRow.id)
        .where(_is_of(learner, lesson, exercise), AttemptRow.key == key)
    ).one_or_none()
    if row is None:
        return None
    return parse_attempt(row, zlib.decompress(row.data) if row.data is not None else None)


def list_attempts(connection: Connection, learner: str, *, lesson: str, exercise: str) -> list[StoredAttempt]:
    """Return the newest MOST_LISTED submissions for an exercise, newest first."""
    newest = (
        select(*COLUMNS).where(_is_of(learner, lesson, exercise)).order_by(AttemptRow.at_ms.desc(), AttemptRow.id.desc()).limit(MOST_LISTED)
    )
    return [parse_attempt(row) for row in connection.execute(newest)]


def count_tries(connection: Connection, learner: str, *, lesson: str, exercise: str) -> int:
    """Return how many submissions to an exercise this server has graded. Imported ones do not count, because they prove nothing."""
    own = select(func.count()).select_from(AttemptRow).where(_is_of(learner, lesson, exercise), AttemptRow.imported.is_(False))
    return connection.execute(own).scalar_one()


def record_solution(connection: Connection, learner: str, *, lesson: str, exercise: str, now_ms: int) -> None:
    """Record that the learner was shown the solution of an exercise."""
    learner_id = update_learner(connection, learner, now_ms, lesson=lesson, exercise=exercise, announces=True)
    update_standing(connection, learner_id=learner_id, lesson=lesson, exercise=exercise, shown=True, now_ms=now_ms)


def _save_answer(connection: Connection, learner_id: int, attempt_id: int, answer: bytes, now_ms: int) -> None:
    """Store an answer, and delete superfluous answers of the learner.

    These are answers older than ANSWER_MS, and the oldest ones beyond MOST_ANSWERS or MOST_ANSWER_BYTES.
    """
    stored = {"attempt_id": attempt_id, "learner_id": learner_id, "at_ms": now_ms, "data": zlib.compress(answer)}
    connection.execute(insert(StoredAnswerRow), stored)
    own = (
        select(StoredAnswerRow.attempt_id, StoredAnswerRow.at_ms, func.length(StoredAnswerRow.data))
        .where(StoredAnswerRow.learner_id == learner_id)
        .order_by(StoredAnswerRow.attempt_id.desc())
    )
    total, surplus = 0, []
    for place, (stored_id, at_ms, size) in enumerate(connection.execute(own)):
        total += size
        if place >= MOST_ANSWERS or total > MOST_ANSWER_BYTES or at_ms <= now_ms - ANSWER_MS:
            surplus.append(stored_id)
    if surplus:
        connection.execute(delete(StoredAnswerRow).where(StoredAnswerRow.attempt_id.in_(surplus)))


def _is_of(learner: str, lesson: str, exercise: str) -> ColumnElement[bool]:
    return and_(AttemptRow.learner_id == id_of(learner), AttemptRow.lesson == lesson, AttemptRow.exercise == exercise)


def parse_attempt(row: Row[*tuple[Any, ...]], answer: bytes | None = None) -> StoredAttempt:
    """Return the attempt of a row that has COLUMNS, and perhaps others."""
    values = {name: row._mapping[name] for name in StoredAttempt.__struct_fields__ if name not in ("receipt", "answer")}
    return StoredAttempt(receipt=make_receipt(row.receipt, row.at_ms, row.sha256), answer=answer, **values)
