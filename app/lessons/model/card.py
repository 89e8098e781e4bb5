"""A card as data: one sheet to print, which says only what lessons and pitfalls say."""

from collections.abc import Mapping

import msgspec

from app.protocol.run import Lang, RuntimeName


class CardRule(msgspec.Struct, frozen=True, kw_only=True):
    """The rule of the lesson `path`, as HTML. `title` is the lesson's."""

    path: str
    title: Mapping[Lang, str]
    html: Mapping[Lang, str]


class CardCode(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a cell of the lesson `path`."""

    path: str
    runtime: RuntimeName
    source: str


class CardSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a card under a heading. `table` is the HTML of a lesson's table, and `pitfalls` are codes in app.pitfalls."""

    heading: Mapping[Lang, str]
    code: tuple[CardCode, ...] = ()
    rules: tuple[CardRule, ...] = ()
    table: Mapping[Lang, str] = {}
    pitfalls: tuple[str, ...] = ()


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A card. `purpose` says in one line what it is good for. The sheet of a `landscape` card lies on its side."""

    id: str
    number: int
    title: Mapping[Lang, str]
    purpose: Mapping[Lang, str]
    landscape: bool
    sections: tuple[CardSection, ...]
