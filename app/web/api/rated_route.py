"""Classes of routes that limit how often requests may come. A request is refused before its body is read."""

import time
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from starlette.responses import Response

from app.locale.messages import mark
from app.web.guards.access import GuardedRoute
from app.web.http.answer import JSON
from app.web.http.errors import ApiError
from app.web.services import services_of


class RatedRoute(GuardedRoute):
    """A route that refuses a request if it comes too often or its body is not JSON. The body of a refused request is not read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_admitted(request: Request) -> Response:
            self.admit(request)
            if self.body_field is not None and content_type_of(request) != JSON:
                raise ApiError("wrong_type", mark("The content type must be application/json."), status=415)
            return await handle(request)

        return handle_admitted

    def admit(self, request: Request) -> None:
        """Count the request against the sender's rates. Raises TooOften if one is exceeded."""
        rates, principal = services_of(request).rates, request.state.principal
        if request.method == "DELETE":
            rates.admit_stop(principal, time.monotonic())
        else:
            rates.admit(principal, request.headers.get("content-length", ""), time.monotonic())


class TraceRoute(RatedRoute):
    """A route that traces a run. Its requests count only against a rate of their own."""

    def admit(self, request: Request) -> None:
        """Count the request against the learner's rate for traces. Raises TooOften."""
        services_of(request).rates.admit_trace(request.state.principal, time.monotonic())


class LearnerRoute(RatedRoute):
    """A route to a learner's stored work, to which the rates for saving apply."""

    def admit(self, request: Request) -> None:
        """Count the request against the rates for saving. Raises TooOften."""
        length = request.headers.get("content-length", "0" if request.method in ("GET", "DELETE") else "")
        services_of(request).rates.admit_saving(request.state.principal, length, time.monotonic())


def content_type_of(request: Request) -> str:
    """Return the content type without parameters, in lower case."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
