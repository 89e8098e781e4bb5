"""The data of the page "My work": what the learner can do now, the rules they have met, and where they can continue."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from app.classroom.store.stored_work_types import REACHED, OwnWork
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Chapter, Course, Lesson, RulePlace
from app.protocol.run import Lang
from app.web.views.class_view import OwnClassView, find_next, is_finished, split_lessons

MOST_LATEST = 3  # abilities and rules that are not folded
MOST_OPEN = 3  # exercises to continue with


@dataclass(frozen=True, kw_only=True)
class OwnWorkView:
    """What a learner has achieved. `latest` are the lessons finished last, and `chapters` have the finished lessons of each chapter.

    `rules` are lessons with their rules as HTML, the newest first, and `open` exercises that were tried and not passed, with their lessons.
    `next` is None if no lesson is open that is not finished.
    """

    is_new: bool
    count: int
    finished: int
    latest: list[Lesson]
    chapters: list[tuple[Chapter, list[Lesson]]]
    rules: list[tuple[Lesson, str]]
    folded_rules: list[tuple[Lesson, str]]
    open: list[tuple[Lesson, Exercise]]
    next: Lesson | None


def view_own_work(course: Course, work: OwnWork, lang: Lang, classes: Sequence[OwnClassView] = ()) -> OwnWorkView:
    """Return the view of a learner's work. The learner continues in the lessons of `classes`, and in none that these have closed.

    A rule gives answers away. It is shown if its lesson is finished or the learner has written it in their own words.
    """
    finished = [lesson for lesson in course.lessons if is_finished(lesson, work.course)]
    newest = sorted(finished, key=lambda lesson: work.last_done_ms.get(lesson.path, 0), reverse=True)
    met = [lesson for lesson in course.lessons if lesson in finished or lesson.path in work.own_rules]
    met.sort(key=lambda lesson: work.last_done_ms.get(lesson.path, 0), reverse=True)
    rules = [(lesson, block.html) for lesson in met for block in lesson.texts[lang].blocks if isinstance(block, RulePlace)]
    by_chapter = [(chapter, [lesson for lesson in chapter.lessons if lesson in finished]) for chapter in course.chapters]
    of_classes, others = split_lessons(course.lessons, classes)
    following = find_next(of_classes, work.course) or find_next(others, work.course)
    return OwnWorkView(
        is_new=not (work.course.done or work.course.standings or work.own_rules),
        count=len(course.lessons),
        finished=len(finished),
        latest=newest[:MOST_LATEST],
        chapters=[(chapter, lessons) for chapter, lessons in by_chapter if lessons],
        rules=rules[:MOST_LATEST],
        folded_rules=rules[MOST_LATEST:],
        open=list(islice(_find_open([*of_classes, *others], work), MOST_OPEN)),
        next=following,
    )


def _find_open(lessons: Iterable[Lesson], work: OwnWork) -> Iterator[tuple[Lesson, Exercise]]:
    """Yield the exercises that were tried and are not passed. Those of the lesson with the latest work come first."""
    for lesson in sorted(lessons, key=lambda one: work.last_done_ms.get(one.path, 0), reverse=True):
        standings = work.course.standings.get(lesson.path, {})
        yield from ((lesson, one) for one in lesson.exercises if standings.get(one.id, "new") not in ("new", *REACHED))
