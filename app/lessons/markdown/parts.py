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
    opened: list[Token] = []
    pieces: list[list[Piece]] = [[]]  # of the text, and of each directive that is open
    for token in tokens:
        if token.type == "part_open":
            opened.append(token)
            pieces.append([])
        elif token.type == "part_close":
            inside = pieces.pop()
            pieces[-1].append(_make_part(opened.pop(), inside))
        elif token.type == "place":
            pieces[-1].append(_make_part(token, []))
        elif pieces[-1] and isinstance(prose := pieces[-1][-1], list):
            prose.append(token)
        else:
            pieces[-1].append([token])
    return pieces[0]


def parts_of(pieces: Sequence[Piece]) -> list[Part]:
    return [piece for piece in pieces if isinstance(piece, Part)]


def prose_of(pieces: Sequence[Piece]) -> list[Token]:
    """Return the tokens of all prose among the pieces."""
    return [token for piece in pieces if isinstance(piece, list) for token in piece]


def _make_part(token: Token, inside: Sequence[Piece]) -> Part:
    line = token.map[0] + 1 if token.map else 1
    return Part(token.meta["directive"], line, token.info, prose_of(inside), parts_of(inside))
