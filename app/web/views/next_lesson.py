"""Finds the lesson in which a learner continues: the last one they read, or the next one that is not finished."""

from collections.abc import Sequence

from app.classroom.store.stored_work_types import CourseWork
from app.lessons.model.model import Lesson


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
