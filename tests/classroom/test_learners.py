"""The rows of learners, how much is stored of each, and that deletion leaves nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, func, select

from app.classroom.classes.members import join
from app.classroom.store.schema.tables import AttemptRow, DraftRow, DraftVersionRow, LearnerRow, StoreTable
from app.classroom.store.stored_work_types import DraftConflict, Holdings, ReportedWork, TooMuchStored
from app.classroom.store.times import DAY_MS
from app.classroom.work import attempts, drafts, learners, predictions, reported_work
from tests.classroom.classes.sample_classes import find_sample
from tests.classroom.sample_attempts import LIMIT, new_attempt

LESSON = "basics/first"


def fill(connection: Connection, learner: str) -> None:
    """Store a row of the learner in every table."""
    attempts.save_attempt(connection, learner=learner, attempt=new_attempt(passed=True, key="k"), limit_bytes=LIMIT)
    keep = {"learner": learner, "lesson": LESSON, "now_ms": 1000}
    drafts.save_draft(connection, cell="one", source="x = 2", version=0, ran=True, limit_bytes=LIMIT, **keep)
    predictions.record_prediction(connection, prediction="shape", about="h", answer="3", right=False, **keep)
    reported_work.record_work(connection, reported=ReportedWork(cells=["one"]), **keep)
    join(connection, learner, find_sample(connection).code, learner, None, True, 1000)


def row(connection: Connection, learner: str) -> LearnerRow:
    found: LearnerRow = connection.execute(select(LearnerRow.__table__).where(LearnerRow.name == learner)).one()
    return found


def count_rows(connection: Connection) -> dict[str, int]:
    """Return the number of rows of each table that holds something of a learner."""
    tables = [table for table in StoreTable.metadata.sorted_tables if table.name == "learner" or "learner_id" in table.columns]
    return {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}


def test_who_only_visits_has_no_row(connection: Connection) -> None:
    learners.record_visit(connection, "ada", 1000)
    assert learners.find_learner(connection, "ada") is None
    assert learners.read_holdings(connection, "ada") == Holdings()


def test_the_first_thing_kept_makes_the_row_and_the_next_finds_it(connection: Connection) -> None:
    first = learners.update_learner(connection, "ada", 1000)
    assert learners.update_learner(connection, "ada", 2000) == first == learners.find_learner(connection, "ada")
    assert learners.update_learner(connection, "bob", 2000) != first


def test_the_last_visit_moves_once_a_day_and_never_back(connection: Connection) -> None:
    learners.update_learner(connection, "ada", DAY_MS)
    seen = []
    for now_ms in (2 * DAY_MS - 1, 2 * DAY_MS, 2 * DAY_MS + 5, 0):
        learners.record_visit(connection, "ada", now_ms)
        learners.update_learner(connection, "ada", now_ms)
        seen.append(row(connection, "ada").seen_ms)
    assert seen == [DAY_MS, 2 * DAY_MS, 2 * DAY_MS, 2 * DAY_MS]


def test_the_last_lesson_is_where_something_was_kept(connection: Connection) -> None:
    learners.update_learner(connection, "ada", 1, lesson="a/b")
    learners.update_learner(connection, "ada", 2)
    assert row(connection, "ada").lesson == "a/b"
    learners.update_learner(connection, "ada", 3, lesson="a/c")
    assert row(connection, "ada").lesson == "a/c"


def test_more_than_the_limit_is_refused_and_less_is_taken(connection: Connection) -> None:
    learners.update_learner(connection, "ada", 1, added_bytes=100, limit_bytes=100)
    with pytest.raises(TooMuchStored):
        learners.update_learner(connection, "ada", 1, added_bytes=1, limit_bytes=100)
    learners.update_learner(connection, "ada", 1, added_bytes=-10, limit_bytes=50)  # the operator lowered it
    learners.update_learner(connection, "ada", 1, added_bytes=0, limit_bytes=50)
    assert row(connection, "ada").bytes == 90
    with pytest.raises(TooMuchStored):
        learners.update_learner(connection, "bob", 1, added_bytes=101, limit_bytes=100)


def test_holdings_count_every_kind(connection: Connection) -> None:
    fill(connection, "ada")
    fill(connection, "bob")
    held = learners.read_holdings(connection, "ada")
    assert (held.cells, held.predictions, held.exercises, held.attempts, held.drafts, held.versions) == (1, 1, 1, 1, 1, 1)
    assert (held.made_ms, held.seen_ms, held.reviews) == (1000, 1000, True)
    assert held.bytes > 0


def test_nothing_is_left_of_who_goes_and_everything_of_the_others(connection: Connection) -> None:
    fill(connection, "ada")
    one = count_rows(connection)
    assert all(one.values()), "a table that `fill` leaves empty is not tested"
    fill(connection, "bob")
    learners.delete_learner(connection, "ada")
    assert count_rows(connection) == one
    assert learners.find_learner(connection, "ada") is None
    learners.delete_learner(connection, "nobody")
    assert count_rows(connection) == one


def test_reviews_are_switched(connection: Connection) -> None:
    learners.set_reviews(connection, "ada", False, 1)
    assert not learners.read_holdings(connection, "ada").reviews
    learners.set_reviews(connection, "ada", True, 1)
    assert learners.read_holdings(connection, "ada").reviews


Step = tuple[str, str, str | None, bool]
texts = st.none() | st.text("añ中😀", max_size=3)
steps_of = st.lists(st.tuples(st.sampled_from(["draft", "attempt"]), st.sampled_from(["one", "two"]), texts, st.booleans()), max_size=12)


@settings(max_examples=20, deadline=None)
@given(steps=steps_of, limit=st.sampled_from([900, LIMIT]))
def test_the_bytes_that_are_noted_are_those_that_are_kept(
    engine: Engine, steps: list[tuple[str, str, str | None, bool]], limit: int
) -> None:
    with engine.connect() as connection, pytest.MonkeyPatch.context() as patch:
        patch.setattr(drafts, "MOST_VERSIONS", 2)
        versions: dict[str, int] = {}
        for kind, name, text, ran in steps:
            try:
                with connection.begin_nested():
                    if kind == "attempt":
                        attempt = new_attempt(exercise=name, source=text or "", passed=ran)
                        attempts.save_attempt(connection, learner="ada", attempt=attempt, limit_bytes=limit)
                        continue
                    versions[name] = drafts.save_draft(
                        connection, learner="ada", lesson=LESSON, cell=name, source=text, version=versions.get(name, 0), ran=ran, now_ms=1,
                        limit_bytes=limit,
                    )  # fmt: skip
            except TooMuchStored:
                assert limit < LIMIT
            except DraftConflict:
                pytest.fail("each text began from the newest version")
        sizes = [learners.size_of(*found) for found in connection.execute(select(AttemptRow.source, AttemptRow.verdict))]
        for column in (DraftRow.source, DraftVersionRow.source):
            sizes += [learners.size_of(text) for text in connection.execute(select(column)).scalars()]
        held = learners.read_holdings(connection, "ada").bytes
        connection.rollback()
    assert held == sum(sizes) <= limit
