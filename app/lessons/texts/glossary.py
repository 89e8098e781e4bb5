"""The course's glossary, glossary.toml. It explains each term in every language, in one paragraph."""

import re
from collections.abc import Mapping

import msgspec
from markdown_it.token import Token

from app.lessons.markdown.markup import parse_markup
from app.lessons.markdown.parser import render_tokens
from app.lessons.markdown.references import find_references, point
from app.lessons.model.keys import IDENTIFIER
from app.lessons.texts.links import Links
from app.lessons.texts.resolving import make_resolver
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


class TermDraft(msgspec.Struct):
    """A term whose links are not resolved yet."""

    id: str
    name: dict[Lang, str]
    sorted_by: dict[Lang, tuple[str, ...]]
    tokens: dict[Lang, list[Token]]
    lesson: str | None
    table: Table


class Glossary(msgspec.Struct, frozen=True):
    """The terms by id, in the order of the file."""

    terms: Mapping[str, Term] = {}


def load_terms(reader: Reader) -> dict[str, TermDraft | None]:
    """Return the terms by id; None stands for a term that could not be read. A course need not have a glossary."""
    if not (reader.folder / FILE).exists():
        return {}
    toml = reader.read_toml(FILE, "the glossary")
    if toml is None:
        return {}
    return {term_id: _load_term(Table(reader, FILE, toml, (term_id,)), term_id) for term_id in toml.data}


def finish_glossary(reader: Reader, drafts: Mapping[str, TermDraft | None], links: Links) -> Glossary:
    """Return the finished glossary without the terms that have problems. All lessons must be read before: terms link to them."""
    terms = [_finish(reader, draft, links) for draft in drafts.values() if draft is not None]
    return Glossary({term.id: term for term in terms if term is not None})


def _load_term(table: Table, term_id: str) -> TermDraft | None:
    if not IDENTIFIER.fullmatch(term_id):
        table.report(f'"{term_id}" is not an id: expected small letters, digits and single hyphens')
    form: TermTable | None = table.read(TermTable)
    if form is None:
        return None
    tokens = {lang: _parse(table, words, lang, term_id) for lang, words in by_language(form.text).items()}
    name = by_language(form.name)
    sorted_by = {lang: _split(table, form.pinyin, text) for lang, text in name.items()}
    return TermDraft(term_id, name, sorted_by, tokens, form.lesson, table)


def _split(table: Table, pinyin: str, name: str) -> tuple[str, ...]:
    """Return the words of a name, with `pinyin` in place of its Chinese characters. Report if their numbers differ."""
    syllables, characters = pinyin.split(), CHARACTER.findall(name)
    if characters and len(syllables) != len(characters):
        table.report(f'pinyin: expected {len(characters)} syllables for "{name}", got {len(syllables)}', "pinyin")
        return (name,)
    left = iter(syllables)
    return tuple(WORD.findall(CHARACTER.sub(lambda _: f" {next(left)} ", name).casefold())) or (name,)


def _parse(table: Table, words: str, lang: Lang, term_id: str) -> list[Token]:
    report = table.reader.reporter(FILE, table.line("text", lang))
    tokens = parse_markup(words.strip(), lang, report, "exercise", f"{term_id}-")
    if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
        table.report(f'"{term_id}": expected one paragraph', "text", lang)
    return [token for token in tokens if token.type == "inline"][:1]


def _finish(reader: Reader, draft: TermDraft, links: Links) -> Term | None:
    with reader.section() as problems:
        if draft.lesson is not None and not links.knows(draft.lesson):
            draft.table.report(links.describe_unknown(draft.lesson), "lesson")
        for lang, tokens in draft.tokens.items():
            report = reader.reporter(FILE, draft.table.line("text", lang))
            point(find_references(tokens), make_resolver(links, "", lang, {}, report))
    if problems:
        return None
    html = {lang: render_tokens(tokens) for lang, tokens in draft.tokens.items()}
    return Term(id=draft.id, name=draft.name, sorted_by=draft.sorted_by, html=html, lesson=draft.lesson)
