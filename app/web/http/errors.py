"""The exceptions for requests that cannot be served, and the body of the answer to them.

    ApiError                 {"error": {"code", "message", "field"?, …}} with its status
    ├── BadField       422   names the field and what was expected of it
    │   └── TooLong          says how long a program is, and how long it may be
    ├── Missing        404
    ├── TooLarge       413
    └── NotAllowed     403 or 401  the sender may not do this
        └── NoLearner              nothing can be stored for a client that sends no cookie

Messages are msgids of app.locale; app.web.edge.error_answers translates them.
"""

from math import ceil

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.locale.messages import mark
from app.protocol.limits import SOURCE_BYTES
from app.web.http.answer import json_response

KILOBYTE = 1024
KNOWN_FIELD = mark("only the fields that are documented")


class SavedDraft(msgspec.Struct, kw_only=True):
    """The text of a cell as the server has it. `source` is null if the text is the lesson's own. `version` counts from 1."""

    version: int
    source: str | None


class ErrorDetail(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An error. `field` is the wrong field, and `draft` is the server's text after a `draft_conflict`.

    `reason` is one of three: the cap that was reached (learner, address, newcomers, overall, memory, saving, savings, searches), what is
    wrong with the store (full, read_only, locked, crowded, broken, outdated, too_new, unreachable), or why it stores no more
    (at_limit, address_at_limit).
    `recorded` says that the lesson has a recorded result, which is the answer if the cell's source is run unchanged.
    """

    code: str
    message: str
    field: str | None = None
    reason: str | None = None
    retry_after_seconds: int | None = None
    draft: SavedDraft | None = None
    recorded: bool = False


class ErrorBody(msgspec.Struct):
    """The body of every error."""

    error: ErrorDetail


class ApiError(HTTPException):
    """A request that cannot be served. `message` is a msgid, in which {field}, {expected} and the names of `values` are filled in.

    `status` replaces the status of the class.
    """

    status = 400

    def __init__(
        self, code: str, message: str, field: str | None = None, expected: str = "", *, status: int | None = None, **values: object
    ) -> None:
        self.status = status or self.status
        super().__init__(self.status)
        self.code, self.message, self.field, self.expected, self.values = code, message, field, expected, values


class BadField(ApiError, ValueError):
    """A field is wrong. `expected` is a msgid that completes the phrase "expected …". Validators of bodies may raise this."""

    def __init__(self, field: str, expected: str, code: str = "bad_field", **values: object) -> None:
        super().__init__(code, mark("{field}: expected {expected}."), field, expected, status=422, **values)


class TooLong(BadField):
    """A program is longer than a run accepts. `size_bytes` is its length."""

    def __init__(self, size_bytes: int) -> None:
        super().__init__("source", "", "too_long", size=ceil(size_bytes / KILOBYTE), limit=SOURCE_BYTES // KILOBYTE)
        self.message = mark("This program is {size} kB long; a run takes at most {limit} kB.")


class Missing(ApiError):
    """What the request names does not exist."""

    status = 404


class TooLarge(ApiError):
    """The request's body is longer than allowed."""

    status = 413

    def __init__(self) -> None:
        super().__init__("too_large", mark("The request is too large."))


class NotAllowed(ApiError):
    """The sender of the request may not do this."""

    status = 403

    def __init__(self, code: str = "forbidden", message: str = mark("This is not allowed."), status: int | None = None) -> None:
        super().__init__(code, message, status=status)


class NoLearner(NotAllowed):
    """The request has no cookie that names a learner."""

    def __init__(self) -> None:
        super().__init__("no_learner", mark("Your browser sent no cookie from this site, so nothing can be kept here for you."))


class ImportInterrupted(Exception):
    """Only a part of an import was stored. `reason` is that of the StoreFault, or "too_much" if the learner's limit was reached."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def error_response(status: int, detail: ErrorDetail) -> Response:
    response = json_response(ErrorBody(detail), status)
    if detail.retry_after_seconds is not None:
        response.headers["retry-after"] = str(detail.retry_after_seconds)
    return response
