"""Loads the course's outline: course.toml and each chapter's chapter.toml, which list the chapters and lessons in order."""

from collections.abc import Sequence

from app.lessons.model.model import Chapter, PlannedLesson
from app.lessons.toml.course_files import ChapterFile, CourseFile
from app.lessons.toml.source import Reader
from app.lessons.toml.strict_tables import by_language
from app.lessons.toml.table import Table, read_table

Outline = tuple[Chapter, tuple[str, ...]]  # a chapter whose lessons are not loaded yet, and their paths


def load_outline(reader: Reader) -> list[Outline]:
    """Return the chapters that could be read, in order."""
    read = read_table(reader, "course.toml", "the list of chapters", CourseFile)
    if read is None:
        return []
    ids = read[1].chapters
    outlines = [outline for chapter_id in ids if (outline := _load_chapter(reader, chapter_id)) is not None]
    _check_numbers(reader, [chapter for chapter, _ in outlines])
    _check_unlisted(reader, "", "chapter.toml", ids, "course.toml")
    return outlines


def _load_chapter(reader: Reader, chapter_id: str) -> Outline | None:
    file = f"{chapter_id}/chapter.toml"
    with reader.section() as problems:
        read = read_table(reader, file, f'the chapter "{chapter_id}" that course.toml lists', ChapterFile)
        if read is None:
            return None
        table, form = read
        outcomes = by_language(form.outcomes)
        if form.promise is None and not form.lessons:
            table.report('expected the key "promise", one sentence per language, promise.en = …')
        if len({len(texts) for texts in outcomes.values()}) > 1:
            counts = ", ".join(f"{len(texts)} in {lang}" for lang, texts in outcomes.items())
            table.report(f"outcomes: expected equally many in each language, got {counts}", "outcomes")
        planned = _load_planned(table, form)
    if problems:
        return None
    _check_unlisted(reader, f"{chapter_id}/", "lesson.toml", form.lessons, file)
    chapter = Chapter(
        id=chapter_id,
        number=form.number,
        title=by_language(form.title),
        promise=by_language(form.promise),
        outcomes=outcomes,
        planned=not form.lessons,
        coming=planned,
        lessons=(),
    )
    return chapter, tuple(f"{chapter_id}/{lesson}" for lesson in form.lessons)


def _load_planned(chapter: Table, form: ChapterFile) -> tuple[PlannedLesson, ...]:
    ids = [one.id for one in form.planned]
    for index, one in enumerate(ids):
        if one in form.lessons or one in ids[:index]:
            reason = "written: it is in lessons" if one in form.lessons else "planned twice"
            chapter.report(f'"{one}" is {reason}', "planned", index, "id")
    return tuple(PlannedLesson(id=one.id, title=by_language(one.title)) for one in form.planned)


def _check_numbers(reader: Reader, chapters: Sequence[Chapter]) -> None:
    seen: dict[int, str] = {}
    for chapter in chapters:
        if chapter.number is None:
            continue
        if chapter.number in seen:
            reader.report(f"{chapter.id}/chapter.toml", 1, f"the number {chapter.number} is already that of {seen[chapter.number]}")
        seen[chapter.number] = chapter.id


def _check_unlisted(reader: Reader, folder: str, marker: str, listed: Sequence[str], file: str) -> None:
    """Report folders in `folder` that have a file `marker` but are not in the list of `file`."""
    for path in sorted((reader.folder / folder).glob(f"*/{marker}")):
        if path.parent.name not in listed:
            reader.report(f"{folder}{path.parent.name}/{marker}", 1, f'"{path.parent.name}" is not listed in {file}')
