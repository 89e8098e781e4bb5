"""What a run showed is written into lesson.toml: only what differs, and with the author's comments and layout."""

import tomllib
from typing import Any

import pytest

from app.authoring.checking.shown_toml import RecordError, make_text
from app.lessons.model.model import Cell
from app.lessons.model.shows import ShownGraph, Shows
from app.protocol.outcome import Outcome
from app.protocol.run import RunError, RunResult
from tests.authoring.course import LINES, make_cell, make_figure, make_gradcheck, make_graph, make_result, make_value

TOML = """\
# Mine.
minutes = 6

[[cell]]
id = "other"
[cell.shows]
stdout = ["kept"]

[[cell]]
id = "sinh-bad"  # the bad one
after = ["other"]

[cell.shows]
stdout = ["1"]  # one
records = ["graph"]

[[cell.shows.graph]]
connected = ["x", "grad_x"]
nodes = 9

[[cell]]
id = "last"
"""
SHOWS = Shows(lines=LINES, stdout=("1",), records=("graph",), graphs=(ShownGraph(connected=("x", "grad_x"), nodes=9),))
ERROR = RunError(type="torch.autograd.GradcheckError", message="\nJacobian mismatch\nmore", cell="sinh-bad", line=2)


def written(result: RunResult, cell: Cell | None = None) -> tuple[str, dict[str, Any]]:
    text = make_text(TOML, "cell", cell or make_cell(shows=SHOWS), result)
    [found] = [one for one in tomllib.loads(text)["cell"] if one["id"] == (cell.id if cell else "sinh-bad")]
    return text, found


def test_what_matches_is_left_as_it_is() -> None:
    shows = Shows(lines=LINES, stdout=("1",))
    text, _ = written(make_result(stdout="1\n"), make_cell(shows=shows))
    assert text == TOML


def test_only_the_keys_that_differ_are_written() -> None:
    text, found = written(make_result(stdout="2\n\n3\n", records=[make_graph()]))
    graph = {"connected": ["x"], "isolated": ["grad_x"], "nodes": 4}
    assert found["shows"] == {"stdout": ["2", "3"], "records": ["graph"], "graph": [graph]}
    for line in ("# Mine.", 'id = "sinh-bad"  # the bad one', 'stdout = ["2", "3"]  # one', 'stdout = ["kept"]', '[[cell]]\nid = "last"'):
        assert line in text


def test_another_ending_is_written_with_its_exception() -> None:
    text, found = written(make_result(Outcome.RAISED, error=ERROR, records=[make_gradcheck(1, passed=True)]))
    assert found["raises"] == "GradcheckError"
    assert found["shows"] == {"records": ["gradcheck passed"], "message": "Jacobian mismatch"}
    assert text.index('raises = "GradcheckError"') < text.index("[cell.shows]\nrecords")


def test_an_exception_that_no_longer_comes_is_taken_out() -> None:
    raised = make_text(TOML, "cell", make_cell(shows=SHOWS), make_result(Outcome.RAISED, error=ERROR))
    shows = Shows(lines=LINES, outcome=Outcome.RAISED, raises="GradcheckError", message="Jacobian mismatch")
    text = make_text(raised, "cell", make_cell(raises="GradcheckError", shows=shows), make_result(stdout="1\n"))
    assert "GradcheckError" not in text and "Jacobian" not in text


def test_a_cell_that_declares_nothing_yet_gets_all_that_it_showed() -> None:
    records = [make_graph(), make_value("tensor(1.)\nmore"), make_figure("loss", "step")]
    _, found = written(make_result(stdout="a\n", records=records), make_cell("last"))
    assert found["shows"] == {
        "records": ["graph", "value", "figure"],
        "stdout": ["a"],
        "values": ["tensor(1.)"],
        "figures": ["loss"],
        "graph": [{"connected": ["x", "out"], "isolated": ["grad_x"], "nodes": 4, "edges": 2}],
    }
    assert written(make_result(), make_cell("last"))[1]["shows"] == {}


def test_many_lines_stand_below_each_other() -> None:
    text, _ = written(make_result(stdout="".join(f"a line of some length, letter {letter}\n" for letter in "abcdefghijklmnopqrst")))
    assert 'stdout = [\n    "a line of some length, letter a",\n' in text
    assert text.count("a line of some length") == 12


def test_a_first_recording_leaves_a_blank_line_before_the_next_table_and_none_at_the_end() -> None:
    toml = '[[cell]]\nid = "a"\n\n[[cell]]\nid = "b"\n'
    text = make_text(toml, "cell", make_cell("a"), make_result(stdout="1\n"))
    assert text == '[[cell]]\nid = "a"\n\n[cell.shows]\nstdout = ["1"]\n\n[[cell]]\nid = "b"\n'
    assert make_text(text, "cell", make_cell("b"), make_result(stdout="2\n")) == text + '\n[cell.shows]\nstdout = ["2"]\n'


def test_a_try_is_written_to_its_own_table_with_its_exception() -> None:
    toml = '[[cell]]\nid = "a"\n\n[[try]]\nid = "b"\ncell = "a"\nedits = [{ find = "2", replace = "3" }]\n\n[try.shows]\n'
    text = make_text(toml, "try", make_cell("a", shows=Shows(lines=LINES)), make_result(stdout="3\n"), "b")
    assert text == toml + 'stdout = ["3"]\n'
    error = RunError(type="NameError", message="m", cell="a", line=1)
    raised = make_text(toml, "try", make_cell("a", shows=Shows(lines=LINES)), make_result(Outcome.RAISED, error=error), "b")
    assert tomllib.loads(raised)["try"][0]["raises"] == "NameError"


@pytest.mark.parametrize(
    "result",
    [make_result(Outcome.CRASHED), make_result(Outcome.RAISED, error=RunError(type="NameError", message="m", cell="other", line=1))],
)
def test_an_ending_that_no_lesson_means_is_not_recorded(result: RunResult) -> None:
    with pytest.raises(RecordError):
        written(result)


def test_a_cell_that_is_not_in_the_file_is_not_recorded() -> None:
    with pytest.raises(RecordError, match="there is no"):
        make_text("minutes = 5\n", "cell", make_cell(), make_result())
