"""What somebody typed or pasted, as words to be found."""

import re
from typing import NamedTuple

from app.search.words import MOST_WORDS, QueryWord, clean_query, list_query_words

_RAISED = re.compile(r"(?:^|\s)(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning): ")
MESSAGE_CHARACTERS = 400


class Query(NamedTuple):
    """A query. `text` is all of it that is used."""

    text: str
    words: list[QueryWord]


def parse_query(query: str) -> Query:
    """Return a query. Of what was pasted, the words are those of the last error's message, or of the end."""
    text = clean_query(query)
    raised = [*_RAISED.finditer(text)]
    part = text[raised[-1].start() :][:MESSAGE_CHARACTERS] if raised else text[-MESSAGE_CHARACTERS:]
    return Query(text, list_query_words(part)[:MOST_WORDS])
