"""The last resort: a fault of ours is logged and answered like any other error, within the security headers."""

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.errors import answer_status

log = structlog.get_logger()


class FaultMiddleware:
    """Answers 500 for an exception that nobody handled. Once an answer has begun, the connection is broken off instead."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
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
            await answer_status(Request(scope, receive), 500, {})(scope, receive, send)
