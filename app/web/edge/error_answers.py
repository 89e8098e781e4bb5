"""The one place where an exception becomes an answer: JSON from the API, a page elsewhere, in the language of the request.

ApiError                its own status          RunnerUnavailable    503 unavailable, with Retry-After
RequestValidationError  422, as a BadField      RunLost              503 lost
HTTPException           its own status          RunBroken            500 internal
QueueFull               429 queue_full          RunnerUnconfined     503 unconfined
TooOften                429 too_often           RunnerIncompatible   500 incompatible: trying again would not help
RuntimeAbsent           422 no_such_runtime     RunGaveWay           503 gave_way
StoreFault              503 not_kept            DraftConflict        409 draft_conflict, with the server's text
NotAllowed              401 or 403
TooMuchStored           413 too_much_kept       ImportInterrupted    503 import_interrupted
NoClass                 404 no_such_class       AssistantOnly        403 assistant_only
BadClassValue           422, as a BadField
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.classroom.classes.class_faults import AssistantOnly, BadClassValue, NoClass
from app.classroom.store.faults.store_faults import AddressAtLimit, StoreFault
from app.classroom.store.stored_work_types import DraftConflict, TooMuchStored
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.runner.client import (
    QueueFull,
    RunGaveWay,
    RunLost,
    RunnerError,
    RunnerIncompatible,
    RunnerUnavailable,
    RunnerUnconfined,
    RuntimeAbsent,
)
from app.web.guards.rates import TooOften
from app.web.http.errors import KNOWN_FIELD, ApiError, BadField, ErrorDetail, ImportInterrupted, NotAllowed, SavedDraft, error_response
from app.web.http.language import request_lang
from app.web.pages.rendering import render_error
from app.web.runs.recorded_runs import RecordAtHand
from app.web.views.reference.what_works import RUNTIME_NAMES

log = structlog.get_logger()

STATUSES = {
    400: ("bad_request", mark("The request could not be understood.")),
    403: ("forbidden", mark("This is not allowed.")),
    404: ("not_found", mark("There is nothing at this address.")),
    405: ("method_not_allowed", mark("This address does not accept this method.")),
    500: ("internal", mark("Something went wrong on our side. Nothing you wrote is lost; please try again.")),
}
UNCONFINED = mark("Programs are not run: the runner behind this server has no sandbox. Please tell the person who operates it.")
INCOMPATIBLE = mark("Programs are not run: this server and its runner have different versions. Please tell the person who operates it.")
ABSENT = mark(
    "{runtime} is not installed on this server, only {known}. Whoever runs the server adds it: make serve EXTRAS={extra}, or with Docker: "
    "EXTRAS={extra} docker compose up --build"
)
RUNNER_ERRORS: dict[type[RunnerError], tuple[int, str, str]] = {  # all others are answered with 500 internal
    RunnerUnavailable: (
        503,
        "unavailable",
        mark(
            "Programs cannot be run at this moment. Nothing you wrote is lost; please try again. "
            "If this goes on, tell whoever runs this server."
        ),
    ),
    RunLost: (503, "lost", mark("This run was lost through a fault on our side. Nothing you wrote is lost; you can run it again.")),
    RunGaveWay: (503, "gave_way", mark("This second run gave way to another run, which goes first.")),
    RunnerUnconfined: (503, "unconfined", UNCONFINED),
    RunnerIncompatible: (500, "incompatible", INCOMPATIBLE),
}
QUEUE_FULL = {
    "learner": mark("You already have as many runs waiting as one person may have. Wait for one to end, or stop it."),
    "address": mark("Your network already has as many runs waiting as one address may have. Please try again shortly."),
    "overall": mark("Many people are running programs right now. Please try again shortly."),
    "memory": mark("Others are waiting for the memory that this run held, so it was ended. It has to begin again from the start."),
}
TOO_OFTEN = {
    "learner": mark("You are starting and stopping runs faster than one person may. Please try again shortly."),
    "address": mark("Your network is starting runs faster than one address may. Please try again shortly."),
    "newcomers": mark("Many people on your network are running their first program right now. Please try again shortly."),
    "saving": mark("You are saving faster than one person may. Your work stays in this browser, and will be saved shortly."),
    "searches": mark("Many people are searching right now. Please try again shortly."),
    "savings": mark("Many people on your network are saving their work right now. Yours stays in this browser, and will be saved shortly."),
}
NOT_KEPT = mark(
    "At this moment the server can neither keep what you do nor show what it has kept: {why}. "
    "Programs run all the same, and what you write stays in this browser."
)
STORE_LIMITS = ("at_limit", "address_at_limit")  # the reasons why nothing is added; what is stored can still be read and deleted
STORE_REASONS = {  # those of app.classroom.store.faults.store_faults
    "full": mark("its disk is full"),
    "read_only": mark("it may not write to its disk"),
    "locked": mark("another program holds its database"),
    "crowded": mark("its database has no free connection"),
    "broken": mark("its database is damaged"),
    "outdated": mark("its database is of an earlier version"),
    "too_new": mark("its database is of a later version"),
    "unreachable": mark("its database cannot be reached"),
    "at_limit": mark("this server has no room for more"),
    "address_at_limit": mark("your network has saved as much as one address may in an hour"),
}
NOT_ADDED = mark("This was not saved: {why}. Programs run all the same, and what you write stays in this browser.")
INTERRUPTED = mark("The import was interrupted: {why}. Some of it is here now. Import the same file again later: nothing comes twice.")
ASSISTANT = mark("You are an assistant of this class: you see it and help in it, and its instructors change it.")
CONFLICT = mark("This text was changed elsewhere in the meantime.")
TOO_MUCH_KEPT = mark(
    "This server already keeps as much of your work as it may keep for one person, so this was not saved. It stays in this browser."
)
TOO_MUCH = mark("it already keeps as much of your work as it may keep for one person")
NO_CLASS = mark("You are in no such class, and there is nothing of that name in yours.")
BODY = mark("a JSON object")
CODES = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "json_invalid": "bad_json",
}  # by pydantic's type of error; all others are bad_field
FIELD_CHARACTERS = 80
RETRY_SECONDS = 2
LOG_LEVELS = {"unavailable": "warning", "gave_way": "debug"}  # by code; all others are errors
STORE_RETRY_SECONDS = 10
MACHINES = ("/api/", "/static/", "/healthz", "/readyz", "/metrics")  # paths whose errors are JSON


async def answer_api_error(request: Request, error: ApiError) -> Response:
    translate = translator(request_lang(request))
    expected = translate(error.expected).format(**error.values)
    message = translate(error.message).format(field=error.field, expected=expected, **error.values)
    return error_response(error.status, ErrorDetail(code=error.code, message=message, field=error.field))


async def answer_not_allowed(request: Request, error: NotAllowed) -> Response:
    if request.url.path.startswith(MACHINES):
        return await answer_api_error(request, error)
    return render_error(request, error.status, error.code, translator(request_lang(request))(error.message))


async def answer_bad_body(request: Request, error: RequestValidationError) -> Response:
    if isinstance(error.body, dict):
        request.state.lang = error.body.get("lang")
    return await answer_api_error(request, name_fault(request, error.errors()[0]))


def name_fault(request: Request, problem: Mapping[str, Any]) -> BadField:
    """Return a BadField for a fault that pydantic found in a body or in a query. It names the field and what was expected."""
    names = [part for part in problem["loc"][1:] if isinstance(part, str)]
    if names[-1:] == ["[key]"]:  # the key of an object is wrong; name the object instead
        names = names[:-2]
    fault = problem.get("ctx", {}).get("error")
    code = CODES.get(problem["type"], "bad_field")
    if not isinstance(fault, BadField):
        expected = KNOWN_FIELD if code == "unknown_field" else describe_field(request, names[0]) if names else BODY
        fault = BadField("", expected, code)
    fault.field = ".".join(names or [fault.field or "body"])[:FIELD_CHARACTERS]
    return fault


def describe_field(request: Request, name: str) -> str:
    """Return the description of a field of the request's body, or of a value in its query. The description is a msgid."""
    route = request.scope["route"]
    if route.body_field is None:
        return next(str(value.field_info.description) for value in route.dependant.query_params if value.alias == name)
    return str(route.body_field.field_info.annotation.model_fields[name].description)


async def answer_too_often(request: Request, error: TooOften) -> Response:
    message = translator(request_lang(request))(TOO_OFTEN[error.reason])
    seconds = error.retry_after_seconds
    return answer_detail(request, 429, ErrorDetail(code="too_often", message=message, reason=error.reason, retry_after_seconds=seconds))


async def answer_store_fault(request: Request, error: StoreFault) -> Response:
    translate = translator(request_lang(request))
    message = translate(NOT_ADDED if error.reason in STORE_LIMITS else NOT_KEPT).format(why=translate(STORE_REASONS[error.reason]))
    seconds = error.retry_after_seconds if isinstance(error, AddressAtLimit) else STORE_RETRY_SECONDS
    return answer_detail(request, 503, ErrorDetail(code="not_kept", message=message, reason=error.reason, retry_after_seconds=seconds))


async def answer_interrupted(request: Request, error: ImportInterrupted) -> Response:
    translate = translator(request_lang(request))
    message = translate(INTERRUPTED).format(why=translate(STORE_REASONS.get(error.reason, TOO_MUCH)))
    detail = ErrorDetail(code="import_interrupted", message=message, reason=error.reason, retry_after_seconds=STORE_RETRY_SECONDS)
    return error_response(503, detail)


async def answer_too_much(request: Request, _: TooMuchStored) -> Response:
    return error_response(413, ErrorDetail(code="too_much_kept", message=translator(request_lang(request))(TOO_MUCH_KEPT)))


async def answer_no_class(request: Request, _: NoClass) -> Response:
    """Answer 404 also if the class exists and the sender neither teaches it nor is in it."""
    if not request.url.path.startswith(MACHINES):
        return answer_status(request, 404, {})
    return error_response(404, ErrorDetail(code="no_such_class", message=translator(request_lang(request))(NO_CLASS)))


async def answer_conflict(request: Request, error: DraftConflict) -> Response:
    draft = SavedDraft(version=error.draft.version, source=error.draft.source)
    return error_response(409, ErrorDetail(code="draft_conflict", message=translator(request_lang(request))(CONFLICT), draft=draft))


async def answer_assistant(request: Request, _: AssistantOnly) -> Response:
    return await answer_not_allowed(request, NotAllowed("assistant_only", ASSISTANT))


async def answer_bad_class_value(request: Request, error: BadClassValue) -> Response:
    return await answer_api_error(request, BadField(error.field, error.expected, "bad_field", **error.values))


async def answer_runner_error(request: Request, error: RunnerError) -> Response:
    return error_response(*describe_runner_error(error, request_lang(request)))


def describe_runner_error(error: RunnerError, lang: Lang) -> tuple[int, ErrorDetail]:
    """Return the status and the content of the answer to a RunnerError. The runner's own message is not sent, only logged."""
    translate = translator(lang)
    if isinstance(error, RuntimeAbsent):
        absence = error.absence
        runtime, *known = (RUNTIME_NAMES.get(name, name) for name in (absence.runtime, *absence.installed))
        message = translate(ABSENT).format(runtime=runtime, known=", ".join(known), extra=absence.extra)
        recorded = isinstance(error, RecordAtHand)
        return 422, ErrorDetail(code="no_such_runtime", message=message, field="runtime", recorded=recorded)
    if isinstance(error, QueueFull):
        seconds = error.retry_after_seconds
        message = translate(QUEUE_FULL[error.reason])
        return 429, ErrorDetail(code="queue_full", message=message, reason=error.reason, retry_after_seconds=seconds)
    status, code, message = RUNNER_ERRORS.get(type(error), (500, *STATUSES[500]))
    getattr(log, LOG_LEVELS.get(code, "error"))("runner_error", code=code, reason=str(error))
    return status, ErrorDetail(code=code, message=translate(message), retry_after_seconds=RETRY_SECONDS if code == "unavailable" else None)


def describe_fault(error: Exception, lang: Lang) -> ErrorDetail:
    """Return the content of the `error` event for an exception in a stream, whose status was sent before."""
    if isinstance(error, RunnerError):
        return describe_runner_error(error, lang)[1]
    log.error("internal_error", exc_info=error)
    code, message = STATUSES[500]
    return ErrorDetail(code=code, message=translator(lang)(message))


async def answer_http_error(request: Request, error: HTTPException) -> Response:
    if isinstance(error.__cause__, UnicodeDecodeError | RecursionError):  # FastAPI's 400 for a body that Python's json cannot read
        return await answer_api_error(request, BadField("body", BODY, "bad_json"))
    return answer_status(request, error.status_code, error.headers or {})


def answer_status(request: Request, status: int, headers: Mapping[str, str]) -> Response:
    """Return the answer to an error that is known only by its status."""
    code, message = STATUSES.get(status, STATUSES[400])
    response = answer_detail(request, status, ErrorDetail(code=code, message=translator(request_lang(request))(message)))
    response.headers.update(headers)
    return response


def answer_detail(request: Request, status: int, detail: ErrorDetail) -> Response:
    """Return the answer to an error: JSON for programs, a page for people."""
    if request.url.path.startswith(MACHINES):
        return error_response(status, detail)
    return render_error(request, status, detail.code, detail.message, detail.retry_after_seconds or 0)


ANSWERS: dict[type[Exception], Callable[[Request, Any], Awaitable[Response]]] = {
    ApiError: answer_api_error,
    NotAllowed: answer_not_allowed,
    RequestValidationError: answer_bad_body,
    RunnerError: answer_runner_error,
    TooOften: answer_too_often,
    StoreFault: answer_store_fault,
    TooMuchStored: answer_too_much,
    ImportInterrupted: answer_interrupted,
    DraftConflict: answer_conflict,
    NoClass: answer_no_class,
    AssistantOnly: answer_assistant,
    BadClassValue: answer_bad_class_value,
    HTTPException: answer_http_error,
}


def add_error_handlers(app: FastAPI) -> None:
    for kind, answer in ANSWERS.items():
        app.add_exception_handler(kind, answer)
