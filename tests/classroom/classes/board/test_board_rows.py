"""What a board reads of a class, on both databases."""

from sqlalchemy import Connection, insert, update

from app.classroom.classes.board.board_rows import Board, BoardRow, read_board
from app.classroom.classes.board.clusters import find_clusters
from app.classroom.classes.board.failures import Failure, Failures, find_failure
from app.classroom.classes.board.progress_matrix import LessonProgress, read_matrix
from app.classroom.store.schema.class_tables import MemberLearnerRow
from app.classroom.store.schema.tables import AttemptRow, DoneCellRow, StandingRow
from tests.classroom.classes.planted_class import (
    MINUTE,
    NOW,
    PLACE,
    end_membership,
    plant_attempt,
    plant_class,
    plant_hand,
    plant_member,
    plant_person,
)

LESSON = PLACE[0]


def read(connection: Connection, class_id: int) -> Board:
    board = read_board(connection, class_id, Failures(), NOW)
    assert board is not None
    return board


def row_of(connection: Connection, class_id: int, member: int) -> BoardRow:
    return read(connection, class_id).rows[member]


def test_the_board_has_each_member_once_with_place_reason_and_failure(connection: Connection) -> None:
    teacher = plant_person(connection)
    school = plant_class(connection, teacher)
    stuck, learner = plant_member(connection, school, "Ana", number="7", here=9)
    last = [plant_attempt(connection, learner, at) for at in (8, 6, 4, 2)][-1]
    reading, _ = plant_member(connection, school, "Bo", place=(LESSON, None))
    absent, _ = plant_member(connection, school, "Cy", active=None)
    raised, _ = plant_member(connection, school, "Di", active=1)
    plant_hand(connection, raised, 3, shares=True)
    left, _ = plant_member(connection, school, "Ed")
    end_membership(connection, left)
    board = read(connection, school)
    assert board.staff == {teacher}
    assert board.rows[stuck] == BoardRow(
        member=stuck, name="Ana", number="7", group="stuck", reason="same", since_ms=NOW - 9 * MINUTE, lesson=LESSON, exercise="fix",
        tries=4, attempt=last, failure=Failure(check="values"),
    )  # fmt: skip
    others = {member: (row.group, row.reason, row.exercise) for member, row in board.rows.items() if member != stuck}
    assert others == {reading: ("working", "reading", ""), absent: ("away", "absent", ""), raised: ("hand", "hand", "fix")}
    assert board.rows[raised].shares


def test_a_class_without_members_and_one_that_is_none(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    assert read(connection, school).rows == {}
    assert read_board(connection, school + 1000, Failures(), NOW) is None


def test_what_was_imported_or_done_before_joining_or_elsewhere_does_not_count(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    member, learner = plant_member(connection, school, "Ana", since_ms=NOW - 5 * MINUTE, here=3)
    for at in (9, 8, 7, 6):
        plant_attempt(connection, learner, at)
    for at in (4, 3, 2, 1):
        plant_attempt(connection, learner, at, imported=True)
    for at in (4, 3, 2, 1):
        plant_attempt(connection, learner, at, place=(LESSON, "other"))
    row = row_of(connection, school, member)
    assert (row.group, row.reason, row.attempt) == ("working", "writing", None)
    passed = {"learner_id": learner, "lesson": LESSON, "exercise": "fix", "standing": "passed", "passed_ms": NOW - 9 * MINUTE}
    connection.execute(insert(StandingRow).values(**passed))
    row = row_of(connection, school, member)
    assert (row.reason, row.exercise) == ("reading", "")  # it says nothing of what was passed before
    connection.execute(update(MemberLearnerRow).where(MemberLearnerRow.learner_id == learner).values(since_ms=0))
    assert row_of(connection, school, member).reason == "passed"


def test_a_member_of_two_learners_is_one_row_with_the_attempts_of_both(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    kept, phone = plant_member(connection, school, "Ana", active=4, here=6)
    other, laptop = plant_member(connection, school, "Ana again", active=1, here=2)
    for learner, at in ((phone, 7), (phone, 6), (laptop, 3), (laptop, 2)):
        plant_attempt(connection, learner, at)
    connection.execute(update(MemberLearnerRow).where(MemberLearnerRow.member_id == other).values(member_id=kept))
    end_membership(connection, other)
    rows = read(connection, school).rows
    assert list(rows) == [kept]
    assert (rows[kept].group, rows[kept].tries) == ("stuck", 4)


def test_a_learner_between_exercises_is_at_the_one_that_failed_last(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    member, learner = plant_member(connection, school, "Ana", place=(LESSON, None), here=1)
    plant_attempt(connection, learner, 2)
    assert row_of(connection, school, member).exercise == "fix"
    plant_attempt(connection, learner, 1, failing=())
    assert row_of(connection, school, member).exercise == ""


def test_clusters_are_those_whose_last_attempts_fail_alike(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    made: dict[str, tuple[int, int]] = {}
    for name, failing, mistake in (
        ("a", "values", None), ("b", "values", None), ("c", "values", None), ("d", "shape", None), ("e", "values", "forgot"),
        ("f", "shape", "forgot"),
    ):  # fmt: skip
        member, learner = plant_member(connection, school, name, here=3)
        plant_attempt(connection, learner, 2, failing=("shape",))
        made[name] = member, plant_attempt(connection, learner, 1, failing=(failing,), mistake=mistake)
    gone, learner = plant_member(connection, school, "g", active=45)
    plant_attempt(connection, learner, 45)
    clusters = find_clusters(read(connection, school).rows.values())
    assert [(one.failure.key, one.members) for one in clusters] == [
        ("check:values:", [made[name][0] for name in "cba"]),
        ("mistake:forgot", [made[name][0] for name in "fe"]),
    ]
    assert clusters[0].attempts == [made[name][1] for name in "cba"]
    assert gone not in clusters[0].members


def test_what_fails_is_the_first_check_that_counts() -> None:
    reported = '{"id": "b", "passed": false, "reported": true}'
    verdict = f'{{"passed": false, "checks": [{{"id": "a", "passed": true}}, {reported}, {{"id": "c", "passed": false}}]}}'
    assert find_failure(None, verdict) == Failure(check="c")
    assert find_failure("known", verdict) == Failure(mistake="known")
    raised = '{"passed": false, "checks": [{"id": "runs", "passed": false, "message": {"code": "raised", "values": {}}}]}'
    known = find_failure(None, raised)
    assert known is not None and known.key == "check:runs:raised"


def test_a_verdict_that_cannot_be_read_is_a_failure_that_is_not_known(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    of_another_version, learner = plant_member(connection, school, "Ana", here=9)
    for at in (8, 6, 4, 2):
        last = plant_attempt(connection, learner, at)
    connection.execute(update(AttemptRow).values(verdict='{"passed": false}'))
    member, learner = plant_member(connection, school, "Bo")
    plant_attempt(connection, learner, 2)
    rows = read(connection, school).rows
    row = rows[of_another_version]
    assert (row.group, row.reason, row.attempt, row.failure) == ("stuck", "tries", last, None)
    assert rows[member].failure == Failure(check="values")


def test_the_matrix_counts_exercises_and_other_parts_of_the_class_alone(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    since = NOW - 10 * MINUTE
    ana, learner = plant_member(connection, school, "Ana", since_ms=since)
    plant_attempt(connection, learner, 5)
    plant_attempt(connection, learner, 4, failing=())
    plant_attempt(connection, learner, 3, place=(LESSON, "other"))
    plant_attempt(connection, learner, 30, failing=(), place=(LESSON, "third"))
    plant_attempt(connection, learner, 2, failing=(), place=(LESSON, "fourth"), imported=True)
    cells = [{"learner_id": learner, "lesson": LESSON, "cell": cell, "at_ms": at} for cell, at in (("a", NOW), ("b", NOW), ("c", 1))]
    connection.execute(insert(DoneCellRow), cells)
    bo, _ = plant_member(connection, school, "Bo")
    rows = read_matrix(connection, school, [LESSON, "one/none"])
    assert [(row.member, row.lessons) for row in rows] == [(ana, {LESSON: LessonProgress(tried=2, passed=1, others=2)}), (bo, {})]
