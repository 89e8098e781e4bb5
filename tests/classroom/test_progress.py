"""Reports of a browser are stored in any order, and say how far a learner is in a lesson and in the course."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, text

from app.classroom.store.engine import is_postgres
from app.classroom.store.stored_work_types import (
    AttemptMark,
    CourseWork,
    DuePrediction,
    ExerciseMark,
    LessonWork,
    ReportedPrediction,
    ReportedWork,
    StoredDraft,
    StoredPrediction,
)
from app.classroom.store.times import DAY_MS
from app.classroom.work import attempts, drafts, learners, predictions, progress, reported_work
from app.classroom.work.progress import MOST_MARKS
from tests.classroom.sample_attempts import LIMIT, new_attempt

LESSON = "basics/first"
RIGHT = ReportedPrediction(about="h", answer="1", right=True)
WRONG = ReportedPrediction(about="h", answer="2", right=False)


def report(connection: Connection, *, lesson: str = LESSON, now_ms: int = 10, **reported: object) -> None:
    reported_work.record_work(connection, learner="ada", lesson=lesson, reported=ReportedWork(**reported), now_ms=now_ms)  # type: ignore[arg-type]


def read_lesson(connection: Connection, *, lesson: str = LESSON, now_ms: int = 10) -> LessonWork:
    return progress.read_lesson_work(connection, learner="ada", lesson=lesson, now_ms=now_ms)


def read_course(connection: Connection, now_ms: int = 10) -> CourseWork:
    return progress.read_course_work(connection, learner="ada", now_ms=now_ms)


def test_of_nobody_nothing_is_told_and_an_empty_report_keeps_nothing(connection: Connection) -> None:
    report(connection)
    assert (read_lesson(connection), read_course(connection)) == (LessonWork(), CourseWork())
    assert learners.find_learner(connection, "ada") is None


def test_a_report_is_kept(connection: Connection) -> None:
    report(connection, cells=["one", "two", "one"], predictions={"p": WRONG}, hints={"square": 2})
    told = StoredPrediction(about="h", first_answer="2", first_right=False, last_answer="2", last_right=False, due=False)
    mark = ExerciseMark(standing="new", seen=False, hints=2, count=0)
    assert read_lesson(connection) == LessonWork(seen_ms=10, cells=["one", "two"], predictions={"p": told}, exercises={"square": mark})


def test_what_is_kept_already_is_left_as_it_is(connection: Connection) -> None:
    report(connection, cells=["one"], predictions={"p": WRONG}, hints={"square": 2})
    before = read_lesson(connection)
    report(connection, cells=["one"], predictions={"p": RIGHT}, hints={"square": 1}, now_ms=20)
    assert read_lesson(connection) == before
    report(connection, hints={"square": 3})
    assert read_lesson(connection).exercises["square"].hints == 3


reports = st.builds(
    ReportedWork,
    cells=st.lists(st.sampled_from("abc")),
    predictions=st.dictionaries(st.sampled_from("pq"), st.just(WRONG)),
    hints=st.dictionaries(st.sampled_from("ef"), st.integers(0, 3)),
)


@settings(max_examples=15, deadline=None)
@given(st.lists(reports, max_size=4), st.sampled_from(["passes", "fails", "looks"]), st.randoms())
def test_reports_merge_in_any_order(engine: Engine, told: list[ReportedWork], other: str, luck: Random) -> None:
    results = []
    one_order = [None, *told]
    another = luck.sample(one_order, len(one_order))
    for order in (one_order, another):
        with engine.connect() as connection:
            for one in order:
                if one is not None:
                    reported_work.record_work(connection, learner="ada", lesson=LESSON, reported=one, now_ms=10)
                elif other == "looks":
                    attempts.record_solution(connection, learner="ada", lesson=LESSON, exercise="e", now_ms=10)
                else:
                    predictions.record_prediction(
                        connection, learner="ada", lesson=LESSON, prediction="r", about="h", answer="1", right=other == "passes", now_ms=10
                    )
            results.append(read_lesson(connection, now_ms=DAY_MS * 9))
            connection.rollback()
    assert results[0] == results[1]


def test_a_lesson_keeps_no_more_than_so_many_names(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reported_work, "MOST_PARTS", 5)
    names = [f"n{number}" for number in range(8)]
    report(connection, cells=names[:2])
    report(connection, cells=names, predictions=dict.fromkeys(names, RIGHT), hints=dict.fromkeys(names, 1))
    report(connection, cells=names[::-1])
    found = read_lesson(connection)
    assert (len(found.cells), len(found.predictions), len(found.exercises)) == (5, 5, 5)


def test_a_lesson_has_its_drafts_and_its_newest_attempts(connection: Connection) -> None:
    drafts.save_draft(connection, learner="ada", lesson=LESSON, cell="one", source="x", version=0, ran=True, now_ms=5, limit_bytes=LIMIT)
    made = [new_attempt(passed=number == 3, at_ms=number) for number in range(MOST_MARKS + 4)]
    others = [new_attempt(exercise="cube"), new_attempt(lesson="basics/second")]
    for one in [*made, *others]:
        attempts.save_attempt(connection, learner="ada", attempt=one, limit_bytes=LIMIT)
    attempts.save_attempt(connection, learner="bob", attempt=new_attempt(), limit_bytes=LIMIT)
    attempts.record_solution(connection, learner="ada", lesson=LESSON, exercise="cube", now_ms=5)
    found = read_lesson(connection)
    marks = [
        AttemptMark(receipt=one.receipt.id, at_ms=one.at_ms, passed=one.passed, good=one.good, total=one.total, imported=False)
        for one in made[4:]
    ]
    assert found.drafts == {"one": StoredDraft(version=1, source="x", at_ms=5)}
    assert found.exercises["square"] == ExerciseMark(standing="passed", seen=False, hints=0, count=len(made), attempts=marks)
    cube = found.exercises["cube"]
    assert (cube.standing, cube.seen, [mark.receipt for mark in cube.attempts]) == ("tried", True, [others[0].receipt.id])
    assert set(found.exercises) == {"square", "cube"}


def test_the_course_says_what_is_done_with_what_help_and_where_last(connection: Connection) -> None:
    report(connection, cells=["one"], predictions={"p": RIGHT}, hints={"square": 1})
    attempts.save_attempt(connection, learner="ada", attempt=new_attempt(passed=True), limit_bytes=LIMIT)
    for exercise in ("cube", "root"):
        attempts.record_solution(connection, learner="ada", lesson="basics/second", exercise=exercise, now_ms=5)
    second = new_attempt(passed=True, lesson="basics/second", exercise="cube")
    attempts.save_attempt(connection, learner="ada", attempt=second, limit_bytes=LIMIT)
    found = read_course(connection)
    assert found == CourseWork(
        seen_ms=10, done={LESSON: ["one", "prediction:p", "exercise:square"], "basics/second": ["exercise:cube"]},
        helped={"basics/second": 1}, standings={LESSON: {"square": "passed"}, "basics/second": {"cube": "shown", "root": "new"}},
        last="basics/second", reviews=True, due=[],
    )  # fmt: skip


def test_what_was_wrong_is_due_after_a_day_unless_reviews_are_off(connection: Connection) -> None:
    report(connection, lesson="basics/second", predictions={"later": WRONG}, now_ms=20)
    report(connection, predictions={"p": WRONG, "right": RIGHT}, now_ms=10)
    first, second = (
        DuePrediction(lesson=LESSON, prediction="p", about="h"),
        DuePrediction(lesson="basics/second", prediction="later", about="h"),
    )
    assert [read_course(connection, DAY_MS + now_ms).due for now_ms in (9, 10, 20)] == [[], [first], [first, second]]
    assert [read_lesson(connection, now_ms=DAY_MS + now_ms).predictions["p"].due for now_ms in (9, 10)] == [False, True]
    learners.set_reviews(connection, "ada", False, 30)
    off = read_course(connection, 2 * DAY_MS)
    assert (off.reviews, off.due, set(off.done)) == (False, [], {LESSON, "basics/second"})
    assert not read_lesson(connection, now_ms=2 * DAY_MS).predictions["p"].due


STATEMENTS = {
    "owner": progress.OWNER,
    "lesson drafts": progress.LESSON_DRAFTS,
    "lesson cells": progress.LESSON_CELLS,
    "lesson predictions": progress.LESSON_PREDICTIONS,
    "lesson standings": progress.LESSON_STANDINGS,
    "lesson marks": progress.LESSON_MARKS,
    "course cells": progress.COURSE_CELLS,
    "course predictions": progress.COURSE_PREDICTIONS,
    "course due": progress.COURSE_DUE,
    "course standings": progress.COURSE_STANDINGS,
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_an_index_leads_to_what_a_page_needs(connection: Connection, name: str) -> None:
    bound = STATEMENTS[name].params(learner="ada", learner_id=1, lesson=LESSON, now_ms=1)
    sql = str(bound.compile(connection, compile_kwargs={"literal_binds": True}))
    if is_postgres(connection):  # which reads small tables from their beginning, unless it is told not to
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        steps = connection.execute(text(f"EXPLAIN {sql}".replace(":", "\\:"))).scalars().all()
        assert steps and not any("Seq Scan" in step for step in steps), steps
        return
    plan = [row.detail for row in connection.execute(text(f"EXPLAIN QUERY PLAN {sql}".replace(":", "\\:")))]
    assert plan and not any(step.startswith("SCAN") for step in plan)
    if name == "lesson marks":  # only the newest of each exercise are read, however many there are, and no source
        assert any("attempt USING COVERING INDEX" in step and "exercise=? AND id>?" in step for step in plan), plan
