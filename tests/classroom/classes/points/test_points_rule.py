"""How many points attempts get: examples that were computed by hand, and random attempts."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.classroom.classes.points.points_rule import AttemptResult, PointsRule, choose_attempt, give_points, judge_attempt

ids = count(1)


def attempt(at_ms: int, good: int, total: int = 3, *, imported: bool = False) -> AttemptResult:
    return AttemptResult(attempt_id=next(ids), at_ms=at_ms, passed=good == total, good=good, total=total, imported=imported)


@pytest.mark.parametrize(
    ("counting", "worth", "good", "total", "points"),
    [
        ("all", 2, 3, 3, 200),
        ("all", 2, 2, 3, 0),
        ("checks", 1, 2, 3, 67),  # 0.666… is rounded
        ("checks", 1, 1, 3, 33),
        ("checks", 1, 1, 8, 13),  # 0.125: a half is rounded up
        ("checks", 10, 0, 3, 0),
        ("checks", 0, 3, 3, 0),
        ("checks", 5, 0, 0, 500),  # without checks that must pass, the verdict decides
    ],
)
def test_points_of_one_attempt(counting: str, worth: int, good: int, total: int, points: int) -> None:
    assert give_points(PointsRule(counting=counting), worth, attempt(1, good, total)) == points


def test_what_counts_is_neither_imported_nor_early_nor_late_nor_after_the_solution() -> None:
    rule = PointsRule(until_ms=100)
    judged = {at_ms: judge_attempt(rule, attempt(at_ms, 3), 10, 50) for at_ms in (9, 10, 49, 50, 100, 101)}
    after = "after_solution"
    assert judged == {9: "early", 10: "counts", 49: "counts", 50: after, 100: after, 101: "late"}
    assert judge_attempt(rule, attempt(20, 3, imported=True), 10, None) == "imported"
    assert judge_attempt(PointsRule(after_solution=True), attempt(60, 3), 10, 50) == "counts"


def test_the_best_is_chosen_or_the_last() -> None:
    first, best, same, last = attempt(1, 1), attempt(2, 2), attempt(3, 2), attempt(4, 0)
    attempts = [last, best, first, same]
    assert choose_attempt(PointsRule(counting="checks"), 1, attempts) is same  # the later of two that are as good
    assert choose_attempt(PointsRule(counting="checks", counted_attempt="last"), 1, attempts) is last
    assert choose_attempt(PointsRule(), 1, []) is None


RESULTS = st.builds(attempt, at_ms=st.integers(0, 5), good=st.integers(0, 3))
RULES = st.builds(PointsRule, counting=st.sampled_from(["all", "checks"]), counted_attempt=st.sampled_from(["best", "last"]))


@given(attempts=st.lists(RESULTS, min_size=1), worth=st.integers(0, 1000), rule=RULES)
def test_points_are_within_bounds_and_another_attempt_never_lowers_the_best(
    attempts: list[AttemptResult], worth: int, rule: PointsRule
) -> None:
    def points(some: list[AttemptResult]) -> int:
        chosen = choose_attempt(rule, worth, some)
        return give_points(rule, worth, chosen) if chosen else 0

    assert 0 <= points(attempts) <= worth * 100
    assert points(attempts) == points(attempts[::-1])
    if rule.counted_attempt == "best":
        assert points(attempts) >= points(attempts[:-1])
        assert points(attempts) == max(give_points(rule, worth, one) for one in attempts)
