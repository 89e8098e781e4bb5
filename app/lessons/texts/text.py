"""A lesson's text in one language: title, lede, sections, and the cells and other parts that it places.

A text is read in two steps, because all languages use the names of the English sections. `parse_text` makes a draft. `finish_text` names
the draft's sections and renders it.
"""

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from markdown_it.token import Token

from app.lessons.markdown.directives import Report
from app.lessons.markdown.markup import parse_markup
from app.lessons.markdown.parser import MATHS, parse_tokens, render_tokens
from app.lessons.markdown.parts import Part, Piece, parts_of, take_apart
from app.lessons.model.model import Block, CellPlace, ColumnsPlace, ExercisePlace, LessonText, PredictionPlace, Prose, RulePlace, TryPlace
from app.lessons.texts.references import SECTION_PREFIX, References
from app.lessons.toml.source import Reader
from app.protocol.run import Lang

DEEPEST = 3
COLUMNS = (2, 3)
PLACES: dict[str, type[CellPlace | ExercisePlace | PredictionPlace]] = {
    "cell": CellPlace,
    "exercise": ExercisePlace,
    "predict": PredictionPlace,
}  # of directives that only name a part of the page
TITLE_TOKENS = ("text", "code_inline", "em_open", "em_close", "strong_open", "strong_close")


class Section(NamedTuple):
    """A heading below the title. `token` is the heading's first token."""

    line: int
    level: int
    words: str
    token: Token


class Draft(NamedTuple):
    """A parsed text whose sections have no names yet. `pieces` follow the lede."""

    title: Token
    lede: Token
    pieces: list[Piece]
    sections: list[Section]

    def parts(self, name: str) -> list[Part]:
        """Return the directives called `name`, in order."""
        return [one for part in parts_of(self.pieces) for one in (part, *part.parts) if one.name == name]


def parse_text(text: str, lang: Lang, references: References, report: Report) -> Draft | None:
    """Return the parsed text, or None if it does not begin with a title and a lede. Problems are reported."""
    tokens = parse_markup(text, lang, report)
    wrong = _find_wrong_start(tokens)
    if wrong is not None:
        report(wrong, "expected a title, # …, and then a paragraph, the lede")
        return None
    title, lede = tokens[1], tokens[4]
    check_title(title, report)
    if any(child.type == "footnote_ref" for child in lede.children or ()):
        report(lede.map[0] + 1 if lede.map else 1, "a footnote belongs below the lede, which the map shows too")
    references.point(tokens, report)
    pieces = take_apart(tokens[6:])
    _check_columns(parts_of(pieces), report)
    return Draft(title, lede, pieces, _find_sections(tokens[6:], report))


def finish_text(draft: Draft, names: Sequence[str]) -> LessonText:
    """Return the rendered text. `names` are the names of its sections in order."""
    for section, name in zip(draft.sections, names, strict=False):
        section.token.attrs["id"] = SECTION_PREFIX + name
    return LessonText(
        title=plain_words(draft.title),
        title_html=render_tokens([draft.title]),
        lede_html=render_tokens([draft.lede]),
        summary=plain_words(draft.lede),
        blocks=tuple(_make_block(piece) for piece in draft.pieces),
    )


def read_section_names(folder: Path, lesson: str) -> tuple[str, ...] | None:
    """Return the names of the sections of a lesson, or None if its English text cannot be read. Reports no problems."""
    text = Reader(folder).read(f"{lesson}/en.md", "the English text")
    tokens = parse_tokens(text or "")
    if _find_wrong_start(tokens) is not None:
        return None
    return name_sections(_find_sections(tokens[6:], lambda line, message: None))


def plain_words(inline: Token) -> str:
    """Return the text of an inline token without markup. A formula becomes its LaTeX without backslashes."""
    words = []
    for child in inline.children or ():
        if child.type in MATHS:
            words.append(child.content.replace("\\", ""))
        elif child.type in ("softbreak", "hardbreak"):
            words.append("" if child.meta.get("joined") else " ")
        else:
            words.append(child.content)
    return " ".join("".join(words).split())


def name_sections(sections: Sequence[Section]) -> tuple[str, ...]:
    """Return a unique name for each section, which addresses use: the heading's words in lower case, joined by hyphens."""
    names: list[str] = []
    for section in sections:
        base = name = "-".join(re.findall(r"[^\W_]+", section.words.lower())) or "part"
        number = 2
        while name in names:
            name, number = f"{base}-{number}", number + 1
        names.append(name)
    return tuple(names)


def _find_wrong_start(tokens: Sequence[Token]) -> int | None:
    """Return None if a text begins with a title and a lede, else the line of the first block that is neither."""
    for index, (kind, tag) in {0: ("heading_open", "h1"), 3: ("paragraph_open", "p")}.items():
        if index >= len(tokens):
            return 1
        token = tokens[index]
        if (token.type, token.tag) != (kind, tag):
            return token.map[0] + 1 if token.map else 1
    return None


def check_title(title: Token, report: Report) -> None:
    """Report a title of a lesson or an exercise that has, for example, a link or a formula."""
    if any(child.type not in TITLE_TOKENS for child in title.children or ()):
        report(title.map[0] + 1 if title.map else 1, "a title is plain words and code: it also names the browser's tab")


def _find_sections(tokens: Sequence[Token], report: Report) -> list[Section]:
    sections: list[Section] = []
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open":
            line = heading.map[0] + 1 if heading.map else 1
            section = Section(line, int(heading.tag[1:]), plain_words(inline), heading)
            _check_section(section, sections, report)
            sections.append(section)
    return sections


def _check_section(section: Section, before: Sequence[Section], report: Report) -> None:
    deepest = min(DEEPEST, (before[-1].level if before else 1) + 1)
    if section.token.level:
        report(section.line, "a heading stands alone: not in a list, a quotation or a directive")
    elif not 2 <= section.level <= deepest:
        expected = " or ".join("#" * level for level in range(2, deepest + 1))
        report(section.line, f'expected {expected} before "{section.words}", got {"#" * section.level}')


def _check_columns(parts: Sequence[Part], report: Report) -> None:
    for part in parts:
        if part.name == "columns" and (part.tokens or len(part.parts) not in COLUMNS):
            report(part.line, f"expected two or three cells in {{columns}}, and nothing else, got {len(part.parts)}")


def _make_block(piece: Piece) -> Block:
    if not isinstance(piece, Part):
        return Prose(render_tokens(piece))
    if piece.name in PLACES:
        return PLACES[piece.name](piece.argument)
    if piece.name == "columns":
        return ColumnsPlace(tuple(part.argument for part in piece.parts))
    if piece.name == "try":
        first = _end_of_first(piece.tokens)
        return TryPlace(piece.argument, render_tokens(piece.tokens[:first]), render_tokens(piece.tokens[first:]))
    return RulePlace(render_tokens(piece.tokens))


def _end_of_first(tokens: Sequence[Token]) -> int:
    """Return the number of tokens in the first block."""
    depths = accumulate(token.nesting for token in tokens)
    return next((index for index, depth in enumerate(depths, 1) if depth == 0), len(tokens))
