"""The fields of a form that a page posts."""

from urllib.parse import parse_qsl

from starlette.requests import Request

from app.locale.messages import mark
from app.web.http.errors import BadField

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 10


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form by name. Raises BadField if the body is no form."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise BadField("body", mark("the fields of a form"), "wrong_type")
    try:
        fields = parse_qsl((await request.body()).decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:  # also UnicodeDecodeError
        raise BadField("body", mark("the fields of a form"), "bad_form") from None
    return dict(fields)
