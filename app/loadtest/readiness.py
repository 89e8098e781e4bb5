"""The verdict of a load test: whether the server is ready for a class of this size, and what to change if it is not."""

from enum import StrEnum
from math import ceil
from typing import NamedTuple

from app.loadtest.report import (
    BOARD_ATTEMPT,
    BOARD_HAND,
    BOARD_PAGE,
    FIRST_EVENT,
    GRADED,
    HAND,
    JOINED,
    PAGE,
    PREDICTED,
    RESULT,
    SAVED,
    LoadtestReport,
    Wait,
)

# The longest that 95 of 100 waits may be. After two seconds a learner's thought is interrupted, and after ten their attention is lost.
PAGE_SECONDS = 3.0
RESULT_SECONDS = 2.0
WAVE_SECONDS = 10.0
SAVED_SECONDS = 1.0
GRADED_SECONDS = 5.0
FIRST_EVENT_SECONDS = 2.0
BOARD_SECONDS = 1.0
BUSY_CORES = 0.7  # of one core; a client that uses more delays what it measures

# What to do about a refusal whose description contains the first text. The first entry that matches counts. Codes are the API's.
ADVICE_ON_REFUSALS = (
    ("queue_full (address)", "All came from one address, as a class does: raise GRADROOM_QUEUE_RUNS_PER_ADDRESS."),
    ("queue_full (overall)", "The queue was full: raise GRADROOM_QUEUE_RUNS, or give the server more cores."),
    ("queue_full (memory)", "Long runs had to make room for others: give the server more memory, or lower GRADROOM_MEMORY_BYTES."),
    ("(newcomers)", "More newcomers came from one address than are allowed at once: see the rates in docs/operations.md."),
    ("too_often", "Runs came faster than one learner or one address may order them: see the rates in docs/operations.md."),
    ("gave way", "More learners of classes were there than have a stream: raise GRADROOM_LEARNER_STREAMS."),
    ("connection", "Connections failed: was the server restarted, or is something between it and this machine?"),
    ("", "Look at the server's log, and at the limits in docs/operations.md."),
)


class Grade(StrEnum):
    READY = "ready"
    SLOW = "slow"
    FAILING = "failing"
    UNKNOWN = "unknown"


class Readiness(NamedTuple):
    """The verdict. `words` is one sentence; `advice` has a line for each thing to look at or to change."""

    grade: Grade
    words: str
    advice: list[str]


def assess(report: LoadtestReport) -> Readiness:
    """Return the verdict. It is FAILING if a learner met an error, a refusal or a wrong outcome; else SLOW if waits were too long."""
    failures, delays = find_failures(report), find_delays(report)
    notes = [*note_client(report)]
    if failures:
        return Readiness(Grade.FAILING, f"Not ready for {report.learners}: {failures[0]}", [*failures[1:], *delays, *notes])
    if report.runs == 0:
        return Readiness(Grade.UNKNOWN, "Too short to say: no run has ended.", notes)
    if delays:
        return Readiness(Grade.SLOW, f"Slow for {report.learners}: {delays[0]}", [*delays[1:], *advise_on_speed(report), *notes])
    return Readiness(Grade.READY, f"Ready for {report.learners}: {describe_waits(report)}", notes)


def find_failures(report: LoadtestReport) -> list[str]:
    found = []
    if total := sum(report.faults.values()):
        found.append(f"{total} × a learner met an error ({first_of(report.faults)}). Look at the server's log.")
    if report.unfinished and not report.interrupted:
        found.append(f"{report.unfinished} runs had no result when the class was over. Look at the server's log.")
    if total := sum(report.mismatches.values()):
        found.append(f"{total} × a cell did not end as its lesson says ({first_of(report.mismatches)}). Try gradroom lessons check.")
    if total := sum(report.refusals.values()):
        found.append(f"{total} × a learner was refused and had to wait ({first_of(report.refusals)}). {advise_on_refusals(report)}")
    return found


def first_of(counts: dict[str, int]) -> str:
    """Return the first of `counts`, which is the most frequent, and how many others there are."""
    name, *others = counts
    return name + (f", and {len(others)} other kinds" if others else "")


def advise_on_refusals(report: LoadtestReport) -> str:
    """Return what to change so that the most frequent refusal does not happen again."""
    refused = next(iter(report.refusals))
    return next(advice for mark, advice in ADVICE_ON_REFUSALS if mark in refused)


def find_delays(report: LoadtestReport) -> list[str]:
    limits: tuple[tuple[str, Wait, float], ...] = (
        ("pages", report.waits[PAGE], PAGE_SECONDS),
        ("results", report.waits[RESULT], RESULT_SECONDS),
        ("first events", report.waits[FIRST_EVENT], FIRST_EVENT_SECONDS),
        ("predictions", report.waits[PREDICTED], RESULT_SECONDS),
        ("saves", report.waits[SAVED], SAVED_SECONDS),
        ("grades", report.waits[GRADED], GRADED_SECONDS),
        ("results when all press Run at once", report.wave_waits[RESULT], WAVE_SECONDS),
        ("grades when all press Submit at once", report.wave_waits[GRADED], WAVE_SECONDS),
    )
    in_class = (
        ("pages of joining the class", JOINED, PAGE_SECONDS),
        ("answers to raised and lowered hands", HAND, SAVED_SECONDS),
        ("pages of the board", BOARD_PAGE, PAGE_SECONDS),
        ("submissions on the board", BOARD_ATTEMPT, BOARD_SECONDS),
        ("hands on the board", BOARD_HAND, BOARD_SECONDS),
    )
    limits += tuple((what, report.waits[name], seconds) for what, name, seconds in in_class if name in report.waits)
    return [
        f"95 of 100 {what} came within {tenths(wait)} s; the target is {seconds:g} s."
        for what, wait, seconds in limits
        if wait.p95 is not None and wait.p95 > seconds
    ]


def advise_on_speed(report: LoadtestReport) -> list[str]:
    """Return what would make waits shorter. If runs waited in the queue for longer than they ran, that is more cores."""
    factors = [p95(report.waits[RESULT]) / RESULT_SECONDS, p95(report.wave_waits[RESULT]) / WAVE_SECONDS]
    if max(factors) <= 1:
        return ["Programs were fast; what is slow is on the way: web, the proxy or the network."]
    if p95(report.queued) >= p95(report.run):
        return [f"Runs waited for a free core most of the time: about {ceil(max(factors))} × as many cores would do."]
    return ["Programs themselves took most of the time: a faster processor, or less else on the machine."]


def note_client(report: LoadtestReport) -> list[str]:
    """Return how busy the load test's own process was, with a warning if it was too busy to measure well."""
    client = report.client
    where = "of the same machine" if client.same_machine else "of another machine"
    late = f"95 times in 100 its own clock was at most {ceil(client.late_seconds * 1000)} ms late"
    used = f"This client used {client.cores * 100:.0f} % of one core {where}, and {late}."
    if client.cores > BUSY_CORES:
        return [f"{used} That is too much: the figures are partly its own. Rehearse from another computer."]
    return [used]


def describe_waits(report: LoadtestReport) -> str:
    parts = [f"95 of 100 results came within {tenths(report.waits[RESULT])} s"] if report.waits[RESULT].count else []
    if report.wave_waits[RESULT].count:
        parts.append(f"{tenths(report.wave_waits[RESULT])} s when all press Run at once")
    if report.wave_waits[GRADED].count:
        parts.append(f"grades within {tenths(report.wave_waits[GRADED])} s when all press Submit at once")
    board = report.waits.get(BOARD_ATTEMPT)
    if board and board.count:
        parts.append(f"submissions are on the board within {tenths(board)} s")
    return f"{', '.join(parts)}; no errors, no refusals."


def p95(wait: Wait) -> float:
    return wait.p95 or 0.0


def tenths(wait: Wait) -> float:
    """Return the 95th percentile in seconds, rounded up to tenths."""
    return ceil(round(p95(wait) * 10, 3)) / 10
