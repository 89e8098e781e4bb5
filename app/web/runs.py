"""`POST /api/runs` runs a program and answers with its result or its events; `DELETE /api/runs/{id}` stops one."""

import re
from contextlib import suppress

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from app.locale.messages import mark
from app.protocol.run import RunOrder, RunResult
from app.web.answer import json_response
from app.web.errors import ApiError, Missing, WrongType
from app.web.events import EVENT_STREAM, RunEventsResponse
from app.web.language import request_lang
from app.web.order import make_order, parse_run_request, peek_lang
from app.web.run import ClientGone, Run, while_connected

RUN_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
CLIENT_CLOSED = 499  # nobody reads it; it tells the log what happened

router = APIRouter(prefix="/api/runs")


@router.post("")
async def post_run(request: Request) -> Response:
    """Runs a program."""
    settings = request.app.state.settings
    order = await read_order(request)
    run = Run(request.app.state.runner, order, settings.runner_wait_seconds)
    if wants_events(request):
        return RunEventsResponse(request, run, settings.keep_alive_seconds)
    with suppress(ClientGone):
        result = await while_connected(request.receive, run_to_end(run))
        request.state.run_id, request.state.outcome = result.id, result.outcome.value
        return json_response(result, headers={"x-run-id": result.id})
    request.state.outcome = "abandoned"
    return Response(status_code=CLIENT_CLOSED)


@router.delete("/{run_id}")
async def delete_run(request: Request, run_id: str) -> Response:
    """Stops a run; its outcome will be `stopped`."""
    known = RUN_ID.fullmatch(run_id) is not None
    if known:
        request.state.run_id = run_id
    if not known or not await request.app.state.runner.stop(run_id):
        raise Missing("no_such_run", mark("There is no such run, or it has ended."))
    return json_response({"id": run_id}, 202)


async def read_order(request: Request) -> RunOrder:
    """The order of a request, for the learner and address it came from."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise WrongType
    body = await request.body()
    try:
        run_request = parse_run_request(body)
    except ApiError:
        request.state.lang = peek_lang(body)
        raise
    request.state.lang = run_request.lang
    state = request.app.state
    order = make_order(run_request, state.catalogue, state.settings.limits, state.settings.lesson_factor)
    return msgspec.structs.replace(
        order, lang=request_lang(request), learner=request.state.learner, address=request.state.address, unconfined=state.unconfined
    )


async def run_to_end(run: Run) -> RunResult:
    async with run:
        return await run.result()


def wants_events(request: Request) -> bool:
    """Whether the client accepts an event stream; JSON is what it gets when it does not say."""
    return EVENT_STREAM in request.headers.get("accept", "")
