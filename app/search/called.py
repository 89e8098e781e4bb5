"""Measures how much of a place's title or term was searched for: all of "Jacobian", but only a part of "numerical Jacobian"."""

import re
from collections.abc import Iterable

from app.search.place import FindablePlace
from app.search.query import STOP_WORDS
from app.search.words import HAN

_BETWEEN_TERMS = re.compile(r"[,，、;；（）()·]")
_PART = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")
_ENDING = re.compile(r"(?:ings?|ed|es|s|e|ations?|ions?)$")


def list_parts(text: str) -> frozenset[str]:
    """Return the parts of the words in a text, without endings and stop words. For Chinese, these are the characters."""
    return frozenset(strip_ending(part) for part in _PART.findall(text.lower()) if part not in STOP_WORDS)


def strip_ending(word: str) -> str:
    """Return an English word without its ending, so that "freezing" equals "freeze"."""
    return _ENDING.sub("", word) if len(word) > 4 else word


def list_calls(place: FindablePlace) -> list[frozenset[str]]:
    """Return the parts of each of the place's terms, and of its title, in all languages."""
    texts = place.texts.values()
    calls = {call for text in texts for call in (text.title, *_BETWEEN_TERMS.split(text.term))}
    return [parts for parts in map(list_parts, calls) if parts]


def share_called(calls: Iterable[frozenset[str]], searched: frozenset[str]) -> float:
    """Return the largest share of a term or title that was searched for, from 0 to 1."""
    return max((len(parts & searched) / len(parts) for parts in calls), default=0.0)
