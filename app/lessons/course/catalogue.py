"""The catalogue of a course: every lesson without a problem, and the problems of the other lessons.

Loading reads files and renders text. It executes nothing.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType

import msgspec

from app.lessons.course.cards import Card, load_cards
from app.lessons.course.lesson import load_lesson
from app.lessons.course.outline import load_outline
from app.lessons.course.paths import PATHS_FILE, load_paths
from app.lessons.model.model import LANGS, Cell, Chapter, Course, CoursePath, Image, Lesson
from app.lessons.texts.glossary import Term, load_terms, open_glossary
from app.lessons.texts.references import Links
from app.lessons.texts.text import read_section_names
from app.lessons.toml.problem import Problem
from app.lessons.toml.source import Reader
from app.protocol.run import Lang, Program


class UnknownCellError(LookupError):
    """The lesson has no such cell."""


class Catalogue:
    """The loaded course. It does not change.

    - `problems` are in the order in which the course is read.
    - `listed` has the path of every lesson in a chapter.toml, even if the lesson has problems.
    - `terms` has the terms of the glossary by id, in the order of the file, and `cards` the cards by id, in their order.
    - `in_part` has the lessons with a problem in one language only, by path and by the other language, with the words of the latter.
    """

    def __init__(
        self,
        course: Course,
        problems: tuple[Problem, ...] = (),
        terms: Mapping[str, Term] = MappingProxyType({}),
        listed: Sequence[str] = (),
        in_part: Mapping[str, Mapping[Lang, Lesson]] = MappingProxyType({}),
        cards: Sequence[Card] = (),
    ) -> None:
        self.course = course
        self.problems = problems
        self.terms = terms
        self.listed = listed
        self.in_part = in_part
        self.cards = {card.id: card for card in cards}
        self._images = {image.address: image for lesson in course.lessons for image in lesson.images}
        self._lessons = {lesson.path: lesson for lesson in course.lessons}
        self._order: list[Chapter | Lesson] = []
        for chapter in course.chapters:
            self._order += [chapter, *chapter.lessons] if chapter.lessons else []

    def lesson(self, path: str) -> Lesson | None:
        """Return the lesson with this path, "chapter/lesson"."""
        return self._lessons.get(path)

    def image(self, address: str) -> Image | None:
        """Return the picture at `address`, a path on this server that begins with /lessons/."""
        return self._images.get(address)

    def planned_title(self, path: str, lang: Lang) -> str:
        """Return the title of a lesson that is still to be written, or "" if it is not planned."""
        planned = ((f"{chapter.id}/{lesson.id}", lesson.title) for chapter in self.course.chapters for lesson in chapter.coming)
        return next((title[lang] for known, title in planned if known == path), "")

    def chapter(self, chapter_id: str) -> Chapter | None:
        return next((chapter for chapter in self.course.chapters if chapter.id == chapter_id), None)

    def path(self, path_id: str) -> CoursePath | None:
        return next((path for path in self.course.paths if path.id == path_id), None)

    def lessons_of(self, path: CoursePath) -> tuple[Lesson, ...]:
        """Return the lessons of a path, without those that have problems."""
        return tuple(lesson for name in path.lessons if (lesson := self.lesson(name)) is not None)

    def path_after(self, path: CoursePath) -> CoursePath | None:
        """Return the path after `path`. The first follows the last. Return None if there is no other path."""
        paths = self.course.paths
        following = paths[(paths.index(path) + 1) % len(paths)]
        return None if following is path else following

    def around(self, page: Chapter | Lesson) -> tuple[Chapter | Lesson | None, Chapter | Lesson | None]:
        """Return the pages before and after a page in the order of reading.

        A chapter's own page precedes its lessons. A chapter without lessons has no place in the order.
        """
        position = next((position for position, one in enumerate(self._order) if one is page), None)
        if position is None:
            return None, None
        previous = self._order[position - 1] if position else None
        following = self._order[position + 1] if position + 1 < len(self._order) else None
        return previous, following

    def chapter_of(self, lesson: Lesson) -> Chapter:
        return next(chapter for chapter in self.course.chapters if chapter.id == lesson.chapter_id)

    def program(
        self,
        lesson: Lesson,
        cell_id: str,
        source: str,
        sources: Mapping[str, str] | None = None,
        *,
        seed: int = 0,
        instruments: Sequence[str] = (),
        threads: int = 1,
    ) -> Program:
        """Return the program that runs `source` as the code of a cell, after replaying the cells that this cell continues.

        `sources` maps a replayed cell that the learner edited to its code. Raises UnknownCellError.
        """
        cell = _find(lesson, cell_id)
        edited = sources or {}
        return Program(
            source=cell.as_source(source),
            replay=[_find(lesson, name).as_source(edited.get(name)) for name in cell.after],
            seed=seed,
            instruments=list(dict.fromkeys([*cell.instruments, *instruments])),
            threads=threads,
        )


def load_catalogue(folder: Path) -> Catalogue:
    """Return the course in `folder`. A lesson with problems is left out; the catalogue's `problems` say why."""
    reader = Reader(folder)
    outlines = load_outline(reader)
    listed = [path for _, of_chapter in outlines for path in of_chapter]
    planned = [f"{chapter.id}/{lesson.id}" for chapter, _ in outlines for lesson in chapter.coming]
    glossary = open_glossary(reader)
    links = Links(listed, planned, glossary.toml.data if glossary else (), cache(partial(read_section_names, folder)))
    read = {path: load_lesson(reader, path, links) for path in listed}
    loaded = {path: by_lang for path, (_, by_lang) in read.items()}
    lessons = {path: by_lang["en"] for path, by_lang in loaded.items() if len(by_lang) == len(LANGS)}
    terms = load_terms(glossary, links) if glossary else {}
    cards = load_cards(reader, {path: lessons.get(path) for path in listed})
    paths = load_paths(reader, {path: lesson for path, (lesson, _) in read.items()})
    chapters = [
        msgspec.structs.replace(chapter, lessons=tuple(lessons[path] for path in of_chapter if path in lessons))
        for chapter, of_chapter in outlines
    ]
    in_part = {path: by_lang for path, by_lang in loaded.items() if by_lang and path not in lessons}
    return Catalogue(Course(tuple(chapters), paths), tuple(reader.problems), terms, listed, in_part, cards)


def load_courses(folders: Sequence[Path]) -> Catalogue:
    """Return one course from all folders. The numbers of a course's chapters follow those of the courses before it.

    - The file of a problem is relative to the first folder. For the other folders it includes the folder.
    - A chapter is left out and reported if an earlier course has a chapter with the same id.
    - A path is left out and reported if an earlier course has a path with the same id.
    - If several glossaries have a term, the entry of the first one is used; cards likewise.
    - A folder without a course is skipped, except the first: its course may be added later.
    """
    first, *others = folders
    loaded = load_catalogue(first)
    chapters, problems, terms = list(loaded.course.chapters), list(loaded.problems), loaded.terms
    paths = {path.id: path for path in loaded.course.paths}
    cards = dict(loaded.cards)
    for folder in others:
        if folder.is_dir() and not (folder / "course.toml").exists() and not any(folder.glob("*/chapter.toml")):
            continue
        more = load_catalogue(folder)
        problems += [problem._replace(file=str(folder / problem.file)) for problem in more.problems]
        terms = {**more.terms, **terms}
        cards = {**cards, **{name: card for name, card in more.cards.items() if name not in cards}}
        known = {chapter.id for chapter in chapters}
        last = max((chapter.number for chapter in chapters if chapter.number is not None), default=0)
        for chapter in more.course.chapters:
            if chapter.id in known:
                problems.append(_report_taken(folder / chapter.id / "chapter.toml", "chapter", chapter.id))
            else:
                number = None if chapter.number is None else last + chapter.number
                chapters.append(msgspec.structs.replace(chapter, number=number))
        problems += [_report_taken(folder / PATHS_FILE, "path", path.id) for path in more.course.paths if path.id in paths]
        paths |= {path.id: path for path in more.course.paths if path.id not in paths}
    course = Course(tuple(chapters), tuple(paths.values()))
    return Catalogue(course, tuple(problems), terms, cards=tuple(cards.values()))


def _report_taken(file: Path, kind: str, taken: str) -> Problem:
    return Problem(str(file), 1, f'there is already a {kind} "{taken}", in an earlier course: expected another id')


def _find(lesson: Lesson, cell_id: str) -> Cell:
    cell = lesson.cell(cell_id)
    if cell is None:
        raise UnknownCellError(f"{lesson.path} has no cell {cell_id}")
    return cell
