"""Reads a text as a list of blocks, for comparing languages and for counting words."""

import re
from collections.abc import Iterator, Sequence

import msgspec
from markdown_it.token import Token

from app.lessons.markdown.directives import CALLOUT_TITLES, WRITTEN
from app.lessons.markdown.parser import CLOSE_DIRECTIVE, OPEN_DIRECTIVE, parse_tokens, walk

ASIDE = ("wrong", "answer")  # directives that not everybody reads
TRANSLATED = (*CALLOUT_TITLES, "answer")  # directives whose argument is words, not an id
LATIN = re.compile(r"[A-Za-z][A-Za-z'’-]*")
CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
END = "the end of "


class TextBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block of a text.

    - `mark` is the same in all languages: "##" for a heading, "{cell} exp" for a directive, "" for other blocks.
    - `source` is its Markdown. For a heading or a callout, that is the title.
    - `words` counts Latin words and pieces of code, `plain_words` only the Latin words, `characters` the Chinese characters.
    - `aside` is true in a directive that not everybody reads, such as {wrong}.
    """

    line: int
    mark: str = ""
    source: str = ""
    words: int = 0
    plain_words: int = 0
    characters: int = 0
    aside: bool = False


def read_blocks(text: str) -> list[TextBlock]:
    """Return the blocks in order; footnotes come last."""
    lines = text.split("\n")
    return list(_read(parse_tokens(text), lines))


def _read(tokens: list[Token], lines: Sequence[str]) -> Iterator[TextBlock]:
    around: list[str] = []
    heading = ""
    for line, token, _ in walk(tokens):
        aside = any(name in ASIDE for name in around)
        if token.type == OPEN_DIRECTIVE:
            name, argument = _directive(token)
            around.append(name)
            yield _count_title(line, name, argument)
        elif token.type == CLOSE_DIRECTIVE:
            yield TextBlock(line=line, mark=f"{END}{{{around.pop()}}}")
        elif token.type == "heading_open":
            heading = token.markup if token.markup.startswith("#") else token.tag
        elif token.type == "inline" and token.map:
            yield _count(token, line, "\n".join(lines[slice(*token.map)]), heading, aside=aside)
            heading = ""
        elif token.type in ("fence", "math_block") and token.map:
            yield TextBlock(line=line, source="\n".join(lines[slice(*token.map)]), aside=aside)


def _directive(token: Token) -> tuple[str, str]:
    match = WRITTEN.fullmatch(token.info)
    return (match[1], match[2]) if match else ("", token.info)


def _count_title(line: int, name: str, argument: str) -> TextBlock:
    if name not in TRANSLATED:
        return TextBlock(line=line, mark=f"{{{name}}} {argument}".strip())
    words = len(LATIN.findall(argument))
    return TextBlock(
        line=line, mark=f"{{{name}}}", source=argument, words=words, plain_words=words, characters=len(CHINESE.findall(argument))
    )


def _count(token: Token, line: int, source: str, mark: str, *, aside: bool) -> TextBlock:
    children = token.children or ()
    plain = " ".join(child.content for child in children if child.type == "text")
    words = len(LATIN.findall(plain))
    code = sum(child.type == "code_inline" for child in children)
    characters = len(CHINESE.findall(plain))
    return TextBlock(line=line, mark=mark, source=source, words=words + code, plain_words=words, characters=characters, aside=aside)
