"""What somebody typed or pasted, as words to be found."""

import re
from itertools import accumulate
from typing import NamedTuple

from app.search.words import QueryWord, clean_query, list_query_words

_RAISED = re.compile(r"(?:^|\s)(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning): ")
MESSAGE_CHARACTERS = 400
MOST_LOOKUPS = 32  # of a query: one for a word, of Chinese one for each character


class Query(NamedTuple):
    """A query. `text` is all of it that is used."""

    text: str
    words: list[QueryWord]


def parse_query(query: str) -> Query:
    """Return a query. Of what was pasted, the words are those of the last error's message, or of the end."""
    text = clean_query(query)
    raised = [*_RAISED.finditer(text)]
    part = text[raised[-1].start() :][:MESSAGE_CHARACTERS] if raised else text[-MESSAGE_CHARACTERS:]
    words = list_query_words(part)
    lookups = accumulate(len(word.text) if word.is_chinese else 1 for word in words)
    return Query(text, [word for word, looked_up in zip(words, lookups, strict=True) if looked_up <= MOST_LOOKUPS])
