"""Decides whether a verdict is passed: by its checks alone, whatever flag the grader's child sent with them."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

import msgspec
from msgspec import UNSET

from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.grading import CheckResult, Verdict
from app.protocol.harmless import harmless
from app.protocol.run import Frame, RunError, RunOrder
from app.runner.grading.message_broker import GraderFailed
from app.runner.runs.program_lines import ProgramLines
from app.runtimes.libraries import libraries_here


def settle(verdict: Verdict, published: Iterable[CheckResult], run: RunOrder) -> Verdict:
    """Return the verdict, with `passed` computed from its checks. Raises GraderFailed if two checks have one id.

    `published`: the checks that were sent before the verdict, which must not contradict them.
    """
    checks = {check.id: check for check in verdict.checks}
    if len(checks) < len(verdict.checks):
        raise GraderFailed("a check is there twice")
    if any(checks.get(check.id) != check for check in published):
        raise GraderFailed("a check differs from what was published of it")
    decisive = [check for check in verdict.checks if not check.reported]
    passed = bool(decisive) and all(check.passed for check in decisive)
    presentable = [make_presentable(check, run) for check in verdict.checks]
    faults = [msgspec.structs.replace(fault, message=harmless(fault.message)) for fault in verdict.faults or ()]
    return msgspec.structs.replace(verdict, passed=passed, checks=presentable, faults=faults or UNSET)


def make_presentable(check: CheckResult, run: RunOrder) -> CheckResult:
    """Return the check with an explanation of its error, and with harmless texts, because some of them come from the learner's program."""
    if check.message is None:
        return check
    values = {name: harmless(value) for name, value in check.message.values.items()}
    message = msgspec.structs.replace(check.message, values=values, explanation=_explain(values, run))
    return msgspec.structs.replace(check, message=message)


def _explain(values: Mapping[str, str], run: RunOrder) -> str | None:
    """Return an explanation of the exception that the program raised when a check called it; None if the exception is not known."""
    if "type" not in values:
        return None
    lines = ProgramLines(run.program)
    error = RunError(type=values["type"], message=values.get("message", ""))
    with suppress(ValueError):  # no such line: then the message alone is looked up
        line = int(values.get("line", ""))
        frame = Frame(cell=values.get("cell", run.program.source.cell), line=line, column=None, function="", source="")
        error = lines.place_error(msgspec.structs.replace(error, traceback=[frame]))
    found = load_pitfalls().explain(error, lines.text, run.lang, libraries_here(run.lang))
    return found.text if found else None
