"""Submissions: a key belongs to one submission, standings never go back, and stored answers are bounded."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, func, select, update

from app.classroom.store.schema.tables import AttemptRow, StandingRow, StoredAnswerRow
from app.classroom.store.stored_work_types import KeyUsed, NewAttempt, StoredAttempt, TooMuchStored
from app.classroom.work import attempts, learners
from app.classroom.work.attempts import ANSWER_MS, MOST_ANSWER_BYTES, MOST_ANSWERS, MOST_LISTED
from tests.classroom.sample_attempts import LIMIT, new_attempt

EXERCISE = {"learner": "ada", "lesson": "basics/first", "exercise": "square"}


def keep(connection: Connection, attempt: NewAttempt, learner: str = "ada") -> StoredAttempt | None:
    return attempts.save_attempt(connection, learner=learner, attempt=attempt, limit_bytes=LIMIT)


def listed(connection: Connection) -> list[str]:
    return [one.receipt.id for one in attempts.list_attempts(connection, **EXERCISE)]


def standing(connection: Connection) -> tuple[str, int, int | None, int | None]:
    row = connection.execute(select(StandingRow.standing, StandingRow.attempts, StandingRow.passed_ms, StandingRow.shown_ms)).one()
    return row.standing, row.attempts, row.passed_ms, row.shown_ms


def kept_answers(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(StoredAnswerRow)).scalar_one()


def test_a_submission_is_kept_as_it_was(connection: Connection) -> None:
    attempt = new_attempt(passed=True, key="k", source="x = '中'", seed=2**32 - 1, at_ms=1_700_000_000_123, answer=b'{"passed": true}')
    assert keep(connection, attempt) is None
    found = attempts.find_attempt(connection, key="k", **EXERCISE)
    assert found is not None
    assert found == StoredAttempt(
        id=found.id,
        receipt=attempt.receipt, at_ms=attempt.at_ms, source="x = '中'", seed=2**32 - 1, run_id=attempt.run_id, passed=True, good=1,
        total=1, mistake=None, verdict=attempt.verdict, imported=False, answer=b'{"passed": true}',
    )  # fmt: skip
    assert attempt.receipt.at == "2023-11-14T22:13:20.123Z"


def test_a_key_gives_the_first_submission_again_and_counts_once(connection: Connection) -> None:
    first = new_attempt(key="k", answer=b"first")
    keep(connection, first)
    again = keep(connection, new_attempt(key="k", answer=b"second", passed=True))
    assert again is not None and (again.receipt, again.answer) == (first.receipt, b"first")
    assert listed(connection) == [first.receipt.id]
    assert standing(connection)[:2] == ("tried", 1)


@pytest.mark.parametrize("other", [new_attempt(key="k", source="x = 2"), new_attempt(key="k", seed=1)])
def test_a_key_is_for_one_source_and_seed(connection: Connection, other: NewAttempt) -> None:
    keep(connection, new_attempt(key="k"))
    with pytest.raises(KeyUsed):
        keep(connection, other)


def test_a_key_is_a_learners_own_and_of_one_exercise(connection: Connection) -> None:
    keep(connection, new_attempt(key="k"))
    assert keep(connection, new_attempt(key="k", source="x = 2"), "bob") is None
    assert keep(connection, new_attempt(key="k", source="x = 3", exercise="cube")) is None
    assert keep(connection, new_attempt(key="k", source="x = 4", lesson="basics/second")) is None


def test_without_a_key_every_submission_counts(connection: Connection) -> None:
    made = [new_attempt(), new_attempt()]
    for one in made:
        assert keep(connection, one) is None
    assert listed(connection) == [one.receipt.id for one in reversed(made)]
    assert standing(connection)[:2] == ("tried", 2)


def test_what_is_older_is_listed_later_also_if_it_was_imported_since(connection: Connection) -> None:
    now, imported = new_attempt(at_ms=2000), new_attempt(at_ms=1000)
    for one in (now, imported):
        keep(connection, one)
    assert listed(connection) == [now.receipt.id, imported.receipt.id]


def test_of_too_many_the_newest_are_listed(connection: Connection) -> None:
    made = [new_attempt() for _ in range(3)]
    keep(connection, made[0])
    row = dict(connection.execute(select(AttemptRow.__table__)).one()._mapping)
    connection.execute(AttemptRow.__table__.insert(), [row | {"id": row["id"] + n, "receipt": f"m{n}"} for n in range(2, MOST_LISTED + 2)])
    assert listed(connection) == [f"m{n}" for n in range(MOST_LISTED + 1, 1, -1)]


def test_too_much_is_refused(connection: Connection) -> None:
    attempt = new_attempt(source="x" * 1000)
    with pytest.raises(TooMuchStored):
        attempts.save_attempt(connection, learner="ada", attempt=attempt, limit_bytes=1000)
    assert learners.find_learner(connection, "ada") is None


def test_of_many_answers_the_newest_are_kept_and_the_others_still_have_their_receipt(connection: Connection) -> None:
    keep(connection, new_attempt(key="bobs"), "bob")
    for number in range(MOST_ANSWERS + 2):
        keep(connection, new_attempt(key=f"k{number}", answer=b"%d" % number))
    assert kept_answers(connection) == MOST_ANSWERS + 1
    found = [attempts.find_attempt(connection, key=f"k{number}", **EXERCISE) for number in range(MOST_ANSWERS + 2)]
    assert [one.answer if one else b"" for one in found] == [None, None, *(b"%d" % number for number in range(2, MOST_ANSWERS + 2))]


def test_large_answers_are_bounded_together(connection: Connection) -> None:
    noise = random.Random(1).randbytes(MOST_ANSWER_BYTES // 2 - 10_000)
    for key in "abc":
        keep(connection, new_attempt(key=key, answer=noise))
    assert kept_answers(connection) == 2
    keep(connection, new_attempt(key="d", answer=random.Random(2).randbytes(MOST_ANSWER_BYTES)))
    assert kept_answers(connection) == 0  # the last one alone is too large
    assert len(listed(connection)) == 4


def test_old_answers_go(connection: Connection) -> None:
    keep(connection, new_attempt(key="old", at_ms=1000))
    keep(connection, new_attempt(key="new", at_ms=1000 + ANSWER_MS - 1))
    assert kept_answers(connection) == 2
    keep(connection, new_attempt(at_ms=1000 + ANSWER_MS))
    found = attempts.find_attempt(connection, key="old", **EXERCISE)
    assert found is not None and found.answer is None


def test_what_was_passed_alone_stays_so_when_the_solution_is_seen(connection: Connection) -> None:
    keep(connection, new_attempt(passed=True, at_ms=5))
    attempts.record_solution(connection, now_ms=7, **EXERCISE)
    keep(connection, new_attempt(at_ms=8))
    keep(connection, new_attempt(passed=True, at_ms=9))
    assert standing(connection) == ("passed", 3, 5, 7)


def test_what_was_passed_after_the_solution_says_so(connection: Connection) -> None:
    attempts.record_solution(connection, now_ms=5, **EXERCISE)
    assert standing(connection) == ("new", 0, None, 5)
    keep(connection, new_attempt(at_ms=6))
    attempts.record_solution(connection, now_ms=7, **EXERCISE)
    keep(connection, new_attempt(passed=True, at_ms=8))
    assert standing(connection) == ("shown", 2, 8, 5)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["fails", "passes", "looks"]), min_size=1, max_size=8))
def test_a_standing_is_what_was_reached_first(engine: Engine, steps: list[str]) -> None:
    with engine.connect() as connection:
        for step in steps:
            if step == "looks":
                attempts.record_solution(connection, now_ms=1, **EXERCISE)
            else:
                keep(connection, new_attempt(passed=step == "passes"))
        reached = standing(connection)
        connection.rollback()
    submissions = [step for step in steps if step != "looks"]
    if "passes" in steps:
        expected = "shown" if "looks" in steps[: steps.index("passes")] else "passed"
    else:
        expected = "tried" if submissions else "new"
    assert reached[:2] == (expected, len(submissions))


def test_nobody_has_no_attempts(connection: Connection) -> None:
    assert attempts.list_attempts(connection, **EXERCISE) == []
    assert attempts.find_attempt(connection, key="k", **EXERCISE) is None


def test_tries_are_the_submissions_that_were_graded_here(connection: Connection) -> None:
    """An imported archive may say anything, so its attempts bring nobody nearer to a solution."""
    assert attempts.count_tries(connection, **EXERCISE) == 0
    for attempt in (new_attempt(), new_attempt(), new_attempt(exercise="other")):
        keep(connection, attempt)
    keep(connection, new_attempt(), learner="bob")
    assert attempts.count_tries(connection, **EXERCISE) == 2
    imported = update(AttemptRow).where(AttemptRow.receipt == listed(connection)[0])
    connection.execute(imported.values(imported=True))
    assert attempts.count_tries(connection, **EXERCISE) == 1
