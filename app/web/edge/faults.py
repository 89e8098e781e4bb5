"""The last resort: a fault of ours is logged and answered like any other error, within the security headers."""

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.edge.error_answers import answer_status

log = structlog.get_logger()

SORRY = "Something went wrong on our side, and the page that would say so cannot be shown either.\n"


class FaultMiddleware:
    """Answers 500 for an exception that nobody handled. Once an answer has begun, the connection is broken off instead."""

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
            log.exception("internal_error", path=scope["path"])
            if started:
                raise
            await answer_fault(Request(scope, receive))(scope, receive, send)


def answer_fault(request: Request) -> Response:
    """The answer to a fault of ours; plain text when even the error page cannot be made."""
    try:
        return answer_status(request, 500, {})
    except Exception:
        log.exception("error_page_failed", path=request.url.path)
        return PlainTextResponse(SORRY, 500)
