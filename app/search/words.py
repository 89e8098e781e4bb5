"""Splits texts into words: Chinese into single characters, names of the API into their parts.

FTS5's tokenizer splits `save_for_backward` into "save for backward", so that its parts are found, and the whole as a phrase.
"""

import re

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
