"""`GET /api/me/class-events`: sends a learner's browser server-sent events: who is coming, and how many notes are unread."""

from functools import partial
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from sqlalchemy import Connection
from starlette.responses import Response

from app.classroom.classes import hands, presence
from app.classroom.classes.memberships import list_memberships
from app.classroom.store.times import now_ms
from app.locale.messages import mark
from app.web.api.events import EndlessResponse
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import OWN_WORK, allow
from app.web.http.answer import EVENT_STREAM, answer_types, describe_errors, refer_to
from app.web.http.errors import Missing
from app.web.services import PrincipalDep, ServicesDep

ABOUT = (
    "A stream of server-sent events for a learner who is in a class. `state` has everything, at the beginning and after each change. "
    "`give_way` is the last event of a stream that ended because there were too many; ask again some minutes later. While the stream is "
    "open, the class sees the learner in the lesson of the query."
)
LessonQuery = Annotated[str, Query(max_length=200, description=mark('a lesson, written "chapter/lesson"'))]

router = APIRouter(prefix="/api/me", tags=["Classes"], route_class=LearnerRoute)


class HandState(msgspec.Struct, kw_only=True):
    """A raised hand. `helper` is the name of the teacher who is coming, or null. `shares` says whether teachers see the current text.

    If `raised` is false, the teacher is coming although the learner has not raised a hand.
    """

    class_id: int
    raised: bool
    lesson: str | None
    exercise: str | None
    shares: bool
    helper: str | None


class ClassState(msgspec.Struct, kw_only=True):
    """The state of a learner's classes: the raised hands, and the number of unread notes."""

    hands: list[HandState]
    unread: int


def describe_stream() -> dict[str, object]:
    """Return the schema of the stream, and register ClassState, the data of `state`, for the OpenAPI document."""
    answer_types[ClassState.__name__] = ClassState
    return {"type": "string", "contentMediaType": EVENT_STREAM, "contentSchema": refer_to(ClassState.__name__)["schema"]}


@router.get(
    "/class-events",
    summary="Follow what happens to me in my classes",
    description=ABOUT,
    status_code=200,
    response_class=EndlessResponse,
    responses={
        200: {"description": "The stream", "content": {EVENT_STREAM: {"schema": describe_stream()}}},
        **describe_errors(403, 404, 429, 503),
    },
)
@allow(OWN_WORK)
async def get_class_events(request: Request, services: ServicesDep, principal: PrincipalDep, lesson: LessonQuery = "") -> Response:
    learner = principal.learner
    assert learner is not None
    if not await services.database.read(list_memberships, learner):
        raise Missing("no_class", mark("You are in no class."))
    known = services.catalogue.lesson(lesson)
    path = known.path if known else None

    def be_present() -> None:
        services.store.write_later(principal, presence.attend, path, now_ms())

    stream = services.learner_streams.open(learner)
    events = stream.follow(partial(services.database.read, read_state, learner), be_present)
    return EndlessResponse(request, events, stream.end, partial(services.learner_streams.close, stream))


def read_state(connection: Connection, learner: str) -> ClassState:
    """Return a learner's hands and the number of unread notes. Archived classes do not count."""
    raised = [
        HandState(
            class_id=one.class_id,
            raised=one.at_ms is not None,
            lesson=one.lesson,
            exercise=one.exercise,
            shares=one.shares,
            helper=one.helper,
        )
        for one in hands.read_hands(connection, learner)
    ]
    memberships = list_memberships(connection, learner)
    return ClassState(hands=raised, unread=sum(one.unread for one in memberships if one.archived_ms is None))
