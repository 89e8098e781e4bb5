"""Types of the keys in a course's TOML files: what each may hold, and how a complaint names what was expected."""

import re
from typing import Annotated, Any

from msgspec import Meta

IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
IDENTIFIER_LENGTH = 64


def expects(expected: str, description: str | None = None, **limits: Any) -> Meta:
    """Return the constraints of a key. `expected` completes the complaint "expected …"; `description` is what editors show of the key."""
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
