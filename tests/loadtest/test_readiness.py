"""The verdict of a load test."""

from typing import Any

import msgspec
import pytest

from app.loadtest.readiness import Grade, assess
from app.loadtest.report import ClientLoad, LoadtestReport, Observations, make_report, summarise_waits

CLIENT = ClientLoad(cores=0.1, late_seconds=0.002, same_machine=True)


def make_seen(result: float = 0.2, wave: float = 2.0, page: float = 0.1, queued: float = 0.1, run: float = 0.05) -> Observations:
    seen = Observations(queued_seconds=[queued] * 20, run_seconds=[run] * 20, pressed=20, ended=20)
    seen.waits.update(page=[page] * 20, first_event=[0.05] * 10, result=[result] * 10)
    seen.wave_waits.update(first_event=[0.05] * 10, result=[wave] * 10)
    return seen


def report_of(seen: Observations, interrupted: bool = False) -> LoadtestReport:
    return make_report(
        seen,
        CLIENT,
        server="http://127.0.0.1:8000",
        learners=40,
        planned_seconds=120,
        seconds=121.0,
        seed=0,
        interrupted=interrupted,
    )


def test_a_quick_server_without_faults_is_ready() -> None:
    readiness = assess(report_of(make_seen()))
    assert readiness.grade == Grade.READY
    assert readiness.words == (
        "Ready for 40: 95 of 100 results came within 0.2 s, 2.0 s when all press Run at once; no errors, no refusals."
    )


@pytest.mark.parametrize(
    ("waits", "words"),
    [
        ({"result": 2.41}, "Slow for 40: 95 of 100 results came within 2.5 s; the target is 2 s."),
        ({"wave": 11.0}, "Slow for 40: 95 of 100 results when all press Run at once came within 11.0 s; the target is 10 s."),
        ({"page": 3.5}, "Slow for 40: 95 of 100 pages came within 3.5 s; the target is 3 s."),
    ],
)
def test_a_wait_that_is_too_long_makes_it_slow(waits: dict[str, float], words: str) -> None:
    readiness = assess(report_of(make_seen(**waits)))
    assert readiness.grade == Grade.SLOW
    assert readiness.words == words


@pytest.mark.parametrize(
    ("waits", "advice"),
    [
        ({"wave": 25.0, "queued": 20.0}, "about 3 × as many cores"),
        ({"wave": 25.0, "queued": 0.1, "run": 3.0}, "a faster processor"),
        ({"page": 9.0}, "web, the proxy or the network"),
    ],
)
def test_a_slow_server_comes_with_what_to_change(waits: dict[str, float], advice: str) -> None:
    assert advice in " ".join(assess(report_of(make_seen(**waits))).advice)


@pytest.mark.parametrize(
    ("field", "name", "words"),
    [
        ("refusals", "run: 429 queue_full (address)", "raise GRADROOM_QUEUE_RUNS_PER_ADDRESS"),
        ("refusals", "run: 429 queue_full (overall)", "raise GRADROOM_QUEUE_RUNS, or"),
        ("refusals", "connection: ConnectError", "was the server restarted"),
        ("refusals", "run: 429 too_often (newcomers)", "More newcomers came from one address"),
        ("refusals", "run: 429 too_often (address)", "faster than one learner or one address may order them"),
        ("refusals", "page: 503", "the limits in docs/operations.md"),
        ("faults", "run: lost", "a learner met an error (run: lost)"),
        ("mismatches", "c/a x: expected finished, got raised ValueError", "did not end as its lesson says"),
    ],
)
def test_what_a_learner_met_makes_it_fail_and_says_what_to_do(field: str, name: str, words: str) -> None:
    seen = make_seen()
    getattr(seen, field)[name] = 3
    readiness = assess(report_of(seen))
    assert readiness.grade == Grade.FAILING
    assert readiness.words.startswith("Not ready for 40: 3 × ")
    assert words in readiness.words


def test_a_run_without_a_result_fails_unless_the_rehearsal_was_interrupted() -> None:
    seen = make_seen()
    seen.pressed += 2
    assert assess(report_of(seen)).grade == Grade.FAILING
    assert assess(report_of(seen, interrupted=True)).grade == Grade.READY


def test_nothing_is_said_of_a_rehearsal_without_runs() -> None:
    assert assess(report_of(Observations(), interrupted=True)).grade == Grade.UNKNOWN


def test_a_busy_client_is_said_so() -> None:
    report: Any = msgspec.structs.replace(report_of(make_seen()), client=ClientLoad(cores=0.9, late_seconds=0.2, same_machine=True))
    assert "Rehearse from another computer" in assess(report).advice[-1]


@pytest.mark.parametrize(
    ("samples", "expected"), [(range(1, 101), (50, 95, 100)), ([3.0], (3, 3, 3)), ([2, 1], (1, 2, 2)), (range(1, 21), (10, 19, 20))]
)
def test_percentiles_are_waits_that_happened(samples: Any, expected: tuple[float, ...]) -> None:
    wait = summarise_waits(list(samples))
    assert (wait.p50, wait.p95, wait.max) == expected


def test_a_slow_board_makes_a_class_slow_and_a_fast_one_is_in_the_verdict() -> None:
    for delay, grade, words in ((1.5, Grade.SLOW, "submissions on the board came within 1.5 s"), (0.5, Grade.READY, "board within 0.5 s")):
        seen = make_seen()
        seen.waits["submission_on_board"] = [delay] * 20
        readiness = assess(report_of(seen))
        assert readiness.grade == grade
        assert words in readiness.words
