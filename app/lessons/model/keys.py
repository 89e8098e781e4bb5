"""Types of values in a course's TOML files. Each says which values are allowed, and how a complaint describes them."""

import re
from typing import Annotated, Any

from msgspec import Meta

IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
IDENTIFIER_LENGTH = 64
EXERCISE_LENGTH = 55  # of an exercise's id, because "exercise_" and the id are the name under which a draft is stored


def expects(expected: str, description: str | None = None, **limits: Any) -> Meta:
    """Return the constraints of a value. `expected` completes the complaint "expected …". Editors show `description`."""
    return Meta(description=description, extra_json_schema={"expected": expected}, **limits)


def line_of(characters: int) -> Meta:
    """Return the constraints of a text of one line."""
    expected = f"the {{table}} in one line of at most {characters} characters"
    return expects(expected, min_length=1, max_length=characters, pattern=r"^[^\n]+$")


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
WORD = r"([^\s`*_\[\]{}<>$\\]|`[^`\n]+`)+"  # outside of backquotes, without characters that Markdown could take for its own
Term = Annotated[
    str,
    expects(
        "the {table}: words, and names of the API in backquotes, in at most 30 characters", max_length=30, pattern=f"^{WORD}( {WORD})*$"
    ),
]
MOST = 100_000
Count = Annotated[int, Meta(ge=0, le=MOST)]
NAME = r"[A-Za-z_]\w*"
Seconds = Annotated[float, Meta(gt=0, le=60, description="How long a run may take.")]
After = Annotated[Ids, Meta(description="All cells that are replayed first, in order.")]
