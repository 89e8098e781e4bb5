"""The course has curly apostrophes and quotation marks in the prose of both languages. Code and formulas have straight ones."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.lessons.markdown.parser import OPEN_DIRECTIVE, parse_tokens, walk
from app.settings import PROJECT
from tests.one_test import in_one_test

COURSE = PROJECT / "lessons"
STRAIGHT = re.compile(r"""['"]""")
PROSE = ("text", "image")  # the alternative text of an image
FILES = [path for pattern in ("**/*.md", "*.toml", "*/chapter.toml", "*/*/lesson.toml") for path in sorted(COURSE.glob(pattern))]


def prose_of(markdown: str) -> Iterator[tuple[int, str]]:
    """Return the words of a text with their lines, without code and formulas. Of a directive, what follows its name counts."""
    for line, token, _ in walk(parse_tokens(markdown)):
        if token.type in PROSE:
            yield line, token.content
        elif token.type == OPEN_DIRECTIVE:
            yield line, token.info


def told_by(data: Any) -> Iterator[str]:
    """Return the texts of a TOML file in the reader's language, under the keys `en` and `zh-Hans`."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key in ("en", "zh-Hans"):
            yield from [value] if isinstance(value, str) else value
        else:
            yield from told_by(value)


def straight_in(path: Path) -> list[tuple[int, str]]:
    text = path.read_text(encoding="utf-8")
    markdown = [text] if path.suffix == ".md" else told_by(tomllib.loads(text))
    return [(line, words) for one in markdown for line, words in prose_of(one) if STRAIGHT.search(words)]


@in_one_test("path", FILES)
def test_quotation_marks_of_prose_are_curly(path: Path) -> None:
    assert straight_in(path) == []


def test_those_of_code_and_formulas_may_be_straight() -> None:
    assert list(prose_of("# It’s\n\n`x['a']` and $f'(x)$\n\n```\nprint('a')\n```\n")) == [(1, "It’s"), (3, " and ")]


def test_straight_ones_are_found_with_their_lines() -> None:
    text = "# A\n\nOne\npart's.\n\n:::{note} It's\n![a's](b.png)\n:::\n"
    assert [line for line, words in prose_of(text) if STRAIGHT.search(words)] == [4, 6, 7]
