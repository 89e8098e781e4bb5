"""The data of a lesson's template: its text in pieces, and between them its cells, predictions, exercises and other blocks.

No page contains the right answers of predictions, their explanations, solutions, mistakes or hidden checks. Hints and the lesson's rule are
in the page.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import ClassVar, TypeVar

import msgspec

from app.lessons.model.model import Block, CellPlace, ColumnsPlace, ExercisePlace, Lesson, PredictionPlace, Prose, RulePlace, TryPlace
from app.lessons.model.prediction import Prediction
from app.protocol.limits import Limits, grant
from app.protocol.run import Lang
from app.web.views.lesson.cell_view import CellView, find_printed, view_cell
from app.web.views.lesson.exercise_view import ExerciseView, view_exercise
from app.web.views.reference.what_works import RUNTIME_NAMES

T = TypeVar("T")
_HEADING = re.compile(r"(?=<h[23][ >])")


@dataclass(frozen=True, kw_only=True)
class ColumnsView:
    """Cells side by side, each under the name of its runtime."""

    block: ClassVar = "columns"

    columns: tuple[tuple[str, CellView], ...]


@dataclass(frozen=True, kw_only=True)
class ForChecksView:
    """Consecutive cells that are only for the checks of exercises."""

    block: ClassVar = "for-checks"

    cells: tuple[CellView, ...]


@dataclass(frozen=True, kw_only=True)
class PredictionView:
    """A prediction. `choices` is the HTML inside of list items. `asks` says what the answer is, and `names` the names to choose from."""

    block: ClassVar = "prediction"

    id: str
    cell_id: str
    cell_number: int
    asks: str
    names: tuple[str, ...]
    question_html: str
    choices: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TryView:
    """An edit to try. `edits` is JSON: a list of {cell, find, replace}. `outcome_html` says what the edit causes, and may be empty."""

    block: ClassVar = "try"

    id: str
    cell_id: str
    edits: str
    html: str
    outcome_html: str


@dataclass(frozen=True, kw_only=True)
class RuleView:
    """The rule that the lesson teaches."""

    block: ClassVar = "rule"

    html: str


@dataclass(frozen=True, kw_only=True)
class AnswerView:
    """Text that reveals the output of a cell, and with it the answer to a prediction about that cell."""

    block: ClassVar = "answer"

    cell_id: str
    prediction_id: str
    html: str


BlockView = str | CellView | ColumnsView | ForChecksView | PredictionView | ExerciseView | TryView | RuleView | AnswerView


@dataclass(frozen=True, kw_only=True)
class LessonView:
    """The text of a lesson: pieces of HTML, and the blocks between them."""

    path: str
    runtime: str
    title_html: str
    lede_html: str
    blocks: tuple[BlockView, ...]

    @property
    def has_columns(self) -> bool:
        """Whether cells are side by side, so that the page needs its whole width."""
        return any(isinstance(block, ColumnsView) for block in self.blocks)

    @property
    def has_maths(self) -> bool:
        """Whether any block needs the font for mathematics."""
        return b"<math" in msgspec.json.encode(self)


def view_lesson(lesson: Lesson, lang: Lang, defaults: Limits, factor: float) -> LessonView:
    """Return the view of a lesson. `defaults` are the server's limits; an exercise gets at most `factor` times as much."""
    text = lesson.texts[lang]
    return LessonView(
        path=lesson.path,
        runtime=lesson.runtime,
        title_html=text.title_html,
        lede_html=text.lede_html,
        blocks=tuple(_fold_for_checks(_mark_answers([_view_block(block, lesson, lang, defaults, factor) for block in text.blocks]))),
    )


def _fold_for_checks(blocks: Iterable[BlockView]) -> Iterator[BlockView]:
    """Join consecutive cells that are only for checks into one block."""
    for folded, row in groupby(blocks, lambda block: isinstance(block, CellView) and block.for_checks):
        if folded:
            yield ForChecksView(cells=tuple(block for block in row if isinstance(block, CellView)))
        else:
            yield from row


def _mark_answers(blocks: Sequence[BlockView]) -> Iterator[BlockView]:
    """Turn the text between a cell with a prediction and the next heading into an AnswerView."""
    predictions = {block.cell_id: block.id for block in blocks if isinstance(block, PredictionView)}
    for before, block in pairwise(["", *blocks]):
        if not (isinstance(block, str) and isinstance(before, CellView) and before.id in predictions):
            yield block
            continue
        answer, *others = _HEADING.split(block, maxsplit=1)
        if answer.strip():
            yield AnswerView(cell_id=before.id, prediction_id=predictions[before.id], html=answer)
        yield from others


def _view_block(block: Block, lesson: Lesson, lang: Lang, defaults: Limits, factor: float) -> BlockView:
    """Return the view of a block. Raises LookupError if the lesson lacks a part that the block names, which loading a lesson rules out."""
    numbers = {cell.id: number for number, cell in enumerate(lesson.cells, 1)}
    match block:
        case Prose():
            return block.html
        case CellPlace():
            return _view_cell(block.cell_id, lesson, numbers, lang)
        case ColumnsPlace():
            cells = [_view_cell(cell_id, lesson, numbers, lang) for cell_id in block.cell_ids]
            return ColumnsView(columns=tuple((RUNTIME_NAMES[cell.runtime], cell) for cell in cells))
        case PredictionPlace():
            return _view_prediction(_found(lesson.prediction(block.prediction_id), block.prediction_id), numbers, lang)
        case ExercisePlace():
            exercise = _found(lesson.exercise(block.exercise_id), block.exercise_id)
            return view_exercise(exercise, lesson, lang, grant(defaults, exercise.asks, factor))
        case TryPlace():
            return _view_try(block, lesson)
        case RulePlace():
            return RuleView(html=block.html)


def _found(one: T | None, name: str) -> T:
    if one is None:
        raise LookupError(name)
    return one


def _view_cell(cell_id: str, lesson: Lesson, numbers: Mapping[str, int], lang: Lang) -> CellView:
    cell = _found(lesson.cell(cell_id), cell_id)
    is_asked = any(prediction.cell_id == cell_id for prediction in lesson.predictions)
    return view_cell(cell, numbers, "" if is_asked else find_printed(cell, lesson.recordings.get(cell_id), lang))


def _view_prediction(prediction: Prediction, numbers: Mapping[str, int], lang: Lang) -> PredictionView:
    text = prediction.texts[lang]
    return PredictionView(
        id=prediction.id,
        cell_id=prediction.cell_id,
        cell_number=numbers[prediction.cell_id],
        asks=prediction.asks,
        names=prediction.names,
        question_html=text.question,
        choices=text.choices,
    )


def _view_try(place: TryPlace, lesson: Lesson) -> TryView:
    one = _found(next((one for one in lesson.tries if one.id == place.try_id), None), place.try_id)
    edits = [{"cell": edit.cell_id, "find": edit.find, "replace": edit.replace} for edit in one.edits]
    return TryView(
        id=one.id, cell_id=one.cell_id, edits=msgspec.json.encode(edits).decode(), html=place.html, outcome_html=place.outcome_html
    )
