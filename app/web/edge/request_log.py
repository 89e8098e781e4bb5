"""Logs one line for each request, and the traceback of each fault of ours. Neither contains what a learner wrote.

Requests are also counted and timed for the metrics. A fault of ours is answered like any other error.
"""

import time
from contextvars import ContextVar

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.edge.error_answers import answer_status
from app.web.meters import Meters
from app.web.runs.run_service import RunEnded

log = structlog.get_logger()
_run_of_request: ContextVar[dict[str, str]] = ContextVar("run_of_request")

METHODS = frozenset(("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"))
TOO_MANY = 429  # counted, but not logged, because a client that sends hundreds of requests a second would fill the log
QUIET = ("/static/", "/healthz", "/readyz", "/metrics")  # not logged if they succeed
SORRY = "Something went wrong on our side, and the page that would say so cannot be shown either.\n"


class AccessMiddleware:
    """Logs each request, and measures its time until the last byte is sent. It is the outermost middleware, so that it measures all."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self.app, self._meters = app, meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status = 499
        run: dict[str, str] = {}
        _run_of_request.set(run)

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._meters.begin()
        start = time.perf_counter()
        try:
            await self.app(scope, receive, watch)
        finally:
            seconds = time.perf_counter() - start
            method = scope["method"] if scope["method"] in METHODS else "other"
            self._meters.end(method, route_of(scope), status, seconds)
            quiet = status == TOO_MANY or (status < 400 and scope["path"].startswith(QUIET))
            level = log.debug if quiet else log.info
            level("request", method=method, path=conceal_token(scope["path"])[:200], status=status, ms=round(seconds * 1000, 2), **run)


def conceal_token(path: str) -> str:
    """Return a path without the token of a sign-in link. A reader of the log could sign in with the token."""
    before, sign_in, token = path.partition("/sign-in/")
    return f"{before}{sign_in}…" if token else path


def log_run(ended: RunEnded) -> None:
    """Add a run to the log line of its request. Call this in the context (contextvars) in which the request is handled."""
    _run_of_request.get({}).update(run_id=ended.run_id, outcome=str(ended.ending))


def route_of(scope: Scope) -> str:
    """Return the pattern of the route that answered the request."""
    if scope["path"].startswith("/static/"):
        return "/static"
    return getattr(scope.get("route"), "path", "unknown")


class FaultMiddleware:
    """Answers 500 for an unhandled exception. If the answer has begun, raises the exception again, which ends the connection.

    It is the innermost middleware, so that its answer gets the security headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception:
            log.exception("internal_error", path=conceal_token(scope["path"]))
            if started:
                raise
            await answer_fault(Request(scope, receive))(scope, receive, send)


def answer_fault(request: Request) -> Response:
    """Return the answer to a fault of ours: an error page, or plain text if even that fails."""
    try:
        return answer_status(request, 500, {})
    except Exception:
        log.exception("error_page_failed", path=conceal_token(request.url.path))
        return PlainTextResponse(SORRY, 500)
