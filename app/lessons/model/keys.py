"""Types of values, and of tables that occur in several of a course's TOML files.

Each type of a value says which values are allowed, and how a complaint describes them.
"""

import re
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from app.protocol.run import Lang

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


class StrictTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A table in which unknown keys are faults."""


class InLanguages(StrictTable, rename={"zh_hans": "zh-Hans"}, frozen=True):
    """A text in every language of the course."""

    en: Annotated[Words, expects("the {table}")]
    zh_hans: Annotated[Words, expects("the {table}")]


class ListsInLanguages(StrictTable, rename={"zh_hans": "zh-Hans"}, frozen=True):
    """Texts in every language of the course, equally many in each."""

    en: Annotated[Texts, expects("the {table}")]
    zh_hans: Annotated[Texts, expects("the {table}")]


def by_language(texts: InLanguages | ListsInLanguages | None) -> dict[Lang, Any]:
    """Return the values of a table by language. Without a table, return an empty dict."""
    return {} if texts is None else {"en": texts.en, "zh-Hans": texts.zh_hans}
