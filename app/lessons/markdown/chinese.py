"""Joins the lines of Chinese paragraphs without a space: a line end in the source is no space on the page."""

import unicodedata
from collections.abc import Sequence

from markdown_it.token import Token

PUNCTUATION = frozenset("“”‘’…—·")  # punctuation that is as wide as a Chinese character, although Unicode says otherwise


def join_lines(children: Sequence[Token]) -> None:
    """Mark the soft line breaks between two Chinese characters as `joined`."""
    for index, child in enumerate(children):
        if child.type == "softbreak":
            before = next((other.content[-1] for other in reversed(children[:index]) if other.content), "")
            after = next((other.content[0] for other in children[index + 1 :] if other.content), "")
            child.meta["joined"] = _is_chinese(before) and _is_chinese(after)


def _is_chinese(character: str) -> bool:
    return character in PUNCTUATION or (character != "" and unicodedata.east_asian_width(character) in ("W", "F"))
