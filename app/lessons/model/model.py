"""A course as data: chapters and lessons, with their texts in each language and their cells, and paths through them."""

from collections.abc import Mapping
from typing import get_args

import msgspec

from app.lessons.model.exercise import Exercise
from app.lessons.model.prediction import Prediction
from app.lessons.model.shows import Shows
from app.protocol.limits import Limits, grant
from app.protocol.outcome import Outcome
from app.protocol.run import DEFAULT_RUNTIME, Lang, RunError, RuntimeName, Source

LANGS: tuple[Lang, ...] = get_args(Lang)
RUNTIMES: tuple[RuntimeName, ...] = get_args(RuntimeName)
PATH_LESSONS = (5, 8)  # how many lessons a path may have
PATH_MINUTES = (40, 60)  # how long its lessons may take together


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of code that a learner can edit and run."""

    id: str
    filename: str  # the last part only, "sinh_bad.py"
    source: str
    line: int  # the line of its table in lesson.toml
    after: tuple[str, ...] = ()  # all the cells that are replayed first, in order
    raises: str | None = None  # the name of the exception with which it ends when it is run unedited
    asks: Mapping[str, float] = {}  # limits that it needs in place of the server's, by their names in Limits
    runtime: RuntimeName = DEFAULT_RUNTIME
    instruments: tuple[str, ...] = ()  # instruments in addition to those that are always on
    diagnosed: bool = True  # a second run also says what is wrong with it
    shows: Shows | None = None
    for_checks: bool = False  # only an exercise's checks use what the cell defines; the page shows it folded

    def as_source(self, text: str | None = None) -> Source:
        """Return the cell as a part of a program. `text` is its edited code, or None for the code in its file."""
        return Source(text=self.source if text is None else text, cell=self.id, raises=self.raises)

    def limits(self, defaults: Limits, factor: float) -> Limits:
        """Return the server's limits `defaults`, except those that this cell sets. It gets at most `factor` times the default."""
        return grant(defaults, self.asks, factor)


class RecordedResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of a RunResult that are the same in every run of a cell."""

    outcome: Outcome
    error: RunError | None = None
    stdout: str = ""
    stderr: str = ""
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    records: list[msgspec.Raw] = []


class Recording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an unedited cell showed with one `version` of its runtime's framework. `sources` is a digest of the code that was run.

    `results` always has the language en. It has another language only if the result in it differs.
    """

    sources: str
    runtime: RuntimeName
    version: str
    results: dict[Lang, RecordedResult]


class CellEdit(msgspec.Struct, frozen=True):
    """An edit of a cell, which replaces `find` by `replace`. The cell's code has `find` exactly once."""

    cell_id: str
    find: str
    replace: str


class TryIt(msgspec.Struct, frozen=True, kw_only=True):
    """Edits of cells that the text suggests, and what a run of the cell `cell_id` shows after them."""

    id: str
    cell_id: str
    line: int
    edits: tuple[CellEdit, ...]
    raises: str | None = None
    shows: Shows | None = None


class Prose(msgspec.Struct, frozen=True, tag="prose"):
    """A piece of the text, rendered: complete HTML elements that are safe to show."""

    html: str


class CellPlace(msgspec.Struct, frozen=True, tag="cell"):
    """Where the text places a cell."""

    cell_id: str


class ColumnsPlace(msgspec.Struct, frozen=True, tag="columns"):
    """Where the text places two or three cells side by side."""

    cell_ids: tuple[str, ...]


class PredictionPlace(msgspec.Struct, frozen=True, tag="prediction"):
    """Where the text places a prediction. It precedes the cell about which it asks."""

    prediction_id: str


class ExercisePlace(msgspec.Struct, frozen=True, tag="exercise"):
    """Where the text places an exercise."""

    exercise_id: str


class TryPlace(msgspec.Struct, frozen=True, tag="try"):
    """Where the text places a try-it. As HTML, `html` suggests the edit, and `outcome_html` tells what a run then shows."""

    try_id: str
    html: str
    outcome_html: str = ""


class RulePlace(msgspec.Struct, frozen=True, tag="rule"):
    """The lesson's rule in one sentence, as HTML. The page shows the rule after learners have written it in their own words."""

    html: str


Block = Prose | CellPlace | ColumnsPlace | PredictionPlace | ExercisePlace | TryPlace | RulePlace


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """A picture. The page reserves `width` times `height` pixels for it. `address` is a path on the server, below /lessons/."""

    file: str
    media_type: str
    data: bytes
    width: int
    height: int
    address: str


class LessonText(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson's text in one language.

    - `title` and `summary` are plain text; `title_html` and `lede_html` are the content of an h1 and a p.
    - `terms` are the ids of the glossary's terms to which the text or an exercise links.
    """

    title: str
    title_html: str
    lede_html: str
    summary: str
    blocks: tuple[Block, ...]
    terms: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson.

    - `runtime` runs its exercises, and its cells unless a cell has a runtime of its own.
    - `term` is the word under which people look for it, as Markdown of one line: mostly a name of the API in backquotes. It may be empty.
    - `ability` says in one line what readers are able to do after it. It may be empty.
    - `recordings` has recorded results of cells whose runtime need not be installed, by cell id.
    """

    id: str
    chapter_id: str
    minutes: int
    term: Mapping[Lang, str] = {}
    ability: Mapping[Lang, str] = {}
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
        """Return the path of the lesson's lesson.toml within the course's folder."""
        return f"{self.path}/lesson.toml"

    def cell(self, cell_id: str) -> Cell | None:
        return next((cell for cell in self.cells if cell.id == cell_id), None)

    def prediction(self, prediction_id: str) -> Prediction | None:
        return next((one for one in self.predictions if one.id == prediction_id), None)

    def exercise(self, exercise_id: str) -> Exercise | None:
        return next((one for one in self.exercises if one.id == exercise_id), None)

    def steps(self, exercise: Exercise) -> tuple[Exercise, ...]:
        """Return the chain of steps to which `exercise` belongs: each continues the exercise before it. Most chains have one exercise."""
        chains: dict[str, tuple[Exercise, ...]] = {}
        for one in self.exercises:
            chains[one.id] = (*chains.get(one.continues or "", ()), one)
        return next(chain for chain in reversed(chains.values()) if exercise in chain)


class PlannedLesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson that is still to be written. Other lessons may link to it, and the course map names it."""

    id: str
    title: Mapping[Lang, str]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter and its lessons in order. Lessons that could not be loaded are missing.

    - `number` is None if the chapter is not numbered.
    - `promise` says in one sentence what the chapter teaches. It may be empty.
    - `outcomes` says what readers are able to do after the chapter. It may be empty.
    """

    id: str
    number: int | None = None
    title: Mapping[Lang, str]
    lessons: tuple[Lesson, ...]
    promise: Mapping[Lang, str] = {}
    outcomes: Mapping[Lang, tuple[str, ...]] = {}
    planned: bool = False  # whether it lists no written lesson
    coming: tuple[PlannedLesson, ...] = ()  # its lessons that are still to be written

    def label(self, lang: Lang) -> str:
        """Return the chapter's title, preceded by the chapter's number if it has one."""
        return self.title[lang] if self.number is None else f"{self.number} · {self.title[lang]}"


class CoursePath(msgspec.Struct, frozen=True, kw_only=True):
    """Some lessons of a course in an order of their own.

    - `question` says who needs the path: what they ask, or want to do.
    - `end` says what readers are able to do after it.
    - `lessons` are paths of lessons, "chapter/lesson". A lesson that has problems is not in the course.
    - `then` is the path of a longer lesson for which this path prepares, or "".
    """

    id: str
    title: Mapping[Lang, str]
    question: Mapping[Lang, str]
    end: Mapping[Lang, str]
    lessons: tuple[str, ...]
    then: str = ""


class Course(msgspec.Struct, frozen=True):
    """The chapters, and the paths through them, in order."""

    chapters: tuple[Chapter, ...] = ()
    paths: tuple[CoursePath, ...] = ()

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        return tuple(lesson for chapter in self.chapters for lesson in chapter.lessons)
