"""Finds the pitfalls that explain an error, from what a reader pastes: the message, with or without its traceback."""

import re
from collections.abc import Iterable, Iterator

from app.pitfalls.pitfall import Pitfall

PASTED_CHARACTERS = 4000  # how much of the end is read: a traceback ends with the message
_MOST_RAISED = 10  # the most beginnings of a message that are tried: parts of a message may look like one, too
_RAISED = re.compile(r"(?:^|(?<=\s))(?:[^\W\d]\w*\.)*([^\W\d]\w*): ")  # a field with a single line has a space in place of each line break


def find_explaining(text: str, pitfalls: Iterable[Pitfall]) -> dict[str, float]:
    """Return the codes of the pitfalls that may explain the error, with numbers from 0.5 to 1 (see `Pitfall.may_explain`)."""
    messages = [*_list_messages(text.strip()[-PASTED_CHARACTERS:])]
    fits = {pitfall.code: max(pitfall.may_explain(kind, message) for kind, message in messages) for pitfall in pitfalls}
    return {code: fit for code, fit in fits.items() if fit}


def _list_messages(text: str) -> Iterator[tuple[str, str]]:
    """Yield the type and the message of each error that the text may end with, and the whole text as a message without a type."""
    yield "", text
    for raised in [*_RAISED.finditer(text)][-_MOST_RAISED:]:
        yield raised[1], text[raised.end() :].strip()
