"""The kind of route whose requests cost something: what is refused, by its rate or its content type, is refused before its body is read."""

import time
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from app.web.errors import NoLearner, WrongType
from app.web.services import services_of


class RatedRoute(APIRoute):
    """What is refused, by its rate or its content type, is refused before its body is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_admitted(request: Request) -> Response:
            rates, principal = services_of(request).rates, request.state.principal
            if request.method == "DELETE":
                rates.admit_stop(principal, time.monotonic())
            else:
                rates.admit(principal, request.headers.get("content-length", ""), time.monotonic())
                if self.body_field is not None:
                    require_json(request)
            return await handle(request)

        return handle_admitted


class LearnerRoute(APIRoute):
    """A route to what is kept of a learner: refused without a cookie that names one, and with a rate of its own."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_admitted(request: Request) -> Response:
            principal = request.state.principal
            if principal.learner is None:
                raise NoLearner
            length = request.headers.get("content-length", "0" if request.method in ("GET", "DELETE") else "")
            services_of(request).rates.admit_saving(principal, length, time.monotonic())
            if self.body_field is not None:
                require_json(request)
            return await handle(request)

        return handle_admitted


def require_json(request: Request) -> None:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise WrongType
