"""Where learners go on: the lesson in which they were last, or the next one that is not done. The script of the home page does the same."""

from collections.abc import Mapping, Sequence

from app.lessons.model.model import Lesson
from app.web.views.contexts import count_parts


def find_next(lessons: Sequence[Lesson], done: Mapping[str, Sequence[str]], last: str | None) -> Lesson | None:
    """Return the first lesson that is not done, from the lesson with the path `last` on, and then from the beginning.

    Return None if all lessons are done. `done` lists the finished parts of lessons by their paths.
    """
    begin = next((place for place, lesson in enumerate(lessons) if lesson.path == last), 0)
    in_order = (*lessons[begin:], *lessons[:begin])
    return next((lesson for lesson in in_order if len(done.get(lesson.path, ())) < count_parts(lesson)), None)
