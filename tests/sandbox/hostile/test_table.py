"""Rows that share a child are judged separately: none counts as contained because of another."""

import subprocess
import sys

import pytest

from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from tests.authoring.course import make_result
from tests.one_test import in_one_test
from tests.sandbox.hostile.row import Row, load_rows, parse_row
from tests.sandbox.hostile.suite import find_wrong
from tests.sandbox.hostile.table import GROUPS, join_rows, part_result

REFUSED = "print('Operation not permitted')\n"


def row_of(name: str, source: str) -> Row:
    return parse_row(f"kernel/{name}", f"# tries: something\n# outcome: finished\n# says: Operation not permitted\n{source}")


def run_together(*rows: Row, outcome: Outcome = Outcome.FINISHED) -> dict[str, RunResult]:
    ended = subprocess.run([sys.executable, "-c", join_rows(rows).source], capture_output=True, text=True)
    return part_result(make_result(outcome, stdout=ended.stdout))


def test_each_row_is_judged_by_its_own_output() -> None:
    refused, worked, silent = row_of("refused", REFUSED), row_of("worked", "print('ESCAPED')"), row_of("silent", "one = 1")
    parts = run_together(refused, worked, silent)
    assert find_wrong(refused, parts["kernel/refused"]) == []
    assert find_wrong(worked, parts["kernel/worked"])[0] == "the attempt worked: ESCAPED"
    assert find_wrong(silent, parts["kernel/silent"]) == ["it does not say 'Operation not permitted': "]


@pytest.mark.parametrize("source", ["import os\nraise PermissionError(1, os.strerror(1))", "raise SystemExit", "this is no Python"])
def test_a_row_that_ends_by_an_exception_has_not_finished_and_the_next_one_goes_on(source: str) -> None:
    raising, refused = row_of("raising", source), row_of("refused", REFUSED)
    parts = run_together(raising, refused)
    assert find_wrong(raising, parts["kernel/raising"])[0].startswith("it raised, not finished: Traceback")
    assert find_wrong(refused, parts["kernel/refused"]) == []


def test_no_row_sees_the_names_of_another() -> None:
    parts = run_together(row_of("first", "one = 1"), row_of("second", "print(one)"))
    assert "NameError" in parts["kernel/second"].stdout


def test_in_a_child_that_dies_no_row_is_contained() -> None:
    refused, dying, late = row_of("refused", REFUSED), row_of("dying", "import os\nos._exit(9)"), row_of("late", REFUSED)
    parts = run_together(refused, dying, late, outcome=Outcome.CRASHED)
    assert parts.keys() == {"kernel/refused"}
    assert find_wrong(refused, parts["kernel/refused"])[0].startswith("it crashed, not finished")


@in_one_test("row", [row for row in load_rows() if row.group in GROUPS])
def test_a_row_that_shares_a_child_is_one_call_that_is_refused(row: Row) -> None:
    assert row.outcomes == {Outcome.FINISHED}
    assert row.says == "Operation not permitted"
    assert (row.where, row.settings, row.deadline_seconds) == ("output", {"root", "user", "container"}, Limits().deadline_seconds)
    assert row.source.count("\nresult = ") == 1
