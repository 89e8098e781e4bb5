"""A class as its learners see it: its lessons in order, which of them are open, and which comes next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.classroom.classes.class_lessons import ClassLesson
from app.classroom.classes.memberships import Membership
from app.classroom.store.stored_work_types import CourseWork
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Lesson
from app.protocol.run import Lang
from app.web.views.links import LessonLink, link_lesson

MOST_SHOWN = 5  # lessons of a class on the home page


@dataclass(frozen=True, kw_only=True)
class ClassLessonLine:
    """A lesson of a class. `opens_ms` is the time when a closed one opens, or None if no time is set."""

    link: LessonLink
    is_open: bool
    opens_ms: int | None


@dataclass(frozen=True, kw_only=True)
class OwnClassView:
    """A class. `next` is the open lesson to continue with, or None if all open lessons are finished."""

    id: int
    url: str
    name: str
    lessons: tuple[ClassLessonLine, ...]
    next: LessonLink | None

    @property
    def near(self) -> tuple[ClassLessonLine, ...]:
        """The lessons around `next`, at most MOST_SHOWN."""
        place = next((place for place, line in enumerate(self.lessons) if self.next and line.link.path == self.next.path), 0)
        begin = max(0, min(place - 1, len(self.lessons) - MOST_SHOWN))
        return self.lessons[begin : begin + MOST_SHOWN]


@dataclass(frozen=True, kw_only=True)
class ClosedLesson:
    """A lesson that is closed in every class of the learner that has it. `opens_ms` is the earliest time when one opens it, or None."""

    class_names: tuple[str, ...]
    opens_ms: int | None


def view_class(
    catalogue: Catalogue, membership: Membership, lessons: Iterable[ClassLesson], work: CourseWork | None, lang: Lang, now_ms: int
) -> OwnClassView:
    """Return the view of a class. Lessons that the course no longer has are left out."""
    known = [(one, lesson) for one in lessons if (lesson := catalogue.lesson(one.lesson)) is not None]
    following = find_next([lesson for one, lesson in known if one.is_open(now_ms)], work or CourseWork())
    return OwnClassView(
        id=membership.class_id,
        url=f"/{lang}/class/{membership.class_id}",
        name=membership.class_name,
        lessons=tuple(
            ClassLessonLine(link=link_lesson(lesson, lang), is_open=one.is_open(now_ms), opens_ms=one.opens_ms) for one, lesson in known
        ),
        next=link_lesson(following, lang) if following else None,
    )


def split_lessons(lessons: Sequence[Lesson], classes: Iterable[OwnClassView]) -> tuple[list[Lesson], list[Lesson]]:
    """Return the lessons that are open in a learner's classes, in their order, and the others of the course that are not closed there."""
    known = {lesson.path: lesson for lesson in lessons}
    is_open: dict[str, bool] = {}
    for line in (line for one in classes for line in one.lessons):
        is_open[line.link.path] = line.is_open or is_open.get(line.link.path, False)
    return [known[path] for path in is_open if is_open[path]], [lesson for lesson in lessons if lesson.path not in is_open]


def find_closed(path: str, memberships: Sequence[Membership], lessons: dict[int, list[ClassLesson]], now_ms: int) -> ClosedLesson | None:
    """Return when a closed lesson opens, or None if it is open in one of the classes or none of them has it."""
    found = [(one, membership) for membership in memberships for one in lessons.get(membership.class_id, ()) if one.lesson == path]
    if not found or any(one.is_open(now_ms) for one, _ in found):
        return None
    times = [one.opens_ms for one, _ in found if one.opens_ms is not None]
    return ClosedLesson(class_names=tuple(membership.class_name for _, membership in found), opens_ms=min(times) if times else None)


def find_next(lessons: Sequence[Lesson], work: CourseWork) -> Lesson | None:
    """Return the first lesson that is not finished, beginning with the one read last and continuing from the first lesson at the end.

    Return None if all are finished.
    """
    begin = next((place for place, lesson in enumerate(lessons) if lesson.path == work.last), 0)
    return next((lesson for lesson in (*lessons[begin:], *lessons[:begin]) if not is_finished(lesson, work)), None)


def is_finished(lesson: Lesson, work: CourseWork) -> bool:
    """Return whether a learner has done all parts of a lesson, or passed all of its exercises, if it has any."""
    done = set(work.done.get(lesson.path, ()))
    exercises = {f"exercise:{one.id}" for one in lesson.exercises}
    others = {cell.id for cell in lesson.cells if not cell.for_checks} | {f"prediction:{one.id}" for one in lesson.predictions}
    return exercises <= done if exercises else bool(others) and others <= done
