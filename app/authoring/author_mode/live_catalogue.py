"""The catalogue of author mode. After each change of a file it loads the course again. A broken lesson keeps its last good version."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.lessons.course.lesson import select_language
from app.lessons.model.model import LANGS, Chapter, Course, Lesson
from app.protocol.run import Lang

Words = TypeVar("Words")


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
            restore_broken(before, loaded), loaded.problems, loaded.terms, loaded.listed, loaded.in_part, [*loaded.cards.values()]
        )
        whole = {lesson.path: dict.fromkeys(LANGS, lesson) for lesson in loaded.course.lessons}
        now = self._clock()
        self._versions = {
            (lesson.path, lang): version
            for lesson in self.course.lessons
            for lang in LANGS
            if (version := self._renew(lesson.path, lang, {**whole, **loaded.in_part}.get(lesson.path, {}), now))
        }

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

    known = {chapter.id: chapter.lessons for chapter in before.chapters}
    chapters = [_restore_lessons(known.get(chapter.id, ()), is_broken, chapter, loaded) for chapter in loaded.course.chapters]
    for place, chapter in enumerate(before.chapters):
        if loaded.chapter(chapter.id) is None and ("course.toml" in broken or is_broken(chapter.id)):
            chapters.insert(place, chapter)
    return Course(tuple(chapters), loaded.course.paths)


def _restore_lessons(before: Sequence[Lesson], is_broken: Callable[[str], bool], chapter: Chapter, loaded: Catalogue) -> Chapter:
    """Return the chapter with broken lessons as they were `before`, and with lessons that can be shown in one language only.

    A broken lesson that is not listed any more keeps its place.
    """
    broken = {place: lesson for place, lesson in enumerate(before) if is_broken(lesson.path)}
    lessons = {lesson.path: lesson for lesson in (*broken.values(), *chapter.lessons)}
    for path, by_lang in loaded.in_part.items():
        if path.startswith(f"{chapter.id}/"):
            lessons[path] = fill_in_words(next(iter(by_lang.values())), lessons.get(path))
    in_order = [lessons[path] for path in loaded.listed if path in lessons]
    for place, lesson in broken.items():
        if lesson.path not in loaded.listed:
            in_order.insert(place, lesson)
    return msgspec.structs.replace(chapter, lessons=tuple(in_order))


def fill_in_words(lesson: Lesson, before: Lesson | None) -> Lesson:
    """Return the lesson with words in every language. Missing words come from the version `before`, or else from another language."""
    predictions = {one.id: one.texts for one in before.predictions} if before else {}
    exercises = {one.id: one.texts for one in before.exercises} if before else {}
    return msgspec.structs.replace(
        lesson,
        texts=_fill_in(lesson.texts, before.texts if before else {}),
        predictions=tuple(
            msgspec.structs.replace(one, texts=_fill_in(one.texts, predictions.get(one.id, {}))) for one in lesson.predictions
        ),
        exercises=tuple(msgspec.structs.replace(one, texts=_fill_in(one.texts, exercises.get(one.id, {}))) for one in lesson.exercises),
    )


def _fill_in(texts: Mapping[Lang, Words], before: Mapping[Lang, Words]) -> dict[Lang, Words]:
    other = next(iter(texts.values()))
    return {lang: texts.get(lang) or before.get(lang) or other for lang in LANGS}
