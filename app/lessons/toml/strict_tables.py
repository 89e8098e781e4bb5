"""The tables and values that occur in several TOML files of a course."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from app.lessons.model.keys import Ids, Texts, Words, expects
from app.protocol.run import Lang

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
