"""The rows of a board: where each member of a class is, and whether they need help. They are computed from stored work."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, and_, func, select

from app.classroom.classes.board.failures import Failure, Failures
from app.classroom.classes.board.stuck_rule import ExerciseTry, Group, MemberState, Reason, StuckLimits, judge
from app.classroom.people.person_sessions import has_ended
from app.classroom.store.schema.class_tables import ClassStaffRow, MemberLearnerRow, MemberRow, RaisedHandRow, SchoolClassRow
from app.classroom.store.schema.tables import AttemptRow, PersonSessionRow, StandingRow
from app.classroom.store.stored_work_types import REACHED

HORIZON_MS = 3 * 60 * 60 * 1000  # the board ignores older attempts
AnyRow = Row[*tuple[Any, ...]]
Place = tuple[str, str]  # a lesson and an exercise of it, or "" if they are at none


class BoardRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The row of a member. `tries` is the number of successive submissions in which no new check passed.

    `attempt` is the id of the last submission, or None if there is none or the exercise is passed. `hand` is true while the hand is
    raised, and `shares` while teachers may read the current text. `helper` is the name of the helper who is coming, or "".
    """

    member: int
    name: str
    number: str = ""
    group: Group
    reason: Reason
    since_ms: int | None = None
    lesson: str = ""
    exercise: str = ""
    tries: int = 0
    attempt: int | None = None
    failure: Failure | None = None
    hand: bool = False
    shares: bool = False
    helper: str = ""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The board of a class at the time `at_ms`. `rows` are by member id. `staff` has the ids of the people who may see the board."""

    at_ms: int
    limits: StuckLimits
    rows: dict[int, BoardRow]
    staff: frozenset[int]


class StoredTry(ExerciseTry, frozen=True, kw_only=True):
    """An attempt of a member of the class, without its source and verdict."""

    id: int
    place: Place


def read_board(connection: Connection, class_id: int, failures: Failures, now_ms: int) -> Board | None:
    """Return the board of a class, or None if there is no such class. The caller must check `staff` before showing it."""
    found = connection.execute(
        select(SchoolClassRow.stuck_tries, SchoolClassRow.stuck_minutes).where(SchoolClassRow.id == class_id)
    ).one_or_none()
    if found is None:
        return None
    limits = StuckLimits(tries=found.stuck_tries, minutes=found.stuck_minutes)
    staff = connection.execute(select(ClassStaffRow.person_id).where(ClassStaffRow.class_id == class_id)).scalars()
    people = read_people(connection, class_id)
    tries = read_tries(connection, class_id, now_ms - HORIZON_MS)
    hands = read_hands(connection, class_id)
    passed, earlier = read_passed(connection, class_id)
    places = {member: choose_place(rows, tries[member], hands.get(member)) for member, rows in people.items()}
    of_place = {member: [one for one in tries[member] if one.place == place] for member, place in places.items()}
    recent = [one.id for at_place in of_place.values() for one in at_place[-limits.tries :] if not one.passed]
    known = failures.read(connection, recent)
    rows = {
        member: make_row(
            people[member],
            leave_out(place, earlier[member]),
            of_place[member],
            hands.get(member),
            place in passed[member],
            known,
            limits,
            now_ms,
        )
        for member, place in places.items()
    }
    return Board(at_ms=now_ms, limits=limits, rows=rows, staff=frozenset(staff))


def list_live_sessions(connection: Connection, session_ids: Iterable[int], now_ms: int) -> set[int]:
    """Return the ids of those sessions that have not ended."""
    ids = set(session_ids)
    return set(connection.execute(select(PersonSessionRow.id).where(PersonSessionRow.id.in_(ids), ~has_ended(now_ms))).scalars())


def read_people(connection: Connection, class_id: int) -> dict[int, list[AnyRow]]:
    """Return the rows of members who have not left, by member id: a row for each learner of the member, the last active first."""
    query = (
        select(
            MemberRow.id, MemberRow.name, MemberRow.number, MemberLearnerRow.lesson, MemberLearnerRow.exercise,
            MemberLearnerRow.here_ms, MemberLearnerRow.active_ms,
        )
        .outerjoin(MemberLearnerRow, MemberLearnerRow.member_id == MemberRow.id)
        .where(MemberRow.class_id == class_id, MemberRow.left_ms.is_(None))
        .order_by(MemberRow.id, func.coalesce(MemberLearnerRow.active_ms, 0).desc())
    )  # fmt: skip
    people = defaultdict(list)
    for row in connection.execute(query):
        people[row.id].append(row)
    return people


def read_tries(connection: Connection, class_id: int, from_ms: int) -> defaultdict[int, list[StoredTry]]:
    """Return the attempts since `from_ms` that the class may see, by member id, oldest first. Imported ones are left out."""
    query = (
        select(
            MemberLearnerRow.member_id, AttemptRow.id, AttemptRow.lesson, AttemptRow.exercise, AttemptRow.at_ms, AttemptRow.passed,
            AttemptRow.good,
        )
        .join(AttemptRow, AttemptRow.learner_id == MemberLearnerRow.learner_id)
        .where(
            MemberLearnerRow.class_id == class_id,
            AttemptRow.at_ms >= from_ms,
            AttemptRow.at_ms >= MemberLearnerRow.since_ms,
            AttemptRow.imported.is_(False),
        )
        .order_by(AttemptRow.at_ms, AttemptRow.id)
    )  # fmt: skip
    tries = defaultdict(list)
    for row in connection.execute(query):
        place = row.lesson, row.exercise
        tries[row.member_id].append(StoredTry(id=row.id, place=place, at_ms=row.at_ms, passed=row.passed, good=row.good))
    return tries


def read_hands(connection: Connection, class_id: int) -> dict[int, AnyRow]:
    """Return the rows of raised hands and coming helpers, by member id. If a helper comes unasked, `at_ms` is None."""
    query = (
        select(
            RaisedHandRow.member_id, RaisedHandRow.at_ms, RaisedHandRow.lesson, RaisedHandRow.exercise, RaisedHandRow.shares,
            RaisedHandRow.helper,
        )
        .join(MemberRow, MemberRow.id == RaisedHandRow.member_id)
        .where(MemberRow.class_id == class_id)
    )  # fmt: skip
    return {row.member_id: row for row in connection.execute(query)}


def read_passed(connection: Connection, class_id: int) -> tuple[defaultdict[int, set[Place]], defaultdict[int, set[Place]]]:
    """Return the passed exercises of each member's current lesson: first those passed since joining, then earlier ones."""
    query = (
        select(MemberLearnerRow.member_id, StandingRow.lesson, StandingRow.exercise, StandingRow.passed_ms < MemberLearnerRow.since_ms)
        .join(StandingRow, and_(StandingRow.learner_id == MemberLearnerRow.learner_id, StandingRow.lesson == MemberLearnerRow.lesson))
        .where(MemberLearnerRow.class_id == class_id, StandingRow.standing.in_(REACHED))
    )
    passed: defaultdict[int, set[Place]] = defaultdict(set)
    earlier: defaultdict[int, set[Place]] = defaultdict(set)
    for member, lesson, exercise, is_earlier in connection.execute(query):
        (earlier if is_earlier else passed)[member].add((lesson, exercise))
    return passed, earlier


def leave_out(place: Place, earlier: set[Place]) -> Place:
    """Return the place, without its exercise if the member passed that before joining, because the class does not see earlier work."""
    return (place[0], "") if place in earlier else place


def choose_place(rows: Sequence[AnyRow], tries: Sequence[StoredTry], hand: AnyRow | None) -> Place:
    """Return where a member is: where the hand was raised, or else where the member was last active.

    A member who is in a lesson but in none of its exercises counts as in the last submitted one, unless that passed.
    """
    if hand is not None and hand.exercise:
        return hand.lesson or "", hand.exercise
    lesson, exercise = rows[0].lesson or "", rows[0].exercise or ""
    last = tries[-1] if tries else None
    lesson = hand.lesson if hand and hand.lesson else lesson
    if last and (not lesson or (lesson == last.place[0] and not exercise and not last.passed)):
        return last.place
    return lesson, exercise


def make_row(
    people: Sequence[AnyRow],
    place: Place,
    tries: Sequence[StoredTry],
    hand: AnyRow | None,
    has_passed: bool,
    known: Mapping[int, Failure],
    limits: StuckLimits,
    now_ms: int,
) -> BoardRow:
    """Return the row of a member. `people` are the rows of the member's learners."""
    person = people[0]
    state = MemberState(
        active_ms=person.active_ms,
        here_ms=person.here_ms,
        at_exercise=place[1] != "",
        has_passed=has_passed,
        tries=[msgspec.structs.replace(one, failing=known[one.id].key) if one.id in known else one for one in tries],
        hand_ms=hand.at_ms if hand else None,
        is_helped=bool(hand and hand.helper),
    )
    judged = judge(state, limits, now_ms)
    failed = tries[-1].id if tries and not tries[-1].passed and not has_passed else None
    return BoardRow(
        member=person.id,
        name=person.name,
        number=person.number or "",
        group=judged.group,
        reason=judged.reason,
        since_ms=judged.since_ms,
        lesson=place[0],
        exercise=place[1],
        tries=judged.tries,
        attempt=failed,
        failure=known.get(failed) if failed else None,
        hand=hand is not None and hand.at_ms is not None,
        shares=bool(hand and hand.shares),
        helper=(hand.helper or "") if hand else "",
    )
