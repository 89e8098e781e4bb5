"""A course as data: chapters of lessons, their texts in each language, and their cells. Nothing here reads a file or runs code."""

from collections.abc import Mapping
from typing import get_args

import msgspec

from app.lessons.model.exercise import Exercise
from app.lessons.model.image import Image
from app.lessons.model.prediction import Prediction
from app.lessons.model.shows import Shows
from app.protocol.limits import Limits, grant
from app.protocol.outcome import Outcome
from app.protocol.run import DEFAULT_RUNTIME, Lang, RunError, RuntimeName, Source

LANGS: tuple[Lang, ...] = get_args(Lang)
RUNTIMES: tuple[RuntimeName, ...] = get_args(RuntimeName)


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of code that a learner can edit and run."""

    id: str
    filename: str  # the last part only, "sinh_bad.py"
    source: str
    line: int  # of its table in lesson.toml
    after: tuple[str, ...] = ()  # all the cells that are replayed first, in order
    raises: str | None = None  # the name of the exception with which it ends when run as given
    asks: Mapping[str, float] = {}  # limits of its runs, where the server's do not fit; names as in Limits
    runtime: RuntimeName = DEFAULT_RUNTIME
    instruments: tuple[str, ...] = ()  # that its runs have besides those that are always on
    shows: Shows | None = None
    for_checks: bool = False  # only an exercise's checks call it: no reader needs to change or run it

    def as_source(self, text: str | None = None) -> Source:
        """Its part of a program, as it is given or as edited."""
        return Source(text=self.source if text is None else text, cell=self.id, raises=self.raises)

    def limits(self, defaults: Limits, factor: float) -> Limits:
        """The server's limits, with what this cell asks for, at most `factor` times as much."""
        return grant(defaults, self.asks, factor)


class RecordedResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is the same in every run of a RunResult, whose fields these are."""

    outcome: Outcome
    error: RunError | None = None
    stdout: str = ""
    stderr: str = ""
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    records: list[msgspec.Raw] = []


class Recording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a cell as it is given showed with this `version` of its runtime's framework; `sources` is a digest of what was run.

    `results` has the language en, and another where the result differs.
    """

    sources: str
    runtime: RuntimeName
    version: str
    results: dict[Lang, RecordedResult]


class Edit(msgspec.Struct, frozen=True):
    """In the cell's source `find` stands once, and `replace` takes its place."""

    cell_id: str
    find: str
    replace: str


class TryIt(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the text invites to try: edits of cells, then a run of `cell_id`, which shows what is declared."""

    id: str
    cell_id: str
    line: int
    edits: tuple[Edit, ...]
    raises: str | None = None
    shows: Shows | None = None


class Prose(msgspec.Struct, frozen=True, tag="prose"):
    """Rendered Markdown between two cells: complete, safe HTML elements."""

    html: str


class CellPlace(msgspec.Struct, frozen=True, tag="cell"):
    """Where the text places a cell."""

    cell_id: str


class ColumnsPlace(msgspec.Struct, frozen=True, tag="columns"):
    """Where two or three cells stand side by side."""

    cell_ids: tuple[str, ...]


class PredictionPlace(msgspec.Struct, frozen=True, tag="prediction"):
    """Where a prediction stands: before the cell that it is about."""

    prediction_id: str


class ExercisePlace(msgspec.Struct, frozen=True, tag="exercise"):
    """Where an exercise stands."""

    exercise_id: str


class TryPlace(msgspec.Struct, frozen=True, tag="try"):
    """Words that invite to an edit, and those that say what comes of it, as finished HTML."""

    try_id: str
    html: str
    outcome_html: str = ""


class RulePlace(msgspec.Struct, frozen=True, tag="rule"):
    """The lesson's one sentence, as finished HTML, which the learner is to say first."""

    html: str


Block = Prose | CellPlace | ColumnsPlace | PredictionPlace | ExercisePlace | TryPlace | RulePlace


class LessonText(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson in one language. `title` and `summary` are plain text; `title_html` and `lede_html` are the inside of an h1 and a p.

    `terms`: the ids of what the glossary says of its words.
    """

    title: str
    title_html: str
    lede_html: str
    summary: str
    blocks: tuple[Block, ...]
    terms: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A whole lesson: `texts` has every language; `runtime` is that of its cells, but for those that name their own.

    `recordings`: by the id of the cell, of those whose runtime need not be installed.
    """

    id: str
    chapter_id: str
    minutes: int
    runtime: RuntimeName
    cells: tuple[Cell, ...]
    predictions: tuple[Prediction, ...] = ()
    exercises: tuple[Exercise, ...] = ()
    tries: tuple[TryIt, ...] = ()
    requires: tuple[str, ...] = ()  # paths of lessons that come first
    images: tuple[Image, ...] = ()
    recordings: Mapping[str, Recording] = {}
    texts: Mapping[Lang, LessonText]

    @property
    def path(self) -> str:
        return f"{self.chapter_id}/{self.id}"

    @property
    def file(self) -> str:
        """Its lesson.toml in the course's folder."""
        return f"{self.path}/lesson.toml"

    def cell(self, cell_id: str) -> Cell | None:
        return next((cell for cell in self.cells if cell.id == cell_id), None)

    def prediction(self, prediction_id: str) -> Prediction | None:
        return next((one for one in self.predictions if one.id == prediction_id), None)

    def exercise(self, exercise_id: str) -> Exercise | None:
        return next((one for one in self.exercises if one.id == exercise_id), None)

    def steps(self, exercise: Exercise) -> tuple[Exercise, ...]:
        """The chain of exercises, each going on from the one before, to which it belongs; itself alone if it belongs to none."""
        chains: dict[str, tuple[Exercise, ...]] = {}
        for one in self.exercises:
            chains[one.id] = (*chains.get(one.continues or "", ()), one)
        return next(chain for chain in reversed(chains.values()) if exercise in chain)


class PlannedLesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson that is still to be written: others may link to it, and the map names it."""

    id: str
    title: Mapping[Lang, str]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter with those of its lessons that could be loaded, in order.

    `number`: None of one that stands beside the numbered ones. `promise` says in a sentence what it teaches, and `outcomes` what who has
    read it is able to do; both may be empty.
    """

    id: str
    number: int | None = None
    title: Mapping[Lang, str]
    lessons: tuple[Lesson, ...]
    promise: Mapping[Lang, str] = {}
    outcomes: Mapping[Lang, tuple[str, ...]] = {}
    planned: bool = False  # none of its lessons is written yet
    coming: tuple[PlannedLesson, ...] = ()  # those of its lessons that are still to be written

    def label(self, lang: Lang) -> str:
        """Its title, after its number if it has one."""
        return self.title[lang] if self.number is None else f"{self.number} · {self.title[lang]}"


class Course(msgspec.Struct, frozen=True):
    """The chapters in order."""

    chapters: tuple[Chapter, ...] = ()

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        return tuple(lesson for chapter in self.chapters for lesson in chapter.lessons)
