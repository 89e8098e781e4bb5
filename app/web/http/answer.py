"""Answers in JSON, and their descriptions in OpenAPI. Numbers are finite, and no cache stores an answer unless its route allows it."""

from typing import Any

import msgspec
from starlette.responses import Response

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
STREAM_EVENT = "StreamEvent"  # the schema of one event of a stream
SCHEMAS = "#/components/schemas/"
STATUSES = {
    401: "Nobody is signed in",
    403: "Not allowed",
    404: "Not found",
    409: "It has changed in the meantime: `error.draft` is what the server has",
    413: "The body is too large, or more would be kept for one learner than is allowed (`too_much_kept`)",
    415: "The body is not JSON",
    422: "A field is invalid",
    429: "Too many runs are waiting (`queue_full`), or runs, saves or searches come too fast (`too_often`); Retry-After says when to come "
    "back",
    500: "A fault of this server",
    503: "The server cannot do it right now; for what is kept (`not_kept`, `import_interrupted`), `reason` says what is wrong with the "
    "store, or why it takes no more",
}
Responses = dict[int | str, dict[str, Any]]
answer_types: dict[str, type] = {}  # the types of all answers, by name, for the OpenAPI document
encoder = msgspec.json.Encoder()


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer whose body is `value` as JSON."""
    return Response(encoder.encode(value), status, {"cache-control": "no-store", **(headers or {})}, JSON)


def describe_answer(
    kind: type, about: str = "Done", *, status: int = 200, headers: dict[str, Any] | None = None, other_forms: tuple[str, ...] = ()
) -> Responses:
    """Return an entry of a route's `responses` for an answer of the type `kind`. `other_forms` are other media types of the answer."""
    answer_types[kind.__name__] = kind
    forms = {JSON: refer_to(kind.__name__), **{form: {"schema": {"type": "string"}} for form in other_forms}}
    if EVENT_STREAM in forms:
        forms[EVENT_STREAM]["schema"] |= {"contentMediaType": EVENT_STREAM, "contentSchema": {"$ref": SCHEMAS + STREAM_EVENT}}
    return {status: {"description": about, "content": forms, "headers": headers or {}}}


def describe_nothing(about: str) -> Responses:
    """Return an entry of a route's `responses` for an answer without a body."""
    return {204: {"description": about}}


def describe_errors(*statuses: int) -> Responses:
    """Return entries of a route's `responses` for errors, which all have the same body."""
    return {status: {"description": STATUSES[status], "content": {JSON: refer_to("ErrorBody")}} for status in statuses}


def refer_to(schema: str) -> dict[str, Any]:
    return {"schema": {"$ref": SCHEMAS + schema}}
