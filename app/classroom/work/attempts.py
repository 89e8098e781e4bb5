"""Submissions and their receipts: each is kept with its verdict before its receipt is given out, and one Idempotency-Key is one submission.

What a submission was answered is kept for a while too, so that who asks again with its key is told the same.
"""

import zlib
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, insert, select

from app.classroom.store.stored_work_types import KeyUsed, NewAttempt, StoredAttempt
from app.classroom.store.tables import AttemptRow, StoredAnswerRow
from app.classroom.store.times import DAY_MS, format_time
from app.classroom.work.learners import find_learner, note_kept, size_of
from app.classroom.work.standings import Move, move_standing
from app.protocol.grading import Receipt

MOST_LISTED = 200
MOST_ANSWERS = 50  # of a learner
MOST_ANSWER_BYTES = 4 * 1024 * 1024  # of a learner, compressed
ANSWER_MS = DAY_MS  # how long an answer is kept
COLUMNS = (
    AttemptRow.id, AttemptRow.receipt, AttemptRow.at_ms, AttemptRow.sha256, AttemptRow.source, AttemptRow.seed, AttemptRow.run_id,
    AttemptRow.passed, AttemptRow.good, AttemptRow.total, AttemptRow.mistake, AttemptRow.verdict, AttemptRow.imported,
)  # fmt: skip


def make_receipt(name: str, at_ms: int, sha256: str) -> Receipt:
    """A receipt, with its time as it is told again later."""
    return Receipt(id=name, at=format_time(at_ms), sha256=sha256)


def keep_attempt(connection: Connection, *, learner: str, attempt: NewAttempt, limit_bytes: int) -> StoredAttempt | None:
    """Keeps a submission; returns the one that has its key, if there is one, and keeps nothing then. Raises KeyUsed and TooMuchKept."""
    if attempt.key is not None:
        kept = find_attempt(connection, learner=learner, lesson=attempt.lesson, exercise=attempt.exercise, key=attempt.key)
        if kept is not None:
            if not kept.is_of(attempt.receipt.sha256, attempt.seed):
                raise KeyUsed
            return kept
    size = size_of(attempt.source, attempt.verdict)
    learner_id = note_kept(connection, learner, attempt.at_ms, lesson=attempt.lesson, added_bytes=size, limit_bytes=limit_bytes)
    values = {name: getattr(attempt, name) for name in NewAttempt.__struct_fields__ if name not in ("receipt", "answer")}
    row = {"learner_id": learner_id, "receipt": attempt.receipt.id, "sha256": attempt.receipt.sha256, **values}
    attempt_id = connection.execute(insert(AttemptRow).returning(AttemptRow.id), row).scalar_one()
    move = Move(passed=attempt.passed)
    move_standing(connection, learner_id=learner_id, lesson=attempt.lesson, exercise=attempt.exercise, move=move, now_ms=attempt.at_ms)
    _keep_answer(connection, learner_id, attempt_id, attempt.answer, attempt.at_ms)
    return None


def find_attempt(connection: Connection, *, learner: str, lesson: str, exercise: str, key: str) -> StoredAttempt | None:
    """The submission that was sent with a key, with what it was answered if that is still kept."""
    learner_id = find_learner(connection, learner)
    if learner_id is None:
        return None
    row = connection.execute(select(*COLUMNS).where(_is_of(learner_id, lesson, exercise), AttemptRow.key == key)).one_or_none()
    if row is None:
        return None
    data = connection.execute(select(StoredAnswerRow.data).where(StoredAnswerRow.attempt_id == row.id)).scalar()
    return _tell(row, zlib.decompress(data) if data is not None else None)


def list_attempts(connection: Connection, *, learner: str, lesson: str, exercise: str) -> list[StoredAttempt]:
    """The newest MOST_LISTED submissions for an exercise, newest first."""
    learner_id = find_learner(connection, learner)
    if learner_id is None:
        return []
    newest = (
        select(*COLUMNS)
        .where(_is_of(learner_id, lesson, exercise))
        .order_by(AttemptRow.at_ms.desc(), AttemptRow.id.desc())
        .limit(MOST_LISTED)
    )
    return [_tell(row) for row in connection.execute(newest)]


def note_solution(connection: Connection, *, learner: str, lesson: str, exercise: str, now_ms: int) -> None:
    """The solution of an exercise was shown."""
    learner_id = note_kept(connection, learner, now_ms, lesson=lesson)
    move_standing(connection, learner_id=learner_id, lesson=lesson, exercise=exercise, move=Move(shown=True), now_ms=now_ms)


def _keep_answer(connection: Connection, learner_id: int, attempt_id: int, answer: bytes, now_ms: int) -> None:
    """Keeps an answer, and forgets the learner's oldest ones beyond the bounds."""
    row = {"attempt_id": attempt_id, "learner_id": learner_id, "at_ms": now_ms, "data": zlib.compress(answer)}
    connection.execute(insert(StoredAnswerRow), row)
    columns = StoredAnswerRow.attempt_id, StoredAnswerRow.at_ms, func.length(StoredAnswerRow.data).label("size")
    own = select(*columns).where(StoredAnswerRow.learner_id == learner_id).order_by(StoredAnswerRow.attempt_id.desc())
    total, forgotten = 0, []
    for place, (kept_id, at_ms, size) in enumerate(connection.execute(own)):
        total += size
        if place >= MOST_ANSWERS or total > MOST_ANSWER_BYTES or at_ms <= now_ms - ANSWER_MS:
            forgotten.append(kept_id)
    if forgotten:
        connection.execute(delete(StoredAnswerRow).where(StoredAnswerRow.attempt_id.in_(forgotten)))


def _is_of(learner_id: int, lesson: str, exercise: str) -> ColumnElement[bool]:
    return and_(AttemptRow.learner_id == learner_id, AttemptRow.lesson == lesson, AttemptRow.exercise == exercise)


def _tell(row: Row[*tuple[Any, ...]], answer: bytes | None = None) -> StoredAttempt:
    values = {name: value for name, value in row._mapping.items() if name not in ("id", "receipt", "sha256")}
    return StoredAttempt(receipt=make_receipt(row.receipt, row.at_ms, row.sha256), answer=answer, **values)
