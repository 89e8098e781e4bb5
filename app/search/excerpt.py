"""The part of a place's text in which words were found, with these words marked."""

import re
from collections.abc import Iterable

import msgspec

from app.search.called import strip_ending

EXCERPT_CHARACTERS = 140
BEFORE = 40  # characters before the first match


class ExcerptPart(msgspec.Struct, frozen=True):
    """A part of an excerpt. `match` is true for a word that was searched for."""

    text: str
    match: bool


def make_excerpt(text: str, forms: Iterable[str]) -> list[ExcerptPart]:
    """Return the excerpt around the first of the words that the text has, or else its beginning. `forms` are words as texts have them."""
    pattern = _make_pattern(forms)
    first = pattern.search(text) if pattern else None
    start = _begin(text, max(0, first.start() - BEFORE)) if first else 0
    cut = text[start : start + EXCERPT_CHARACTERS]
    shown = f"{'…' if start else ''}{cut}{'…' if start + len(cut) < len(text) else ''}"
    parts, end = [], 0
    for match in pattern.finditer(shown) if pattern else ():
        parts += [ExcerptPart(shown[end : match.start()], False), ExcerptPart(match[0], True)]
        end = match.end()
    return [part for part in (*parts, ExcerptPart(shown[end:], False)) if part.text]


def _begin(text: str, start: int) -> int:
    """Return where the word at `start` begins, if that is near."""
    space = text.rfind(" ", max(0, start - 15), start + 1) if start else -1
    return space + 1 if space >= 0 else start


def _make_pattern(forms: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern of plain words: what learners type stands in it escaped."""
    words = sorted({form for form in forms if form}, key=len, reverse=True)
    return re.compile("|".join(map(_match_form, words)), re.IGNORECASE) if words else None


def _match_form(form: str) -> str:
    if not form.isascii():
        return re.escape(form)
    stem = form if " " in form else strip_ending(form)
    return rf"(?<![^\W_]){'[._ ]'.join(map(re.escape, stem.split()))}[^\W_]*"
