"""Links to lessons, chapters and paths as templates show them. Their addresses are made here."""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Chapter, CoursePath, Lesson, PredictionPlace
from app.protocol.run import Lang

CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"</?a\b[^>]*>")  # a summary is shown inside a link, which cannot contain another


@dataclass(frozen=True, kw_only=True)
class LessonLink:
    """A lesson in a list. The fields that end in `_html` are HTML without links, for the inside of a span.

    In `title_html`, long names may be broken. `term_html` and `ability_html` may be empty.
    `parts` is the number of its parts (`count_parts`).
    """

    path: str
    url: str
    title: str
    title_html: str
    term_html: str
    ability_html: str
    summary_html: str
    minutes: int
    parts: int
    exercises: tuple[Exercise, ...] = ()
    current: bool = False


@dataclass(frozen=True, kw_only=True)
class ChapterLinks:
    """A chapter on the map and on its own page. `label` is its number and title. A planned chapter has no lessons.

    `promise` and `outcomes` may be empty. `number` is None for a chapter outside of the numbering.
    """

    id: str
    url: str
    number: int | None
    title: str
    label: str
    promise: str
    outcomes: tuple[str, ...]
    planned: bool
    lessons: tuple[LessonLink, ...]
    coming: tuple[str, ...] = ()  # titles of lessons that are still to be written


@dataclass(frozen=True, kw_only=True)
class PageLink:
    """The page before or after another."""

    url: str
    title: str


@dataclass(frozen=True, kw_only=True)
class PathLinks:
    """A path and its lessons. `label` is its title.

    `before` are lessons outside of the path that its lessons require. `then` is the longer lesson for which it prepares.
    """

    id: str
    url: str
    label: str
    question: str
    end: str
    lessons: tuple[LessonLink, ...]
    before: tuple[PageLink, ...]
    then: PageLink | None


@dataclass(frozen=True, kw_only=True)
class NextPath:
    """The path to begin after another. `question_html` is the first prediction of its first lesson, as HTML, and `url` its address.

    If that lesson has no predictions, `question_html` is empty, and `url` is the lesson's address.
    """

    label: str
    url: str
    lesson_title: str
    question_html: str


@lru_cache(maxsize=1000)
def mark_code(words: str) -> str:
    """Return words as HTML, in which those in backquotes are code. A long name may be broken after its underscores and dots."""
    return CODE.sub(lambda found: f"<code>{found[1].replace('_', '_<wbr>').replace('.', '.<wbr>')}</code>", escape(words, quote=False))


def count_parts(lesson: Lesson) -> int:
    """Return the number of the lesson's cells, predictions and exercises, without the cells that are only for checks."""
    return sum(not cell.for_checks for cell in lesson.cells) + len(lesson.predictions) + len(lesson.exercises)


def link_lesson(lesson: Lesson, lang: Lang, current: Lesson | None = None, query: str = "") -> LessonLink:
    """Return the link to a lesson. `query` follows its address."""
    text = lesson.texts[lang]
    return LessonLink(
        path=lesson.path,
        url=f"/{lang}/{lesson.path}{query}",
        title=text.title,
        title_html=escape(text.title, quote=False).replace("_", "_<wbr>"),
        term_html=mark_code(lesson.term.get(lang, "")),
        ability_html=mark_code(lesson.ability.get(lang, "")),
        summary_html=LINK.sub("", text.lede_html),
        minutes=lesson.minutes,
        parts=count_parts(lesson),
        exercises=lesson.exercises,
        current=lesson is current,
    )


def link_around(around: tuple[Chapter | Lesson | None, Chapter | Lesson | None], lang: Lang) -> tuple[PageLink | None, PageLink | None]:
    """Return links to the previous and the next page."""
    previous, following = around
    return link_page(previous, lang) if previous else None, link_page(following, lang) if following else None


def link_page(page: Chapter | Lesson, lang: Lang) -> PageLink:
    if isinstance(page, Chapter):
        return PageLink(url=f"/{lang}/{page.id}", title=page.label(lang))
    return PageLink(url=f"/{lang}/{page.path}", title=page.texts[lang].title)


def link_chapter(chapter: Chapter, lang: Lang, current: Lesson | None = None) -> ChapterLinks:
    lessons = tuple(link_lesson(lesson, lang, current) for lesson in chapter.lessons)
    return ChapterLinks(
        id=chapter.id,
        url=f"/{lang}/{chapter.id}",
        number=chapter.number,
        title=chapter.title[lang],
        label=chapter.label(lang),
        promise=chapter.promise.get(lang, ""),
        outcomes=chapter.outcomes.get(lang, ()),
        planned=chapter.planned,
        lessons=lessons,
        coming=tuple(planned.title[lang] for planned in chapter.coming),
    )


def name_query(path: CoursePath) -> str:
    """Return what follows the address of a lesson that is read as a part of `path`."""
    return f"?path={path.id}"


def link_path(catalogue: Catalogue, path: CoursePath, lang: Lang, current: Lesson | None = None) -> PathLinks:
    lessons = catalogue.lessons_of(path)
    required = dict.fromkeys(name for lesson in lessons for name in lesson.requires if name not in path.lessons)
    then = catalogue.lesson(path.then)
    return PathLinks(
        id=path.id,
        url=f"/{lang}/paths/{path.id}",
        label=path.title[lang],
        question=path.question[lang],
        end=path.end[lang],
        lessons=tuple(link_lesson(lesson, lang, current, name_query(path)) for lesson in lessons),
        before=tuple(link_page(lesson, lang) for name in required if (lesson := catalogue.lesson(name)) is not None),
        then=link_page(then, lang) if then else None,
    )


def link_around_on(path: PathLinks, lesson: Lesson) -> tuple[PageLink, PageLink | None]:
    """Return links to the pages before and after a lesson of a path. The path's own page precedes its lessons."""
    pages = [PageLink(url=path.url, title=path.label), *(PageLink(url=one.url, title=one.title) for one in path.lessons)]
    place = next(place for place, one in enumerate(path.lessons, 1) if one.path == lesson.path)
    return pages[place - 1], pages[place + 1] if place + 1 < len(pages) else None


def link_next_path(catalogue: Catalogue, path: CoursePath, lang: Lang) -> NextPath | None:
    """Return the beginning of the path after `path`, or None if there is none, or none of its lessons could be loaded."""
    following = catalogue.path_after(path)
    lessons = catalogue.lessons_of(following) if following else ()
    if following is None or not lessons:
        return None
    first = lessons[0]
    asked = next((block.prediction_id for block in first.texts[lang].blocks if isinstance(block, PredictionPlace)), "")
    prediction = first.prediction(asked)
    return NextPath(
        label=following.title[lang],
        url=f"/{lang}/{first.path}{name_query(following)}{f'#prediction-{asked}' if asked else ''}",
        lesson_title=first.texts[lang].title,
        question_html=prediction.texts[lang].question if prediction else "",
    )
