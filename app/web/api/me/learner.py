"""`/api/me`: reports how much is stored of a learner, deletes it, gives the browser a new cookie, and switches reviews on or off."""

import msgspec
from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from app.classroom.classes.memberships import list_memberships
from app.classroom.store.stored_work_types import Holdings
from app.classroom.store.times import now_ms
from app.classroom.work import learners
from app.locale.messages import mark
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import OWN_WORK, allow
from app.web.guards.sessions import Sessions
from app.web.http.answer import describe_answer, describe_errors, describe_nothing, json_response
from app.web.runs.run_request import ReaderLang, StrictBody
from app.web.services import LearnerDep, PrincipalDep, ServicesDep

router = APIRouter(prefix="/api/me", tags=["What is kept about me"], route_class=LearnerRoute)


class OwnClass(msgspec.Struct, frozen=True, kw_only=True):
    """A class that the learner is in, with their name there. `unread` is the number of teachers' notes that they have not read."""

    id: int
    name: str
    member: str
    unread: int


class HoldingsAnswer(Holdings, frozen=True, kw_only=True):
    """How much is stored of a learner: numbers of rows, bytes of texts, and times.

    Times are milliseconds since 1970, or null if nothing is stored. Everything is deleted `retention_days` after the last visit, or never
    if `retention_days` is 0. At `limit_bytes` nothing more is stored.
    """

    retention_days: int
    limit_bytes: int
    classes: list[OwnClass]


class ReviewsBody(StrictBody):
    """The learner's choice whether the home page asks wrongly answered predictions again."""

    on: bool = Field(description=mark("true or false"))
    lang: ReaderLang = None


@router.get(
    "",
    summary="How much is kept about me",
    responses={**describe_answer(HoldingsAnswer, "How much is kept"), **describe_errors(403, 429, 503)},
)
@allow(OWN_WORK)
async def get_holdings(services: ServicesDep, learner: LearnerDep) -> Response:
    holdings = await services.database.read(learners.read_holdings, learner)
    settings = services.settings
    limits = {"retention_days": settings.retention_days, "limit_bytes": settings.kept_bytes_per_learner}
    memberships = await services.database.read(list_memberships, learner)
    classes = [OwnClass(id=one.class_id, name=one.class_name, member=one.name, unread=one.unread) for one in memberships]
    return json_response(msgspec.structs.asdict(holdings) | limits | {"classes": classes})


@router.delete(
    "",
    status_code=204,
    summary="Delete everything that is kept about me",
    description="It is gone with the answer; seconds later, or when a backup that is being made is done, none of it is in the database's "
    "files either. The browser gets a new cookie.",
    responses={**describe_nothing("Everything is gone"), **describe_errors(403, 429, 503)},
)
@allow(OWN_WORK)
async def delete_learner(request: Request, services: ServicesDep, learner: LearnerDep) -> Response:
    await services.store.delete(learner)
    await services.runs.forget(learner)
    return leave(request, services.sessions)


@router.post(
    "/leave",
    status_code=204,
    summary="Give the browser a new cookie",
    description="Somebody else uses this computer from now on. What is kept stays, and nobody can reach it from this browser.",
    responses={**describe_nothing("The browser has a new cookie"), **describe_errors(403, 429)},
)
@allow(OWN_WORK)
async def post_leave(request: Request, services: ServicesDep) -> Response:
    return leave(request, services.sessions)


def leave(request: Request, sessions: Sessions) -> Response:
    """Return an answer that gives the browser the cookie of a new learner."""
    cookie = sessions.header(secure=request.url.scheme == "https")
    return Response(status_code=204, headers={"cache-control": "no-store", "set-cookie": cookie})


@router.put(
    "/reviews",
    status_code=204,
    summary="Switch reviews on or off",
    responses={**describe_nothing("Switched"), **describe_errors(403, 413, 415, 422, 429, 503)},
)
@allow(OWN_WORK)
async def put_reviews(request: Request, body: ReviewsBody, services: ServicesDep, principal: PrincipalDep) -> Response:
    request.state.lang = body.lang
    await services.store.write(principal, learners.set_reviews, body.on, now_ms())
    return Response(status_code=204, headers={"cache-control": "no-store"})
