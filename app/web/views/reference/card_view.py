"""The data of a card's page, and links to cards."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.lessons.course.cards import Card, CardCode, CardSection
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.run import Lang
from app.web.views.lesson.highlight import render_lines
from app.web.views.reference.pitfall_view import PitfallNote, view_note
from app.web.views.reference.what_works import RUNTIME_NAMES

BLANK_LINES = re.compile(r"\n{3,}")  # a sheet has room for one blank line only


@dataclass(frozen=True, kw_only=True)
class CardLink:
    """A card in a list."""

    url: str
    title: str
    purpose: str


@dataclass(frozen=True, kw_only=True)
class CardListing:
    """Code on a card, as lines of HTML, under the name of the framework for which it is written."""

    framework: str
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CardRuleView:
    """A lesson's rule on a card."""

    html: str
    lesson_url: str
    lesson_title: str


@dataclass(frozen=True, kw_only=True)
class CardSectionView:
    """A part of a card. `table_html` may be empty. `beside` says that the rules are shown beside its only code."""

    heading: str
    code: tuple[CardListing, ...]
    rules: tuple[CardRuleView, ...]
    table_html: str
    notes: tuple[PitfallNote, ...]
    beside: bool


@dataclass(frozen=True, kw_only=True)
class CardView:
    """A card as its page shows it."""

    landscape: bool
    sections: tuple[CardSectionView, ...]


def link_cards(cards: Iterable[Card], lang: Lang) -> tuple[CardLink, ...]:
    return tuple(CardLink(url=f"/{lang}/cards/{card.id}", title=card.title[lang], purpose=card.purpose[lang]) for card in cards)


def view_card(card: Card, lang: Lang) -> CardView:
    sections = tuple(_view_section(section, lang) for section in card.sections)
    return CardView(landscape=card.landscape, sections=sections)


def _view_section(section: CardSection, lang: Lang) -> CardSectionView:
    pitfalls = load_pitfalls().pitfalls
    rules = (CardRuleView(html=one.html[lang], lesson_url=f"/{lang}/{one.path}", lesson_title=one.title[lang]) for one in section.rules)
    return CardSectionView(
        heading=section.heading[lang],
        code=tuple(_view_code(one) for one in section.code),
        rules=tuple(rules),
        table_html=section.table.get(lang, ""),
        notes=tuple(view_note(pitfalls[code], lang) for code in section.pitfalls),
        beside=len(section.code) == 1 and bool(section.rules),
    )


def _view_code(code: CardCode) -> CardListing:
    return CardListing(framework=RUNTIME_NAMES[code.runtime], lines=render_lines(BLANK_LINES.sub("\n\n", code.source)))
