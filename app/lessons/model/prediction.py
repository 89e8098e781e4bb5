"""A prediction as data: a question about what a cell will do, answered before it is run."""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from app.lessons.model.shows import Shows
from app.protocol.run import Lang

Asks = Literal["value", "shape", "choice", "verdict", "line", "isolated", "nodes"]
ASKS: tuple[Asks, ...] = get_args(Asks)
Answer = float | int | str | tuple[int, ...]
NONE = "none"  # of the boxes
RELATIVE_TOLERANCE = 1e-6  # of a value for which none is given


class PredictionText(msgspec.Struct, frozen=True, kw_only=True):
    """The words in one language, as finished HTML: the question, the choices in order, what is said of each wrong answer, and why."""

    question: str
    choices: tuple[str, ...] = ()
    wrong: Mapping[Answer, str] = {}  # what belongs to each answer (of a choice: to its number)
    why: str = ""


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """`answer` by `asks`: a number; the entries of a shape; a choice, from 1; "passes" or "fails"; a line; a name; a number of nodes.

    `tolerance`: of a value or a number of nodes, absolute. `reads`: for a value or shape, the printed line in which it stands, with {} in
    its place; none: the first value that is shown. `check`: "gradcheck" or "gradgradcheck", whose verdict is asked for. `names`: the boxes
    to choose from. `choices`: what the run shows if the choice is right, in order, of which only the right one may hold.
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
