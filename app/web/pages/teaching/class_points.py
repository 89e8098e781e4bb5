"""The points of a class: the table, the files for Canvas and Moodle, and the page of a member's points in one exercise.

That page has the attempts that the points come from, and a form for points that a teacher gives instead.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import Request
from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_lessons import list_lessons
from app.classroom.classes.member_changes import ListedMember, list_members, require_member
from app.classroom.classes.points.overrides import (
    MOST_HUNDREDTHS,
    ExerciseOfMember,
    PointsOverride,
    clear_override,
    list_overrides,
    set_override,
)
from app.classroom.classes.points.points_csv import format_points, has_moodle_row, write_canvas, write_moodle
from app.classroom.classes.points.points_rule import HUNDREDTHS, PointsRule, give_points
from app.classroom.classes.points.points_table import JudgedAttempt, list_judged, read_points
from app.classroom.classes.school_classes import SchoolClass
from app.classroom.store.times import now_ms, to_datetime
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_form
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.opened_class import (
    ChangingDep,
    OpenedDep,
    change_class_rows,
    check_id,
    go_to_tab,
    render_class,
    say_bad_value,
)
from app.web.services import CatalogueDep, LangDep, PersonDep, Services, ServicesDep
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
NUMBER = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")
CELL = "/teach/{class_id:int}/points/{member_id:int}/{chapter}/{lesson}/{exercise}"
STANDINGS = {  # why an attempt does not count; "early" attempts do not belong to the class and are not shown
    "imported": mark("imported, so it proves nothing"),
    "late": mark("too late"),
    "after_solution": mark("after the solution was shown"),
}
DONE = {"set": mark("These points count now."), "cleared": mark("The computed points count again.")}


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


@allow(TEACHING)
async def get_cell(
    request: Request, member_id: int, chapter: str, lesson: str, exercise: str, lang: LangDep, services: ServicesDep, opened: OpenedDep
) -> Response:
    """Answer with a member's points in an exercise and the attempts that they come from."""
    place = ExerciseOfMember(member_id=check_id(member_id), lesson=f"{chapter}/{lesson}", exercise=exercise)
    return await show_cell(request, lang, services, opened, place)


@allow(INSTRUCTOR)
async def post_cell(
    request: Request,
    member_id: int,
    chapter: str,
    lesson: str,
    exercise: str,
    lang: LangDep,
    services: ServicesDep,
    teacher: PersonDep,
    opened: ChangingDep,
    catalogue: CatalogueDep,
) -> Response:
    """Override the computed points, or remove the override."""
    place = ExerciseOfMember(member_id=check_id(member_id), lesson=f"{chapter}/{lesson}", exercise=exercise)
    await require_column(services, opened, place, lang)
    form = await read_form(request)
    if form.get("do") == "clear":
        await change_class_rows(services, clear_override, teacher.id, opened.id, place, now_ms())
    else:
        hundredths, reason = parse_points(form.get("points", "")), form.get("reason", "")
        try:
            await change_class_rows(services, set_override, teacher.id, opened.id, place, hundredths, reason, now_ms())
        except BadClassValue as fault:
            return await show_cell(request, lang, services, opened, place, 422, say_bad_value(fault, lang))
    done = "cleared" if form.get("do") == "clear" else "set"
    return go_to_tab(lang, opened.id, f"points/{place.member_id}/{place.lesson}/{place.exercise}", done)


def parse_points(text: str) -> int:
    """Return points in hundredths, or MOST_HUNDREDTHS + 1 if the text is no number."""
    found = NUMBER.fullmatch(text.strip())
    return int(found[1]) * HUNDREDTHS + int((found[2] or "0").ljust(2, "0")) if found and text.isascii() else MOST_HUNDREDTHS + 1


async def require_column(services: Services, school_class: SchoolClass, place: ExerciseOfMember, lang: Lang) -> PointsColumn:
    """Return the exercise of a place. Raises HTTPException (404) if no lesson of the class has it."""
    lessons = await services.database.read(list_lessons, school_class.id)
    columns = [column for one in list_columns(services.catalogue, lessons, lang) for column in one.columns]
    column = next((one for one in columns if (one.lesson, one.exercise) == (place.lesson, place.exercise)), None)
    if column is None:
        raise HTTPException(404)
    return column


def find_cell(
    connection: Connection, school_class: SchoolClass, worth: int, place: ExerciseOfMember
) -> tuple[ListedMember, list[JudgedAttempt], PointsOverride | None]:
    """Return the member, the member's attempts at the exercise, and the points that a teacher has given instead."""
    member = require_member(connection, school_class.id, place.member_id)
    attempts = list_judged(connection, school_class.id, rule_of(school_class), worth, place)
    return member, attempts, list_overrides(connection, school_class.id).get(place)


async def show_cell(
    request: Request,
    lang: Lang,
    services: Services,
    school_class: SchoolClass,
    place: ExerciseOfMember,
    status: int = 200,
    fault: str = "",
) -> Response:
    rule = rule_of(school_class)
    column = await require_column(services, school_class, place, lang)
    member, attempts, override = await services.database.read(find_cell, school_class, column.worth, place)
    chosen = next((one for one in attempts if one.chosen), None)
    computed = give_points(rule, column.worth, chosen.result) if chosen else None
    return render_class(
        request,
        lang,
        school_class,
        "points",
        "teaching/points_cell.html",
        title=mark("Points"),
        under=f"/{place.member_id}/{place.lesson}/{place.exercise}",
        status=status,
        fault=fault,
        done=DONE,
        column=column,
        member=member,
        attempts=attempts,
        override=override,
        computed=computed,
        give=lambda one: format_points(give_points(rule, column.worth, one.result)),
        format_points=format_points,
        standings=STANDINGS,
    )


router = route_pages(
    {
        "/teach/{class_id:int}/points": get_points,
        "/teach/{class_id:int}/points/canvas.csv": get_canvas,
        "/teach/{class_id:int}/points/moodle.csv": get_moodle,
        CELL: get_cell,
    }
)
forms = route_forms({CELL: post_cell})
