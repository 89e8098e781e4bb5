"""The tables [[prediction]] of lesson.toml: one type for each kind of question."""

from typing import Annotated, Literal

from msgspec import Meta

from app.lessons.model.keys import Count, Id, Texts, Words, expects
from app.lessons.toml.form import one_of
from app.lessons.toml.shows_tables import ExceptionName, ShowsTable
from app.lessons.toml.strict_tables import StrictTable

AXES = 16


class ChoiceTable(ShowsTable, frozen=True):
    """What the run shows if this choice is right. Only the given keys are compared with a run."""

    raises: ExceptionName | None = None


class _Prediction(StrictTable, tag_field="asks", frozen=True):
    """A question about a run of a cell, which the learner answers before running the cell."""

    id: Id
    cell: Annotated[Id, expects("the id of the cell whose run decides", "The cell whose run decides.")]


Tolerance = Annotated[float, Meta(ge=0, description="How far an answer may be from the right one.")]
PrintedLine = Annotated[
    Words, expects("the printed line, with {} in place of the answer", "The printed line, with {} in place of the value or shape.")
]


class ValuePrediction(_Prediction, tag="value", frozen=True):
    """A question whose answer is a number."""

    answer: float
    tolerance: Tolerance | None = None
    reads: PrintedLine | None = None


class ShapePrediction(_Prediction, tag="shape", frozen=True):
    """A question whose answer is a shape."""

    answer: Annotated[tuple[Count, ...], expects(f"a list of at most {AXES} whole numbers", max_length=AXES)]
    reads: PrintedLine | None = None


class ChoicePrediction(_Prediction, tag="choice", frozen=True):
    """A question with choices, which are in the text. The answer is the number of a choice."""

    choice: Annotated[
        tuple[ChoiceTable, ...],
        expects("a table [[prediction.choice]] for each choice, two or more", "One for each choice in the text.", min_length=2),
    ]
    answer: Annotated[int, Meta(ge=1)]


class VerdictPrediction(_Prediction, tag="verdict", frozen=True):
    """A question whether a check passes."""

    answer: Annotated[Literal["passes", "fails"], expects(one_of(("passes", "fails")))]
    check: Annotated[Literal["gradcheck", "gradgradcheck"], Meta(description="Whose verdict is asked for.")] = "gradcheck"


class LinePrediction(_Prediction, tag="line", frozen=True):
    """A question which line raises the exception."""

    answer: Annotated[int, Meta(ge=1)]


class IsolatedPrediction(_Prediction, tag="isolated", frozen=True):
    """A question which box of the graph no edge touches."""

    names: Annotated[Texts, expects("two boxes or more to choose from", "The boxes to choose from.", min_length=2)]
    answer: Words


class NodesPrediction(_Prediction, tag="nodes", frozen=True):
    """A question how many nodes the graph has."""

    answer: Count
    tolerance: Tolerance | None = None


PredictionTable = (
    ValuePrediction | ShapePrediction | ChoicePrediction | VerdictPrediction | LinePrediction | IsolatedPrediction | NodesPrediction
)
