"""What teachers see of one member: attempts at an exercise, predictions, notes, and the current text if the member shares it."""

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, ScalarSelect, and_, case, exists, func, select

from app.classroom.classes.class_faults import NoMember
from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow, NoteRow, RaisedHandRow
from app.classroom.store.schema.tables import AttemptRow, DraftRow, PredictionRow
from app.classroom.store.stored_work_types import StoredAttempt, StoredDraft, StoredPrediction
from app.classroom.work.attempts import COLUMNS, parse_attempt

MOST_ATTEMPTS = 12


class TriedExercise(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise that a member has submitted."""

    lesson: str
    exercise: str
    attempts: int
    passed: bool


class WrittenNote(msgspec.Struct, frozen=True, kw_only=True):
    """A note at a line of an attempt. `read_ms` is when the member read it, or None."""

    attempt: int
    line: int
    text: str
    author: str
    at_ms: int
    read_ms: int | None


class MemberWork(msgspec.Struct, frozen=True, kw_only=True):
    """What teachers see of a member at one exercise. `attempts` are the newest, newest first. `earlier` is the one before them.

    `hand_ms` is when the hand was raised, and `helper` the name of who is coming. `shown` is None unless the member shares the text; its
    version is 0 if no text is stored.
    """

    member: int
    name: str
    number: str | None
    lesson: str
    exercise: str
    tried: list[TriedExercise]
    attempts: list[StoredAttempt]
    earlier: StoredAttempt | None
    predictions: dict[str, StoredPrediction]
    notes: list[WrittenNote]
    hand_ms: int | None
    helper: str | None
    shown: StoredDraft | None


def find_member(connection: Connection, class_id: int, member_id: int) -> Row[*tuple[Any, ...]]:
    """Return the row of a member who has not left the class. Raises NoMember."""
    row = connection.execute(
        select(MemberRow.id, MemberRow.name, MemberRow.number).where(
            MemberRow.id == member_id, MemberRow.class_id == class_id, MemberRow.left_ms.is_(None)
        )
    ).one_or_none()
    if row is None:
        raise NoMember
    return row


def read_member_work(connection: Connection, class_id: int, member_id: int, *, lesson: str, exercise: str) -> MemberWork:
    """Return what teachers see of a member at an exercise. If `exercise` is "", it is the one submitted last, in `lesson` if that is given.

    Raises NoMember if the class has no such member.
    """
    member = find_member(connection, class_id, member_id)
    tried = list_tried(connection, member_id)
    if not exercise:
        lesson, exercise = choose_exercise(tried, lesson)
    newest = (
        select(*COLUMNS)
        .where(of_class(member_id), AttemptRow.lesson == lesson, AttemptRow.exercise == exercise)
        .order_by(AttemptRow.at_ms.desc(), AttemptRow.id.desc())
        .limit(MOST_ATTEMPTS + 1)
    )
    attempts = [parse_attempt(row) for row in connection.execute(newest)]
    raised = connection.execute(
        select(RaisedHandRow.at_ms, RaisedHandRow.lesson, RaisedHandRow.exercise, RaisedHandRow.shares, RaisedHandRow.helper).where(
            RaisedHandRow.member_id == member_id
        )
    ).one_or_none()
    shares = raised is not None and raised.shares and (raised.lesson, raised.exercise) == (lesson, exercise)
    return MemberWork(
        member=member.id,
        name=member.name,
        number=member.number,
        lesson=lesson,
        exercise=exercise,
        tried=tried,
        attempts=attempts[:MOST_ATTEMPTS],
        earlier=attempts[MOST_ATTEMPTS] if len(attempts) > MOST_ATTEMPTS else None,
        predictions=read_predictions(connection, member_id, lesson),
        notes=list_written(connection, member_id, [one.id for one in attempts]),
        hand_ms=raised.at_ms if raised else None,
        helper=raised.helper if raised else None,
        shown=read_text(connection, member_id, lesson, exercise) if shares else None,
    )


def choose_exercise(tried: list[TriedExercise], lesson: str) -> tuple[str, str]:
    """Return the lesson and exercise submitted last, only in `lesson` unless that is "". The exercise is "" if there is none."""
    for one in tried:
        if not lesson or one.lesson == lesson:
            return one.lesson, one.exercise
    return lesson, ""


def of_class(member_id: int) -> ColumnElement[bool]:
    """Return the condition for attempts of a member that the class may see."""
    own = and_(
        MemberLearnerRow.member_id == member_id,
        MemberLearnerRow.learner_id == AttemptRow.learner_id,
        MemberLearnerRow.since_ms <= AttemptRow.at_ms,
    )
    return and_(exists().where(own), AttemptRow.learner_id.in_(learners_of(member_id)), AttemptRow.imported.is_(False))


def learners_of(member_id: int) -> ScalarSelect[int]:
    return select(MemberLearnerRow.learner_id).where(MemberLearnerRow.member_id == member_id).scalar_subquery()


def list_tried(connection: Connection, member_id: int) -> list[TriedExercise]:
    """Return the exercises that a member has submitted, the last submitted first."""
    passed = func.max(case((AttemptRow.passed, 1), else_=0))
    last_first = (
        select(AttemptRow.lesson, AttemptRow.exercise, func.count(), passed)
        .where(of_class(member_id))
        .group_by(AttemptRow.lesson, AttemptRow.exercise)
        .order_by(func.max(AttemptRow.at_ms).desc())
    )
    return [
        TriedExercise(lesson=lesson, exercise=exercise, attempts=attempts, passed=bool(has_passed))
        for lesson, exercise, attempts, has_passed in connection.execute(last_first)
    ]


def read_predictions(connection: Connection, member_id: int, lesson: str) -> dict[str, StoredPrediction]:
    """Return the answered predictions of a lesson, by their names.

    If several learners of the member answered the same prediction, the answers are those of the learner who first answered it last.
    """
    answered = (
        select(
            PredictionRow.prediction, PredictionRow.about, PredictionRow.first_answer, PredictionRow.first_right,
            PredictionRow.last_answer, PredictionRow.last_right,
        )
        .join(MemberLearnerRow, MemberLearnerRow.learner_id == PredictionRow.learner_id)
        .where(MemberLearnerRow.member_id == member_id, PredictionRow.lesson == lesson, PredictionRow.first_ms >= MemberLearnerRow.since_ms)
        .order_by(PredictionRow.first_ms)
    )  # fmt: skip
    return {
        name: StoredPrediction(about=about, first_answer=first, first_right=first_right, last_answer=last, last_right=last_right)
        for name, about, first, first_right, last, last_right in connection.execute(answered)
    }


def list_written(connection: Connection, member_id: int, attempt_ids: list[int]) -> list[WrittenNote]:
    notes = (
        select(NoteRow.attempt_id.label("attempt"), NoteRow.line, NoteRow.text, NoteRow.author, NoteRow.at_ms, NoteRow.read_ms)
        .where(NoteRow.member_id == member_id, NoteRow.attempt_id.in_(attempt_ids))
        .order_by(NoteRow.at_ms)
    )
    return [WrittenNote(**row._asdict()) for row in connection.execute(notes)]


def read_text(connection: Connection, member_id: int, lesson: str, exercise: str) -> StoredDraft:
    """Return the current text of an exercise. If the member has several learners, it is the text that was stored last."""
    row = connection.execute(
        select(DraftRow.version, DraftRow.source, DraftRow.at_ms)
        .where(DraftRow.learner_id.in_(learners_of(member_id)), DraftRow.lesson == lesson, DraftRow.cell == f"exercise_{exercise}")
        .order_by(DraftRow.at_ms.desc())
        .limit(1)
    ).one_or_none()
    return StoredDraft(**row._asdict()) if row else StoredDraft(version=0, source=None, at_ms=0)
