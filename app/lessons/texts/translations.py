"""Reads texts as lists of blocks, and compares the languages: finds Chinese blocks whose English has changed since they were written.

The file translation.toml records which Chinese block translates which English block.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from markdown_it.token import Token

from app.lessons.markdown.directives import CALLOUT_TITLES, WRITTEN
from app.lessons.markdown.parser import CLOSE_DIRECTIVE, OPEN_DIRECTIVE, parse_tokens, walk
from app.lessons.toml.source import Reader

FILE = "translation.toml"
HEAD = "# Which Chinese block was written for which English one. `gradroom lessons check --record` writes this file.\n"
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


Pair = tuple[Sequence[TextBlock], Sequence[TextBlock]]


def find_structure_faults(english: Sequence[TextBlock], other: Sequence[TextBlock]) -> Iterator[tuple[int, str]]:
    """Yield the line and a message for the first heading or directive in which a translation differs from the English text."""
    expected, got = [block for block in english if block.mark], [block for block in other if block.mark]
    for model, block in zip(expected, got, strict=False):
        if model.mark != block.mark:
            yield block.line, f"expected {model.mark} as at en.md:{model.line}, got {block.mark}"
            return
    if len(expected) > len(got):
        missing = expected[len(got)]
        yield other[-1].line if other else 1, f"expected {missing.mark} as at en.md:{missing.line}, but the text ends"
    elif len(got) > len(expected):
        yield got[len(expected)].line, f"{got[len(expected)].mark} is not in en.md"


def find_stale(reader: Reader, folder: str) -> Iterator[tuple[int, str]]:
    """Yield the line and a message for each Chinese block whose English block has changed since the translation."""
    if not (reader.folder / folder / FILE).exists():
        return
    toml = reader.read_toml(f"{folder}/{FILE}", "what was translated")
    known = {zh: str(hashes).split() for zh, hashes in (toml.data if toml else {}).items()}
    for english, chinese in _pairs(reader, folder):
        written_for = known.get(_hash(chinese))
        if written_for is not None and _hash(english) not in written_for and chinese:
            line = english[0].line if english else 1
            yield chinese[0].line, f"the English paragraph at en.md:{line} changed since this was written"


def record_translations(folder: Path, lesson: str) -> list[str]:
    """Record that the Chinese texts of a lesson and its exercises match the English texts. Return the files that were written."""
    changed: list[str] = []
    for place in text_folders(folder, lesson):
        pairs = _pairs(Reader(folder), place)
        recorded: dict[str, list[str]] = {}
        for english, chinese in pairs:
            hashes = recorded.setdefault(_hash(chinese), [])
            if _hash(english) not in hashes:
                hashes.append(_hash(english))
        text = HEAD + "".join(f'{chinese} = "{" ".join(english)}"\n' for chinese, english in recorded.items())
        path = folder / place / FILE
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(f"{place}/{FILE}")
    return changed


def text_folders(folder: Path, lesson: str) -> list[str]:
    """Return the folders with a lesson's texts: the lesson's own, and one for each exercise."""
    exercises = sorted(path.parent.name for path in (folder / lesson / "exercises").glob("*/exercise.toml"))
    return [lesson, *(f"{lesson}/exercises/{name}" for name in exercises)]


def _pairs(reader: Reader, folder: str) -> list[Pair]:
    texts = [reader.read(f"{folder}/{lang}.md", "a text") for lang in ("en", "zh-Hans")]
    return list(pair_blocks(*(read_blocks(text or "") for text in texts)))


def pair_blocks(english: Sequence[TextBlock], chinese: Sequence[TextBlock]) -> Iterator[Pair]:
    """Yield English blocks with the Chinese blocks that translate them.

    Headings and directives, which have a mark, are paired in order. Between two marks, blocks are paired one by one if both languages
    have as many; otherwise all of them make one pair.
    """
    for one, other in zip(_split(english), _split(chinese), strict=False):
        if len(one) == len(other):
            yield from (([first], [second]) for first, second in zip(one, other, strict=True) if first.source or second.source)
        elif one or other:
            yield one, other


def _split(blocks: Sequence[TextBlock]) -> list[list[TextBlock]]:
    """Return runs of blocks without a mark. Each block with a mark is a run of its own."""
    runs: list[list[TextBlock]] = [[]]
    for block in blocks:
        if block.mark:
            runs += [[block], []]
        else:
            runs[-1].append(block)
    return runs


def _hash(blocks: Sequence[TextBlock]) -> str:
    words = " ".join(" ".join(block.source.split()) for block in blocks)
    return hashlib.sha256(words.encode()).hexdigest()[:10]


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
