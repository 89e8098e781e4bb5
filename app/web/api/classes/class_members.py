"""`/api/classes/{class_id}/members/{member_id}`: a teacher reads a member's work, announces help, lowers the hand, and writes notes."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from app.classroom.classes import hands, notes
from app.classroom.classes.board.member_work import read_member_work
from app.classroom.store.times import now_ms
from app.locale.messages import mark
from app.web.api.classes.member_answer import MemberAnswer, describe_work
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import TEACHING, allow
from app.web.http.answer import describe_answer, describe_errors, describe_nothing, json_response
from app.web.pages.teaching.opened_class import OpenedDep, TeacherDep, change_class_rows, check_id
from app.web.runs.run_request import StrictBody
from app.web.services import LangDep, ServicesDep

PLACE_WORDS = "A lesson, written `chapter/lesson`, or an exercise of it, written `chapter/lesson/exercise`"
LINE_WORDS = mark("the number of a line of the attempt, from 1")
TEXT_WORDS = mark("a text of 1 to 2000 characters")
MOST_CHARACTERS = 2000
MOST_LINE = 65_536

router = APIRouter(prefix="/api/classes", tags=["Classes"], route_class=LearnerRoute)


class NoteBody(StrictBody):
    """A note at a line of an attempt."""

    line: int = Field(ge=1, le=MOST_LINE, description=LINE_WORDS)
    text: str = Field(min_length=1, max_length=MOST_CHARACTERS, description=TEXT_WORDS)


class NoteAnswer(msgspec.Struct):
    """The id of a note that was stored."""

    id: int


@router.get(
    "/{class_id:int}/members/{member_id:int}",
    summary="The work of a member at an exercise",
    responses={**describe_answer(MemberAnswer, "The work"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def get_member(
    services: ServicesDep,
    opened: OpenedDep,
    member_id: int,
    lang: LangDep,
    place: Annotated[str, Query(max_length=200, description=PLACE_WORDS)] = "",
) -> Response:
    path, exercise_id = "/".join(place.split("/")[:2]), "/".join(place.split("/")[2:])
    work = await services.database.read(read_member_work, opened.id, check_id(member_id), lesson=path, exercise=exercise_id)
    return json_response(describe_work(services.catalogue, work, lang))


@router.post(
    "/{class_id:int}/members/{member_id:int}/coming",
    status_code=204,
    summary="Say that I am coming",
    responses={**describe_nothing("The member and all helpers are told"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def post_coming(services: ServicesDep, opened: OpenedDep, teacher: TeacherDep, member_id: int) -> Response:
    await change_class_rows(services, hands.mark_coming, teacher.id, opened.id, check_id(member_id), teacher.name, now_ms())
    return Response(status_code=204, headers={"cache-control": "no-store"})


@router.delete(
    "/{class_id:int}/members/{member_id:int}/coming",
    status_code=204,
    summary="Say that I am not coming after all",
    responses={**describe_nothing("The member and all helpers are told"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def delete_coming(services: ServicesDep, opened: OpenedDep, teacher: TeacherDep, member_id: int) -> Response:
    await change_class_rows(services, hands.mark_coming, teacher.id, opened.id, check_id(member_id), None, now_ms())
    return Response(status_code=204, headers={"cache-control": "no-store"})


@router.delete(
    "/{class_id:int}/members/{member_id:int}/hand",
    status_code=204,
    summary="Lower a member's hand, after somebody has helped",
    responses={**describe_nothing("It is lowered"), **describe_errors(403, 404, 429, 503)},
)
@allow(TEACHING)
async def delete_members_hand(services: ServicesDep, opened: OpenedDep, teacher: TeacherDep, member_id: int) -> Response:
    await change_class_rows(services, hands.lower_members_hand, teacher.id, opened.id, check_id(member_id))
    return Response(status_code=204, headers={"cache-control": "no-store"})


@router.post(
    "/{class_id:int}/attempts/{attempt_id:int}/notes",
    status_code=201,
    summary="Write a note at a line of an attempt",
    responses={**describe_answer(NoteAnswer, "It is stored", status=201), **describe_errors(403, 404, 413, 415, 422, 429, 503)},
)
@allow(TEACHING)
async def post_note(services: ServicesDep, opened: OpenedDep, teacher: TeacherDep, attempt_id: int, body: NoteBody) -> Response:
    note = (teacher.id, opened.id, check_id(attempt_id), body.line, body.text, teacher.name, now_ms())
    return json_response(NoteAnswer(await change_class_rows(services, notes.add_note, *note)), 201)
