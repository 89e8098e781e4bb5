"""Reads coverage.toml, the topics and names that a course has to teach. Checks that lessons show each topic and use each name."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.keys import Texts, Words, expects
from app.lessons.model.model import Chapter, Lesson
from app.lessons.toml.form import one_of
from app.lessons.toml.problem import Problem, suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table, read_table
from app.pitfalls.pitfall_book import load_pitfalls

FILE = "coverage.toml"
KINDS = ("concept", "fact", "error")


Places = Annotated[Texts, expects("a list of places, chapter/lesson#id")]


class TopicTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a chapter teaches. `shown` are the places, each "chapter/lesson#id", where a reader meets it and runs it."""

    chapter: Words
    says: Words
    shown: Places


class ConceptTable(TopicTable, frozen=True):
    """A concept."""


class FactTable(TopicTable, kw_only=True, frozen=True):
    """A fact. It is a myth if the opposite is widely believed."""

    myth: bool = False


class ErrorTable(TopicTable, kw_only=True, frozen=True):
    """An error that tutorials make. `pitfall` is the code of what a learner who makes it is told."""

    shown: Places = ()
    pitfall: Annotated[Words, expects("the code of a pitfall")] | None = None


class CoverageFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """coverage.toml: what each chapter has to teach. `names` maps a chapter to the names that its lessons have to use."""

    concept: tuple[ConceptTable, ...] = ()
    fact: tuple[FactTable, ...] = ()
    error: tuple[ErrorTable, ...] = ()
    names: dict[str, Texts] = {}


class Coverage(NamedTuple):
    """What a course has to teach. `names` maps each chapter to its required names, and each name to the lessons that use it.

    A name is the word by which a program uses a function, a class or a decorator.
    """

    topics: tuple[TopicTable, ...]
    names: Mapping[str, Mapping[str, tuple[Lesson, ...]]]
    problems: tuple[Problem, ...]


def load_coverage(folder: Path, catalogue: Catalogue) -> Coverage:
    """Return the coverage of the course in `folder`. Without a coverage.toml, it is empty.

    A topic without a place, or a name without a lesson, is a problem only if all planned lessons of its chapter are written.
    """
    reader = Reader(folder)
    read = read_table(reader, FILE, "what the course has to teach", CoverageFile) if (folder / FILE).exists() else None
    if read is None:
        return Coverage((), {}, tuple(reader.problems))
    table, form = read
    chapters = {chapter.id: chapter for chapter in catalogue.course.chapters}
    places = dict(_list_places(catalogue))
    for kind in KINDS:
        for index, topic in enumerate(getattr(form, kind)):
            _check_topic(table.below(kind, index), topic, chapters, places)
    names = _find_uses(table.below("names"), form.names, catalogue, chapters)
    return Coverage((*form.concept, *form.fact, *form.error), names, tuple(reader.problems))


def _check_topic(table: Table, topic: TopicTable, chapters: Mapping[str, Chapter], places: Mapping[str, bool]) -> None:
    says, chapter, shown = topic.says, topic.chapter, topic.shown
    if chapter not in chapters:
        table.report_value(one_of(chapters), chapter, "chapter")
        return
    for index, place in enumerate(shown):
        if place not in places:
            table.report(f'there is no "{place}"{suggest(place, places)}: expected chapter/lesson#id', "shown", index)
    if isinstance(topic, FactTable) and shown and not any(places.get(place, True) for place in shown):
        table.report(f'"{says}": expected a cell, a prediction or a try-it that shows it', "shown")
    if isinstance(topic, ErrorTable):
        _check_error(table, says, topic.pitfall, shown)
    elif not shown and _is_written(chapters[chapter]):
        table.report(f'"{says}": expected the place where the chapter {chapter} shows it', "shown")


def _check_error(table: Table, says: str, pitfall: str | None, shown: Sequence[str]) -> None:
    known = load_pitfalls().pitfalls
    if pitfall is None and not shown:
        table.report(f'"{says}": expected a pitfall that explains it, or places that show it')
    elif pitfall is not None and pitfall not in known:
        table.report(f'there is no pitfall "{pitfall}"{suggest(pitfall, known)}: expected one of app/pitfalls', "pitfall")


def _find_uses(
    table: Table, listed: Mapping[str, Sequence[str]], catalogue: Catalogue, chapters: Mapping[str, Chapter]
) -> dict[str, dict[str, tuple[Lesson, ...]]]:
    """Return the lessons that use each of the `listed` names, by chapter and name. Report a name that no lesson of its chapter uses."""
    words = [(lesson, _words_of(lesson)) for lesson in catalogue.course.lessons]
    found: dict[str, dict[str, tuple[Lesson, ...]]] = {}
    for chapter, names in listed.items():
        if chapter not in chapters:
            table.report(f'unknown key "{chapter}"{suggest(chapter, chapters)}', chapter)
            continue
        found[chapter] = {name: tuple(lesson for lesson, used in words if name in used) for name in names}
        for name, lessons in found[chapter].items():
            if _is_written(chapters[chapter]) and not any(lesson.chapter_id == chapter for lesson in lessons):
                table.report(f"{name}: expected a lesson of the chapter {chapter} that uses it", chapter)
    return found


def _is_written(chapter: Chapter) -> bool:
    return bool(chapter.lessons) and not chapter.coming


def _list_places(catalogue: Catalogue) -> Iterator[tuple[str, bool]]:
    """Yield the place of each cell, prediction, try-it and exercise, and whether it shows a fact. An exercise does not."""
    for lesson in catalogue.course.lessons:
        yield from ((f"{lesson.path}#{one.id}", False) for one in lesson.exercises)
        for name in (*(one.id for one in lesson.tries), *(one.id for one in lesson.predictions), *(one.id for one in lesson.cells)):
            yield f"{lesson.path}#{name}", True


def _words_of(lesson: Lesson) -> set[str]:
    """Return the words that the code of a lesson uses: variables, attributes, keyword arguments, imports and functions."""
    exercises = [source for one in lesson.exercises for source in (one.starter, *one.solutions.values())]
    return {word for source in (*(cell.source for cell in lesson.cells), *exercises) for word in _words(source)}


def _words(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a cell may show one
        return
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.FunctionDef(name=word):
                yield word
            case ast.keyword(arg=str(word)):
                yield word
            case ast.alias(name=dotted):
                yield from dotted.split(".")
