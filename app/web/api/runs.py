"""`POST /api/runs` runs a program and answers with its result or its events; `DELETE /api/runs/{id}` stops one."""

import re
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.locale.messages import mark
from app.protocol.run import RunResult
from app.web.api.events import answer_run
from app.web.api.rated_route import RatedRoute
from app.web.guards.access import ANYONE, allow
from app.web.http.answer import EVENT_STREAM, describe_answer, describe_errors, json_response
from app.web.http.errors import Missing
from app.web.http.language import request_lang
from app.web.runs.run_request import RunRequest
from app.web.runs.run_service import FollowedRun
from app.web.services import PrincipalDep, ServicesDep, services_of

RUN_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
STREAM = (
    "It answers with its result or, where `text/event-stream` is accepted, with server-sent events, each with a sequence number from 0 "
    "as its `id` and JSON as its `data`: `queued {id, position}` (again when the position changes), `started {id}`, then any of "
    "`stdout {text}`, `stderr {text}`, `record` (one of the result's records) in the order they happened, and at last `result` "
    "(a RunResult), or `error {code, message}` when the fault is ours. Closing the connection kills the run. Only a 429, a 503 with the "
    "code `unavailable` and an `error` with the code `unavailable` or `queue_full` mean that nothing was run, and are worth sending again. "
    "Where its runtime is not installed, a cell as its lesson gives it is answered with what the lesson has recorded, a `result` alone."
)
RUN_ID_HEADER = {"X-Run-Id": {"schema": {"type": "string"}, "description": "The id that stops the run"}}

router = APIRouter(prefix="/api/runs", tags=["Runs"], route_class=RatedRoute)


class StopAnswer(msgspec.Struct):
    """The run is being stopped."""

    id: str


async def start_run(request: Request, body: RunRequest) -> AsyncIterator[FollowedRun]:
    """Start the run that the body describes, and yield it. If the request ends first, the run is killed.

    The services are not injected, because FastAPI would spend a tenth of web's time for a run on five more dependencies.
    """
    request.state.lang = body.lang
    async with services_of(request).runs.start(body, request.state.principal, request_lang(request)) as run:
        yield run


@router.post(
    "",
    summary="Run a program",
    description=STREAM,
    responses={
        **describe_answer(RunResult, "It ran", headers=RUN_ID_HEADER, other_forms=(EVENT_STREAM,)),
        **describe_errors(404, 413, 415, 422, 429, 500, 503),
    },
)
@allow(ANYONE)
async def post_run(request: Request, run: Annotated[FollowedRun, Depends(start_run)]) -> Response:
    return await answer_run(request, run, services_of(request).settings.keep_alive_seconds)


@router.delete(
    "/{run_id}",
    status_code=202,
    summary="Stop a run",
    responses={**describe_answer(StopAnswer, "It is being stopped", status=202), **describe_errors(404, 429, 503)},
)
@allow(ANYONE)
async def delete_run(run_id: str, principal: PrincipalDep, services: ServicesDep) -> Response:
    """Stop a run. Only the learner who ordered it can, with the cookie of that request or its answer. The outcome is then `stopped`."""
    if not RUN_ID.fullmatch(run_id) or not await services.runs.stop(run_id, principal):
        raise Missing("no_such_run", mark("There is no such run, or it has ended."))
    return json_response(StopAnswer(run_id), 202)
