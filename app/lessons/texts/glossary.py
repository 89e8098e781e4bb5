"""The course's glossary, glossary.toml. It explains each term in every language, in one paragraph."""

import re
from collections.abc import Mapping

import msgspec

from app.lessons.markdown.markup import parse_markup
from app.lessons.markdown.parser import render_tokens
from app.lessons.model.keys import IDENTIFIER
from app.lessons.texts.references import Links, References
from app.lessons.toml.course_files import TermTable
from app.lessons.toml.source import Reader
from app.lessons.toml.strict_tables import by_language
from app.lessons.toml.table import Table
from app.protocol.run import Lang

FILE = "glossary.toml"
CHARACTER = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"[a-z0-9]+")


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A term. `name` is plain text, `html` the content of a p, and `lesson` the path of the lesson that teaches it.

    `sorted_by` has what a list in each language compares: the words of the name in small letters, and in Chinese the syllables.
    """

    id: str
    name: Mapping[Lang, str]
    sorted_by: Mapping[Lang, tuple[str, ...]]
    html: Mapping[Lang, str]
    lesson: str | None = None


def open_glossary(reader: Reader) -> Table | None:
    """Return glossary.toml. Return None if it cannot be read, or if the course has none."""
    toml = reader.read_toml(FILE, "the glossary") if (reader.folder / FILE).exists() else None
    return None if toml is None else Table(reader, FILE, toml)


def load_terms(glossary: Table, links: Links) -> dict[str, Term]:
    """Return the terms without problems by id, in the order of the file."""
    terms = [_load_term(glossary.below(term_id), term_id, links) for term_id in glossary.toml.data]
    return {term.id: term for term in terms if term is not None}


def _load_term(table: Table, term_id: str, links: Links) -> Term | None:
    with table.reader.section() as problems:
        if not IDENTIFIER.fullmatch(term_id):
            table.report(f'"{term_id}" is not an id: expected small letters, digits and single hyphens')
        form: TermTable | None = table.read(TermTable)
        if form is None:
            return None
        html = {lang: _render(table, words, lang, term_id, links) for lang, words in by_language(form.text).items()}
        name = by_language(form.name)
        sorted_by = {lang: _split(table, form.pinyin, text) for lang, text in name.items()}
        if form.lesson is not None and not links.knows(form.lesson):
            table.report(links.describe_unknown(form.lesson), "lesson")
    return None if problems else Term(id=term_id, name=name, sorted_by=sorted_by, html=html, lesson=form.lesson)


def _split(table: Table, pinyin: str, name: str) -> tuple[str, ...]:
    """Return the words of a name, with `pinyin` in place of its Chinese characters. Report if their numbers differ."""
    syllables, characters = pinyin.split(), CHARACTER.findall(name)
    if characters and len(syllables) != len(characters):
        table.report(f'pinyin: expected {len(characters)} syllables for "{name}", got {len(syllables)}', "pinyin")
        return (name,)
    left = iter(syllables)
    return tuple(WORD.findall(CHARACTER.sub(lambda _: f" {next(left)} ", name).casefold())) or (name,)


def _render(table: Table, words: str, lang: Lang, term_id: str, links: Links) -> str:
    report = table.reader.reporter(FILE, table.line("text", lang))
    tokens = parse_markup(words.strip(), lang, report, "exercise", f"{term_id}-")
    if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
        table.report(f'"{term_id}": expected one paragraph', "text", lang)
    References(links, "", lang, {}).point(tokens, report)
    return render_tokens([token for token in tokens if token.type == "inline"][:1])
