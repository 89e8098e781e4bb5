"""The course as it is on disk now: loaded anew when a file changes, and never smaller for a mistake in it."""

import asyncio
import secrets
from collections.abc import Callable

import msgspec

from app.lessons.catalogue import Catalogue
from app.lessons.model import Chapter, Course, Lesson


class LiveCatalogue(Catalogue):
    """Changes only between two turns of the event loop, and whole. `generation` is another text after each change.

    Of a lesson that no longer loads, the last version that did stays in its place; `problems` are those of now.
    """

    def __init__(self, load: Callable[[], Catalogue]) -> None:
        self._load = load
        self._start, self._changes = secrets.token_hex(4), 0
        loaded = load()
        super().__init__(loaded.course, loaded.problems, loaded.glossary)

    @property
    def generation(self) -> str:
        return f"{self._start}-{self._changes}"

    async def reload(self) -> None:
        """Loads the course in a thread, then takes it. Raises what loading raises, and is then as before."""
        loaded = await asyncio.to_thread(self._load)
        super().__init__(keep_last_good(self.course, loaded), loaded.problems, loaded.glossary)
        self._changes += 1


def keep_last_good(before: Course, loaded: Catalogue) -> Course:
    """The course as it was loaded, with what is broken now as it was before."""
    broken = {problem.file for problem in loaded.problems}

    def is_broken(path: str) -> bool:
        return any(file.startswith(f"{path}/") for file in broken)

    known = {chapter.id: chapter for chapter in before.chapters}
    chapters = [_keep_lessons(known.get(chapter.id), chapter, is_broken) for chapter in loaded.course.chapters]
    for place, chapter in enumerate(before.chapters):
        if loaded.chapter(chapter.id) is None and ("course.toml" in broken or is_broken(chapter.id)):
            chapters.insert(place, chapter)
    return Course(tuple(chapters))


def _keep_lessons(before: Chapter | None, chapter: Chapter, is_broken: Callable[[str], bool]) -> Chapter:
    lessons: list[Lesson] = list(chapter.lessons)
    loaded = {lesson.id for lesson in lessons}
    for place, lesson in enumerate(before.lessons if before else ()):
        if lesson.id not in loaded and is_broken(lesson.path):
            lessons.insert(place, lesson)
    return msgspec.structs.replace(chapter, lessons=tuple(lessons))
