"""Joins several courses into one. The chapters are in the order of the courses."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.lessons.course.paths import FILE
from app.lessons.model.model import Chapter, Course
from app.lessons.toml.problem import Problem


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
                chapters.append(_number_on(chapter, last))
        problems += [_report_taken(folder / FILE, "path", path.id) for path in more.course.paths if path.id in paths]
        paths |= {path.id: path for path in more.course.paths if path.id not in paths}
    course = Course(tuple(chapters), tuple(paths.values()))
    return Catalogue(course, tuple(problems), terms, cards=tuple(cards.values()))


def _report_taken(file: Path, kind: str, taken: str) -> Problem:
    return Problem(str(file), 1, f'there is already a {kind} "{taken}", in an earlier course: expected another id')


def _number_on(chapter: Chapter, last: int) -> Chapter:
    return chapter if chapter.number is None else msgspec.structs.replace(chapter, number=last + chapter.number)
