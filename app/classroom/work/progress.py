"""How far a learner is in a lesson and in the course.

Every page reads this, so it must be quick. The statements are therefore built only once, and each of them uses an index.
"""

from collections import Counter, defaultdict
from operator import itemgetter

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, select
from sqlalchemy.orm import aliased

from app.classroom.store.schema.tables import AttemptRow, DoneCellRow, DraftRow, LearnerRow, OfLesson, PredictionRow, StandingRow
from app.classroom.store.stored_work_types import (
    REACHED,
    AttemptMark,
    CourseWork,
    DuePrediction,
    ExerciseMark,
    ExerciseStatus,
    LessonWork,
    StoredDraft,
    StoredPrediction,
)

MOST_MARKS = 20  # attempts of an exercise that the page of its lesson shows

OWNER = select(LearnerRow.id, LearnerRow.seen_ms, LearnerRow.lesson, LearnerRow.reviews).where(LearnerRow.name == bindparam("learner"))


def in_lesson(row: type[OfLesson]) -> ColumnElement[bool]:
    """Return the condition that a row belongs to one learner and one lesson."""
    return and_(row.learner_id == bindparam("learner_id"), row.lesson == bindparam("lesson"))


LESSON_DRAFTS = select(DraftRow.cell, DraftRow.version, DraftRow.source, DraftRow.at_ms).where(in_lesson(DraftRow))
LESSON_CELLS = select(DoneCellRow.cell).where(in_lesson(DoneCellRow))
LESSON_PREDICTIONS = select(
    PredictionRow.prediction, PredictionRow.about, PredictionRow.first_answer, PredictionRow.first_right, PredictionRow.last_answer,
    PredictionRow.last_right, PredictionRow.due_ms,
).where(in_lesson(PredictionRow))  # fmt: skip
LESSON_STANDINGS = select(
    StandingRow.exercise, StandingRow.standing, StandingRow.shown_ms, StandingRow.hints, StandingRow.attempts
).where(in_lesson(StandingRow))  # fmt: skip


def _is_same_exercise(row: type[AttemptRow]) -> ColumnElement[bool]:
    return and_(row.learner_id == StandingRow.learner_id, row.lesson == StandingRow.lesson, row.exercise == StandingRow.exercise)


OLDER = aliased(AttemptRow)
NEWEST_UNMARKED = select(OLDER.id).where(_is_same_exercise(OLDER)).order_by(OLDER.id.desc()).limit(1).offset(MOST_MARKS)
LESSON_MARKS = (
    select(
        AttemptRow.exercise, AttemptRow.receipt, AttemptRow.at_ms, AttemptRow.passed, AttemptRow.good, AttemptRow.total, AttemptRow.imported
    )
    .join(StandingRow, _is_same_exercise(AttemptRow))
    .where(in_lesson(StandingRow), AttemptRow.id > func.coalesce(NEWEST_UNMARKED.correlate(StandingRow).scalar_subquery(), 0))
    .order_by(StandingRow.exercise, AttemptRow.id)
)  # fmt: skip
COURSE_DUE = select(PredictionRow.due_ms, PredictionRow.lesson, PredictionRow.prediction, PredictionRow.about).where(
    PredictionRow.learner_id == bindparam("learner_id"), PredictionRow.due_ms <= bindparam("now_ms")
)
COURSE_CELLS = select(DoneCellRow.lesson, DoneCellRow.cell).where(DoneCellRow.learner_id == bindparam("learner_id"))
COURSE_PREDICTIONS = select(PredictionRow.lesson, PredictionRow.prediction).where(PredictionRow.learner_id == bindparam("learner_id"))
COURSE_STANDINGS = select(StandingRow.lesson, StandingRow.exercise, StandingRow.standing).where(
    StandingRow.learner_id == bindparam("learner_id")
)


def read_lesson_work(connection: Connection, learner: str, *, lesson: str, now_ms: int) -> LessonWork:
    """Return everything that the page of a lesson shows of the learner's work."""
    owner = connection.execute(OWNER, {"learner": learner}).one_or_none()
    if owner is None:
        return LessonWork()
    here = {"learner_id": owner.id, "lesson": lesson}
    drafts = {
        cell: StoredDraft(version=version, source=source, at_ms=at_ms)
        for cell, version, source, at_ms in connection.execute(LESSON_DRAFTS, here)
    }
    predictions = {
        name: StoredPrediction(
            about=about,
            first_answer=first_answer,
            first_right=first_right,
            last_answer=last_answer,
            last_right=last_right,
            due=owner.reviews and due_ms is not None and due_ms <= now_ms,
        )
        for name, about, first_answer, first_right, last_answer, last_right, due_ms in connection.execute(LESSON_PREDICTIONS, here)
    }
    cells = list(connection.execute(LESSON_CELLS, here).scalars())
    exercises = _read_exercises(connection, here)
    return LessonWork(seen_ms=owner.seen_ms, drafts=drafts, cells=cells, predictions=predictions, exercises=exercises)


def _read_exercises(connection: Connection, here: dict[str, object]) -> dict[str, ExerciseMark]:
    standings = connection.execute(LESSON_STANDINGS, here).all()
    marks: defaultdict[str, list[AttemptMark]] = defaultdict(list)
    if any(count for *_, count in standings):
        for exercise, receipt, at_ms, passed, good, total, imported in connection.execute(LESSON_MARKS, here):
            mark = AttemptMark(receipt=receipt, at_ms=at_ms, passed=passed, good=good, total=total, imported=imported)
            marks[exercise].append(mark)
    return {
        exercise: ExerciseMark(standing=standing, seen=shown_ms is not None, hints=hints, count=count, attempts=marks[exercise])
        for exercise, standing, shown_ms, hints, count in standings
    }


def read_course_work(connection: Connection, learner: str, *, now_ms: int) -> CourseWork:
    """Return how far a learner is in every lesson, and which predictions are due, the longest due first."""
    owner = connection.execute(OWNER, {"learner": learner}).one_or_none()
    if owner is None:
        return CourseWork()
    own = {"learner_id": owner.id}
    done: defaultdict[str, list[str]] = defaultdict(list)
    for lesson, cell in connection.execute(COURSE_CELLS, own):
        done[lesson].append(cell)
    for lesson, prediction in connection.execute(COURSE_PREDICTIONS, own):
        done[lesson].append(f"prediction:{prediction}")
    due = []
    if owner.reviews:
        found = connection.execute(COURSE_DUE, {**own, "now_ms": now_ms})
        for _, lesson, prediction, about in sorted(found, key=itemgetter(0, 1, 2)):  # databases order texts differently
            due.append(DuePrediction(lesson=lesson, prediction=prediction, about=about))
    helped: Counter[str] = Counter()
    standings: defaultdict[str, dict[str, ExerciseStatus]] = defaultdict(dict)
    for lesson, exercise, standing in connection.execute(COURSE_STANDINGS, own):
        standings[lesson][exercise] = standing
        if standing in REACHED:
            done[lesson].append(f"exercise:{exercise}")
        if standing == "shown":
            helped[lesson] += 1
    return CourseWork(
        seen_ms=owner.seen_ms,
        done=dict(done),
        helped=dict(helped),
        standings=dict(standings),
        last=owner.lesson,
        reviews=owner.reviews,
        due=due,
    )
