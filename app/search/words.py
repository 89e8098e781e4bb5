"""Splits texts into words: Chinese into single characters, names of the API into their parts. Corrects a misspelt word.

FTS5's tokenizer splits `save_for_backward` into "save for backward", so that its parts are found, and the whole as a phrase.
"""

import re
from collections.abc import Iterator, Mapping
from string import ascii_lowercase

SHORTEST = 4  # letters of a word that is corrected: of shorter words, too many are one letter apart
LONGEST = 40
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_AROUND_CHINESE = re.compile(rf"(?=[{HAN}])|(?<=[{HAN}])")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LETTERS = re.compile(r"[A-Za-z]+")
_LATIN = re.compile(rf"[^\W_\d{HAN}][^\W_{HAN}]*")


def split_text(text: str) -> str:
    """Return a text as it is indexed: with spaces around Chinese characters, and with the parts of names like `GradientTape` appended."""
    humped = {word for word in _LETTERS.findall(text) if len(word) > 2 and not (word[1:].islower() or word.isupper())}
    return f"{split_chinese(text)} {' '.join(_HUMP.sub(' ', word) for word in sorted(humped))}"


def split_chinese(text: str) -> str:
    """Return a text with spaces around Chinese characters."""
    return _AROUND_CHINESE.sub(" ", text)


def list_latin_words(text: str) -> list[str]:
    """Return the words of a text that are not Chinese, in lower case."""
    return _LATIN.findall(text.lower())


def mend(word: str, counts: Mapping[str, int]) -> str | None:
    """Return the most frequent word that differs from `word` in one letter, or by two neighbours swapped; None if there is none.

    `counts`: how often each word occurs.
    """
    if not SHORTEST <= len(word) <= LONGEST:
        return None
    return max(filter(counts.__contains__, _list_edits(word)), key=counts.__getitem__, default=None)


def _list_edits(word: str) -> Iterator[str]:
    """Yield all words that are one edit away, after Peter Norvig's "How to Write a Spelling Corrector"."""
    for start, end in ((word[:place], word[place:]) for place in range(len(word) + 1)):
        yield start + end[1:]
        if len(end) > 1:
            yield start + end[1] + end[0] + end[2:]
        for letter in ascii_lowercase:
            yield start + letter + end[1:]
            yield start + letter + end
