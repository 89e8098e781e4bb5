"""For each kind of prediction, right answers pass, and wrong ones are reported with what the run shows or lacks."""

from collections.abc import Sequence

import pytest

from app.authoring.checking.proven_answers import check_prediction
from app.lessons.model.prediction import Answer, Asks, Prediction
from app.lessons.model.shows import ShownGraph, Shows
from app.protocol.outcome import Outcome
from app.protocol.records.record import Record
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunError, RunResult
from tests.authoring.course import make_cell, make_gradcheck, make_graph, make_result, make_value

RAISED = make_result(Outcome.RAISED, error=RunError(type="ValueError", message="no", cell="sinh-bad", line=4), stdout="one\n")
MATRIX = ValueRecord(text="tensor(…)", shape=[2, 3])
NUMBER = ValueRecord(text="tensor(6.)", shape=[], values=6.0)


def found(asks: Asks, answer: Answer, result: RunResult, **more: object) -> list[str]:
    prediction = Prediction(id="p", cell_id="sinh-bad", asks=asks, answer=answer, line=1, **more)  # type: ignore[arg-type]
    return check_prediction(prediction, make_cell(), result)


@pytest.mark.parametrize(
    ("asks", "right", "wrong", "shown", "result", "more"),
    [
        ("value", 2.718, 2.8, "2.71828", make_result(stdout="third: 2.71828\n"), {"reads": "third: {}", "tolerance": 0.01}),
        ("value", 6.0, 7.0, "6", make_result(stdout="1\n", records=[NUMBER]), {}),
        ("value", -1e-5, 1.0, "-1e-05", make_result(stdout="a\n -1e-05 \nb\n"), {}),
        ("shape", (2, 3), (3, 2), "[2, 3]", make_result(records=[MATRIX]), {}),
        ("shape", (2, 3), (2,), "[2, 3]", make_result(stdout="is torch.Size([2, 3])\n"), {"reads": "is {}"}),
        ("shape", (), (1,), "[]", make_result(stdout="torch.Size([])\n"), {}),
        ("verdict", "fails", "passes", "fails", make_result(records=[make_gradcheck(1, passed=False)]), {}),
        ("verdict", "passes", "fails", "passes", make_result(records=[make_gradcheck(2, passed=True)]), {"check": "gradgradcheck"}),
        ("line", 4, 5, "4", RAISED, {}),
        ("isolated", "grad_x", "none", "grad_x", make_result(records=[make_graph()]), {"names": ("x", "grad_x")}),
        ("isolated", "none", "x", "none", make_result(records=[make_graph()]), {"names": ("x", "out")}),
        ("nodes", 4, 5, "4", make_result(records=[make_graph()]), {}),
    ],
)
def test_the_run_decides(asks: Asks, right: Answer, wrong: Answer, shown: str, result: RunResult, more: dict[str, object]) -> None:
    assert found(asks, right, result, **more) == []
    [message] = found(asks, wrong, result, **more)
    assert message.startswith("answer: expected ")
    assert message.endswith(f", but the run shows {shown}")


@pytest.mark.parametrize(
    ("asks", "records", "more", "message"),
    [
        ("value", [], {"reads": "third: {}"}, 'no printed line reads "third: {}"'),
        ("value", [], {}, "the run shows no value and prints no line that is a number"),
        ("shape", [make_value("x")], {}, "the run shows no value with a shape, and prints none"),
        ("verdict", [make_gradcheck(2, passed=True)], {}, "the run shows no gradcheck"),
        ("line", [], {}, "no line of sinh_bad.py raises"),
        ("nodes", [], {}, "the run shows no graph"),
        ("isolated", [make_graph()], {"names": ("y",)}, 'there is no box "y" in the graph'),
    ],
)
def test_what_the_run_lacks_is_told(asks: Asks, records: Sequence[Record], more: dict[str, object], message: str) -> None:
    assert found(asks, 1, make_result(records=records), **more) == [message]


def test_only_the_right_choice_may_hold() -> None:
    raises = Shows(lines={"": 1, "raises": 2}, outcome=Outcome.RAISED, raises="ValueError")
    prints = Shows(lines={"": 3, "stdout": 4}, stdout=("one",))
    other = Shows(lines={"": 5, "stdout": 6}, stdout=("two",))
    draws = Shows(lines={"": 7, "graph": 8}, graphs=(ShownGraph(isolated=("grad_x",)),))
    assert found("choice", 1, RAISED, choices=(raises, other, draws)) == []
    assert found("choice", 1, RAISED, choices=(raises, prints)) == ["choice 2 also holds, but the answer is 1"]
    [message] = found("choice", 2, RAISED, choices=(other, draws))
    assert message == "choice 2, the right one, does not hold: graph: expected 1, got 0"
