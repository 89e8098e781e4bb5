"""What "My work" reads of a learner: where they wrote a rule, and when they last did something in a lesson."""

from sqlalchemy import Connection

from app.classroom.store.stored_work_types import OwnWork, ReportedPrediction, ReportedWork
from app.classroom.work import drafts, own_work, reported_work
from app.classroom.work.learners import update_learner
from app.classroom.work.standings import update_standing
from tests.classroom.sample_attempts import LIMIT

FIRST, SECOND = "basics/first", "basics/second"


def read(connection: Connection, learner: str = "ada") -> OwnWork:
    return own_work.read_own_work(connection, learner, now_ms=100)


def write_rule(connection: Connection, lesson: str, words: str | None, *, cell: str = own_work.RULE, learner: str = "ada") -> None:
    drafts.save_draft(connection, learner, lesson=lesson, cell=cell, source=words, version=0, ran=False, now_ms=10, limit_bytes=LIMIT)


def test_of_nobody_nothing_is_read(connection: Connection) -> None:
    assert read(connection) == OwnWork()


def test_a_rule_counts_once_it_has_words(connection: Connection) -> None:
    write_rule(connection, FIRST, "a rule")
    write_rule(connection, SECOND, " \n")
    write_rule(connection, "basics/third", "x = 1", cell="cell")
    write_rule(connection, "basics/fourth", "a rule", learner="grace")
    assert read(connection).own_rules == [FIRST]


def test_the_last_part_of_a_lesson_that_was_done_says_when(connection: Connection) -> None:
    predictions = {"p": ReportedPrediction(about="h", answer="1", right=True)}
    reported_work.record_work(connection, "ada", lesson=FIRST, reported=ReportedWork(cells=["one"]), now_ms=10)
    reported_work.record_work(connection, "ada", lesson=SECOND, reported=ReportedWork(cells=["one"], predictions=predictions), now_ms=20)
    own = {"learner_id": update_learner(connection, "ada", 30, lesson=FIRST), "lesson": FIRST}
    update_standing(connection, **own, exercise="passed", passed=True, now_ms=30)
    update_standing(connection, **own, exercise="tried", passed=False, now_ms=40)
    found = read(connection)
    assert found.last_done_ms == {FIRST: 30, SECOND: 20}
    assert (found.seen_ms, found.course.last) == (10, FIRST)
    assert found.course.standings == {FIRST: {"passed": "passed", "tried": "tried"}}
