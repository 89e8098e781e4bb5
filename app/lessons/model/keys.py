"""Types of values in a course's TOML files. Each says which values are allowed, and how a complaint describes them."""

import re
from typing import Annotated, Any

from msgspec import Meta

IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
IDENTIFIER_LENGTH = 64


def expects(expected: str, description: str | None = None, **limits: Any) -> Meta:
    """Return the constraints of a value. `expected` completes the complaint "expected …". Editors show `description`."""
    return Meta(description=description, extra_json_schema={"expected": expected}, **limits)


Id = Annotated[
    str,
    expects(
        f"an id (small letters, digits and single hyphens, at most {IDENTIFIER_LENGTH})",
        pattern=f"^{IDENTIFIER.pattern}$",
        max_length=IDENTIFIER_LENGTH,
    ),
]
Ids = Annotated[tuple[Id, ...], Meta(extra_json_schema={"expected": "a list of ids", "uniqueItems": True})]
Words = Annotated[str, Meta(min_length=1)]
Texts = tuple[Words, ...]
MOST = 100_000
Count = Annotated[int, Meta(ge=0, le=MOST)]
