"""Splits texts and queries into words: Chinese into single characters, names of the API into their parts.

`save_for_backward` becomes "save for backward", so that the parts are found, and as a phrase the whole. FTS5's tokenizer does the rest.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
QUERY_CHARACTERS = 4000  # the last of what is pasted: a traceback ends with the message
WORD_CHARACTERS = 32  # of a name; of Chinese, characters in a row
_CHINESE = re.compile(rf"[{HAN}]")
_AROUND_CHINESE = re.compile(rf"(?=[{HAN}])|(?<=[{HAN}])")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LETTERS = re.compile(r"[A-Za-z]+")
_WORD = re.compile(rf"[{HAN}]+|[^\W{HAN}]+(?:[._][^\W{HAN}]+)*".replace(r"[^\W", r"[^\W_"))
_DOTS = re.compile(r"[._]+")
_LATIN = re.compile(rf"[^\W_\d{HAN}][^\W_{HAN}]*")
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffd]")
# longer ones first
_STOP_CHINESE = re.compile(
    "为什么|的时候|怎么样|怎样|怎么|如何|什么|请问|哪里|哪儿|哪些|一个|可以|能否|区别|用法|的|了|吗|呢|是|和|与|或|在|我|你|要"
)
STOP_WORDS = frozenset(
    """a about after all am an and any are as at be been but by can cannot could did do does doing for from get getting give had has have
    how i if in into is it its me my of on or our s should so t than that the their them then there these they this to too us vs was we were
    what when where which who why will with would you your""".split()  # noqa: SIM905
)


class QueryWord(NamedTuple):
    """A word of a query, in lower case: of Chinese a run of characters, of a name all its parts with spaces between them.

    A name after a dot is one more word.
    """

    text: str
    is_chinese: bool = False


def split_text(text: str) -> str:
    """Return a text as it is indexed: with spaces around Chinese characters, and with names like `GradientTape` once more in parts."""
    humped = {word for word in _LETTERS.findall(text) if not (word[1:].islower() or word.isupper())}
    return f"{split_chinese(text)} {' '.join(_HUMP.sub(' ', word) for word in sorted(humped) if len(word) > 2)}"


def split_chinese(text: str) -> str:
    """Return a text with spaces around Chinese characters."""
    return _AROUND_CHINESE.sub(" ", text)


def list_latin_words(text: str) -> list[str]:
    """Return the words of a text that are not Chinese, in lower case."""
    return _LATIN.findall(text.lower())


def clean_query(query: str) -> str:
    """Return the end of a query without control characters and halves of characters; full-width letters become ordinary ones."""
    return unicodedata.normalize("NFKC", _UNREADABLE.sub(" ", query[-QUERY_CHARACTERS:])).strip()


def list_query_words(query: str) -> list[QueryWord]:
    """Return the words of a cleaned query without stop words, unless it has no others."""
    words = list(dict.fromkeys(_split_query(query)))
    telling = [QueryWord(part, True) for word in words if word.is_chinese for part in _STOP_CHINESE.split(word.text) if part]
    return [word for word in words if not word.is_chinese and word.text not in STOP_WORDS] + telling or words


def _split_query(query: str) -> Iterator[QueryWord]:
    for run in _WORD.findall(query):
        yield QueryWord(_DOTS.sub(" ", run).lower()[:WORD_CHARACTERS], is_chinese=_CHINESE.match(run) is not None)
        if "." in run:
            yield QueryWord(run.rpartition(".")[2].replace("_", " ").lower()[:WORD_CHARACTERS])
