"""The course as it is on disk now: loaded anew when a file changes, and never smaller for a mistake in it."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from app.authoring.author_mode.lesson_words import keep_language, lend_words
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS, Chapter, Course, Lesson
from app.protocol.run import Lang


class Version(NamedTuple):
    """What is shown of a lesson in one language, whose words alone it has.

    `since`: when it was first loaded, in seconds since 1970. `is_stale`: the files are not like this any more, and cannot be shown.
    """

    lesson: Lesson
    since: float
    is_stale: bool = False


class LiveCatalogue(Catalogue):
    """Changes only between two turns of the event loop, and whole. `generation` is another text after each change.

    Of a lesson that no longer loads, the last version that did stays in its place; `problems` are those of now. Each language has a version
    of its own, which is held back only by what is wrong with its own text or with what all languages share.
    """

    def __init__(self, load: Callable[[], Catalogue], clock: Callable[[], float] = time.time) -> None:
        self._load, self._clock = load, clock
        self._start, self._changes = secrets.token_hex(4), 0
        self._versions: dict[tuple[str, Lang], Version] = {}
        self._take(Course(()), load())

    @property
    def generation(self) -> str:
        return f"{self._start}-{self._changes}"

    def version(self, path: str, lang: Lang) -> Version | None:
        """What is to be shown of a lesson; None if it could never be in this language."""
        return self._versions.get((path, lang))

    async def reload(self) -> None:
        """Loads the course in a thread, then takes it. Raises what loading raises, and is then as before."""
        loaded = await asyncio.to_thread(self._load)
        self._take(self.course, loaded)
        self._changes += 1

    def _take(self, before: Course, loaded: Catalogue) -> None:
        super().__init__(keep_last_good(before, loaded), loaded.problems, loaded.glossary, loaded.listed, loaded.in_part)
        whole = {lesson.path: dict.fromkeys(LANGS, lesson) for lesson in loaded.course.lessons}
        now = self._clock()
        versions = {
            (lesson.path, lang): version
            for lesson in self.course.lessons
            for lang in LANGS
            if (version := self._renew(lesson.path, lang, {**whole, **loaded.in_part}.get(lesson.path, {}), now))
        }
        self._versions = versions

    def _renew(self, path: str, lang: Lang, loaded: Mapping[Lang, Lesson], now: float) -> Version | None:
        """The version after a load that has the lesson in these languages."""
        before = self._versions.get((path, lang))
        if lang not in loaded:
            return before and before._replace(is_stale=True)
        lesson = keep_language(loaded[lang], lang)
        return before._replace(is_stale=False) if before and before.lesson == lesson else Version(lesson, now)


def keep_last_good(before: Course, loaded: Catalogue) -> Course:
    """The course as it was loaded, with what is broken now as it was before; what is broken in one language alone, so only in that one."""
    broken = {problem.file for problem in loaded.problems}

    def is_broken(path: str) -> bool:
        return any(file.startswith(f"{path}/") for file in broken)

    known = {chapter.id: chapter for chapter in before.chapters}
    chapters = [
        _add_parts(known.get(chapter.id), _keep_lessons(known.get(chapter.id), chapter, is_broken), loaded)
        for chapter in loaded.course.chapters
    ]
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


def _add_parts(before: Chapter | None, chapter: Chapter, loaded: Catalogue) -> Chapter:
    """The chapter with the lessons that are there in one language, as far as they are."""
    known = {lesson.path: lesson for lesson in (before.lessons if before else ())}
    lessons = {lesson.path: lesson for lesson in chapter.lessons}
    for path, by_lang in loaded.in_part.items():
        if path.startswith(f"{chapter.id}/"):
            lessons[path] = lend_words(next(iter(by_lang.values())), known.get(path))
    order = {path: place for place, path in enumerate(loaded.listed)}
    ordered = sorted(lessons.values(), key=lambda lesson: order.get(lesson.path, len(order)))
    return msgspec.structs.replace(chapter, lessons=tuple(ordered) if set(lessons) <= set(order) else tuple(lessons.values()))
