"""Answers in JSON: always by msgspec, always finite, never kept by a cache unless told so."""

from typing import Any

import msgspec
from starlette.responses import Response

JSON = "application/json"
encoder = msgspec.json.Encoder()


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """`value`, of the protocol's types or plain ones, as an answer."""
    return Response(encoder.encode(value), status, {"cache-control": "no-store", **(headers or {})}, JSON)
