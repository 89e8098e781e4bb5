"""What a course has to teach, its coverage.toml, and whether it does: each concept, fact and error has a place, each name a lesson."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Chapter, Lesson
from app.lessons.toml.problem import Problem, suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table
from app.runner.stumbles.stumble_book import load_stumbles

FILE = "coverage.toml"
Kind = Literal["concept", "fact", "error"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Topic(NamedTuple):
    """A concept that is taught in a chapter, a fact, or an error that tutorials make. `shown`: where a reader meets it and runs it.

    A place is "chapter/lesson#id".
    """

    says: str
    chapter: str
    shown: tuple[str, ...]
    kind: Kind = "concept"
    is_myth: bool = False  # a fact, the opposite of which is widely believed
    stumble: str | None = None  # an error: the id of what is told to whoever makes it


class Coverage(NamedTuple):
    """`names`: of each chapter the words of functions, classes and decorators that it has to use, each with the lessons that use it."""

    topics: tuple[Topic, ...]
    names: Mapping[str, Mapping[str, tuple[Lesson, ...]]]
    problems: tuple[Problem, ...]


def load_coverage(folder: Path, catalogue: Catalogue) -> Coverage:
    """A course need not have the file. A topic or a name without a place is a problem only in a chapter that is written to its end."""
    reader = Reader(folder)
    toml = reader.read_toml(FILE, "what the course has to teach") if (folder / FILE).exists() else None
    if toml is None:
        return Coverage((), {}, tuple(reader.problems))
    whole = Table(reader, FILE, toml)
    chapters = {chapter.id: chapter for chapter in catalogue.course.chapters}
    places = dict(_list_places(catalogue))
    topics = [_read_topic(table, chapters, places, kind) for kind in KINDS for table in whole.tables(kind)]
    names = _read_names(whole, catalogue, chapters)
    whole.finish()
    return Coverage(tuple(topic for topic in topics if topic is not None), names, tuple(reader.problems))


def _read_topic(table: Table, chapters: Mapping[str, Chapter], places: Mapping[str, bool], kind: Kind) -> Topic | None:
    chapter = table.one_of("chapter", tuple(chapters), required=True)
    says = table.text("says", required=True)
    stumble = table.text("stumble", "the id of a stumble") if kind == "error" else None
    shown = table.texts("shown", "a list of places, chapter/lesson#id", required=kind != "error")
    is_myth = kind == "fact" and table.flag("myth")
    table.finish()
    if shown is None and kind == "error":
        shown = ()
    if chapter is None or says is None or shown is None:
        return None
    for index, place in enumerate(shown):
        if place not in places:
            table.report(f'there is no "{place}"{suggest(place, places)}: expected chapter/lesson#id', "shown", index)
    if kind == "fact" and shown and not any(places.get(place, True) for place in shown):
        table.report(f'"{says}": expected a cell, a prediction or a try-it that shows it', "shown")
    if kind == "error":
        _check_error(table, says, stumble, shown)
    elif not shown and _is_written(chapters[chapter]):
        table.report(f'"{says}": expected the place where the chapter {chapter} shows it', "shown")
    return Topic(says, chapter, shown, kind, is_myth, stumble)


def _check_error(table: Table, says: str, stumble: str | None, shown: Sequence[str]) -> None:
    known = load_stumbles().stumbles
    if stumble is None and not shown:
        table.report(f'"{says}": expected a stumble that explains it, or places that show it')
    elif stumble is not None and stumble not in known:
        table.report(f'there is no stumble "{stumble}"{suggest(stumble, known)}: expected one of app/runner/stumbles', "stumble")


def _read_names(whole: Table, catalogue: Catalogue, chapters: Mapping[str, Chapter]) -> dict[str, dict[str, tuple[Lesson, ...]]]:
    table = whole.table("names", "a list of names for each chapter")
    if table is None:
        return {}
    listed = {chapter: names for chapter in chapters if (names := table.texts(chapter))}
    table.finish()
    words = [(lesson, _words_of(lesson)) for lesson in catalogue.course.lessons]
    found = {
        chapter: {name: tuple(lesson for lesson, used in words if name in used) for name in names} for chapter, names in listed.items()
    }
    for chapter, uses in found.items():
        for name, lessons in uses.items():
            if _is_written(chapters[chapter]) and not any(lesson.chapter_id == chapter for lesson in lessons):
                table.report(f"{name}: expected a lesson of the chapter {chapter} that uses it", chapter)
    return found


def _is_written(chapter: Chapter) -> bool:
    return bool(chapter.lessons) and not chapter.coming


def _list_places(catalogue: Catalogue) -> Iterator[tuple[str, bool]]:
    """Everything that runs, and whether it shows what comes out: an exercise asks for it."""
    for lesson in catalogue.course.lessons:
        yield from ((f"{lesson.path}#{one.id}", False) for one in lesson.exercises)
        for name in (*(one.id for one in lesson.tries), *(one.id for one in lesson.predictions), *(one.id for one in lesson.cells)):
            yield f"{lesson.path}#{name}", True


def _words_of(lesson: Lesson) -> set[str]:
    """What its cells and exercises use: as a variable, an attribute, an argument's keyword, or what they import or define."""
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
