"""The points of a class, for its page and its files: a row for each member, a column for each exercise."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.classroom.classes.class_lessons import ClassLesson
from app.classroom.classes.member_changes import ListedMember
from app.classroom.classes.points.overrides import ExerciseOfMember
from app.classroom.classes.points.points_csv import GradedExercise, GradedMember, format_points
from app.classroom.classes.points.points_rule import HUNDREDTHS
from app.classroom.classes.points.points_table import NOTHING, PointsCell, PointsTable
from app.lessons.course.catalogue import Catalogue
from app.protocol.run import Lang

SHOWS = ("all", "missing", "overridden")


@dataclass(frozen=True, kw_only=True)
class PointsColumn:
    """An exercise of a lesson of the class. `worth` is in points."""

    lesson: str
    exercise: str
    title: str
    worth: int

    @property
    def id(self) -> str:
        return f"{self.lesson}/{self.exercise}"


@dataclass(frozen=True, kw_only=True)
class LessonColumns:
    """The exercises of a lesson: columns under one heading."""

    title: str
    path: str
    columns: tuple[PointsColumn, ...]


@dataclass(frozen=True, kw_only=True)
class PointsRow:
    """A member with the cells of all columns, in their order. `total` is in hundredths."""

    member: ListedMember
    cells: list[PointsCell]
    total: int


def list_columns(catalogue: Catalogue, lessons: Iterable[ClassLesson], lang: Lang) -> list[LessonColumns]:
    """Return the columns of a class: the exercises of its lessons that the course has, in the class's order."""
    found = ((one, catalogue.lesson(one.lesson)) for one in lessons)
    return [
        LessonColumns(
            title=lesson.texts[lang].title,
            path=lesson.path,
            columns=tuple(
                PointsColumn(lesson=lesson.path, exercise=exercise.id, title=exercise.texts[lang].title, worth=one.points)
                for exercise in lesson.exercises
            ),
        )
        for one, lesson in found
        if lesson is not None and lesson.exercises
    ]


def list_rows(members: Iterable[ListedMember], columns: Sequence[PointsColumn], table: PointsTable) -> list[PointsRow]:
    """Return a row for each member who has not left."""
    rows = []
    for member in members:
        if member.left_ms is not None:
            continue
        places = (ExerciseOfMember(member_id=member.id, lesson=one.lesson, exercise=one.exercise) for one in columns)
        cells = [table.get(place, NOTHING) for place in places]
        rows.append(PointsRow(member=member, cells=cells, total=sum(cell.points or 0 for cell in cells)))
    return rows


def choose_rows(rows: Iterable[PointsRow], name: str, show: str) -> list[PointsRow]:
    """Return the rows whose name or number contains `name`, and only those with a missing or overridden cell if `show` asks for them."""
    wanted = name.casefold()
    found = [row for row in rows if wanted in row.member.name.casefold() or wanted in (row.member.number or "").casefold()]
    if show == "missing":
        return [row for row in found if any(cell.points is None for cell in row.cells)]
    if show == "overridden":
        return [row for row in found if any(cell.override for cell in row.cells)]
    return found


def format_cell(hundredths: int | None) -> str:
    return "–" if hundredths is None else format_points(hundredths)


def format_worth(columns: Iterable[PointsColumn]) -> str:
    """Return the sum of what the exercises are worth, in points."""
    return format_points(sum(one.worth for one in columns) * HUNDREDTHS)


def grade_exercises(columns: Iterable[PointsColumn]) -> list[GradedExercise]:
    return [GradedExercise(id=one.id, title=one.title, worth=one.worth) for one in columns]


def grade_members(rows: Iterable[PointsRow], columns: Sequence[PointsColumn], *, zeros: bool) -> list[GradedMember]:
    """Return the rows for a file. With `zeros`, members who have joined have 0 where no attempt of theirs counts."""
    graded = []
    for row in rows:
        missing = 0 if zeros and row.member.joined_ms is not None else None
        points = {one.id: missing if cell.points is None else cell.points for one, cell in zip(columns, row.cells, strict=True)}
        given = {name: value for name, value in points.items() if value is not None}
        graded.append(GradedMember(name=row.member.name, number=row.member.number, points=given))
    return graded
