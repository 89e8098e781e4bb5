"""Where learners go on: the lesson in which they were last, or the next one that is not done. The script of the home page does the same."""

from collections.abc import Collection, Sequence

from app.lessons.model.model import Lesson


def find_next(lessons: Sequence[Lesson], done: Collection[str], last: str | None) -> Lesson | None:
    """Return the first lesson that is not done, from the lesson with the path `last` on, and then from the beginning.

    Return None if all lessons are done. `done` has the paths of those that are.
    """
    begin = next((place for place, lesson in enumerate(lessons) if lesson.path == last), 0)
    return next((lesson for lesson in (*lessons[begin:], *lessons[:begin]) if lesson.path not in done), None)
