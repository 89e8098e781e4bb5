"""The verdict on a rehearsal: whether the server is ready for such a class, and if not what to change."""

from enum import StrEnum
from math import ceil
from typing import NamedTuple

from app.rehearsal.observations import FIRST_EVENT, PAGE, RESULT
from app.rehearsal.rehearsal_report import RehearsalReport, Wait

# What 95 of 100 waits must keep: a result that comes within two seconds keeps a thought together, and after ten, attention is gone.
PAGE_SECONDS = 3.0
RESULT_SECONDS = 2.0
WAVE_SECONDS = 10.0
FIRST_EVENT_SECONDS = 2.0
BUSY_CORES = 0.7  # of one core: above, the client itself delays what it measures

# By a part of what was refused, the first that fits; a code and a reason are those of the API.
ADVICE_ON_REFUSALS = (
    ("queue_full (address)", "All came from one address, as a class does: raise GRADROOM_QUEUE_RUNS_PER_ADDRESS."),
    ("queue_full (overall)", "The queue was full: raise GRADROOM_QUEUE_RUNS, or give the server more cores."),
    ("queue_full (memory)", "Long runs had to make room for others: give the server more memory, or lower GRADROOM_MEMORY_BYTES."),
    ("(newcomers)", "More newcomers came from one address than are allowed at once: see the rates in docs/operations.md."),
    ("too_often", "Runs came faster than one learner or one address may order them: see the rates in docs/operations.md."),
    ("connection", "Connections failed: was the server restarted, or is something between it and this machine?"),
    ("", "Look at the server's log, and at the limits in docs/operations.md."),
)


class Grade(StrEnum):
    READY = "ready"
    SLOW = "slow"
    FAILING = "failing"
    UNKNOWN = "unknown"


class Readiness(NamedTuple):
    """`words` is one sentence; `advice` what to look at, one line each."""

    grade: Grade
    words: str
    advice: list[str]


def judge(report: RehearsalReport) -> Readiness:
    """Failing where a learner met an error, a refusal or a wrong outcome; else slow where a wait is too long."""
    failures, delays = find_failures(report), find_delays(report)
    notes = [*note_client(report)]
    if failures:
        return Readiness(Grade.FAILING, f"Not ready for {report.learners}: {failures[0]}", [*failures[1:], *delays, *notes])
    if report.runs == 0:
        return Readiness(Grade.UNKNOWN, "Too short to say: no run has ended.", notes)
    if delays:
        return Readiness(Grade.SLOW, f"Slow for {report.learners}: {delays[0]}", [*delays[1:], *advise_on_speed(report), *notes])
    return Readiness(Grade.READY, f"Ready for {report.learners}: {describe_waits(report)}", notes)


def find_failures(report: RehearsalReport) -> list[str]:
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
    """The most frequent, and how many kinds there are besides."""
    name, *others = counts
    return name + (f", and {len(others)} other kinds" if others else "")


def advise_on_refusals(report: RehearsalReport) -> str:
    """What to change so that the most frequent refusal does not happen."""
    refused = next(iter(report.refusals))
    return next(advice for mark, advice in ADVICE_ON_REFUSALS if mark in refused)


def find_delays(report: RehearsalReport) -> list[str]:
    limits = (
        ("pages", report.waits[PAGE], PAGE_SECONDS),
        ("results", report.waits[RESULT], RESULT_SECONDS),
        ("first events", report.waits[FIRST_EVENT], FIRST_EVENT_SECONDS),
        ("results when all press Run at once", report.wave_waits[RESULT], WAVE_SECONDS),
    )
    return [
        f"95 of 100 {what} came within {tenths(wait)} s; the target is {seconds:g} s."
        for what, wait, seconds in limits
        if wait.p95 is not None and wait.p95 > seconds
    ]


def advise_on_speed(report: RehearsalReport) -> list[str]:
    """More cores where runs waited for a place; else it is not for lack of them."""
    factors = [p95(report.waits[RESULT]) / RESULT_SECONDS, p95(report.wave_waits[RESULT]) / WAVE_SECONDS]
    if max(factors) <= 1:
        return ["Programs were fast; what is slow is on the way: web, the proxy or the network."]
    if p95(report.queued) >= p95(report.run):
        return [f"Runs waited for a free core most of the time: about {ceil(max(factors))} × as many cores would do."]
    return ["Programs themselves took most of the time: a faster processor, or less else on the machine."]


def note_client(report: RehearsalReport) -> list[str]:
    """How far the figures are the client's own doing."""
    client = report.client
    where = "of the same machine" if client.same_machine else "of another machine"
    late = f"95 times in 100 its own clock was at most {ceil(client.late_seconds * 1000)} ms late"
    used = f"This client used {client.cores * 100:.0f} % of one core {where}, and {late}."
    if client.cores > BUSY_CORES:
        return [f"{used} That is too much: the figures are partly its own. Rehearse from another computer."]
    return [used]


def describe_waits(report: RehearsalReport) -> str:
    parts = [f"95 of 100 results came within {tenths(report.waits[RESULT])} s"] if report.waits[RESULT].count else []
    if report.wave_waits[RESULT].count:
        parts.append(f"{tenths(report.wave_waits[RESULT])} s when all press Run at once")
    return f"{', '.join(parts)}; no errors, no refusals."


def p95(wait: Wait) -> float:
    return wait.p95 or 0.0


def tenths(wait: Wait) -> float:
    """The p95 in seconds, rounded up: what came within 0.02 s came within 0.1."""
    return ceil(round(p95(wait) * 10, 3)) / 10
