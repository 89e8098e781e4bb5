"""Loads the cards, cards/*.toml. All lessons must be loaded before, because a card's contents are looked up in them."""

from collections.abc import Mapping

from app.lessons.cards.sources import CardSources
from app.lessons.model.card import Card, CardSection
from app.lessons.model.model import Lesson
from app.lessons.texts.references import Links
from app.lessons.toml.course_files import CardFile, CardSectionTable
from app.lessons.toml.source import Reader
from app.lessons.toml.strict_tables import by_language
from app.lessons.toml.table import Table, read_table


def load_cards(reader: Reader, lessons: Mapping[str, Lesson], links: Links) -> tuple[Card, ...]:
    """Return the cards without problems, in the order of their numbers. `lessons` are the lessons without problems, by path.

    A card that needs a lesson with problems is left out, too. This is not reported, because the problems of the lesson are.
    """
    cards: dict[int, Card] = {}
    for path in sorted((reader.folder / "cards").glob("*.toml")):
        file = f"cards/{path.name}"
        with reader.section() as problems:
            card = _load_card(reader, file, path.stem, CardSources(lessons, links))
        if card is None or problems:
            continue
        if card.number in cards:
            reader.report(file, 1, f"number: {card.number} is already that of {cards[card.number].id}: expected another")
        else:
            cards[card.number] = card
    return tuple(card for _, card in sorted(cards.items()))


def _load_card(reader: Reader, file: str, card_id: str, sources: CardSources) -> Card | None:
    read = read_table(reader, file, "a card", CardFile)
    if read is None:
        return None
    table, form = read
    sections = [_load_section(table.below("section", index), section, sources) for index, section in enumerate(form.section)]
    if None in sections:
        return None
    return Card(
        id=card_id,
        number=form.number,
        title=by_language(form.title),
        purpose=by_language(form.purpose),
        landscape=form.landscape,
        sections=tuple(section for section in sections if section is not None),
    )


def _load_section(table: Table, form: CardSectionTable, sources: CardSources) -> CardSection | None:
    code = [sources.find_code(table.below("code", index), one) for index, one in enumerate(form.code)]
    rules = [sources.find_rule(table, path, index) for index, path in enumerate(form.rules)]
    shown = sources.find_table(table, form.table) if form.table else {}
    if None in code or None in rules or shown is None:
        return None
    return CardSection(
        heading=by_language(form.heading),
        code=tuple(one for one in code if one is not None),
        rules=tuple(one for one in rules if one is not None),
        table=shown,
        pitfalls=form.pitfalls,
    )
