"""Paths as templates show them: in the list of paths, on their own pages, and around the lessons that are opened from them."""

from dataclasses import dataclass

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import CoursePath, Lesson, PredictionPlace
from app.protocol.run import Lang
from app.web.views.links import LessonLink, PageLink, link_lesson, link_page


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
