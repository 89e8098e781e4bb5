"""The points of a class, read from stored attempts, and what teachers give instead."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from app.classroom.classes.class_faults import AssistantOnly, BadClassValue, NoClass, NoMember
from app.classroom.classes.member_changes import merge_members
from app.classroom.classes.members import leave
from app.classroom.classes.points.overrides import ExerciseOfMember, clear_override, list_overrides, set_override
from app.classroom.classes.points.points_rule import PointsRule, give_points
from app.classroom.classes.points.points_table import list_judged, read_points
from app.classroom.store.schema.tables import AttemptRow, LearnerRow, StandingRow
from tests.classroom.audit_entries import list_newest
from tests.classroom.classes.sample_classes import LESSONS, NOW_MS, SampleClass, join_sample, make_sample

WORTHS = {LESSONS[0]: 2, LESSONS[1]: 1}
EXERCISES = ("square", "cube")


def add(connection: Connection, learner: str, at_ms: int, good: int, **other: Any) -> None:
    """Add an attempt of which `good` of 4 checks passed, by default at the first exercise."""
    learner_id = connection.execute(select(LearnerRow.id).where(LearnerRow.name == learner)).scalar_one()
    number = connection.execute(select(AttemptRow.id).order_by(AttemptRow.id.desc())).scalar() or 0
    row = {"lesson": LESSONS[0], "exercise": "square", "imported": False, **other}
    fixed = {"receipt": f"r{number}", "sha256": "", "seed": 0, "run_id": "", "total": 4, "verdict": "{}", "source": f"# {number}"}
    connection.execute(
        insert(AttemptRow), {"learner_id": learner_id, "at_ms": NOW_MS + at_ms, "passed": good == 4, "good": good, **fixed, **row}
    )


def show_solution(connection: Connection, learner: str, at_ms: int, lesson: str = LESSONS[0], exercise: str = "square") -> None:
    learner_id = connection.execute(select(LearnerRow.id).where(LearnerRow.name == learner)).scalar_one()
    row = {"learner_id": learner_id, "lesson": lesson, "exercise": exercise, "standing": "new", "hints": 0, "attempts": 0}
    connection.execute(insert(StandingRow), {**row, "shown_ms": NOW_MS + at_ms})


def read(connection: Connection, sample: SampleClass, **rule: Any) -> dict[tuple[int, str], int | None]:
    """Return the points by member and exercise, of all lessons."""
    table = read_points(connection, sample.id, PointsRule(**rule), WORTHS)
    return {(place.member_id, place.exercise): cell.points for place, cell in table.items()}


def test_the_table_follows_the_rule_of_the_class(connection: Connection) -> None:
    sample = make_sample(connection)
    ada = join_sample(connection, sample, "ada").member_id
    bob = join_sample(connection, sample, "bob").member_id
    for at_ms, good in ((1, 1), (2, 3), (3, 4), (4, 2), (9, 3)):
        add(connection, "ada", at_ms, good)
    add(connection, "ada", -1, 4, exercise="cube")  # before she joined
    add(connection, "ada", 5, 4, exercise="cube", imported=True)
    add(connection, "bob", 1, 2, lesson=LESSONS[1])
    add(connection, "bob", 1, 4, lesson="basics/other")  # not a lesson of the class
    key, other = (ada, "square"), (bob, "square")
    assert read(connection, sample) == {key: 200, other: 0}
    assert read(connection, sample, counting="checks") == {key: 200, other: 50}
    assert read(connection, sample, counting="checks", counted_attempt="last") == {key: 150, other: 50}
    assert read(connection, sample, counting="checks", counted_attempt="last", until_ms=NOW_MS + 4) == {key: 100, other: 50}
    show_solution(connection, "ada", 3)
    assert read(connection, sample, counting="checks") == {key: 150, other: 50}
    assert read(connection, sample, after_solution=True) == {key: 200, other: 0}
    (cell,) = [one for place, one in read_points(connection, sample.id, PointsRule(), WORTHS).items() if place.member_id == ada]
    assert (cell.attempts, cell.computed) == (2, 0)


def test_merged_members_have_the_attempts_and_the_shown_solutions_of_both_and_who_left_has_none(connection: Connection) -> None:
    sample = make_sample(connection)
    ada, twin = (join_sample(connection, sample, name).member_id for name in ("ada", "twin"))
    add(connection, "ada", 1, 2)
    add(connection, "twin", 2, 4)
    assert read(connection, sample, counting="checks") == {(ada, "square"): 100, (twin, "square"): 200}
    merge_members(connection, sample.teacher, sample.id, ada, twin, NOW_MS)
    assert read(connection, sample, counting="checks") == {(ada, "square"): 200}
    show_solution(connection, "ada", 2)
    assert read(connection, sample, counting="checks") == {(ada, "square"): 100}
    leave(connection, "ada", sample.id, NOW_MS)
    assert read(connection, sample, counting="checks") == {}


def test_what_is_behind_a_number_agrees_with_the_table_for_attempts_at_random(connection: Connection) -> None:
    sample = make_sample(connection)
    draw = random.Random(1)
    members = {name: join_sample(connection, sample, name).member_id for name in ("ada", "bob", "cyd")}
    for _ in range(150):
        place = {"lesson": draw.choice(LESSONS), "exercise": draw.choice(EXERCISES)}
        add(connection, draw.choice(list(members)), draw.randrange(-3, 20), draw.randrange(5), imported=draw.random() < 0.2, **place)
    for name in ("ada", "bob"):
        show_solution(connection, name, 9, LESSONS[0], "cube")
    for counting in ("all", "checks"):
        for counted_attempt in ("best", "last"):
            for more in ({}, {"until_ms": NOW_MS + 12}, {"after_solution": True}):
                rule = PointsRule(counting=counting, counted_attempt=counted_attempt, **more)  # type: ignore[arg-type]
                table = read_points(connection, sample.id, rule, WORTHS)
                seen = 0
                for member_id in members.values():
                    for lesson in LESSONS:
                        for exercise in EXERCISES:
                            place_of = ExerciseOfMember(member_id=member_id, lesson=lesson, exercise=exercise)
                            judged = list_judged(connection, sample.id, rule, WORTHS[lesson], place_of)
                            chosen = [one for one in judged if one.chosen]
                            expected = give_points(rule, WORTHS[lesson], chosen[0].result) if chosen else None
                            cell = table.get(place_of)
                            assert (cell.computed if cell else None) == expected
                            assert (cell.attempts if cell else 0) == sum(one.standing == "counts" for one in judged)
                            assert all(one.result.at_ms >= NOW_MS for one in judged)
                            seen += bool(chosen)
                assert seen == len(table)


def test_a_teacher_gives_other_points_with_a_reason_and_takes_them_back(connection: Connection) -> None:
    sample = make_sample(connection)
    ada = join_sample(connection, sample, "ada").member_id
    place = ExerciseOfMember(member_id=ada, lesson=LESSONS[0], exercise="square")
    add(connection, "ada", 1, 0)
    set_override(connection, sample.teacher, sample.id, place, 100, "  helped \n at the board ", NOW_MS)
    set_override(connection, sample.teacher, sample.id, place, 150, "looked again", NOW_MS + 1)
    assert read(connection, sample) == {(ada, "square"): 150}
    given = list_overrides(connection, sample.id)[place]
    assert (given.reason, given.author, given.at_ms) == ("looked again", "Tess", NOW_MS + 1)
    entry = list_newest(connection, 1)[0]
    assert (entry.actor, entry.action, entry.subject) == ("person Tess", "points_set", f"class {sample.id}")
    assert entry.detail == {"member": ada, "exercise": f"{LESSONS[0]}/square", "hundredths": 150}
    assert clear_override(connection, sample.teacher, sample.id, place, NOW_MS)
    assert not clear_override(connection, sample.teacher, sample.id, place, NOW_MS)
    assert read(connection, sample) == {(ada, "square"): 0}
    assert list_newest(connection, 1)[0].action == "points_cleared"


REFUSALS: list[tuple[type[Exception], Callable[[SampleClass], int], int, int, str]] = [
    (NoClass, lambda sample: sample.stranger, 0, 100, "x"),
    (AssistantOnly, lambda sample: sample.helper, 0, 100, "x"),
    (NoMember, lambda sample: sample.teacher, 1, 100, "x"),
    (BadClassValue, lambda sample: sample.teacher, 0, -1, "x"),
    (BadClassValue, lambda sample: sample.teacher, 0, 100_001, "x"),
    (BadClassValue, lambda sample: sample.teacher, 0, 100, "   "),
    (BadClassValue, lambda sample: sample.teacher, 0, 100, "x" * 301),
    (BadClassValue, lambda sample: sample.teacher, 0, 100, "\u202eevil"),
]


@pytest.mark.parametrize(("fault", "who", "beside", "hundredths", "reason"), REFUSALS)
def test_nobody_else_gives_points_and_no_wrong_ones(
    connection: Connection, fault: type[Exception], who: Callable[[SampleClass], int], beside: int, hundredths: int, reason: str
) -> None:
    sample = make_sample(connection)
    member_id = join_sample(connection, sample, "ada").member_id + beside
    place = ExerciseOfMember(member_id=member_id, lesson=LESSONS[0], exercise="square")
    with pytest.raises(fault):
        set_override(connection, who(sample), sample.id, place, hundredths, reason, NOW_MS)
    assert list_overrides(connection, sample.id) == {}


def test_reading_the_table_does_not_touch_the_attempts_themselves(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        pytest.skip("PostgreSQL chooses a plan by how much there is")
    sample = make_sample(connection)
    join_sample(connection, sample, "ada")
    add(connection, "ada", 1, 4)
    show_solution(connection, "ada", 5)
    asked: list[str] = []

    def explain(_: Any, cursor: Any, statement: str, parameters: Any, *rest: Any) -> None:
        if "GROUP BY" in statement and "attempt" in statement:
            asked.extend(str(row) for row in connection.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters))  # type: ignore[attr-defined]

    from sqlalchemy import event

    event.listen(connection.engine, "before_cursor_execute", explain)
    try:
        read(connection, sample)
    finally:
        event.remove(connection.engine, "before_cursor_execute", explain)
    assert any("attempt USING COVERING INDEX ix_attempt_exercise" in line for line in asked), asked
