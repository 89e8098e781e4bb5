"""`/api/me/classes/{class_id}/hand`: raises a learner's hand in a class, and lowers it."""

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from app.classroom.classes import hands
from app.classroom.store.times import now_ms
from app.locale.messages import mark
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import OWN_WORK, allow
from app.web.http.answer import describe_errors, describe_nothing
from app.web.http.errors import BadField
from app.web.runs.order import find_lesson
from app.web.runs.run_request import CellId, LessonPath, ReaderLang, StrictBody
from app.web.services import PrincipalDep, ServicesDep

EXERCISE_WORDS = mark("an exercise of the lesson, or null")

router = APIRouter(prefix="/api/me/classes/{class_id:int}/hand", tags=["Classes"], route_class=LearnerRoute)


class HandBody(StrictBody):
    """Where a hand is raised. If `shares` is true, teachers of the class see the learner's current text."""

    lesson: LessonPath = Field(description=mark('a lesson, written "chapter/lesson"'))
    exercise: CellId | None = Field(None, description=EXERCISE_WORDS)
    shares: bool = Field(False, description=mark("true or false"))
    lang: ReaderLang = None


@router.put(
    "",
    status_code=204,
    summary="Raise my hand",
    description="A hand that is raised already moves to this exercise.",
    responses={**describe_nothing("It is raised"), **describe_errors(403, 404, 413, 415, 422, 429, 503)},
)
@allow(OWN_WORK)
async def put_hand(request: Request, class_id: int, body: HandBody, services: ServicesDep, principal: PrincipalDep) -> Response:
    request.state.lang = body.lang
    lesson = find_lesson(services.catalogue, body.lesson)
    if body.exercise is not None and lesson.exercise(body.exercise) is None:
        raise BadField("exercise", EXERCISE_WORDS)
    await services.store.write(
        principal, hands.raise_hand, class_id, lesson=lesson.path, exercise=body.exercise, shares=body.shares, now_ms=now_ms()
    )
    return Response(status_code=204, headers={"cache-control": "no-store"})


@router.delete(
    "",
    status_code=204,
    summary="Lower my hand",
    responses={**describe_nothing("It is lowered"), **describe_errors(403, 404, 429, 503)},
)
@allow(OWN_WORK)
async def delete_hand(class_id: int, services: ServicesDep, principal: PrincipalDep) -> Response:
    await services.store.write(principal, hands.lower_hand, class_id)
    return Response(status_code=204, headers={"cache-control": "no-store"})
