"""What somebody typed or pasted, as words to be found."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from app.pitfalls.pitfall_search import PASTED_CHARACTERS
from app.search.words import HAN

MESSAGE_CHARACTERS = 400  # the end of a query that is searched for words
WORD_CHARACTERS = 32  # the longest name, and the longest run of Chinese characters
MOST_LOOKUPS = 24  # the most look-ups of a query: one for a word, or one for each Chinese character
_PIECE_CHARACTERS = 200
_RAISED = re.compile(r"(?:^|\s)(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning): ")
_WORD = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:[._][^\W_{HAN}]+)*")
_CHINESE = re.compile(rf"[{HAN}]")
_VARIABLE = re.compile(r"^[a-z]\.", re.IGNORECASE)  # in "x.grad", only "grad" matters
_DOTS = re.compile(r"[._]+")
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffd]")
# longer ones first
_STOP_CHINESE = re.compile(
    "为什么|的时候|怎么样|怎样|怎么|如何|什么|请问|哪里|哪儿|哪些|一个|可以|能否|区别|用法|的|了|吗|呢|是|和|与|或|在|我|你|要"
)
STOP_WORDS = frozenset(
    """a about after all am an and any are as at be been but by can cannot could did do does doing for from get getting give had has have
    how i if in into is it its make me my need no not of on or our s should so t than that the their them then there these they this to too
    us use used using vs want was we were what when where which who why will with work works would you your""".split()  # noqa: SIM905
)


class QueryWord(NamedTuple):
    """A word of a query, in lower case: a run of Chinese characters, or a name with its parts separated by spaces.

    The part of a name after a dot is a word, too, and so is a pair of neighbours, such as "zero grad", which is looked up only as a whole.
    """

    text: str
    is_chinese: bool = False
    is_pair: bool = False


class Query(NamedTuple):
    """A query. `text` is the part of it that is used."""

    text: str
    words: list[QueryWord]


def parse_query(query: str) -> Query:
    """Return a query. For a pasted text, the words are those of the last error's message, or of the end of the text."""
    text = _clean(query)
    raised = [*_RAISED.finditer(text)]
    words = _list_words(text[raised[-1].start() :][:MESSAGE_CHARACTERS] if raised else text[-MESSAGE_CHARACTERS:])
    lookups = accumulate(len(word.text) if word.is_chinese else 1 for word in words)
    return Query(text, [word for word, looked_up in zip(words, lookups, strict=True) if looked_up <= MOST_LOOKUPS])


def _clean(query: str) -> str:
    """Return the end of a query without control characters and halves of characters, and with ordinary letters for full-width ones."""
    text = _UNREADABLE.sub(" ", query[-PASTED_CHARACTERS:])
    # in pieces, because the time that this takes grows with the square of the number of accents in a row
    pieces = (text[start : start + _PIECE_CHARACTERS] for start in range(0, len(text), _PIECE_CHARACTERS))
    return "".join(unicodedata.normalize("NFKC", piece) for piece in pieces).strip()[-PASTED_CHARACTERS:]


def _list_words(text: str) -> list[QueryWord]:
    """Return the words without stop words, unless there are no others."""
    words = list(_split(text))
    chinese = [QueryWord(part, is_chinese=True) for word in words if word.is_chinese for part in _STOP_CHINESE.split(word.text) if part]
    latin = [word for word in words if not word.is_chinese and word.text not in STOP_WORDS]
    pairs = [
        QueryWord(f"{word.text} {following.text}", is_pair=True) for word, following in pairwise(words) if {word, following} <= set(latin)
    ]
    return list(dict.fromkeys([*latin, *chinese, *pairs] or words))


def _split(text: str) -> Iterator[QueryWord]:
    for run in _WORD.findall(text):
        run = _VARIABLE.sub("", run)
        yield QueryWord(_DOTS.sub(" ", run).lower()[:WORD_CHARACTERS], is_chinese=_CHINESE.match(run) is not None)
        if "." in run:
            yield QueryWord(run.rpartition(".")[2].replace("_", " ").lower()[:WORD_CHARACTERS])
