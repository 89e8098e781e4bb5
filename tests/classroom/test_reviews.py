"""When a question is asked again: later after each right answer, and never if the first answer was right."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.classroom.store.times import DAY_MS
from app.classroom.work.reviews import BadCard, Review, read_card, review
from tests.one_test import in_one_test

NOW = 1_700_000_000_000
WRONG = review(Review(), False, NOW)


def due_of(one: Review) -> int:
    assert one.due_ms is not None
    return one.due_ms


@pytest.mark.parametrize("right", [True, None])
def test_what_was_never_wrong_does_not_come_back(right: bool | None) -> None:
    assert review(Review(), right, NOW) == Review()


def test_what_was_wrong_comes_back_the_next_day() -> None:
    assert due_of(WRONG) == NOW + DAY_MS


def test_the_same_answers_give_the_same_card() -> None:
    assert review(Review(), False, NOW) == WRONG
    assert review(WRONG, True, NOW + DAY_MS) == review(WRONG, True, NOW + DAY_MS)


def test_right_answers_bring_it_back_later_each_time() -> None:
    one, intervals = WRONG, []
    for _ in range(6):
        now = due_of(one)
        one = review(one, True, now)
        intervals.append((due_of(one) - now) // DAY_MS)
    assert intervals == sorted(set(intervals))
    assert intervals[0] >= 2 and 30 < intervals[-1] < 1000


@pytest.mark.parametrize("right", [False, None])
def test_wrong_when_due_begins_with_short_days(right: bool | None) -> None:
    long = WRONG
    for _ in range(5):
        long = review(long, True, due_of(long))
    now = due_of(long)
    assert DAY_MS <= due_of(review(long, right, now)) - now < 5 * DAY_MS


@given(st.sampled_from([True, None, False]), st.integers(0, DAY_MS - 1))
def test_an_answer_on_the_day_of_a_wrong_one_changes_nothing(right: bool | None, later_ms: int) -> None:
    assert review(WRONG, right, NOW + later_ms) == WRONG


def test_a_wrong_answer_brings_a_far_question_near_once() -> None:
    far = WRONG
    for _ in range(5):
        far = review(far, True, due_of(far))
    now = due_of(far) - 10 * DAY_MS
    assert review(far, True, now) == review(far, None, now) == far
    near = review(far, False, now)
    assert now + DAY_MS <= due_of(near) < due_of(far)
    assert review(near, False, now + DAY_MS - 1) == near
    assert due_of(review(near, False, now + DAY_MS)) < due_of(near)


def test_a_wrong_answer_puts_nothing_off() -> None:
    one = review(WRONG, True, due_of(WRONG))
    assert review(one, False, due_of(one) - DAY_MS // 2) == one


@given(st.lists(st.tuples(st.sampled_from([True, False, None]), st.integers(-DAY_MS, 400 * DAY_MS)), max_size=12))
def test_whatever_is_answered_it_comes_back_on_another_day(answers: list[tuple[bool | None, int]]) -> None:
    one, now = WRONG, NOW
    for right, pause_ms in answers:
        now += pause_ms  # a server's clock may be set back
        before, one = one, review(one, right, now)
        assert one == before or due_of(one) - now >= DAY_MS
        json.loads(one.card or "")


CARD = json.loads(WRONG.card or "")
BROKEN: dict[str, Any] = {
    "stability": [None, 0, -1, 1e300, "1", True],
    "difficulty": [None, 0.5, 11, "5"],
    "state": [None, 0, 1, 3, 4, "2"],
    "step": [0, "x"],
    "card_id": [None, -1, 0.5],
    "due": [None, "", "2026-01-01T00:00:00", "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-23:00", 5],
    "last_review": [None, "2026-01-01T00:00:00", "9999-12-31T23:59:59-23:00"],
}
BROKEN_CARDS = [json.dumps(CARD | {name: value}) for name, values in BROKEN.items() for value in values]
TEXTS = ["", "null", "[]", "{}", '{"stability": NaN}', json.dumps({name: CARD[name] for name in CARD if name != "due"})]


@in_one_test("card", [*BROKEN_CARDS, *TEXTS])
@in_one_test("right", [True, False, None])
def test_a_card_that_is_broken_counts_as_none(card: str, right: bool | None) -> None:
    """The answer to its question is stored, however the card got into the store."""
    assert review(Review(card=card, due_ms=NOW), right, NOW) == review(Review(), right, NOW)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BROKEN.items() for value in values])
def test_what_is_wrong_with_a_card_is_named(name: str, value: object) -> None:
    with pytest.raises(BadCard) as raised:
        read_card(json.dumps(CARD | {name: value}))
    assert raised.value.field == name


MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1), timezones=st.just(UTC)).map(datetime.isoformat)
NUMBERS = st.one_of(st.none(), st.booleans(), st.integers(-1, 4), st.floats(allow_nan=False), st.floats(0, 12))


@given(
    card=st.fixed_dictionaries(
        {
            "card_id": st.integers(0, 2**53), "state": st.just(2), "step": st.none(), "stability": st.floats(0.0001, 1e5) | NUMBERS,
            "difficulty": st.floats(1, 10) | NUMBERS, "due": MOMENTS, "last_review": MOMENTS,
        }
    ),
    right=st.sampled_from([True, False, None]),
    now_ms=st.integers(0, 4_000_000_000_000),
)  # fmt: skip
def test_whatever_card_is_accepted_can_be_answered(card: dict[str, Any], right: bool | None, now_ms: int) -> None:
    after = review(Review(card=json.dumps(card), due_ms=NOW), right, now_ms)
    assert after.card is None or json.loads(after.card)
