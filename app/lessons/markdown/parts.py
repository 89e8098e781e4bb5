"""Splits a text into pieces: its directives, and the prose between them."""

from collections.abc import Sequence

import msgspec
from markdown_it.token import Token


class Part(msgspec.Struct):
    """A directive with its argument. `tokens` is the prose in it, and `parts` are the directives in it."""

    name: str
    line: int
    argument: str = ""
    tokens: list[Token] = []
    parts: list["Part"] = []


Piece = Part | list[Token]


def take_apart(tokens: Sequence[Token]) -> list[Piece]:
    """Return the pieces of a text in order."""
    pieces: list[Piece] = []
    prose: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type not in ("place", "part_open"):
            prose.append(token)
            index += 1
            continue
        if prose:
            pieces.append(prose)
            prose = []
        end = index if token.type == "place" else _find_end(tokens, index)
        inside = take_apart(tokens[index + 1 : end])
        pieces.append(_make_part(token, inside))
        index = end + 1
    return [*pieces, prose] if prose else pieces


def parts_of(pieces: Sequence[Piece]) -> list[Part]:
    return [piece for piece in pieces if isinstance(piece, Part)]


def prose_of(pieces: Sequence[Piece]) -> list[Token]:
    """Return the tokens of all prose among the pieces."""
    return [token for piece in pieces if isinstance(piece, list) for token in piece]


def _make_part(token: Token, inside: Sequence[Piece]) -> Part:
    line = token.map[0] + 1 if token.map else 1
    return Part(token.meta["directive"], line, token.info, prose_of(inside), parts_of(inside))


def _find_end(tokens: Sequence[Token], begin: int) -> int:
    depth = 0
    for index in range(begin, len(tokens)):
        depth += (tokens[index].type == "part_open") - (tokens[index].type == "part_close")
        if depth == 0:
            return index
    return len(tokens)
