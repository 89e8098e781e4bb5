"""What the check "runs" says where a program did not run to its end: its message's code is then the run's outcome."""

from app.locale.messages import mark
from app.protocol.grading import Verdict
from app.protocol.outcome import Outcome

RUNS = "runs"
OUTCOME_WORDS: dict[str, str] = {
    Outcome.RAISED: mark("The program ends with an error, so nothing more could be checked. Fix that first."),
    Outcome.TIMED_OUT: mark("The program did not finish in the time that it has, so nothing more could be checked."),
    Outcome.OUT_OF_MEMORY: mark(
        "The program needs more memory than the {mebibytes} MiB that it may use, so nothing more could be checked."
    ),
    Outcome.OUTPUT_LIMIT: mark("The program prints more than it may, so nothing more could be checked."),
    Outcome.FORBIDDEN: mark("The program does something that is not allowed here, so nothing more could be checked."),
    Outcome.CRASHED: mark("The program ended before its last line, so nothing more could be checked."),
    Outcome.STOPPED: mark("It was stopped before all was checked."),
}


def was_stopped(verdict: Verdict) -> bool:
    """Whether the learner took the submission back before it was decided."""
    return any(check.id == RUNS and check.message is not None and check.message.code == Outcome.STOPPED for check in verdict.checks)
