"""How far each member of a class is in each of its lessons. The numbers are counted from stored work each time."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, case, func, select, union_all

from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow
from app.classroom.store.schema.tables import AttemptRow, DoneCellRow, PredictionRow


class LessonProgress(msgspec.Struct, kw_only=True):
    """How many exercises of a lesson a member has submitted and passed, and how many of its cells and predictions are done."""

    tried: int = 0
    passed: int = 0
    others: int = 0


class MemberProgress(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the matrix. `lessons` has only lessons in which the member has done something."""

    member: int
    name: str
    number: str | None
    lessons: dict[str, LessonProgress]


def read_matrix(connection: Connection, class_id: int, lessons: Sequence[str]) -> list[MemberProgress]:
    """Return the members of a class by name, with their progress in `lessons`. Members who have left are omitted."""
    done: defaultdict[int, defaultdict[str, LessonProgress]] = defaultdict(lambda: defaultdict(LessonProgress))
    count_exercises(connection, class_id, lessons, done)
    count_others(connection, class_id, lessons, done)
    here = (
        select(MemberRow.id, MemberRow.name, MemberRow.number)
        .where(MemberRow.class_id == class_id, MemberRow.left_ms.is_(None))
        .order_by(MemberRow.name_key, MemberRow.id)
    )
    return [MemberProgress(member=row.id, name=row.name, number=row.number, lessons=dict(done[row.id])) for row in connection.execute(here)]


def count_exercises(
    connection: Connection, class_id: int, lessons: Sequence[str], done: defaultdict[int, defaultdict[str, LessonProgress]]
) -> None:
    """Count submitted and passed exercises into `done`, from attempts that the class may see."""
    each = (
        select(
            MemberLearnerRow.member_id,
            AttemptRow.lesson,
            AttemptRow.exercise,
            func.max(case((AttemptRow.passed, 1), else_=0)).label("passed"),
        )
        .join(AttemptRow, AttemptRow.learner_id == MemberLearnerRow.learner_id)
        .where(
            MemberLearnerRow.class_id == class_id,
            AttemptRow.lesson.in_(lessons),
            AttemptRow.at_ms >= MemberLearnerRow.since_ms,
            AttemptRow.imported.is_(False),
        )
        .group_by(MemberLearnerRow.member_id, AttemptRow.lesson, AttemptRow.exercise)
        .subquery()
    )
    counted = select(each.c.member_id, each.c.lesson, func.count(), func.sum(each.c.passed)).group_by(each.c.member_id, each.c.lesson)
    for member, lesson, tried, passed in connection.execute(counted):
        done[member][lesson].tried, done[member][lesson].passed = int(tried), int(passed)


def count_others(
    connection: Connection, class_id: int, lessons: Sequence[str], done: defaultdict[int, defaultdict[str, LessonProgress]]
) -> None:
    """Count into `done` the cells that ran and the predictions that were answered."""
    parts = union_all(
        select(DoneCellRow.learner_id, DoneCellRow.lesson, DoneCellRow.cell.label("part"), DoneCellRow.at_ms.label("at_ms")).where(
            DoneCellRow.lesson.in_(lessons)
        ),
        # no id of a cell has a colon
        select(PredictionRow.learner_id, PredictionRow.lesson, "prediction:" + PredictionRow.prediction, PredictionRow.first_ms).where(
            PredictionRow.lesson.in_(lessons)
        ),
    ).subquery()
    counted = (
        select(MemberLearnerRow.member_id, parts.c.lesson, func.count(parts.c.part.distinct()))
        .join(parts, parts.c.learner_id == MemberLearnerRow.learner_id)
        .where(MemberLearnerRow.class_id == class_id, parts.c.at_ms >= MemberLearnerRow.since_ms)
        .group_by(MemberLearnerRow.member_id, parts.c.lesson)
    )
    for member, lesson, others in connection.execute(counted):
        done[member][lesson].others = int(others)
