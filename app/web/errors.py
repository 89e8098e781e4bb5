"""Everything that can go wrong with a request, and the one place where it becomes an answer.

    ApiError                 {"error": {"code", "message", "field"?, …}} with its status
    ├── BadField       422   names the field and what was expected of it
    │   └── TooLong          says how long a program is, and how long it may be
    ├── Missing        404
    ├── TooLarge       413
    └── WrongType      415
    RunFailed          503   the runner reports a fault of its own
    RunnerUnavailable  503   of the runner's client
    RunnerUnconfined   503   of the runner's client
    QueueFull          429   of the runner's client

Messages are msgids of app.locale, translated when the answer is made.
"""

from collections.abc import Mapping
from math import ceil

import msgspec
import structlog
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.locale.messages import mark, translator
from app.protocol.event import Failed
from app.protocol.limits import SOURCE_BYTES
from app.runner.client import QueueFull, RunnerUnavailable, RunnerUnconfined
from app.web.answer import json_response
from app.web.language import request_lang
from app.web.pages import render_error

log = structlog.get_logger()

STATUSES = {
    400: ("bad_request", mark("The request could not be understood.")),
    403: ("forbidden", mark("This is not allowed.")),
    404: ("not_found", mark("There is nothing at this address.")),
    405: ("method_not_allowed", mark("This address does not accept this method.")),
    500: ("internal", mark("Something went wrong on our side. Nothing you wrote is lost; please try again.")),
}
UNAVAILABLE = mark(
    "Programs cannot be run at this moment. Nothing you wrote is lost; please try again. If it stays so, tell whoever runs this server."
)
UNCONFINED = mark("Programs are not run: the runner behind this server has no sandbox. Please tell the person who operates it.")
QUEUE_FULL = {
    "learner": mark("You already have as many runs waiting as one person may have. Wait for one to end, or stop it."),
    "address": mark("Your network already has as many runs waiting as one address may have. Please try again shortly."),
    "overall": mark("Many people are running programs right now. Please try again shortly."),
}
RETRY_SECONDS = 2
KILOBYTE = 1024
MACHINES = ("/api/", "/static/", "/healthz", "/readyz", "/metrics")  # here nobody looks at a page


class ErrorDetail(msgspec.Struct, kw_only=True, omit_defaults=True):
    """`field` is the one at fault; `reason` the cap that was reached: learner, address or overall."""

    code: str
    message: str
    field: str | None = None
    reason: str | None = None
    retry_after_seconds: int | None = None


class ErrorBody(msgspec.Struct):
    """The body of every answer that is an error."""

    error: ErrorDetail


class ApiError(Exception):
    """A request that cannot be served as it is. `message` is a msgid that may have {field}, {expected} and what is in `values`."""

    status = 400

    def __init__(self, code: str, message: str, field: str | None = None, expected: str = "") -> None:
        super().__init__(code, message)
        self.code, self.message, self.field, self.expected = code, message, field, expected
        self.values: dict[str, int] = {}


class BadField(ApiError):
    """A field is not what it should be; `expected`, a msgid, completes "expected …"."""

    status = 422

    def __init__(self, field: str, expected: str, code: str = "bad_field") -> None:
        super().__init__(code, mark("{field}: expected {expected}."), field, expected)


class TooLong(BadField):
    """A program is longer than a run takes; `size_bytes` is how long it is."""

    def __init__(self, field: str, size_bytes: int) -> None:
        super().__init__(field, "", "too_long")
        self.message = mark("This program is {size} kB long; a run takes at most {limit} kB.")
        self.values = {"size": ceil(size_bytes / KILOBYTE), "limit": SOURCE_BYTES // KILOBYTE}


class Missing(ApiError):
    """What the request names does not exist."""

    status = 404


class TooLarge(ApiError):
    """The body is longer than the cap."""

    status = 413

    def __init__(self) -> None:
        super().__init__("too_large", mark("The request is too large."))


class WrongType(ApiError):
    """The body is not JSON by its own content type."""

    status = 415

    def __init__(self) -> None:
        super().__init__("wrong_type", mark("The content type must be application/json."))


class RunFailed(Exception):
    """The runner ended a run with a fault that is not the learner's."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.code)
        self.failed = failed


def add_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(ApiError, answer_api_error)
    app.add_exception_handler(RunFailed, answer_run_failed)
    app.add_exception_handler(RunnerUnavailable, answer_unavailable)
    app.add_exception_handler(RunnerUnconfined, answer_unconfined)
    app.add_exception_handler(QueueFull, answer_queue_full)
    app.add_exception_handler(HTTPException, answer_http_error)


async def answer_api_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    translate = translator(request_lang(request))
    message = translate(error.message).format(field=error.field, expected=translate(error.expected), **error.values)
    return error_response(error.status, ErrorDetail(code=error.code, message=message, field=error.field))


async def answer_run_failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RunFailed)
    failed = tell_failure(request, error.failed)
    return error_response(503, ErrorDetail(code=failed.code, message=failed.message, retry_after_seconds=RETRY_SECONDS))


async def answer_unavailable(request: Request, error: Exception) -> Response:
    log.warning("runner_unavailable", reason=str(error))
    failed = unavailable(request)
    return error_response(503, ErrorDetail(code=failed.code, message=failed.message, retry_after_seconds=RETRY_SECONDS))


async def answer_unconfined(request: Request, error: Exception) -> Response:
    log.error("runner_unconfined", reason=str(error))
    return error_response(503, ErrorDetail(code="unconfined", message=translator(request_lang(request))(UNCONFINED)))


def tell_failure(request: Request, failed: Failed) -> Failed:
    """A fault of ours as a learner is told of it: the runner's own words are for the operator, and in its log."""
    return unavailable(request) if failed.code == "unavailable" else internal(request)


def unavailable(request: Request) -> Failed:
    """The runner is out of reach or lost the run, said in the language of the request."""
    return Failed("unavailable", translator(request_lang(request))(UNAVAILABLE))


def internal(request: Request) -> Failed:
    """Any other fault of ours, said in the language of the request."""
    code, message = STATUSES[500]
    return Failed(code, translator(request_lang(request))(message))


async def answer_queue_full(request: Request, error: Exception) -> Response:
    assert isinstance(error, QueueFull)
    message = translator(request_lang(request))(QUEUE_FULL[error.reason])
    detail = ErrorDetail(code="queue_full", message=message, reason=error.reason, retry_after_seconds=error.retry_after_seconds)
    return error_response(429, detail)


async def answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer_status(request, error.status_code, error.headers or {})


def answer_status(request: Request, status: int, headers: Mapping[str, str]) -> Response:
    """The answer to a request of which only the status is known: JSON from the API, a page elsewhere."""
    code, message = STATUSES.get(status, STATUSES[400])
    translated = translator(request_lang(request))(message)
    if request.url.path.startswith(MACHINES):
        response = error_response(status, ErrorDetail(code=code, message=translated))
    else:
        response = render_error(request, status, code, translated)
    response.headers.update(headers)
    return response


def error_response(status: int, detail: ErrorDetail) -> Response:
    response = json_response(ErrorBody(detail), status)
    if detail.retry_after_seconds is not None:
        response.headers["retry-after"] = str(detail.retry_after_seconds)
    return response
