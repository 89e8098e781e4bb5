"""The rule by which the board says who needs help. It is a function of what one member did in their current exercise.

A member is stuck if no new check has passed for as many submissions, or for as many minutes, as the class's settings say, or if they have
done nothing for that many minutes after a submission that did not pass. A raised hand takes precedence.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

MINUTE_MS = 60_000
AWAY_MS = 10 * MINUTE_MS  # without activity; the server does not see reading
GONE_MS = 30 * MINUTE_MS  # after which a submission that did not pass no longer counts
QUICK_MS = 40_000  # between two submissions, on average

Group = Literal["hand", "stuck", "working", "away"]
Reason = Literal[
    "hand",  # the hand is raised
    "waiting",  # the hand is raised for longer than the minutes of the rule, and nobody is coming
    "coming",  # a helper is coming
    "same",  # the same check fails again and again
    "quick",  # many submissions, one soon after the other
    "tries",  # many submissions, in which different checks fail
    "minutes",  # some submissions, and no new check passes for a long time
    "unsent",  # at the exercise for a long time, without a submission
    "silent",  # nothing since a submission that did not pass
    "trying",
    "writing",
    "reading",
    "passed",
    "idle",
    "absent",  # no activity of the member is stored
]


class StuckLimits(msgspec.Struct, frozen=True, kw_only=True):
    """A member is stuck after this many submissions, or minutes, in which no new check passed."""

    tries: int
    minutes: int


class ExerciseTry(msgspec.Struct, frozen=True, kw_only=True):
    """A submission to the exercise. `good` is how many checks passed. `failing` is the key of the failure, or "" if it is unknown."""

    at_ms: int
    good: int
    passed: bool
    failing: str = ""


class MemberState(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a member. `here_ms` is when they came to their current place, and `active_ms` when they were last active.

    `tries` are the submissions to the exercise, oldest first. `at_exercise` is false for a member who is in a lesson but at none of its
    exercises. `has_passed` is true if the exercise was ever passed. `hand_ms` is when the hand was raised, or None.
    """

    active_ms: int | None = None
    here_ms: int | None = None
    at_exercise: bool = False
    has_passed: bool = False
    tries: Sequence[ExerciseTry] = ()
    hand_ms: int | None = None
    is_helped: bool = False


class StuckJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """The group of a member, why, and since when. `tries` is the number of successive submissions in which no new check passed."""

    group: Group
    reason: Reason
    since_ms: int | None = None
    tries: int = 0


def judge(state: MemberState, limits: StuckLimits, now_ms: int) -> StuckJudgement:
    """Return the judgement on a member."""
    recent = after_last_pause(state.tries)
    fruitless = after_last_progress(recent)
    last_ms = max(state.active_ms or 0, recent[-1].at_ms if recent else 0)
    if state.hand_ms is not None:
        is_ignored = now_ms - state.hand_ms >= limits.minutes * MINUTE_MS
        reason: Reason = "coming" if state.is_helped else "waiting" if is_ignored else "hand"
        return StuckJudgement(group="hand", reason=reason, since_ms=state.hand_ms, tries=len(fruitless))
    if not last_ms:
        return StuckJudgement(group="away", reason="absent")
    idle_ms = now_ms - last_ms
    if state.has_passed or any(one.passed for one in recent):
        return rest(idle_ms, "passed", last_ms)
    if recent and idle_ms < GONE_MS:
        return judge_tries(state, fruitless, limits, now_ms, last_ms)
    if state.at_exercise and idle_ms < AWAY_MS:
        here_ms = state.here_ms or last_ms
        if now_ms - here_ms >= limits.minutes * MINUTE_MS:
            return StuckJudgement(group="stuck", reason="unsent", since_ms=here_ms)
        return StuckJudgement(group="working", reason="writing", since_ms=here_ms)
    return rest(idle_ms, "reading", state.here_ms or last_ms, last_ms)


def judge_tries(state: MemberState, fruitless: Sequence[ExerciseTry], limits: StuckLimits, now_ms: int, last_ms: int) -> StuckJudgement:
    """Return the judgement on a member whose last submission did not pass. `fruitless` is not empty."""
    # somebody may work for a long time before the first submission
    began_ms = min(state.here_ms or last_ms, fruitless[0].at_ms) if len(fruitless) == len(state.tries) else fruitless[0].at_ms
    count = len(fruitless)
    if count >= limits.tries:
        return StuckJudgement(group="stuck", reason=describe_tries(fruitless[-limits.tries :]), since_ms=began_ms, tries=count)
    if now_ms - last_ms >= limits.minutes * MINUTE_MS:
        return StuckJudgement(group="stuck", reason="silent", since_ms=last_ms, tries=count)
    if now_ms - began_ms >= limits.minutes * MINUTE_MS:
        return StuckJudgement(group="stuck", reason="minutes", since_ms=began_ms, tries=count)
    return StuckJudgement(group="working", reason="trying", since_ms=began_ms, tries=count)


def describe_tries(tries: Sequence[ExerciseTry]) -> Reason:
    """Return "quick", "same" or "tries": what these submissions have in common."""
    if len(tries) > 1 and tries[-1].at_ms - tries[0].at_ms < (len(tries) - 1) * QUICK_MS:
        return "quick"
    is_same = tries[0].failing != "" and all(one.failing == tries[0].failing for one in tries)
    return "same" if is_same else "tries"


def rest(idle_ms: int, reason: Reason, since_ms: int, last_ms: int | None = None) -> StuckJudgement:
    """Return the judgement on a member who is not stuck: working, or away."""
    if idle_ms >= AWAY_MS:
        return StuckJudgement(group="away", reason="idle", since_ms=last_ms or since_ms)
    return StuckJudgement(group="working", reason=reason, since_ms=since_ms)


def after_last_pause(tries: Sequence[ExerciseTry]) -> Sequence[ExerciseTry]:
    """Return the submissions since the last pause of GONE_MS, so that yesterday's do not count."""
    for place in range(len(tries) - 1, 0, -1):
        if tries[place].at_ms - tries[place - 1].at_ms >= GONE_MS:
            return tries[place:]
    return tries


def after_last_progress(tries: Sequence[ExerciseTry]) -> Sequence[ExerciseTry]:
    """Return the submissions from the last one that passed more checks than all before it.

    That one is included, so that a program that is sent four times without a change counts as four.
    """
    best, first = tries[0].good if tries else 0, 0
    for place, one in enumerate(tries):
        if one.good > best:
            best, first = one.good, place
    return tries[first:]
