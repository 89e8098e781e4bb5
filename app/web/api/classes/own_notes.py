"""`POST /api/me/notes/{note_id}/read`: records that a learner has read a teacher's note."""

from fastapi import APIRouter
from starlette.responses import Response

from app.classroom.classes import notes
from app.classroom.store.times import now_ms
from app.web.api.rated_route import LearnerRoute
from app.web.guards.access import OWN_WORK, allow
from app.web.http.answer import describe_errors, describe_nothing
from app.web.services import PrincipalDep, ServicesDep

router = APIRouter(prefix="/api/me/notes", tags=["Classes"], route_class=LearnerRoute)


@router.post(
    "/{note_id:int}/read",
    status_code=204,
    summary="Record that I have read a note",
    responses={**describe_nothing("It is recorded"), **describe_errors(403, 404, 429, 503)},
)
@allow(OWN_WORK)
async def post_note_read(note_id: int, services: ServicesDep, principal: PrincipalDep) -> Response:
    await services.store.write(principal, notes.read_note, note_id, now_ms())
    return Response(status_code=204, headers={"cache-control": "no-store"})
