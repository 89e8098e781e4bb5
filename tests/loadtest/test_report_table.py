"""The report of a load test in a terminal."""

import io

from rich.console import Console

from app.loadtest.readiness import assess
from app.loadtest.report import ClientLoad, Observations, make_report
from app.loadtest.report_table import print_report


def test_waits_counts_and_the_verdict_each_have_their_line() -> None:
    seen = Observations(queued_seconds=[0.25], run_seconds=[0.5], pressed=1, ended=1)
    seen.waits.update(page=[0.5, 1.0], first_event=[0.01], result=[0.75])
    seen.refusals["run: 429 queue_full (address)"] = 2
    seen.mismatches["c/a [x]: expected finished, got timed_out"] = 1
    client = ClientLoad(cores=0.35, late_seconds=0.004, same_machine=True)
    where = {"server": "http://127.0.0.1:8000", "learners": 40, "planned_seconds": 120.0, "seconds": 120.4, "seed": 0, "interrupted": False}
    report = make_report(seen, client, **where)  # type: ignore[arg-type]
    readiness = assess(report)
    text = io.StringIO()
    print_report(report, readiness, Console(file=text, width=200))
    assert [" ".join(line.split()) for line in text.getvalue().splitlines() if line.strip()] == [
        "40 learners at http://127.0.0.1:8000: 1 runs in 120 s.",
        "Waits, in seconds count p50 p95 max",
        "page 2 0.50 1.00 1.00",
        "first event 1 0.01 0.01 0.01",
        "result 1 0.75 0.75 0.75",
        "saved 0 – – –",
        "predicted 0 – – –",
        "graded 0 – – –",
        "first event, all at once 0 – – –",
        "result, all at once 0 – – –",
        "graded, all at once 0 – – –",
        "of it in the queue 1 0.25 0.25 0.25",
        "of it running 1 0.50 0.50 0.50",
        "What went wrong times",
        "refused run: 429 queue_full (address) 2",
        "wrong outcome c/a [x]: expected finished, got timed_out 1",
        f"Not ready for 40: {readiness.words.removeprefix('Not ready for 40: ')}",
        f"- {readiness.advice[0]}",
        "- This client used 35 % of one core of the same machine, and 95 times in 100 its own clock was at most 4 ms late.",
    ]
