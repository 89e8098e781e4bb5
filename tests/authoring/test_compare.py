from app.authoring.checking.compare import Mismatch, compare
from app.lessons.model.shows import ShownGraph, Shows
from app.protocol.outcome import Outcome
from app.protocol.run import Frame, RunError, RunResult
from tests.authoring.course import LINES, make_cell, make_figure, make_gradcheck, make_graph, make_result, make_value

ERROR = RunError(type="torch.autograd.gradcheck.GradcheckError", message="Jacobian mismatch for output 0\nmore", cell="sinh-bad", line=12)
RAISED = make_result(Outcome.RAISED, error=ERROR)


def compared(shows: Shows, result: RunResult, raises: str | None = None) -> list[Mismatch]:
    return compare(make_cell(raises=raises, shows=shows), shows, result)


def test_a_cell_that_shows_nothing_declares_nothing() -> None:
    assert compared(Shows(lines=LINES), make_result()) == []


def test_all_that_is_declared_and_happens_matches() -> None:
    shows = Shows(
        lines=LINES,
        records=("graph", "gradcheck passed", "gradgradcheck failed", "value", "figure"),
        stdout=("one", "two"),
        stderr=("Warning",),
        values=("tensor(1.)",),
        figures=("loss",),
        graphs=(ShownGraph(connected=("x", "out"), isolated=("grad_x",), nodes=4, edges=2),),
    )
    records = [make_graph(), make_gradcheck(1, passed=True), make_gradcheck(2, passed=False), make_value("tensor(1.)")]
    records.append(make_figure("Training loss", "step"))
    assert compared(shows, make_result(stdout="one\nthen two\n", stderr="UserWarning: x", records=records)) == []


def test_a_declared_exception_matches_without_its_module() -> None:
    shows = Shows(lines=LINES, outcome=Outcome.RAISED, message="Jacobian mismatch for output 0")
    assert compared(shows, RAISED, "GradcheckError") == []


def test_another_outcome_is_told_with_what_was_raised_and_nothing_else() -> None:
    shows = Shows(lines=LINES, records=("graph",))
    expected = "expected the outcome finished, got raised: torch.autograd.gradcheck.GradcheckError, "
    assert compared(shows, RAISED) == [(7, expected + '"Jacobian mismatch for output 0\\nmore" at line 12')]


def test_an_outcome_that_nobody_wrote_is_told_at_the_table() -> None:
    shows = Shows(lines={"": 6, "records": 8})
    assert compared(shows, make_result(Outcome.TIMED_OUT)) == [(6, "expected the outcome finished, got timed_out")]


def test_another_exception_is_told() -> None:
    shows = Shows(lines=LINES, outcome=Outcome.RAISED)
    [mismatch] = compared(shows, RAISED, "ValueError")
    assert mismatch[0] == 5
    assert mismatch[1].startswith("expected the exception ValueError, got torch.autograd.gradcheck.GradcheckError, ")


def test_an_exception_in_a_replayed_cell_is_told_as_that() -> None:
    shows = Shows(lines=LINES, outcome=Outcome.RAISED)
    error = RunError(type="NameError", message="m", cell="sinh", line=2)
    expected = 'expected the outcome raised, got raised: NameError, "m" in the replayed cell sinh at line 2'
    assert compared(shows, make_result(Outcome.RAISED, error=error), "NameError") == [(7, expected)]


def test_an_exception_in_what_a_replayed_cell_defined_is_the_cell_s_own() -> None:
    shows = Shows(lines=LINES, outcome=Outcome.RAISED)
    frames = [Frame(cell=name, line=2, column=None, function="backward", source="") for name in ("sinh-bad", "sinh")]
    error = RunError(type="NameError", message="m", cell="sinh", line=2, traceback=frames)
    assert compared(shows, make_result(Outcome.RAISED, error=error), "NameError") == []


def test_another_message_is_told() -> None:
    shows = Shows(lines=LINES, outcome=Outcome.RAISED, message="output 1")
    expected = 'expected a message with "output 1", got "Jacobian mismatch for output 0\\nmore"'
    assert compared(shows, RAISED, "GradcheckError") == [(11, expected)]


def test_records_match_in_number_order_and_verdict() -> None:
    shows = Shows(lines=LINES, records=("gradcheck passed", "gradgradcheck passed"))
    records = [make_gradcheck(1, passed=True), make_gradcheck(2, passed=False)]
    expected = "records: expected gradcheck passed, gradgradcheck passed; got gradcheck passed, gradgradcheck failed"
    assert compared(shows, make_result(records=records)) == [(8, expected)]
    assert compared(shows, make_result()) == [(8, "records: expected gradcheck passed, gradgradcheck passed; got none")]


def test_a_record_that_nobody_declared_is_told() -> None:
    assert compared(Shows(lines=LINES), make_result(records=[make_value("1")])) == [(8, "records: expected none; got value")]


def test_a_declared_text_is_missing() -> None:
    shows = Shows(lines=LINES, stdout=("1", "2"))
    assert compared(shows, make_result(stdout="1\n3\n")) == [(10, 'expected "2" on stdout, got "3"')]


def test_texts_are_printed_in_the_declared_order() -> None:
    shows = Shows(lines=LINES, stdout=("2", "1"))
    assert compared(shows, make_result(stdout="1\n2\n")) == [(10, 'expected "1" on stdout, got ""')]


def test_what_nobody_declared_is_not_printed() -> None:
    shows = Shows(lines=LINES)
    found = compared(shows, make_result(stdout="x" * 200, stderr="UserWarning"))
    assert found == [
        (9, f'expected nothing on stdout, got "{"x" * 160}…"'),
        (6, 'expected nothing on stderr, got "UserWarning"'),
    ]


def test_another_value_is_told() -> None:
    shows = Shows(lines=LINES, records=("value",), values=("tensor(2.)",))
    assert compared(shows, make_result(records=[make_value("tensor(3.)")])) == [(6, 'expected a value with "tensor(2.)", got "tensor(3.)"')]


def test_another_figure_is_told() -> None:
    shows = Shows(lines=LINES, records=("figure", "figure"), figures=("loss", "step"))
    figures = [make_figure("x", "y"), make_figure("step", note="It could not be drawn.")]
    assert compared(shows, make_result(records=figures)) == [
        (6, 'expected a figure with "loss", got "x, y"'),
        (6, 'expected a figure, got "It could not be drawn."'),
    ]


def test_a_graph_that_is_otherwise_is_told() -> None:
    graph = ShownGraph(connected=("grad_x", "y"), isolated=("x", "out"), nodes=5, edges=3)
    shows = Shows(lines=LINES, records=("graph",), graphs=(graph,))
    assert compared(shows, make_result(records=[make_graph()])) == [
        (13, "expected grad_x to be connected in the graph, got isolated"),
        (13, "expected y in the graph, which names x, out, grad_x"),
        (13, "expected x to be isolated in the graph, got connected"),
        (13, "expected out to be isolated in the graph, got connected"),
        (14, "expected a graph of 5 nodes, got 4"),
        (13, "expected a graph of 3 edges, got 2"),
    ]
