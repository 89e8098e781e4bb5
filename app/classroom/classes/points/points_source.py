"""The attempts behind a member's points for one exercise, and which of them count."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from app.classroom.classes.members import learners_of
from app.classroom.classes.points.overrides import ExerciseOfMember
from app.classroom.classes.points.points_rule import AttemptResult, PointsRule, Standing, choose_attempt, judge_attempt
from app.classroom.store.schema.tables import AttemptRow, StandingRow

MOST_LISTED = 50


@dataclass(frozen=True, kw_only=True)
class JudgedAttempt:
    """An attempt, as the page about a member's points lists it. `chosen` is true for the attempt that gives the points."""

    result: AttemptResult
    receipt: str
    source: str
    standing: Standing
    chosen: bool


def list_judged(connection: Connection, class_id: int, rule: PointsRule, worth: int, place: ExerciseOfMember) -> list[JudgedAttempt]:
    """Return the newest MOST_LISTED attempts of a member at an exercise, newest first, and the chosen one.

    Attempts before `since_ms`, which the class may not see, are left out.
    """
    own = learners_of(class_id).subquery()
    here = (own.c.member_id == place.member_id, AttemptRow.lesson == place.lesson, AttemptRow.exercise == place.exercise)
    shown_ms = connection.execute(
        select(func.min(StandingRow.shown_ms))
        .join(own, own.c.learner_id == StandingRow.learner_id)
        .where(own.c.member_id == place.member_id, StandingRow.lesson == place.lesson, StandingRow.exercise == place.exercise)
    ).scalar()
    columns = (AttemptRow.id, AttemptRow.at_ms, AttemptRow.passed, AttemptRow.good, AttemptRow.total, AttemptRow.imported)
    rows = connection.execute(
        select(*columns, AttemptRow.receipt, own.c.since_ms)
        .join(own, own.c.learner_id == AttemptRow.learner_id)
        .where(*here, AttemptRow.at_ms >= own.c.since_ms)
        .order_by(AttemptRow.at_ms.desc(), AttemptRow.id.desc())
    ).all()
    judged = []
    for row in rows:
        result = AttemptResult(attempt_id=row.id, at_ms=row.at_ms, passed=row.passed, good=row.good, total=row.total, imported=row.imported)
        judged.append((row, result, judge_attempt(rule, result, row.since_ms, shown_ms)))
    chosen = choose_attempt(rule, worth, [result for _, result, standing in judged if standing == "counts"])
    listed = [one for place, one in enumerate(judged) if place < MOST_LISTED or one[1] is chosen]
    texts = select(AttemptRow.id, AttemptRow.source).where(AttemptRow.id.in_([result.attempt_id for _, result, _ in listed]))
    sources = {row.id: row.source for row in connection.execute(texts)}
    return [
        JudgedAttempt(result=result, receipt=row.receipt, source=sources[row.id], standing=standing, chosen=result is chosen)
        for row, result, standing in listed
    ]
