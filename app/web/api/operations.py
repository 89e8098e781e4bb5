"""The routes for operators: whether the process is up and can run programs, its metrics, and what confines the programs."""

from typing import Literal

import msgspec
from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import PlainTextResponse, Response

from app.locale.messages import mark, translator
from app.protocol.sandbox import WITHOUT_SANDBOX, RunnerStatus, SandboxAnswer, answer_operator
from app.runner.client import RunnerError, RunnerUnavailable
from app.web.edge.error_answers import UNCONFINED, describe_runner_error
from app.web.guards.access import ANYONE, OPERATOR, GuardedRoute, allow
from app.web.http.answer import describe_answer, describe_errors, json_response
from app.web.http.errors import ErrorDetail, error_response
from app.web.meters import StoreMeters, StoreUseMeters
from app.web.operator_desk import DeskAnswer, find_reason, gather_desk
from app.web.peers import OWN_METRICS
from app.web.services import LangDep, Services, ServicesDep

NOT_READY = mark("The runner is not ready.")

router = APIRouter(tags=["Operations"], route_class=GuardedRoute)


class HealthAnswer(msgspec.Struct):
    """The process is up."""

    status: Literal["ok"] = "ok"


class ReadinessAnswer(msgspec.Struct):
    """The server can run programs. If it stores nothing at present, `not_kept` is the reason: "at_limit" or a fault of the store."""

    versions: dict[str, str]
    status: Literal["ready"] = "ready"
    not_kept: str | None = None


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Whether the process is up", responses=describe_answer(HealthAnswer))
@allow(ANYONE)
async def get_health() -> Response:
    return json_response(HealthAnswer())


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", summary="Whether it can run code", responses={**describe_answer(ReadinessAnswer), **describe_errors(503)})
@allow(ANYONE)
async def get_readiness(services: ServicesDep, lang: LangDep) -> Response:
    translate = translator(lang)
    try:
        status = await services.runner.status()
    except RunnerUnavailable:
        return not_ready(translate(mark("The runner cannot be reached.")))
    except RunnerError as error:
        return not_ready(describe_runner_error(error, lang)[1].message)
    if not status.ready:
        return not_ready(status.reason or translate(NOT_READY))
    if is_unconfined(status) and not services.unconfined:
        return not_ready(translate(UNCONFINED))
    return json_response(ReadinessAnswer(status.versions, not_kept=find_reason(services.database)))


def is_unconfined(status: RunnerStatus) -> bool:
    """Return whether the runner was started without a sandbox."""
    return status.sandbox is not None and status.sandbox.setting == WITHOUT_SANDBOX


def not_ready(reason: str) -> Response:
    return error_response(503, ErrorDetail(code="not_ready", message=reason, retry_after_seconds=1))


@router.get("/metrics", summary="Figures for Prometheus: web's, the store's, and the runner's", response_class=PlainTextResponse)
@allow(ANYONE)
async def get_metrics(services: ServicesDep) -> Response:
    try:
        figures = await services.runner.metrics()
    except RunnerError:
        figures = None
    store = StoreMeters(await services.census.read(), services.database.room, services.additions)  # first: `own` counts its fault
    own = render_own(services, runner_up=figures is not None)
    of_web = await services.peers.gather_metrics(own) if services.peers else own
    return Response(of_web + generate_latest(store) + (figures or "").encode(), media_type=CONTENT_TYPE_LATEST)


@router.get(OWN_METRICS, include_in_schema=False, response_class=PlainTextResponse)
@allow(ANYONE)
async def get_own_metrics(services: ServicesDep) -> Response:
    """Return the metrics of this web process alone. The web process that answers `/metrics` adds those of all others."""
    try:
        await services.runner.status()
        runner_up = True
    except RunnerError:
        runner_up = False
    return Response(render_own(services, runner_up=runner_up), media_type=CONTENT_TYPE_LATEST)


def render_own(services: Services, *, runner_up: bool) -> bytes:
    return services.meters.render(StoreUseMeters(services.database.health, services.additions), runner_up=runner_up)


@router.get(
    "/api/sandbox",
    summary="What confines the runs; for operators",
    responses={**describe_answer(SandboxAnswer), **describe_errors(403, 503)},
)
@allow(OPERATOR)
async def get_sandbox(services: ServicesDep, lang: LangDep) -> Response:
    status = await services.runner.status()
    if status.sandbox is None:
        return not_ready(status.reason or translator(lang)(NOT_READY))
    return json_response(answer_operator(status))


@router.get(
    "/api/operator",
    summary="What the page for operators shows",
    description="Figures that the runner, the store or this web process has counted since it started. With several web processes, each "
    "answers with its own.",
    responses={**describe_answer(DeskAnswer), **describe_errors(403)},
)
@allow(OPERATOR)
async def get_desk(services: ServicesDep) -> Response:
    return json_response(await gather_desk(services))
