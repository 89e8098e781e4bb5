"""For operators: is the process up, can it run code, what are its figures, and what confines the runs."""

import hmac
from ipaddress import ip_address

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from app.locale.messages import mark, translator
from app.protocol.sandbox import WITHOUT_SANDBOX, RunnerStatus, answer_operator
from app.runner.client import RunnerUnavailable
from app.web.answer import json_response
from app.web.errors import UNCONFINED, ApiError, ErrorDetail, error_response
from app.web.language import request_lang

FORWARDED = ("x-forwarded-for", "x-forwarded-host", "forwarded", "x-real-ip")
NOT_READY = mark("The runner is not ready.")

router = APIRouter()


class NotOperator(ApiError):
    """Asked from elsewhere without the operator's token."""

    status = 403

    def __init__(self) -> None:
        super().__init__("operators_only", mark("This is for operators: ask on the server itself, or with the operator's token."))


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz")
async def get_health(request: Request) -> Response:
    """The process is up."""
    return json_response({"status": "ok"})


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz")
async def get_readiness(request: Request) -> Response:
    """It can run code; else 503 and why."""
    translate = translator(request_lang(request))
    try:
        status = await request.app.state.runner.status()
    except RunnerUnavailable:
        return not_ready(translate(mark("The runner cannot be reached.")))
    if not status.ready:
        return not_ready(status.reason or translate(NOT_READY))
    if is_unconfined(status) and not request.app.state.unconfined:
        return not_ready(translate(UNCONFINED))
    return json_response({"status": "ready", "versions": status.versions})


def is_unconfined(status: RunnerStatus) -> bool:
    """Whether the runner was started without a sandbox."""
    return status.sandbox is not None and status.sandbox.setting == WITHOUT_SANDBOX


def not_ready(reason: str) -> Response:
    return error_response(503, ErrorDetail(code="not_ready", message=reason, retry_after_seconds=1))


@router.get("/metrics")
async def get_metrics(request: Request) -> Response:
    """Figures for Prometheus: web's, and the runner's."""
    try:
        runner = await request.app.state.runner.metrics()
    except RunnerUnavailable:
        runner = None
    return Response(request.app.state.meters.render(runner), media_type=CONTENT_TYPE_LATEST)


@router.get("/api/sandbox")
async def get_sandbox(request: Request) -> Response:
    """The layers that confine a run, and which of them are active here."""
    if not (is_local(request) or has_token(request)):
        raise NotOperator
    status: RunnerStatus = await request.app.state.runner.status()
    if status.sandbox is None:
        return not_ready(status.reason or translator(request_lang(request))(NOT_READY))
    return json_response(answer_operator(status))


def is_local(request: Request) -> bool:
    """Whether the request comes from this machine itself, and not through a proxy on it."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def has_token(request: Request) -> bool:
    token = request.app.state.settings.operator_token
    given = request.headers.get("authorization", "")
    return token is not None and hmac.compare_digest(given.encode(), f"Bearer {token.get_secret_value()}".encode())
