"""The part of a place's text in which words were found, with these words marked."""

import re
from collections.abc import Iterable

import msgspec

from app.search.called import strip_ending

EXCERPT_CHARACTERS = 140
BEFORE = 40  # characters before the first match
LONGEST_CUT = 15  # characters of a word that is left out rather than cut
_AFTER_CHINESE_SIGN = re.compile(r"(?<=[。，、：；？！”）])\s+")


class ExcerptPart(msgspec.Struct, frozen=True):
    """A part of an excerpt. `match` is true for a word that was searched for."""

    text: str
    match: bool


def make_excerpt(text: str, forms: Iterable[str]) -> list[ExcerptPart]:
    """Return the excerpt around the first of the words in the text, or else the text's beginning.

    `forms` are the words as texts have them.
    """
    text = _AFTER_CHINESE_SIGN.sub("", text)
    pattern = _make_pattern(forms)
    first = pattern.search(text) if pattern else None
    start = _move_to_space(text, first.start() - BEFORE) if first and first.start() > BEFORE else 0
    end = _move_to_space(text, start + EXCERPT_CHARACTERS) if start + EXCERPT_CHARACTERS < len(text) else len(text)
    shown = f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"
    parts, done = [], 0
    for match in pattern.finditer(shown) if pattern else ():
        parts += [ExcerptPart(shown[done : match.start()], False), ExcerptPart(match[0], True)]
        done = match.end()
    return [part for part in (*parts, ExcerptPart(shown[done:], False)) if part.text]


def _move_to_space(text: str, place: int) -> int:
    """Return the place of the last space shortly before `place`, or `place` if there is none, as in Chinese."""
    space = text.rfind(" ", place - LONGEST_CUT, place + 1)
    return space if space >= 0 else place


def _make_pattern(forms: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that matches these words, in which everything that a learner typed is escaped."""
    words = sorted({form for form in forms if form}, key=len, reverse=True)
    return re.compile("|".join(map(_match_form, words)), re.IGNORECASE) if words else None


def _match_form(form: str) -> str:
    if not form.isascii():
        return re.escape(form)
    stem = form if " " in form else strip_ending(form)
    return rf"(?<![^\W_]){'[._ ]'.join(map(re.escape, stem.split()))}[^\W_]*"
