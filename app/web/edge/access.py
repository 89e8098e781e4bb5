"""One line in the log and one count in the metrics for each request. What a learner wrote is in neither."""

import time
from contextvars import ContextVar

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.meters import Meters
from app.web.runs.run_service import RunEnded

log = structlog.get_logger()
_run_of_request: ContextVar[dict[str, str]] = ContextVar("run_of_request")

METHODS = frozenset(("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"))
TOO_MANY = 429  # whoever asks hundreds of times a second shall not fill the log with the refusals; the metrics count them
QUIET = ("/static/", "/healthz", "/readyz", "/metrics")


class AccessMiddleware:
    """Measures a request from its first to its last byte."""

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
            level("request", method=method, path=scope["path"][:200], status=status, ms=round(seconds * 1000, 2), **run)


def log_run(ended: RunEnded) -> None:
    """Add a run to the log line of its request, in whose context this must be called."""
    _run_of_request.get({}).update(run_id=ended.run_id, outcome=str(ended.ending))


def route_of(scope: Scope) -> str:
    """The pattern of the route that took the request."""
    if scope["path"].startswith("/static/"):
        return "/static"
    return getattr(scope.get("route"), "path", "unknown")
