"""Points as CSV files: one format for Canvas's gradebook, one for Moodle's import of grades.

Both are in UTF-8 with a byte order mark, by which spreadsheets recognise the encoding.

The two importers determine the format:

- Canvas finds a column's assignment by its whole heading, and makes one if there is none. So a heading has the exercise's title and its
  id, which never changes. Canvas finds a student by `SIS User ID`, else by the name. An empty cell overwrites a grade, too.
- Moodle reads a row without an ID number as a part of the row before it. So members without a number are left out. An empty cell can become
  0 there, and "-" means no grade.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.classroom.classes.csv_file import escape_cell, write_rows

CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE_COLUMNS = ("ID number", "Name")
NO_GRADE = "-"


@dataclass(frozen=True, kw_only=True)
class GradedExercise:
    """A column. `id` is the lesson's path and the exercise's id; `worth` is in points."""

    id: str
    title: str
    worth: int


@dataclass(frozen=True, kw_only=True)
class GradedMember:
    """A row. `points` are in hundredths, by the exercise's id; an exercise without a grade is missing."""

    name: str
    number: str | None
    points: Mapping[str, int]


def format_points(hundredths: int) -> str:
    """Return points as a number without superfluous zeros, such as 2, 1.5 and 0.67."""
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".") if rest else str(whole)


def write_canvas(section: str, exercises: Sequence[GradedExercise], members: Iterable[GradedMember]) -> bytes:
    """Return the file for Canvas. `section` is the class's name."""
    rows = [[*CANVAS_COLUMNS, *map(name_column, exercises)]]
    rows.append(["Points Possible", "", "", "", "", *(str(one.worth) for one in exercises)])
    for member in members:
        grades = [format_grade(member, one, "") for one in exercises]
        rows.append([escape_cell(member.name), "", escape_cell(member.number or ""), "", escape_cell(section), *grades])
    return write_rows(rows)


def write_moodle(exercises: Sequence[GradedExercise], members: Iterable[GradedMember]) -> bytes:
    """Return the file for Moodle, without the members who have no number."""
    rows = [[*MOODLE_COLUMNS, *map(name_column, exercises)]]
    for member in members:
        if has_moodle_row(member.number):
            grades = [format_grade(member, one, NO_GRADE) for one in exercises]
            rows.append([escape_cell(member.number or ""), escape_cell(member.name), *grades])
    return write_rows(rows)


def has_moodle_row(number: str | None) -> bool:
    """Return whether Moodle can find somebody by this number. PHP treats "0" as empty."""
    return number not in (None, "", "0")


def name_column(exercise: GradedExercise) -> str:
    return escape_cell(f"{exercise.title} ({exercise.id})")


def format_grade(member: GradedMember, exercise: GradedExercise, nothing: str) -> str:
    points = member.points.get(exercise.id)
    return nothing if points is None else format_points(points)
