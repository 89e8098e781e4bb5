"""The fields of a form that a page posts."""

from urllib.parse import parse_qsl

from starlette.requests import Request

from app.locale.messages import mark
from app.web.http.errors import BadField

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 10


async def read_form(request: Request, most_fields: int = MOST_FIELDS) -> dict[str, str]:
    """Return the fields of a form by name. If several have one name, the last counts. Raises BadField if the body is no form."""
    return dict(await read_fields(request, most_fields))


async def read_fields(request: Request, most_fields: int) -> list[tuple[str, str]]:
    """Return the names and values of the fields of a form, in its order. Raises BadField if the body is no form."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise BadField("body", mark("the fields of a form"), "wrong_type")
    try:
        return parse_qsl((await request.body()).decode("ascii"), keep_blank_values=True, max_num_fields=most_fields)
    except ValueError:  # also UnicodeDecodeError
        raise BadField("body", mark("the fields of a form"), "bad_form") from None
