"""What a helper sees of one member, and what is shown to the class."""

import pytest
from sqlalchemy import Connection, insert

from app.classroom.classes.board.member_work import read_member_work
from app.classroom.classes.board.shown_attempt import mask_source, masker, read_shown
from app.classroom.classes.board.source_difference import MOST_LINES, compare_lines
from app.classroom.classes.class_faults import NoClass
from app.classroom.store.schema.tables import DraftRow
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

LESSON, EXERCISE = PLACE


def test_work_is_shown_at_one_exercise_newest_first_without_what_is_not_the_classs(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    member, learner = plant_member(connection, school, "Ana", since_ms=NOW - 10 * MINUTE)
    plant_attempt(connection, learner, 20, source="before joining")
    plant_attempt(connection, learner, 9, source="first")
    plant_attempt(connection, learner, 8, source="other", place=(LESSON, "other"), failing=())
    plant_attempt(connection, learner, 7, source="second")
    plant_attempt(connection, learner, 6, source="brought", imported=True)
    work = read_member_work(connection, school, member, lesson=LESSON, exercise=EXERCISE)
    assert [one.source for one in work.attempts] == ["second", "first"]
    assert [(one.exercise, one.attempts, one.passed) for one in work.tried] == [(EXERCISE, 2, False), ("other", 1, True)]
    assert read_member_work(connection, school, member, lesson="", exercise="").exercise == EXERCISE


def test_the_text_as_it_is_now_is_seen_only_while_a_raised_hand_shows_it(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    shown = {}
    for name in ("nothing", "hand", "shares", "elsewhere"):
        member, learner = plant_member(connection, school, name)
        draft = {"learner_id": learner, "lesson": LESSON, "cell": f"exercise_{EXERCISE}", "version": 1, "source": "now", "at_ms": NOW}
        connection.execute(insert(DraftRow).values(**draft))
        if name != "nothing":
            plant_hand(connection, member, 1, shares=name != "hand")
        exercise = "other" if name == "elsewhere" else EXERCISE
        shown[name] = read_member_work(connection, school, member, lesson=LESSON, exercise=exercise).shown
    assert {name: one.source if one else None for name, one in shown.items()} == {
        "nothing": None, "hand": None, "shares": "now", "elsewhere": None,
    }  # fmt: skip


def test_others_members_and_those_who_left_are_not_found(connection: Connection) -> None:
    teacher = plant_person(connection)
    school, other = plant_class(connection, teacher), plant_class(connection, teacher)
    member, learner = plant_member(connection, school, "Ana", since_ms=NOW - 10 * MINUTE)
    attempt, early = plant_attempt(connection, learner, 1), plant_attempt(connection, learner, 11)
    for class_id, attempt_id in ((other, attempt), (school, early), (school, attempt + 1000)):
        with pytest.raises(NoClass):
            read_shown(connection, class_id, attempt_id)
    with pytest.raises(NoClass):
        read_member_work(connection, other, member, lesson=LESSON, exercise=EXERCISE)
    assert read_shown(connection, school, attempt).exercise == EXERCISE
    end_membership(connection, member)
    with pytest.raises(NoClass):
        read_member_work(connection, school, member, lesson=LESSON, exercise=EXERCISE)
    with pytest.raises(NoClass):
        read_shown(connection, school, attempt)


def test_a_shown_program_has_no_name_and_no_number_and_runs_as_before(connection: Connection) -> None:
    school = plant_class(connection, plant_person(connection))
    _, learner = plant_member(connection, school, "Ana María Li", number="41-007")
    source = (
        '# by ANA maría li, 41-007\n"""Text of María\nand Ana."""\nanagram = "Analysis"  # Ana’s\nli = 1\nprint("41-007", anagram, li)\n'
    )
    attempt = plant_attempt(connection, learner, 1, source=source)
    shown = read_shown(connection, school, attempt)
    assert shown.attempt.source == ('# by …, …\n"""Text of …\nand …."""\nanagram = "Analysis"  # …’s\nli = 1\nprint("…", anagram, li)\n')
    assert shown.mask("NameError: María") == "NameError: …"
    assert shown.mask("") == ""


@pytest.mark.parametrize(
    ("name", "source", "masked"),
    [
        ("陈小明", "x = 1  # 陈小明的答案\n", "x = 1  # …的答案\n"),
        ("Bo", "bo = 1  # Bo, bob\n", "bo = 1  # …, bob\n"),
        ("Ana", "def f(:  # Ana\n  ana = '''\n", "def f(:  # …\n  … = '''\n"),  # cannot run, so all of it is masked
        ("a.*", "y = 'abc'  # a.*\n", "y = 'abc'  # …\n"),
        ("Ana", "s = 'é'  # é Ana\n", "s = 'é'  # é …\n"),
    ],
)
def test_names_are_masked_as_they_are_written(name: str, source: str, masked: str) -> None:
    assert mask_source(source, masker([name, ""])) == masked


def test_lines_say_what_is_new_and_what_is_gone() -> None:
    assert compare_lines(None, "a\nb") == [" a", " b"]
    assert compare_lines("a\nb\nc", "a\nB\nc\nd") == [" a", "-b", "+B", " c", "+d"]
    long = "\n".join(map(str, range(MOST_LINES + 1)))
    assert {line[0] for line in compare_lines("a", long)} == {" "}
