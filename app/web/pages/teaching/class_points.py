"""The points of a class: the table, and the files for Canvas and Moodle."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import Request
from sqlalchemy import Connection
from starlette.responses import Response

from app.classroom.classes.class_lessons import list_lessons
from app.classroom.classes.member_changes import list_members
from app.classroom.classes.points.points_csv import has_moodle_row, write_canvas, write_moodle
from app.classroom.classes.points.points_rule import PointsRule
from app.classroom.classes.points.points_table import read_points
from app.classroom.classes.school_classes import SchoolClass
from app.classroom.store.times import now_ms, to_datetime
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.guards.access import TEACHING, allow
from app.web.pages.routes import route_pages
from app.web.pages.teaching.opened_class import OpenedDep, render_class
from app.web.services import LangDep, Services, ServicesDep
from app.web.views.points_view import (
    SHOWS,
    LessonColumns,
    PointsColumn,
    PointsRow,
    choose_rows,
    format_cell,
    format_worth,
    grade_exercises,
    grade_members,
    list_columns,
    list_rows,
)

CSV = "text/csv; charset=utf-8"
NAME_CHARACTERS = 64


@dataclass(frozen=True, kw_only=True)
class ClassPoints:
    """The points of a class, or of one of its lessons. `lessons` are all lessons that have exercises."""

    lessons: list[LessonColumns]
    shown: list[LessonColumns]
    columns: Sequence[PointsColumn]
    rows: list[PointsRow]


def rule_of(school_class: SchoolClass) -> PointsRule:
    return PointsRule(
        counting=school_class.counting,
        counted_attempt=school_class.counted_attempt,
        until_ms=school_class.until_ms,
        after_solution=school_class.after_solution,
    )


def gather_points(connection: Connection, catalogue: Catalogue, school_class: SchoolClass, lang: Lang, lesson: str) -> ClassPoints:
    """Return the points of a class, or only those of the lesson with the path `lesson` if the class has it."""
    lessons = list_columns(catalogue, list_lessons(connection, school_class.id), lang)
    shown = [one for one in lessons if one.path == lesson] or lessons
    columns = [column for one in shown for column in one.columns]
    worths = {column.lesson: column.worth for column in columns}
    table = read_points(connection, school_class.id, rule_of(school_class), worths)
    rows = list_rows(list_members(connection, school_class.id), columns, table)
    return ClassPoints(lessons=lessons, shown=shown, columns=columns, rows=rows)


@allow(TEACHING)
async def get_points(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the table, filtered by the query."""
    query = request.query_params
    lesson, name = query.get("lesson", ""), query.get("name", "")[:NAME_CHARACTERS]
    show = query.get("show", "") if query.get("show", "") in SHOWS else "all"
    points = await read_class_points(services, opened, lang, lesson)
    return await asyncio.to_thread(  # for a large class it takes a tenth of a second, which would delay others
        render_class,
        request,
        lang,
        opened,
        "points",
        "teaching/points.html",
        title=mark("Points"),
        points=points,
        rows=choose_rows(points.rows, name, show),
        lesson=lesson,
        name=name,
        show=show,
        worth=format_worth(points.columns),
        format_cell=format_cell,
        unnumbered=sum(not has_moodle_row(row.member.number) for row in points.rows),
    )


@allow(TEACHING)
async def get_canvas(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the file of points that Canvas imports."""
    points = await read_class_points(services, opened, lang, request.query_params.get("lesson", ""))
    members = grade_members(points.rows, points.columns, zeros="zeros" in request.query_params)
    return send_csv(write_canvas(opened.name, grade_exercises(points.columns), members), f"canvas-{opened.id}")


@allow(TEACHING)
async def get_moodle(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the file of points that Moodle imports."""
    points = await read_class_points(services, opened, lang, request.query_params.get("lesson", ""))
    members = grade_members(points.rows, points.columns, zeros="zeros" in request.query_params)
    return send_csv(write_moodle(grade_exercises(points.columns), members), f"moodle-{opened.id}")


async def read_class_points(services: Services, school_class: SchoolClass, lang: Lang, lesson: str) -> ClassPoints:
    return await services.database.read(gather_points, services.catalogue, school_class, lang, lesson)


def send_csv(content: bytes, name: str) -> Response:
    """Return a file to save. Its name has the date."""
    headers = {
        "content-disposition": f'attachment; filename="{name}-{to_datetime(now_ms()):%Y-%m-%d}.csv"',
        "cache-control": "no-store",
    }
    return Response(content, headers=headers, media_type=CSV)


router = route_pages(
    {
        "/teach/{class_id:int}/points": get_points,
        "/teach/{class_id:int}/points/canvas.csv": get_canvas,
        "/teach/{class_id:int}/points/moodle.csv": get_moodle,
    }
)
