"""Where learners go on: the lesson in which they were last, or the next one that is not done. The script of the home page does the same."""

from collections.abc import Sequence

from app.classroom.store.stored_work_types import CourseWork
from app.lessons.model.model import Lesson
from app.web.views.links import count_parts


def find_next(lessons: Sequence[Lesson], work: CourseWork) -> Lesson | None:
    """Return the first lesson of which not all parts are done, from the lesson on that was read last, and then from the beginning.

    Return None if all are done.
    """
    begin = next((place for place, lesson in enumerate(lessons) if lesson.path == work.last), 0)
    in_order = (*lessons[begin:], *lessons[:begin])
    return next((lesson for lesson in in_order if len(work.done.get(lesson.path, ())) < count_parts(lesson)), None)
