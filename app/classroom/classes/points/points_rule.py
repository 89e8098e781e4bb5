"""How attempts become points. Points are integers, in hundredths, so that sums are exact."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

HUNDREDTHS = 100
Standing = Literal["counts", "imported", "early", "late", "after_solution"]


@dataclass(frozen=True, kw_only=True)
class PointsRule:
    """How the attempts of a class count.

    `counting` is "all" if only a passed exercise gives points, or "checks" if each required check that passed gives its share.
    `counted_attempt` is "best" or "last". Attempts after `until_ms` do not count; None means no end. `after_solution` says whether
    attempts count that were made after the solution was shown.
    """

    counting: str = "all"
    counted_attempt: str = "best"
    until_ms: int | None = None
    after_solution: bool = False


@dataclass(frozen=True, kw_only=True)
class AttemptResult:
    """The result of an attempt, or of several with the same result: then `at_ms` and `attempt_id` are the highest."""

    attempt_id: int
    at_ms: int
    passed: bool
    good: int
    total: int
    imported: bool = False


def judge_attempt(rule: PointsRule, attempt: AttemptResult, since_ms: int, shown_ms: int | None) -> Standing:
    """Return "counts", or why an attempt does not. The class sees attempts from `since_ms` on; the solution was shown at `shown_ms`."""
    if attempt.imported:
        return "imported"
    if attempt.at_ms < since_ms:
        return "early"
    if rule.until_ms is not None and attempt.at_ms > rule.until_ms:
        return "late"
    if not rule.after_solution and shown_ms is not None and attempt.at_ms >= shown_ms:
        return "after_solution"
    return "counts"


def give_points(rule: PointsRule, worth: int, attempt: AttemptResult) -> int:
    """Return the points of an attempt, in hundredths, for an exercise that is worth `worth` points. Halves are rounded up."""
    if attempt.passed:
        return worth * HUNDREDTHS
    if rule.counting == "all" or not attempt.total:
        return 0
    return (2 * worth * HUNDREDTHS * attempt.good + attempt.total) // (2 * attempt.total)


def choose_attempt(rule: PointsRule, worth: int, attempts: Iterable[AttemptResult]) -> AttemptResult | None:
    """Return the attempt that gives the points, or None if there are no attempts. All `attempts` must be ones that count.

    Of several best attempts it is the latest. Of several last ones, which two devices may send in the same millisecond, it is the best.
    """

    def rank(attempt: AttemptResult) -> tuple[int, int, int]:
        points = give_points(rule, worth, attempt)
        first = (points, attempt.at_ms) if rule.counted_attempt == "best" else (attempt.at_ms, points)
        return *first, attempt.attempt_id

    return max(attempts, key=rank, default=None)
