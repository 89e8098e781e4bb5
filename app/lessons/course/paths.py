"""Loads the paths of a course from paths.toml: each has some lessons in an order of their own, and says what readers can do at its end."""

from collections.abc import Mapping, Sequence

from app.lessons.model.model import PATH_MINUTES, CoursePath, Lesson
from app.lessons.toml.course_files import PathsFile, PathTable
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.strict_tables import by_language
from app.lessons.toml.table import Table, load_each, read_table

PATHS_FILE = "paths.toml"


def load_paths(reader: Reader, lessons: Mapping[str, Lesson | None]) -> tuple[CoursePath, ...]:
    """Return the paths without problems, in the order of the file. A course need not have paths.

    `lessons` has every listed lesson by its path, or None in place of a lesson whose lesson.toml cannot be read.
    """
    read = read_table(reader, PATHS_FILE, "the paths", PathsFile) if (reader.folder / PATHS_FILE).exists() else None
    if read is None:
        return ()
    table, form = read
    return load_each(table, "path", form.path, lambda owner, one: _load_path(reader, owner, one, lessons))


def _load_path(reader: Reader, table: Table, form: PathTable, lessons: Mapping[str, Lesson | None]) -> CoursePath | None:
    with reader.section() as problems:
        _check_lessons(table, form.lessons, lessons)
        if form.then and form.then not in lessons:
            table.report(f'then: there is no lesson "{form.then}"{suggest(form.then, lessons)}', "then")
    if problems:
        return None
    return CoursePath(
        id=form.id,
        title=by_language(form.title),
        question=by_language(form.question),
        end=by_language(form.end),
        lessons=form.lessons,
        then=form.then or "",
    )


def _check_lessons(table: Table, paths: Sequence[str], lessons: Mapping[str, Lesson | None]) -> None:
    """Report unknown lessons, lessons in a wrong order, and a path that is too short or too long."""
    for index, path in enumerate(paths):
        if path not in lessons:
            table.report(f'lessons: there is no lesson "{path}"{suggest(path, lessons)}', "lessons", index)
        for later in paths[index + 1 :]:
            if (lesson := lessons.get(path)) and later in lesson.requires:
                table.report(f'lessons: "{path}" requires "{later}": expected it after that', "lessons", index)
    loaded = [lesson for path in paths if (lesson := lessons.get(path))]
    minutes, (least, most) = sum(lesson.minutes for lesson in loaded), PATH_MINUTES
    if len(loaded) == len(paths) and not least <= minutes <= most:
        table.report(f"lessons: expected {least} to {most} minutes in all, got {minutes}", "lessons")
