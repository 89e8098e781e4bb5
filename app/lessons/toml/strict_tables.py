"""Tables that occur in several of a course's TOML files. Unknown keys in them are faults."""

from typing import Annotated, Any

import msgspec

from app.lessons.model.keys import Texts, Words, expects
from app.protocol.run import Lang


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
