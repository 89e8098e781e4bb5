"""The points of a class, read from the attempts, and the attempts behind the points of one member for one exercise.

For the table of the class, attempts with the same result are read as one row, from the covering index ix_attempt_exercise alone: the texts
of the attempts are not touched.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Subquery, and_, func, join, or_, select

from app.classroom.classes.members import learners_of
from app.classroom.classes.points.overrides import ExerciseOfMember, PointsOverride, list_overrides
from app.classroom.classes.points.points_rule import AttemptResult, PointsRule, Standing, choose_attempt, give_points, judge_attempt
from app.classroom.store.schema.tables import AttemptRow, StandingRow


@dataclass(frozen=True, kw_only=True)
class PointsCell:
    """The points of a member for an exercise, in hundredths. `computed` is None if no attempt counts. `attempts` is how many count."""

    computed: int | None
    attempts: int
    override: PointsOverride | None

    @property
    def points(self) -> int | None:
        return self.override.hundredths if self.override else self.computed


@dataclass(frozen=True, kw_only=True)
class JudgedAttempt:
    """An attempt, as the page about a member's points lists it. `chosen` is true for the attempt that gives the points."""

    result: AttemptResult
    receipt: str
    source: str
    standing: Standing
    chosen: bool


MOST_LISTED = 50  # attempts of a member at an exercise
NOTHING = PointsCell(computed=None, attempts=0, override=None)
PointsTable = Mapping[ExerciseOfMember, PointsCell]


def read_points(connection: Connection, class_id: int, rule: PointsRule, worths: Mapping[str, int]) -> PointsTable:
    """Return the points of all members in the lessons of `worths`, which maps a lesson to the points of each of its exercises.

    Cells that equal NOTHING are missing.
    """
    cells: dict[ExerciseOfMember, PointsCell] = {}
    overrides = list_overrides(connection, class_id)
    for place, attempts, count in read_results(connection, class_id, rule, list(worths)):
        worth = worths[place.lesson]
        chosen = choose_attempt(rule, worth, attempts)
        computed = give_points(rule, worth, chosen) if chosen else None
        cells[place] = PointsCell(computed=computed, attempts=count, override=overrides.get(place))
    for place, override in overrides.items():
        if place.lesson in worths and place not in cells:
            cells[place] = PointsCell(computed=None, attempts=0, override=override)
    return cells


def read_results(
    connection: Connection, class_id: int, rule: PointsRule, lessons: Sequence[str]
) -> Iterator[tuple[ExerciseOfMember, list[AttemptResult], int]]:
    """Yield for each member and exercise the different results of the attempts that count, and how many attempts count."""
    own = learners_of(class_id).subquery()
    place = (own.c.member_id, AttemptRow.lesson, AttemptRow.exercise)
    result = (AttemptRow.passed, AttemptRow.good, AttemptRow.total)
    found = (
        select(*place, *result, func.max(AttemptRow.at_ms), func.max(AttemptRow.id), func.count())
        .select_from(join(own, AttemptRow, own.c.learner_id == AttemptRow.learner_id))
        .where(AttemptRow.lesson.in_(lessons), AttemptRow.imported.is_(False), AttemptRow.at_ms >= own.c.since_ms)
        .group_by(*place, *result)
    )
    if rule.until_ms is not None:
        found = found.where(AttemptRow.at_ms <= rule.until_ms)
    if not rule.after_solution:
        shown = shown_of(own, lessons)
        found = found.outerjoin(shown, is_of(shown, own)).where(or_(shown.c.shown_ms.is_(None), AttemptRow.at_ms < shown.c.shown_ms))
    results: dict[ExerciseOfMember, list[AttemptResult]] = defaultdict(list)
    counts: dict[ExerciseOfMember, int] = defaultdict(int)
    for member_id, lesson, exercise, passed, good, total, at_ms, attempt_id, same in connection.execute(found):
        key = ExerciseOfMember(member_id=member_id, lesson=lesson, exercise=exercise)
        results[key].append(AttemptResult(attempt_id=attempt_id, at_ms=at_ms, passed=passed, good=good, total=total))
        counts[key] += same
    for key, attempts in results.items():
        yield key, attempts, counts[key]


def shown_of(own: Subquery, lessons: Sequence[str]) -> Subquery:
    """Return a subquery for the time at which each member was first shown each solution, by any of the member's learners."""
    place = (own.c.member_id, StandingRow.lesson, StandingRow.exercise)
    return (
        select(*place, func.min(StandingRow.shown_ms).label("shown_ms"))
        .where(StandingRow.learner_id == own.c.learner_id, StandingRow.lesson.in_(lessons), StandingRow.shown_ms.is_not(None))
        .group_by(*place)
        .subquery("shown")
    )


def is_of(shown: Subquery, own: Subquery) -> ColumnElement[bool]:
    return and_(shown.c.member_id == own.c.member_id, shown.c.lesson == AttemptRow.lesson, shown.c.exercise == AttemptRow.exercise)


def list_judged(connection: Connection, class_id: int, rule: PointsRule, worth: int, place: ExerciseOfMember) -> list[JudgedAttempt]:
    """Return the newest MOST_LISTED attempts of a member at an exercise, newest first, and the chosen one.

    Attempts before `since_ms`, which the class may not see, are left out.
    """
    own = learners_of(class_id).subquery()
    shown_ms = connection.scalar(
        select(func.min(StandingRow.shown_ms))
        .join(own, own.c.learner_id == StandingRow.learner_id)
        .where(own.c.member_id == place.member_id, StandingRow.lesson == place.lesson, StandingRow.exercise == place.exercise)
    )
    rows = connection.execute(
        select(
            AttemptRow.id, AttemptRow.at_ms, AttemptRow.passed, AttemptRow.good, AttemptRow.total, AttemptRow.imported, AttemptRow.receipt,
            own.c.since_ms,
        )
        .join(own, own.c.learner_id == AttemptRow.learner_id)
        .where(own.c.member_id == place.member_id, AttemptRow.lesson == place.lesson, AttemptRow.exercise == place.exercise)
        .where(AttemptRow.at_ms >= own.c.since_ms)
        .order_by(AttemptRow.at_ms.desc(), AttemptRow.id.desc())
    )  # fmt: skip
    judged = []
    for row in rows:
        result = AttemptResult(attempt_id=row.id, at_ms=row.at_ms, passed=row.passed, good=row.good, total=row.total, imported=row.imported)
        judged.append((row, result, judge_attempt(rule, result, row.since_ms, shown_ms)))
    chosen = choose_attempt(rule, worth, [result for _, result, standing in judged if standing == "counts"])
    listed = [one for number, one in enumerate(judged) if number < MOST_LISTED or one[1] is chosen]
    texts = select(AttemptRow.id, AttemptRow.source).where(AttemptRow.id.in_([result.attempt_id for _, result, _ in listed]))
    sources = {row.id: row.source for row in connection.execute(texts)}
    return [
        JudgedAttempt(result=result, receipt=row.receipt, source=sources[row.id], standing=standing, chosen=result is chosen)
        for row, result, standing in listed
    ]
