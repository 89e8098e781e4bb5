"""`POST /api/marks` reads a program without running it, and answers with the mistakes that its source shows."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.protocol.run import RunResult
from app.web.api.events import answer_run
from app.web.api.rated_route import TraceRoute
from app.web.guards.access import ANYONE, allow
from app.web.http.answer import describe_answer, describe_errors
from app.web.http.language import request_lang
from app.web.runs.run_request import Program, ReaderLang, StrictBody
from app.web.runs.run_service import FollowedRun
from app.web.services import services_of

ABOUT = (
    "Reads a PyTorch program in the sandbox, for at most a tenth of a second, and executes nothing of it. Of the result only `records` is "
    "of interest: what a second run would diagnose from the source alone. It gives way to everybody: if somebody needs its place, it "
    "answers 503 `gave_way`. Its requests count with those for traces."
)

router = APIRouter(prefix="/api/marks", tags=["Runs"], route_class=TraceRoute)


class MarksRequest(StrictBody):
    """A program that is being written."""

    source: Program
    lang: ReaderLang = None


async def start_reading(request: Request, body: MarksRequest) -> AsyncIterator[FollowedRun]:
    """Start to read the program, and yield the run. If the request ends first, the run is killed."""
    request.state.lang = body.lang
    async with services_of(request).runs.read(body.source, request.state.principal, request_lang(request)) as run:
        yield run


@router.post(
    "",
    summary="Read a program",
    description=ABOUT,
    responses={**describe_answer(RunResult, "It was read"), **describe_errors(413, 415, 422, 429, 500, 503)},
)
@allow(ANYONE)
async def post_marks(request: Request, run: Annotated[FollowedRun, Depends(start_reading)]) -> Response:
    return await answer_run(request, run, services_of(request).settings.keep_alive_seconds)
