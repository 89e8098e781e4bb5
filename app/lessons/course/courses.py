"""Joins several courses into one, with the chapters of the first folder before those of the others."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.lessons.model.model import Chapter, Course
from app.lessons.texts.glossary import Glossary
from app.lessons.toml.problem import Problem


def load_courses(folders: Sequence[Path]) -> Catalogue:
    """Return the course of all folders, whose chapters are numbered on.

    Problems of the first course have paths within its folder, those of the others whole paths. A chapter whose id an earlier course has is
    left out and reported. If several glossaries have a term, the first one's entry is used. A further folder without a course is skipped,
    because its course may be added later.
    """
    first, *others = folders
    loaded = load_catalogue(first)
    chapters, problems, terms = list(loaded.course.chapters), list(loaded.problems), loaded.glossary.terms
    for folder in others:
        if folder.is_dir() and not (folder / "course.toml").exists() and not any(folder.glob("*/chapter.toml")):
            continue
        more = load_catalogue(folder)
        problems += [problem._replace(file=str(folder / problem.file)) for problem in more.problems]
        terms = {**more.glossary.terms, **terms}
        known = {chapter.id for chapter in chapters}
        last = max((chapter.number for chapter in chapters if chapter.number is not None), default=0)
        for chapter in more.course.chapters:
            if chapter.id in known:
                file = str(folder / chapter.id / "chapter.toml")
                problems.append(Problem(file, 1, f'there is already a chapter "{chapter.id}", in an earlier course: expected another id'))
            else:
                chapters.append(_number_on(chapter, last))
    return Catalogue(Course(tuple(chapters)), tuple(problems), Glossary(terms))


def _number_on(chapter: Chapter, last: int) -> Chapter:
    return chapter if chapter.number is None else msgspec.structs.replace(chapter, number=last + chapter.number)
