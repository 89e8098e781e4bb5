"""Python source as coloured HTML, for reading before (or without) the editor. The classes are the editor's."""

import io
import keyword
import token
import tokenize
from collections.abc import Iterator
from html import escape

Span = tuple[tuple[int, int], tuple[int, int], str]  # start and end as (line from 1, column), and a class

STRINGS = (token.STRING, tokenize.FSTRING_START, tokenize.FSTRING_MIDDLE, tokenize.FSTRING_END) if hasattr(token, "FSTRING_START") else (token.STRING,)
LITERALS = ("True", "False", "None")


def render_lines(source: str) -> list[str]:
    """The lines of `source` as HTML, without their line ends. Source that does not tokenize is coloured up to there."""
    lines = source.rstrip("\n").split("\n")
    spans: list[list[tuple[int, int, str]]] = [[] for _ in lines]
    for (first, start), (last, end), kind in find_spans(source):
        for number in range(first, min(last, len(lines)) + 1):
            left = start if number == first else 0
            right = end if number == last else len(lines[number - 1])
            spans[number - 1].append((left, right, kind))
    return [render_line(line, marked) for line, marked in zip(lines, spans, strict=True)]


def render_line(line: str, spans: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, kind in spans:
        parts.append(escape(line[at:start], quote=False))
        parts.append(f'<span class="{kind}">{escape(line[start:end], quote=False)}</span>')
        at = end
    return "".join(parts) + escape(line[at:], quote=False)


def find_spans(source: str) -> Iterator[Span]:
    previous = ""
    try:
        for found in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = classify(found, previous)
            if kind and found.string:
                yield found.start, found.end, kind
            if found.type not in (token.NL, token.COMMENT):
                previous = found.string
    except (tokenize.TokenError, SyntaxError):
        return


def classify(found: tokenize.TokenInfo, previous: str) -> str | None:
    """k keyword, d defined name, a decorator, n number or constant, s string, c comment."""
    if found.type == token.COMMENT:
        return "c"
    if found.type in STRINGS:
        return "s"
    if found.type == token.NUMBER or found.string in LITERALS:
        return "n"
    if previous in ("def", "class"):
        return "d"
    if found.string == "@" and found.line.lstrip().startswith("@"):
        return "a"
    if previous == "@" and found.line.lstrip().startswith("@"):
        return "a"
    return "k" if keyword.iskeyword(found.string) else None
