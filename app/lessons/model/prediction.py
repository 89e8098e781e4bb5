"""A prediction as data: a question that the learner answers before running the cell that it is about."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from app.lessons.model.shows import Shows
from app.protocol.run import Lang

Asks = Literal["value", "shape", "choice", "verdict", "line", "isolated", "nodes"]
Answer = float | int | str | tuple[int, ...]
NONE = "none"  # the answer that no box is isolated
RELATIVE_TOLERANCE = 1e-6  # of a value, where lesson.toml gives no tolerance


class PredictionText(msgspec.Struct, frozen=True, kw_only=True):
    """The texts in one language, as HTML. `wrong` has explanations of wrong answers; `why` says why the right answer is right."""

    question: str
    choices: tuple[str, ...] = ()
    wrong: Mapping[Answer, str] = {}  # by the answer; for a choice, that is its number
    why: str = ""


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a run of the cell `cell_id`.

    - `answer` is, depending on `asks`: a number; a shape; the number of a choice, from 1; "passes" or "fails"; the number of a line; the
      name of a box; a number of nodes.
    - `tolerance` of a value or a number of nodes is absolute.
    - `reads` is the printed line that has the value or shape, with {} in its place. If it is None, the first value that is shown counts.
    - `check` is the check whose verdict is asked for: "gradcheck" or "gradgradcheck".
    - `names` are the boxes to choose from.
    - `choices` says for each choice what the run shows if it is right; the run may fit the right one only.
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
