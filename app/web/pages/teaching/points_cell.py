"""The page of a member's points in one exercise: the attempts that they come from, and points that a teacher gives instead."""

import re

from fastapi import Request
from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_lessons import list_lessons
from app.classroom.classes.member_changes import ListedMember, require_member
from app.classroom.classes.points.overrides import (
    MOST_HUNDREDTHS,
    ExerciseOfMember,
    PointsOverride,
    clear_override,
    list_overrides,
    set_override,
)
from app.classroom.classes.points.points_csv import format_points
from app.classroom.classes.points.points_rule import HUNDREDTHS, give_points
from app.classroom.classes.points.points_table import JudgedAttempt, list_judged
from app.classroom.classes.school_classes import SchoolClass
from app.classroom.store.times import now_ms
from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_form
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.class_points import rule_of
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
from app.web.views.points_view import PointsColumn, list_columns

NUMBER = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")
CELL = "/teach/{class_id:int}/points/{member_id:int}/{chapter}/{lesson}/{exercise}"
STANDINGS = {  # why an attempt does not count; "early" attempts do not belong to the class and are not shown
    "imported": mark("imported, so it proves nothing"),
    "late": mark("too late"),
    "after_solution": mark("after the solution was shown"),
}
DONE = {"set": mark("These points count now."), "cleared": mark("The computed points count again.")}


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


router = route_pages({CELL: get_cell})
forms = route_forms({CELL: post_cell})
