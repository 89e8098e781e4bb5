"""Finds pitfalls by what a reader pastes or types: the message of an error, with or without its traceback, or words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from app.pitfalls.pattern import TEXT_CHARACTERS
from app.pitfalls.pitfall import Pitfall
from app.protocol.run import Lang

PASTED_CHARACTERS = 4000  # the last of what is pasted: a traceback ends with the message
_MOST_RAISED = 5  # lines that look like the beginning of a message: lines of the message may, too
_RAISED = re.compile(r"^(?:[^\W\d]\w*\.)*([^\W\d]\w*): ", re.MULTILINE)


class FoundPitfalls(NamedTuple):
    """`explaining`: pitfalls that may explain an error with the message that was pasted. `mentioning`: others that have all its words."""

    explaining: list[Pitfall]
    mentioning: list[Pitfall]


def search_pitfalls(text: str, pitfalls: Iterable[Pitfall], lang: Lang) -> FoundPitfalls:
    """Find pitfalls. What only the program could show of an error, such as the line that raised it, is taken to fit."""
    text = text.strip()[-PASTED_CHARACTERS:]
    messages = [*_list_messages(text)]
    words = text[:TEXT_CHARACTERS].casefold().split()
    found = FoundPitfalls([], [])
    for pitfall in pitfalls:
        if any(pitfall.may_explain(kind, message) for kind, message in messages):
            found.explaining.append(pitfall)
        elif _mentions(pitfall, words, lang):
            found.mentioning.append(pitfall)
    return found


def _list_messages(text: str) -> Iterator[tuple[str, str]]:
    """Yield the type and the message of each error that the text may end with, and the whole text as a message without a type."""
    yield "", text
    for raised in [*_RAISED.finditer(text)][-_MOST_RAISED:]:
        yield raised[1], text[raised.end() :].strip()


def _mentions(pitfall: Pitfall, words: Sequence[str], lang: Lang) -> bool:
    """Return whether the pitfall contains every word, each also as a part of a longer one. Without words it does not."""
    texts = [pitfall.code, *(texts.get(lang, "") for texts in (pitfall.name, pitfall.message, pitfall.change))]
    texts += [f"{when.type}: {pattern.shown}" for when in pitfall.when for pattern in when.messages]
    text = "\n".join(texts).casefold()
    return bool(words) and all(word in text for word in words)
