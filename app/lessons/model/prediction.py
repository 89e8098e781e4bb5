"""A prediction as data: a question about a run of a cell, which the learner answers before running the cell."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from app.lessons.model.shows import Shows
from app.protocol.run import Lang

Asks = Literal["value", "shape", "choice", "verdict", "line", "isolated", "nodes"]
Answer = float | int | str | tuple[int, ...]
NONE = "none"  # the answer that no box is isolated
RELATIVE_TOLERANCE = 1e-6  # the tolerance of a value for which lesson.toml gives none


class PredictionText(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a prediction in one language, as HTML. `wrong` explains wrong answers; `why` explains the right answer."""

    question: str
    choices: tuple[str, ...] = ()
    wrong: Mapping[Answer, str] = {}  # by the answer; for a choice, that is its number
    why: str = ""


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a run of the cell `cell_id`.

    - `asks` says what kind of answer the question wants. In the order of Asks, `answer` is a number; a shape; the number of a choice, from
      1; "passes" or "fails"; the number of a line; the name of a box, or "none"; a number of nodes.
    - `tolerance` is how far an answer may be from the right one. It is used for a value or a number of nodes.
    - `reads` is the printed line with the value or shape, which {} stands for. If it is None, the first value that the run shows counts.
    - `check` is the check whose verdict the question asks for: "gradcheck" or "gradgradcheck".
    - `names` are the boxes to choose from.
    - `choices` declares for each choice what the run would show if that choice were right.
    """

    id: str
    cell_id: str
    asks: Asks
    answer: Answer
    line: int
    tolerance: float = 0.0
    reads: str | None = None
    check: str = "gradcheck"
    names: tuple[str, ...] = ()
    choices: tuple[Shows, ...] = ()
    texts: Mapping[Lang, PredictionText] = {}
