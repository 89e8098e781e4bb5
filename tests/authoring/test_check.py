import asyncio
from collections.abc import Mapping, Sequence

import msgspec
import pytest

from app.authoring.check import CheckError, LessonReport, find_excessive, find_undeclared, run_lessons
from app.lessons.catalogue import Catalogue
from app.lessons.problem import Problem
from app.lessons.shows import Shows
from app.protocol.event import Failed, RunEvent
from app.protocol.limits import Limits
from app.protocol.run import RunResult
from tests.authoring.course import LINES, FakeRunner, make_catalogue, make_cell, make_result

Plays = Mapping[str, RunResult | Sequence[RunEvent]]
NOTHING = Shows(lines=LINES)
LIMITS = Limits(deadline_seconds=3)


async def collect(catalogue: Catalogue, runner: FakeRunner) -> list[LessonReport]:
    return [report async for report in run_lessons(catalogue, runner, LIMITS, factor=2)]


def check(catalogue: Catalogue, plays: Plays) -> tuple[list[LessonReport], FakeRunner]:
    runner = FakeRunner(plays)
    return asyncio.run(collect(catalogue, runner)), runner


def test_a_lesson_whose_cells_do_as_declared_has_no_problems() -> None:
    [report], _ = check(
        make_catalogue(make_cell("a", shows=NOTHING), make_cell("b", shows=NOTHING)), {"a": make_result(), "b": make_result()}
    )
    assert report.lesson.path == "one/first"
    assert report.problems == []


def test_a_mismatch_names_lesson_toml_the_line_and_the_cell() -> None:
    [report], _ = check(make_catalogue(make_cell("a", shows=NOTHING)), {"a": make_result(stdout="x")})
    assert report.problems == [Problem("one/first/lesson.toml", 9, 'the cell a: expected nothing on stdout, got "x"')]


def test_problems_come_in_the_order_of_the_cells() -> None:
    cells = [make_cell(name, shows=NOTHING) for name in ("a", "b", "c")]
    [report], _ = check(make_catalogue(*cells), {name: make_result(stdout=name) for name in "abc"})
    assert [problem.message[-3:] for problem in report.problems] == ['"a"', '"b"', '"c"']


def test_a_cell_is_run_as_a_learner_would_run_it() -> None:
    first = make_cell("a", raises="ValueError", shows=Shows(lines=LINES))
    _, runner = check(make_catalogue(first, make_cell("b", after=("a",), shows=NOTHING)), {"a": make_result(), "b": make_result()})
    order = next(order for order in runner.orders if order.program.source.cell == "b")
    assert (order.program.source.text, order.runtime, order.limits) == ("# b", "torch", LIMITS)
    assert [(source.cell, source.raises) for source in order.program.replay] == [("a", "ValueError")]


def test_a_cell_whose_runtime_is_not_installed_is_a_problem_and_the_others_are_checked() -> None:
    absent = msgspec.structs.replace(make_cell("b", shows=NOTHING), runtime="jax")
    [report], _ = check(make_catalogue(make_cell("a", shows=NOTHING), absent), {"a": make_result(stdout="x")})
    message = "the cell b: not checked, jax is not installed: the extra jax installs it"
    assert [problem.message for problem in report.problems] == ['the cell a: expected nothing on stdout, got "x"', message]
    assert (report.problems[1].file, report.problems[1].line) == ("one/first/lesson.toml", 3)


def test_a_cell_that_asks_for_more_than_is_granted_is_a_problem() -> None:
    cell = make_cell("a", shows=NOTHING)
    greedy = msgspec.structs.replace(cell, asks={"deadline_seconds": 60, "threads": 128, "output_bytes": 4 * 1024 * 1024})
    expected = "the cell a: output_bytes: expected at most 2,097,152, which this server grants, got 4,194,304"
    assert find_excessive(make_catalogue(greedy), LIMITS, factor=2) == [Problem("one/first/lesson.toml", 3, expected)]


def test_a_cell_without_a_declaration_is_a_problem_and_is_not_run() -> None:
    catalogue = make_catalogue(make_cell("a"))
    expected = "the cell a: expected a table [cell.shows] (it may be empty)"
    assert find_undeclared(catalogue) == [Problem("one/first/lesson.toml", 3, expected)]
    [report], runner = check(catalogue, {})
    assert (report.problems, runner.orders) == ([], [])


@pytest.mark.parametrize("events", [[Failed(code="internal", message="it broke")], []])
def test_a_fault_of_ours_is_no_problem_of_the_lesson(events: list[RunEvent]) -> None:
    with pytest.raises(CheckError):
        check(make_catalogue(make_cell("a", shows=NOTHING)), {"a": events})
