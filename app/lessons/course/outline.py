"""The course's outline: course.toml and each chapter's chapter.toml, which say what there is and in which order."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.lessons.model.model import PlannedLesson
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table
from app.protocol.run import Lang

CHAPTERS = 99


class ChapterOutline(NamedTuple):
    """A chapter before its lessons are read: `lessons` are ids, none of a chapter that is planned. `number`: None where it has none."""

    id: str
    number: int | None
    title: dict[Lang, str]
    promise: dict[Lang, str]
    outcomes: dict[Lang, tuple[str, ...]]
    lessons: tuple[str, ...]
    planned: tuple[PlannedLesson, ...]


def load_outline(reader: Reader) -> list[ChapterOutline]:
    """The chapters that could be read, in order."""
    toml = reader.read_toml("course.toml", "the list of chapters")
    if toml is None:
        return []
    table = Table(reader, "course.toml", toml)
    ids = table.identifiers("chapters", required=True)
    table.finish()
    outlines = [outline for chapter_id in ids if (outline := _load_chapter(reader, chapter_id)) is not None]
    _check_numbers(reader, outlines)
    _check_unlisted(reader, "", "chapter.toml", ids, "course.toml")
    return outlines


def lesson_paths(outlines: Sequence[ChapterOutline]) -> Iterator[tuple[str, str]]:
    """(chapter, lesson) of every listed lesson, in order."""
    return ((outline.id, lesson) for outline in outlines for lesson in outline.lessons)


def _load_chapter(reader: Reader, chapter_id: str) -> ChapterOutline | None:
    file = f"{chapter_id}/chapter.toml"
    with reader.section() as problems:
        toml = reader.read_toml(file, f'the chapter "{chapter_id}" that course.toml lists')
        if toml is None:
            return None
        table = Table(reader, file, toml)
        number = table.whole("number", 1, CHAPTERS)
        title = table.words("title", "one title per language, title.en = …", required=True)
        lessons = table.identifiers("lessons", required=True)
        promise = table.words("promise", "one sentence per language, promise.en = …", required=table.data.get("lessons") == [])
        outcomes = table.word_lists("outcomes", "a list of texts per language, outcomes.en = […]")
        planned = _read_planned(table, lessons)
        table.finish()
    if problems:
        return None
    _check_unlisted(reader, f"{chapter_id}/", "lesson.toml", lessons, file)
    return ChapterOutline(chapter_id, number, title, promise, outcomes, lessons, planned)


def _read_planned(chapter: Table, lessons: Sequence[str]) -> tuple[PlannedLesson, ...]:
    """The tables [[planned]]."""
    planned: list[PlannedLesson] = []
    for table in chapter.tables("planned"):
        lesson_id = table.identifier("id")
        title = table.words("title", "one title per language, title.en = …", required=True)
        table.finish()
        if lesson_id is None:
            continue
        if lesson_id in lessons or any(other.id == lesson_id for other in planned):
            table.report(f'"{lesson_id}" is {"written: it is in lessons" if lesson_id in lessons else "planned twice"}', "id")
        planned.append(PlannedLesson(id=lesson_id, title=title))
    return tuple(planned)


def _check_numbers(reader: Reader, outlines: Sequence[ChapterOutline]) -> None:
    seen: dict[int, str] = {}
    for outline in outlines:
        if outline.number is None:
            continue
        if outline.number in seen:
            reader.report(f"{outline.id}/chapter.toml", 1, f"the number {outline.number} is already that of {seen[outline.number]}")
        seen[outline.number] = outline.id


def _check_unlisted(reader: Reader, folder: str, marker: str, listed: Sequence[str], file: str) -> None:
    """A folder with a `marker` inside that no list names would never be seen."""
    for path in sorted((reader.folder / folder).glob(f"*/{marker}")):
        if path.parent.name not in listed:
            reader.report(f"{folder}{path.parent.name}/{marker}", 1, f'"{path.parent.name}" is not listed in {file}')
