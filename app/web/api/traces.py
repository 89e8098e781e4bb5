"""`POST /api/runs/{id}/trace` runs a program again, traced, and answers with its result or its events."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.protocol.run import RunResult
from app.web.api.events import answer_run
from app.web.api.rated_route import TraceRoute
from app.web.api.runs import RUN_ID_HEADER
from app.web.guards.access import ANYONE, allow
from app.web.http.answer import EVENT_STREAM, describe_answer, describe_errors
from app.web.runs.run_service import FollowedRun
from app.web.services import services_of

ABOUT = (
    "Runs the same program again, with the same seed, sources and limits, and with the instrument `trace` besides those of the first run. "
    "It answers as `POST /api/runs` does. Only the learner who ordered the run can trace it, while it is one of their last runs of a "
    "runtime that has the instrument, and only once: else it answers 404 `no_such_run`. The second run counts against no rate of runs, and "
    "gives way to everybody: if somebody needs its place, it answers 503 `gave_way`, and the run may be traced later; once it has begun, "
    "it ends with an `error` with the code `gave_way`, and the run is not traced any more."
)

router = APIRouter(prefix="/api/runs/{run_id}/trace", tags=["Runs"], route_class=TraceRoute)


async def start_trace(request: Request, run_id: str) -> AsyncIterator[FollowedRun]:
    """Start the second run, and yield it. If the request ends first, the run is killed."""
    async with services_of(request).runs.trace(run_id, request.state.principal) as run:
        yield run


@router.post(
    "",
    summary="Trace a run",
    description=ABOUT,
    responses={
        **describe_answer(RunResult, "It ran", headers=RUN_ID_HEADER, other_forms=(EVENT_STREAM,)),
        **describe_errors(404, 422, 429, 500, 503),
    },
)
@allow(ANYONE)
async def post_trace(request: Request, run: Annotated[FollowedRun, Depends(start_trace)]) -> Response:
    return await answer_run(request, run, services_of(request).settings.keep_alive_seconds)
