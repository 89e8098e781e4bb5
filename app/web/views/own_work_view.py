"""The data of the page "My work": what the learner can do now, the rules they have met, and where they can continue."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.classroom.store.stored_work_types import REACHED, OwnWork
from app.lessons.model.model import Chapter, Course, Lesson, RulePlace
from app.protocol.run import Lang
from app.web.views.class_view import OwnClassView, split_lessons
from app.web.views.links import PageLink, link_page
from app.web.views.next_lesson import find_next, is_finished

MOST_LATEST = 3  # abilities and rules that are not folded
MOST_OPEN = 3  # exercises to continue with


@dataclass(frozen=True, kw_only=True)
class AbilityLine:
    """What one can do after a lesson. `words` may be empty."""

    words: str
    lesson: PageLink


@dataclass(frozen=True, kw_only=True)
class ChapterAbilities:
    """What one can do after the finished lessons of a chapter. `count` is the number of its lessons."""

    label: str
    count: int
    lines: tuple[AbilityLine, ...]


@dataclass(frozen=True, kw_only=True)
class RuleLine:
    """The rule of a lesson, as HTML."""

    html: str
    lesson: PageLink


@dataclass(frozen=True, kw_only=True)
class OpenExercise:
    """An exercise that was tried and is not passed."""

    exercise: PageLink
    lesson: PageLink


@dataclass(frozen=True, kw_only=True)
class OwnWorkView:
    """What a learner has achieved. `latest` and `rules` have the newest first. `next` is None if no lesson is open that is not finished."""

    is_new: bool
    count: int
    finished: int
    latest: tuple[AbilityLine, ...]
    chapters: tuple[ChapterAbilities, ...]
    rules: tuple[RuleLine, ...]
    folded_rules: tuple[RuleLine, ...]
    open: tuple[OpenExercise, ...]
    next: PageLink | None


def view_own_work(course: Course, work: OwnWork, lang: Lang, classes: Sequence[OwnClassView] = ()) -> OwnWorkView:
    """Return the view of a learner's work. The learner continues in the lessons of `classes`, and in none that these have closed.

    A rule gives answers away. It is shown if its lesson is finished or the learner has written it in their own words.
    """
    finished = [lesson for lesson in course.lessons if is_finished(lesson, work.course)]
    newest = sorted(finished, key=lambda lesson: work.last_done_ms.get(lesson.path, 0), reverse=True)
    met = [lesson for lesson in course.lessons if lesson in finished or lesson.path in work.own_rules]
    met.sort(key=lambda lesson: work.last_done_ms.get(lesson.path, 0), reverse=True)
    rules = [line for lesson in met for line in _find_rules(lesson, lang)]
    of_classes, others = split_lessons(course.lessons, classes)
    following = find_next(of_classes, work.course) or find_next(others, work.course)
    return OwnWorkView(
        is_new=not (work.course.done or work.course.standings or work.own_rules),
        count=len(course.lessons),
        finished=len(finished),
        latest=tuple(_view_ability(lesson, lang) for lesson in newest[:MOST_LATEST]),
        chapters=tuple(_view_chapters(course.chapters, finished, lang)),
        rules=tuple(rules[:MOST_LATEST]),
        folded_rules=tuple(rules[MOST_LATEST:]),
        open=tuple(_find_open([*of_classes, *others], work, lang))[:MOST_OPEN],
        next=link_page(following, lang) if following else None,
    )


def _view_chapters(chapters: Iterable[Chapter], finished: list[Lesson], lang: Lang) -> Iterator[ChapterAbilities]:
    for chapter in chapters:
        lines = tuple(_view_ability(lesson, lang) for lesson in chapter.lessons if lesson in finished)
        if lines:
            yield ChapterAbilities(label=chapter.label(lang), count=len(chapter.lessons), lines=lines)


def _view_ability(lesson: Lesson, lang: Lang) -> AbilityLine:
    return AbilityLine(words=lesson.ability.get(lang, ""), lesson=link_page(lesson, lang))


def _find_rules(lesson: Lesson, lang: Lang) -> Iterator[RuleLine]:
    for block in lesson.texts[lang].blocks:
        if isinstance(block, RulePlace):
            yield RuleLine(html=block.html, lesson=link_page(lesson, lang))


def _find_open(lessons: Iterable[Lesson], work: OwnWork, lang: Lang) -> Iterator[OpenExercise]:
    """Yield the exercises that were tried and are not passed. Those of the lesson with the latest work come first."""
    for lesson in sorted(lessons, key=lambda one: work.last_done_ms.get(one.path, 0), reverse=True):
        standings = work.course.standings.get(lesson.path, {})
        for one in lesson.exercises:
            if standings.get(one.id, "new") not in ("new", *REACHED):
                place = PageLink(url=f"/{lang}/{lesson.path}#exercise-{one.id}", title=one.texts[lang].title)
                yield OpenExercise(exercise=place, lesson=link_page(lesson, lang))
