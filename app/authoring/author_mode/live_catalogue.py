"""The catalogue of author mode. After each change of a file it loads the course again. A broken lesson keeps its last good version."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from app.authoring.author_mode.lesson_words import fill_in_words, select_language
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS, Chapter, Course, Lesson
from app.protocol.run import Lang


class Version(NamedTuple):
    """The version of a lesson that a page in one language shows. `lesson` has only the words of that language.

    `since` is when this version was first loaded, in seconds since 1970. `is_stale` is true if the files now have problems, so that this
    older version is shown.
    """

    lesson: Lesson
    since: float
    is_stale: bool = False


class LiveCatalogue(Catalogue):
    """A catalogue that changes. After each change, `generation` is a different text.

    A lesson that no longer loads keeps its last good version, but `problems` are always current. Each language has its own version of a
    lesson. It becomes stale by problems in its own text, or in files that all languages share.
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
        """Return the version of a lesson that is shown, or None if the lesson could never be loaded in this language."""
        return self._versions.get((path, lang))

    async def reload(self) -> None:
        """Load the course in a thread, then replace the current one. If loading raises, nothing changes."""
        loaded = await asyncio.to_thread(self._load)
        self._take(self.course, loaded)
        self._changes += 1

    def _take(self, before: Course, loaded: Catalogue) -> None:
        super().__init__(
            restore_broken(before, loaded), loaded.problems, loaded.glossary, loaded.listed, loaded.in_part, [*loaded.cards.values()]
        )
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
        """Return the version to show after a load. `loaded` has the lesson for each language in which it has no problem."""
        before = self._versions.get((path, lang))
        if lang not in loaded:
            return before and before._replace(is_stale=True)
        lesson = select_language(loaded[lang], lang)
        return before._replace(is_stale=False) if before and before.lesson == lesson else Version(lesson, now)


def restore_broken(before: Course, loaded: Catalogue) -> Course:
    """Return the loaded course, but take lessons and chapters that now have problems from the course `before`.

    If a lesson has problems in one language only, only the words of that language come from `before`. A path with problems is missing.
    """
    broken = {problem.file for problem in loaded.problems}

    def is_broken(path: str) -> bool:
        return any(file.startswith(f"{path}/") for file in broken)

    known = {chapter.id: chapter for chapter in before.chapters}
    chapters = [
        _add_parts(known.get(chapter.id), _restore_lessons(known.get(chapter.id), chapter, is_broken), loaded)
        for chapter in loaded.course.chapters
    ]
    for place, chapter in enumerate(before.chapters):
        if loaded.chapter(chapter.id) is None and ("course.toml" in broken or is_broken(chapter.id)):
            chapters.insert(place, chapter)
    return Course(tuple(chapters), loaded.course.paths)


def _restore_lessons(before: Chapter | None, chapter: Chapter, is_broken: Callable[[str], bool]) -> Chapter:
    lessons: list[Lesson] = list(chapter.lessons)
    loaded = {lesson.id for lesson in lessons}
    for place, lesson in enumerate(before.lessons if before else ()):
        if lesson.id not in loaded and is_broken(lesson.path):
            lessons.insert(place, lesson)
    return msgspec.structs.replace(chapter, lessons=tuple(lessons))


def _add_parts(before: Chapter | None, chapter: Chapter, loaded: Catalogue) -> Chapter:
    """Return the chapter with lessons added that can be shown in one language only."""
    known = {lesson.path: lesson for lesson in (before.lessons if before else ())}
    lessons = {lesson.path: lesson for lesson in chapter.lessons}
    for path, by_lang in loaded.in_part.items():
        if path.startswith(f"{chapter.id}/"):
            lessons[path] = fill_in_words(next(iter(by_lang.values())), known.get(path))
    order = {path: place for place, path in enumerate(loaded.listed)}
    ordered = sorted(lessons.values(), key=lambda lesson: order.get(lesson.path, len(order)))
    return msgspec.structs.replace(chapter, lessons=tuple(ordered) if set(lessons) <= set(order) else tuple(lessons.values()))
