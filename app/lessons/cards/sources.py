"""Looks up the contents of a card: the rule, a cell's code or the table of a lesson."""

import re
import textwrap
from collections.abc import Mapping, Sequence

from app.lessons.model.card import CardCode, CardRule
from app.lessons.model.model import LANGS, Lesson, LessonText, Prose, RulePlace
from app.lessons.texts.references import Links
from app.lessons.toml.course_files import CardCodeTable
from app.lessons.toml.problem import suggest
from app.lessons.toml.table import Table
from app.protocol.run import Lang

TABLE = re.compile(r'<div class="table">.*?</div>', re.DOTALL)


class CardSources:
    """The lessons in which the contents of a card are looked up.

    The methods report what a lesson lacks, on the line of the card that names it, and return None. A lesson that has problems itself is not
    reported again.
    """

    def __init__(self, lessons: Mapping[str, Lesson], links: Links) -> None:
        self._lessons = lessons
        self._links = links

    def find_rule(self, table: Table, path: str, index: int) -> CardRule | None:
        """Return the rule of a lesson, which is element `index` of the key `rules`."""
        lesson = self._find(table, path, "rules", index)
        if lesson is None:
            return None
        rules = {lang: "".join(block.html for block in text.blocks if isinstance(block, RulePlace)) for lang, text in lesson.texts.items()}
        if all(rules.values()):
            return CardRule(path=path, title={lang: text.title for lang, text in lesson.texts.items()}, html=rules)
        table.report(f"rules: expected a lesson with a :::{{rule}}, {path} has none", "rules", index)
        return None

    def find_code(self, table: Table, form: CardCodeTable) -> CardCode | None:
        lesson = self._find(table, form.lesson, "lesson")
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

    def find_table(self, table: Table, path: str) -> dict[Lang, str] | None:
        """Return the table of a lesson in each language, as HTML."""
        lesson = self._find(table, path, "table")
        if lesson is None:
            return None
        tables = {lang: _list_tables(text) for lang, text in lesson.texts.items()}
        if all(len(found) == 1 for found in tables.values()):
            return {lang: found[0] for lang, found in tables.items()}
        counts = " and ".join(str(len(tables[lang])) for lang in LANGS)
        table.report(f"table: expected a lesson with one table in each language, {path} has {counts}", "table")
        return None

    def _find(self, table: Table, path: str, key: str, *index: int) -> Lesson | None:
        if path not in self._links.listed:
            table.report(f'{key}: there is no lesson "{path}"{suggest(path, self._links.listed)}', key, *index)
        return self._lessons.get(path)


def _find_line(table: Table, key: str, lines: Sequence[str], wanted: str) -> int:
    found = [number for number, line in enumerate(lines) if line.strip() == wanted.strip()]
    if len(found) != 1:
        table.report(f'{key}: expected a line that the cell has exactly once, it has "{wanted}" {len(found)} times', key)
    return found[0] if found else 0


def _list_tables(text: LessonText) -> list[str]:
    return [table for block in text.blocks if isinstance(block, Prose) for table in TABLE.findall(block.html)]
