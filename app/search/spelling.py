"""Corrects a word with a single misspelt letter, by a word of the index."""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase

SHORTEST = 4  # letters: of shorter words, too many are one letter apart
LONGEST = 40


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
