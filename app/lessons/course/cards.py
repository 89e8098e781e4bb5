"""Cards: one sheet each to print, which says only what lessons and pitfalls say. Loads them from cards/*.toml.

All lessons must be loaded before, because a card's contents are looked up in them. What a lesson lacks is reported on the line of the card
that names the lesson. A lesson that has problems itself is not reported again.
"""

import re
import textwrap
from collections.abc import Mapping, Sequence

import msgspec

from app.lessons.model.model import LANGS, Lesson, LessonText, Prose, RulePlace
from app.lessons.toml.course_files import CardCodeTable, CardFile, CardSectionTable
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.strict_tables import by_language
from app.lessons.toml.table import Table, read_table
from app.protocol.run import Lang, RuntimeName

TABLE = re.compile(r'<div class="table">.*?</div>', re.DOTALL)
Lessons = Mapping[str, Lesson | None]


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


def load_cards(reader: Reader, lessons: Lessons) -> tuple[Card, ...]:
    """Return the cards without problems, in the order of their numbers. `lessons` has None in place of a lesson with problems.

    A card that needs a lesson with problems is left out, too. This is not reported, because the problems of the lesson are.
    """
    cards: dict[int, Card] = {}
    for path in sorted((reader.folder / "cards").glob("*.toml")):
        file = f"cards/{path.name}"
        with reader.section() as problems:
            card = _load_card(reader, file, path.stem, lessons)
        if card is None or problems:
            continue
        if card.number in cards:
            reader.report(file, 1, f"number: {card.number} is already that of {cards[card.number].id}: expected another")
        else:
            cards[card.number] = card
    return tuple(card for _, card in sorted(cards.items()))


def _load_card(reader: Reader, file: str, card_id: str, lessons: Lessons) -> Card | None:
    read = read_table(reader, file, "a card", CardFile)
    if read is None:
        return None
    table, form = read
    sections = [_load_section(table.below("section", index), section, lessons) for index, section in enumerate(form.section)]
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


def _load_section(table: Table, form: CardSectionTable, lessons: Lessons) -> CardSection | None:
    code = [_find_code(table.below("code", index), one, lessons) for index, one in enumerate(form.code)]
    rules = [_find_rule(table, path, index, lessons) for index, path in enumerate(form.rules)]
    shown = _find_table(table, form.table, lessons) if form.table else {}
    if None in code or None in rules or shown is None:
        return None
    return CardSection(
        heading=by_language(form.heading),
        code=tuple(one for one in code if one is not None),
        rules=tuple(one for one in rules if one is not None),
        table=shown,
        pitfalls=form.pitfalls,
    )


def _find_rule(table: Table, path: str, index: int, lessons: Lessons) -> CardRule | None:
    """Return the rule of a lesson, which is element `index` of the key `rules`."""
    lesson = _find(table, path, lessons, "rules", index)
    if lesson is None:
        return None
    rules = {lang: "".join(block.html for block in text.blocks if isinstance(block, RulePlace)) for lang, text in lesson.texts.items()}
    if all(rules.values()):
        return CardRule(path=path, title={lang: text.title for lang, text in lesson.texts.items()}, html=rules)
    table.report(f"rules: expected a lesson with a :::{{rule}}, {path} has none", "rules", index)
    return None


def _find_code(table: Table, form: CardCodeTable, lessons: Lessons) -> CardCode | None:
    lesson = _find(table, form.lesson, lessons, "lesson")
    if lesson is None:
        return None
    cell = lesson.cell(form.cell)
    if cell is None:
        known = [one.id for one in lesson.cells]
        table.report(f'cell: there is no cell "{form.cell}" in {form.lesson}{suggest(form.cell, known)}', "cell")
        return None
    lines = cell.source.rstrip("\n").split("\n")
    first = _find_line(table, "first", lines, form.first) if form.first else 0
    last = _find_line(table, "last", lines, form.last) if form.last else len(lines) - 1
    if last < first:
        table.report(f'last: expected a line after "{form.first}"', "last")
    return CardCode(path=lesson.path, runtime=cell.runtime, source=textwrap.dedent("\n".join(lines[first : last + 1])))


def _find_table(table: Table, path: str, lessons: Lessons) -> dict[Lang, str] | None:
    """Return the table of a lesson in each language, as HTML."""
    lesson = _find(table, path, lessons, "table")
    if lesson is None:
        return None
    tables = {lang: _list_tables(text) for lang, text in lesson.texts.items()}
    if all(len(found) == 1 for found in tables.values()):
        return {lang: found[0] for lang, found in tables.items()}
    counts = " and ".join(str(len(tables[lang])) for lang in LANGS)
    table.report(f"table: expected a lesson with one table in each language, {path} has {counts}", "table")
    return None


def _find(table: Table, path: str, lessons: Lessons, key: str, *index: int) -> Lesson | None:
    if path not in lessons:
        table.report(f'{key}: there is no lesson "{path}"{suggest(path, lessons)}', key, *index)
    return lessons.get(path)


def _find_line(table: Table, key: str, lines: Sequence[str], wanted: str) -> int:
    found = [number for number, line in enumerate(lines) if line.strip() == wanted.strip()]
    if len(found) != 1:
        table.report(f'{key}: expected a line that the cell has exactly once, it has "{wanted}" {len(found)} times', key)
    return found[0] if found else 0


def _list_tables(text: LessonText) -> list[str]:
    return [table for block in text.blocks if isinstance(block, Prose) for table in TABLE.findall(block.html)]
