import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest

from app.authoring.checking.check import Checker, LessonReport, count_work
from app.authoring.last_event import CheckError
from app.lessons.cells.recordings import make_recording
from app.lessons.course.catalogue import Catalogue
from app.lessons.course.review import find_undeclared
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import CellEdit, TryIt
from app.lessons.model.prediction import Prediction
from app.lessons.model.shows import Shows
from app.lessons.toml.problem import Problem
from app.protocol.event import Failed, RunEvent
from app.protocol.grading import CheckResult, Message, MistakeFault, Verdict
from app.protocol.limits import Limits
from app.protocol.run import RunOrder, RunResult
from app.runner.client import RunStream
from tests.authoring.course import LINES, FakeRunner, make_catalogue, make_cell, make_result
from tests.patience import PATIENCE_SECONDS

Plays = Mapping[str, RunResult | Sequence[RunEvent]]
NOTHING = Shows(lines=LINES)
LIMITS = Limits(deadline_seconds=3)


async def collect(catalogue: Catalogue, runner: FakeRunner) -> list[LessonReport]:
    return [report async for report in Checker(catalogue, runner, LIMITS, 2).check(catalogue.course.lessons)]


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


class MeetingRunner(FakeRunner):
    """Answers nothing before a given number of runs have begun."""

    def __init__(self, plays: Plays, together: int) -> None:
        super().__init__(plays)
        self._meeting = asyncio.Barrier(together)

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._meeting.wait()
        async with super().run(order) as stream:
            yield stream


def test_the_next_lesson_begins_while_one_is_run_and_reports_come_in_the_order_of_the_lessons() -> None:
    catalogue = make_catalogue(make_cell("a", shows=NOTHING))
    [lesson] = catalogue.course.lessons
    lessons = [msgspec.structs.replace(lesson, id=name) for name in ("first", "second")]

    async def run() -> list[str]:
        checker = Checker(catalogue, MeetingRunner({"a": make_result()}, together=2), LIMITS, 2)
        return [report.lesson.id async for report in checker.check(lessons)]

    assert asyncio.run(run()) == ["first", "second"]


def test_a_cell_is_run_as_a_learner_would_run_it() -> None:
    first = make_cell("a", raises="ValueError", shows=Shows(lines=LINES))
    _, runner = check(make_catalogue(first, make_cell("b", after=("a",), shows=NOTHING)), {"a": make_result(), "b": make_result()})
    order = next(order for order in runner.orders if order.program.source.cell == "b")
    assert (order.program.source.text, order.runtime, order.limits) == ("# b", "torch", LIMITS)
    assert [(source.cell, source.raises) for source in order.program.replay] == [("a", "ValueError")]


def test_a_try_is_run_with_the_threads_of_a_learners_run() -> None:
    catalogue = make_catalogue(make_cell("a", shows=NOTHING), tries=(TryIt(id="other", cell_id="a", line=9, edits=(), shows=NOTHING),))
    runner = FakeRunner({"a": make_result()})

    async def run() -> None:
        async for _ in Checker(catalogue, runner, Limits(compute_threads=3), 2).check(catalogue.course.lessons):
            pass

    asyncio.run(run())
    assert [order.program.threads for order in runner.orders] == [3, 3]


def test_a_second_run_is_traced_only_if_something_is_declared_of_it() -> None:
    traced = Shows(lines=LINES, traced=("1 steps",))
    one = TryIt(id="other", cell_id="a", line=9, edits=(), shows=traced)
    catalogue = make_catalogue(make_cell("a", shows=NOTHING), make_cell("b", shows=traced), tries=(one,))
    [report], runner = check(catalogue, {"a": make_result(), "b": make_result()})
    orders = sorted((order.program.source.cell or "", list(order.program.instruments)) for order in runner.orders)
    assert orders == [("a", []), ("a", []), ("a", ["trace"]), ("b", []), ("b", ["trace"])]
    assert len(orders) == count_work(report.lesson)
    assert [problem.message for problem in report.problems] == [
        'the cell b: traced: expected "1 steps" in the second run, got ""',
        'the try other: traced: expected "1 steps" in the second run, got ""',
    ]
    assert report.unrecorded == []  # a record would not remove them


def test_a_cell_whose_runtime_is_not_installed_is_taken_from_its_record_and_the_others_are_run() -> None:
    absent = msgspec.structs.replace(make_cell("b", shows=NOTHING), runtime="jax")
    recordings = {"b": make_recording("", {"en": make_result(stdout="y")})}
    prediction = Prediction(id="which", cell_id="b", asks="value", answer=3.0, line=7)
    tries = (TryIt(id="other", cell_id="b", line=9, edits=(), shows=NOTHING),)
    catalogue = make_catalogue(make_cell("a", shows=NOTHING), absent, recordings=recordings, predictions=(prediction,), tries=tries)
    [report], _ = check(catalogue, {"a": make_result(stdout="x")})
    assert [problem.message for problem in report.problems] == [
        'the cell a: expected nothing on stdout, got "x"',
        'the cell b: expected nothing on stdout, got "y"',
        "the prediction which: the run shows no value and prints no line that is a number",
    ]
    assert (report.from_records, report.untried) == ({"jax": 1}, {"jax": 1})


def test_a_cell_without_a_declaration_is_a_problem_and_is_run_so_that_it_can_be_recorded() -> None:
    catalogue = make_catalogue(make_cell("a"))
    expected = "the cell a: expected a table [cell.shows] (it may be empty): run it in author mode and record it, or check with --record"
    assert find_undeclared(catalogue.course.lessons) == [Problem("one/first/lesson.toml", 3, expected)]
    [report], _ = check(catalogue, {"a": make_result(stdout="x")})
    assert (report.problems, [run.id for run in report.unrecorded]) == ([], ["a"])


def test_a_try_without_a_declaration_is_a_problem_that_recording_mends() -> None:
    catalogue = make_catalogue(make_cell("a", shows=NOTHING), tries=(TryIt(id="other", cell_id="a", line=9, edits=()),))
    expected = "the try other: expected a table [try.shows] (it may be empty): check with --record"
    assert find_undeclared(catalogue.course.lessons) == [Problem("one/first/lesson.toml", 9, expected)]


def test_a_prediction_that_the_run_does_not_bear_out_is_a_problem() -> None:
    prediction = Prediction(id="which", cell_id="a", asks="value", answer=3.0, line=7)
    shows = Shows(lines=LINES, stdout=("2.5",))
    [report], runner = check(make_catalogue(make_cell("a", shows=shows), predictions=(prediction,)), {"a": make_result(stdout="2.5\n")})
    assert report.problems == [Problem("one/first/lesson.toml", 7, "the prediction which: answer: expected 3, but the run shows 2.5")]
    assert len(runner.orders) == 1


def test_a_try_is_run_with_its_edits_after_edited_cells() -> None:
    cells = make_cell("a", shows=NOTHING), make_cell("b", after=("a",), shows=NOTHING)
    edits = CellEdit("a", "# a", "x = 1"), CellEdit("b", "# b", "print(x)")
    one = TryIt(id="other", cell_id="b", line=9, edits=edits, shows=Shows(lines=LINES, stdout=("2",)))
    [report], runner = check(make_catalogue(*cells, tries=(one,)), {"a": make_result(), "b": make_result(stdout="1\n")})
    programs = [(*(source.text for source in order.program.replay), order.program.source.text) for order in runner.orders]
    assert programs == [("# a",), ("# a", "# b"), ("x = 1", "print(x)")]
    assert report.problems == [
        Problem("one/first/lesson.toml", 9, 'the cell b: expected nothing on stdout, got "1"'),
        Problem("one/first/lesson.toml", 9, 'the try other: expected "2" on stdout, got "1"'),
    ]


def test_every_program_of_an_exercise_is_graded() -> None:
    exercise = Exercise(
        id="mend", kind="fix", filename="mend.py", starter="0", solutions={"solution": "1", "other": "2"}, mistakes={"forgot-it": "3"}
    )
    passed, failed = Verdict(passed=True, checks=[]), Verdict(passed=False, checks=[CheckResult(id="values", passed=False)])
    catalogue = make_catalogue(exercises=(exercise,))
    runner = FakeRunner({}, {"0": passed, "1": passed, "2": failed, "3": failed})
    [report] = asyncio.run(collect(catalogue, runner))
    folder = "one/first/exercises/mend"
    assert report.problems == [
        Problem(f"{folder}/starter.py", 1, "the exercise mend: expected it to fail, but it passes every check"),
        Problem(f"{folder}/solutions/other.py", 1, "the exercise mend: expected it to pass, but it fails: values"),
        Problem(
            f"{folder}/mistakes/forgot_it.py",
            1,
            "the exercise mend: expected the mistake forgot-it, got none (failed: values):"
            " @mistake forgot_it() in checks.py must be the first that is true for it",
        ),
    ]
    assert count_work(report.lesson) == 4
    assert len({order.learner for order in runner.orders}) == 4  # runs of one learner would be run one after the other


def test_a_check_that_does_not_work_is_told_once_in_its_own_file() -> None:
    exercise = Exercise(id="mend", kind="fix", filename="mend.py", starter="0", solutions={"solution": "1", "other": "2"})
    message = Message(code="broken", values={"message": "NameError: name 'torch' is not defined"})
    broken = Verdict(passed=False, checks=[CheckResult(id="values", passed=False, line=7, message=message)])
    catalogue = make_catalogue(exercises=(exercise,))
    [report] = asyncio.run(collect(catalogue, FakeRunner({}, {"0": broken, "1": broken, "2": broken})))
    words = "the exercise mend: the check values does not work: NameError: name 'torch' is not defined"
    assert report.problems == [Problem("one/first/exercises/mend/checks.py", 7, words)]


def test_a_mistake_that_raises_is_told_once_with_its_line_beside_what_comes_of_it() -> None:
    exercise = Exercise(id="mend", kind="fix", filename="mend.py", starter="0", solutions={"solution": "1"}, mistakes={"forgot-it": "3"})
    checks, faults = [CheckResult(id="values", passed=False)], [MistakeFault(mistake="forgot-it", line=9, message="NameError: no")]
    failed = Verdict(passed=False, checks=checks, faults=faults)
    catalogue = make_catalogue(exercises=(exercise,))
    runner = FakeRunner({}, {"0": failed, "1": Verdict(passed=True, checks=[]), "3": failed})
    [report] = asyncio.run(collect(catalogue, runner))
    words = "the exercise mend: @mistake forgot_it() does not work: NameError: no"
    assert report.problems[0] == Problem("one/first/exercises/mend/checks.py", 9, words)
    assert [(problem.file, problem.line) for problem in report.problems[1:]] == [("one/first/exercises/mend/mistakes/forgot_it.py", 1)]


def test_what_does_not_work_in_the_functions_that_exercises_share_is_told_in_their_file() -> None:
    exercise = Exercise(id="mend", kind="fix", filename="mend.py", starter="0", solutions={"solution": "1"}, common_lines=8)
    message = Message(code="broken", values={"message": "NameError: no"})
    broken = Verdict(passed=False, checks=[CheckResult(id="values", passed=False, line=7, message=message)])
    [report] = asyncio.run(collect(make_catalogue(exercises=(exercise,)), FakeRunner({}, {"0": broken, "1": broken})))
    assert [(problem.file, problem.line) for problem in report.problems] == [("one/first/exercises/common.py", 7)]


@pytest.mark.parametrize("events", [[Failed(code="internal", message="it broke")], []])
def test_a_fault_of_ours_is_no_problem_of_the_lesson(events: list[RunEvent]) -> None:
    with pytest.raises(CheckError):
        check(make_catalogue(make_cell("a", shows=NOTHING)), {"a": events})
