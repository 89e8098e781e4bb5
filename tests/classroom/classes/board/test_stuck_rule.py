"""Who the board calls stuck: six ways of being stuck, and people who are not."""

import pytest

from app.classroom.classes.board.stuck_rule import ExerciseTry, MemberState, StuckJudgement, StuckLimits, judge

MINUTE = 60_000
NOW = 1_000_000 * MINUTE
LIMITS = StuckLimits(tries=4, minutes=10)


def ago(minutes: float) -> int:
    return NOW - int(minutes * MINUTE)


def tries(*minutes: float, good: tuple[int, ...] = (), failing: str = "aaaaaaaaaa", passed: bool = False) -> list[ExerciseTry]:
    """Return submissions made so many minutes ago. `failing` has a letter for the check that fails in each."""
    goods = good or (1,) * len(minutes)
    made = [ExerciseTry(at_ms=ago(at), good=goods[n], passed=False, failing=failing[n]) for n, at in enumerate(minutes)]
    return [*made[:-1], ExerciseTry(at_ms=made[-1].at_ms, good=9, passed=True)] if passed else made


def state(*, here: float = 5, active: float | None = 0, **facts: object) -> MemberState:
    times = {"here_ms": ago(here), "active_ms": None if active is None else ago(active)}
    return MemberState(at_exercise=True, **times, **facts)  # type: ignore[arg-type]


STUCK = {
    "the same check again and again": (state(tries=tries(8, 6, 4, 2)), "same"),
    "different errors, and no progress": (state(tries=tries(8, 6, 4, 2, failing="abca")), "tries"),
    "long typing without a submission": (state(here=11), "unsent"),
    "nothing after a failure": (state(here=13, active=12, tries=tries(12)), "silent"),
    "many quick tries": (state(tries=tries(2, 1.6, 1.2, 0.8, failing="abcd")), "quick"),
    "a few tries in a long time": (state(here=15, tries=tries(12, 3)), "minutes"),
}


@pytest.mark.parametrize("way", STUCK)
def test_a_way_of_being_stuck_is_seen_with_its_reason(way: str) -> None:
    found, reason = STUCK[way]
    judged = judge(found, LIMITS, NOW)
    assert (judged.group, judged.reason) == ("stuck", reason)


NOT_STUCK = {
    "three tries": (state(tries=tries(6, 4, 2)), "working", "trying"),
    "a new check each time": (state(tries=tries(9, 7, 5, 3, 1, good=(1, 2, 3, 4, 5))), "working", "trying"),
    "four tries before a new check passed": (state(tries=tries(9, 8, 7, 6, 1, good=(1, 1, 1, 1, 2))), "working", "trying"),
    "writing": (state(here=9), "working", "writing"),
    "passed, and still there": (state(here=40, tries=tries(9, 8, 7, 6, passed=True)), "working", "passed"),
    "passed long ago": (state(here=40, has_passed=True), "working", "passed"),
    "yesterday's tries": (state(here=2, tries=tries(1441, 1440, 1439, 1438, 1)), "working", "trying"),
    "left after a failure": (state(here=50, active=45, tries=tries(45)), "away", "idle"),
    "left": (state(here=50, active=12), "away", "idle"),
    "never came": (MemberState(), "away", "absent"),
}


@pytest.mark.parametrize("way", NOT_STUCK)
def test_who_is_not_stuck_is_not_called_so(way: str) -> None:
    found, group, reason = NOT_STUCK[way]
    judged = judge(found, LIMITS, NOW)
    assert (judged.group, judged.reason) == (group, reason)


def test_a_raised_hand_comes_first_and_says_whether_it_is_ignored() -> None:
    stuck = tries(8, 6, 4, 2)
    assert judge(state(tries=stuck, hand_ms=ago(2)), LIMITS, NOW) == StuckJudgement(group="hand", reason="hand", since_ms=ago(2), tries=4)
    assert judge(state(hand_ms=ago(11)), LIMITS, NOW).reason == "waiting"
    assert judge(state(hand_ms=ago(11), is_helped=True), LIMITS, NOW).reason == "coming"
    assert judge(MemberState(hand_ms=ago(1)), LIMITS, NOW).group == "hand"


def test_the_limits_are_those_of_the_class() -> None:
    found = state(tries=tries(6, 4, 2))
    assert judge(found, StuckLimits(tries=3, minutes=10), NOW).group == "stuck"
    assert judge(found, StuckLimits(tries=9, minutes=5), NOW).reason == "minutes"
    assert judge(found, StuckLimits(tries=9, minutes=30), NOW).group == "working"


def test_the_time_counts_from_the_last_new_check_or_from_the_beginning() -> None:
    assert judge(state(here=14, tries=tries(8, 6, 4, 2)), LIMITS, NOW).since_ms == ago(14)
    progress = judge(state(here=30, tries=tries(20, 8, 6, 4, 2, good=(1, 2, 2, 2, 2))), LIMITS, NOW)
    assert (progress.since_ms, progress.tries) == (ago(8), 4)
