"""A course as data: chapters of lessons, their texts in each language, and their cells. Nothing here reads a file or runs code."""

from collections.abc import Mapping
from typing import get_args

import msgspec

from app.lessons.shows import Shows
from app.protocol.limits import Limits, grant
from app.protocol.run import DEFAULT_RUNTIME, Lang, RuntimeName

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

    def limits(self, defaults: Limits, factor: float) -> Limits:
        """The server's limits, with what this cell asks for, at most `factor` times as much."""
        return grant(defaults, self.asks, factor)


class Prose(msgspec.Struct, frozen=True, tag="prose"):
    """Rendered Markdown between two cells: complete, safe HTML elements."""

    html: str


class CellPlace(msgspec.Struct, frozen=True, tag="cell"):
    """Where the text places a cell."""

    cell_id: str


Block = Prose | CellPlace


class LessonText(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson in one language. `title` and `summary` are plain text; `title_html` and `lede_html` are the inside of an h1 and a p."""

    title: str
    title_html: str
    lede_html: str
    summary: str
    blocks: tuple[Block, ...]


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A whole lesson: `texts` has every language; `runtime` is that of its cells, but for those that name their own."""

    id: str
    chapter_id: str
    minutes: int
    runtime: RuntimeName
    cells: tuple[Cell, ...]
    texts: Mapping[Lang, LessonText]

    @property
    def path(self) -> str:
        return f"{self.chapter_id}/{self.id}"

    def cell(self, cell_id: str) -> Cell | None:
        return next((cell for cell in self.cells if cell.id == cell_id), None)


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter with those of its lessons that could be loaded, in order; `promise` says in a sentence what it teaches, and may be empty."""

    id: str
    number: int
    title: Mapping[Lang, str]
    lessons: tuple[Lesson, ...]
    promise: Mapping[Lang, str] = {}
    planned: bool = False  # none of its lessons is written yet


class Course(msgspec.Struct, frozen=True):
    """The chapters in order."""

    chapters: tuple[Chapter, ...] = ()

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        return tuple(lesson for chapter in self.chapters for lesson in chapter.lessons)
