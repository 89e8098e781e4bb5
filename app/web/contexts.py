"""What the templates are given: one frozen record a page, made from the course, with every address already written out."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.lessons.model import Cell, CellPlace, Chapter, Lesson, Prose
from app.protocol.run import Lang
from app.web.highlight import render_lines

LINK = re.compile(r"</?a\b[^>]*>")  # a summary stands inside of a link, where there can be no other
NAMES: dict[Lang, str] = {"en": "English", "zh-Hans": "中文"}


@dataclass(frozen=True, kw_only=True)
class Alternate:
    """The same page in one of the languages."""

    lang: Lang
    name: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Page:
    """What every page has. `script` and `style` are names in the manifest; `description` is for search engines and previews."""

    lang: Lang
    title: str
    description: str
    script: str
    alternates: tuple[Alternate, ...]
    theme: str  # "light", "dark", or "" for what the system prefers


@dataclass(frozen=True, kw_only=True)
class LessonLink:
    """A lesson in a list. `summary_html` is the inside of a span, without links; `cells` is how many there are."""

    path: str
    url: str
    title: str
    summary_html: str
    minutes: int
    cells: int
    current: bool = False


@dataclass(frozen=True, kw_only=True)
class ChapterLinks:
    """A chapter on the map; `promise` may be empty. A planned one has no lessons."""

    id: str
    number: int
    title: str
    promise: str
    planned: bool
    lessons: tuple[LessonLink, ...]
    coming: tuple[str, ...] = ()  # titles of lessons that are still to be written


@dataclass(frozen=True, kw_only=True)
class CellView:
    """A cell as it is first shown: its code in colour, before the editor takes its place. `number` is 0 where there is only one."""

    id: str
    number: int
    filename: str
    source: str
    lines: tuple[str, ...]
    runtime: str
    after: tuple[str, ...] = ()
    after_numbers: tuple[int, ...] = ()
    raises: str | None = None


@dataclass(frozen=True, kw_only=True)
class LessonView:
    """The text of a lesson: pieces of finished HTML, and cells between them."""

    path: str
    runtime: str
    title_html: str
    lede_html: str
    minutes: int
    blocks: tuple[str | CellView, ...]
    previous: LessonLink | None
    next: LessonLink | None

    @property
    def has_maths(self) -> bool:
        """Whether the page needs the font for it."""
        pieces = (self.title_html, self.lede_html, *self.blocks)
        return any("<math" in piece for piece in pieces if isinstance(piece, str))

    @property
    def cells(self) -> Iterator[CellView]:
        return (block for block in self.blocks if isinstance(block, CellView))


def list_alternates(path: str) -> tuple[Alternate, ...]:
    """The page at `path` (below the language) in every language."""
    return tuple(Alternate(lang=lang, name=name, url=f"/{lang}/{path}") for lang, name in NAMES.items())


def link_lesson(lesson: Lesson, lang: Lang, current: Lesson | None = None) -> LessonLink:
    text = lesson.texts[lang]
    return LessonLink(
        path=lesson.path,
        url=f"/{lang}/{lesson.path}",
        title=text.title,
        summary_html=LINK.sub("", text.lede_html),
        minutes=lesson.minutes,
        cells=len(lesson.cells),
        current=lesson is current,
    )


def link_chapter(chapter: Chapter, lang: Lang, current: Lesson | None = None) -> ChapterLinks:
    lessons = tuple(link_lesson(lesson, lang, current) for lesson in chapter.lessons)
    return ChapterLinks(
        id=chapter.id,
        number=chapter.number,
        title=chapter.title[lang],
        promise=chapter.promise.get(lang, ""),
        planned=chapter.planned,
        lessons=lessons,
        coming=tuple(planned.title[lang] for planned in chapter.coming),
    )


def view_lesson(lesson: Lesson, lang: Lang, previous: Lesson | None, following: Lesson | None) -> LessonView:
    text = lesson.texts[lang]
    numbers = {cell.id: number for number, cell in enumerate(lesson.cells, 1)}
    cells = {cell.id: view_cell(cell, numbers) for cell in lesson.cells}
    return LessonView(
        path=lesson.path,
        runtime=lesson.runtime,
        title_html=text.title_html,
        lede_html=text.lede_html,
        minutes=lesson.minutes,
        blocks=tuple(
            cells[block.cell_id] if isinstance(block, CellPlace) else block.html
            for block in text.blocks
            if isinstance(block, Prose | CellPlace)
        ),
        previous=link_lesson(previous, lang) if previous else None,
        next=link_lesson(following, lang) if following else None,
    )


def view_cell(cell: Cell, numbers: Mapping[str, int]) -> CellView:
    """`numbers`: of the cells of its lesson, by id; none where it stands alone."""
    return CellView(
        id=cell.id,
        number=numbers.get(cell.id, 0),
        filename=cell.filename,
        source=cell.source,
        lines=tuple(render_lines(cell.source)),
        runtime=cell.runtime,
        after=cell.after,
        after_numbers=tuple(numbers[one] for one in cell.after),
        raises=cell.raises,
    )
