"""The index of all places: a table of SQLite's FTS5 in memory, with a row for each place and a column for each kind of its words.

The text of a query never becomes FTS5's syntax: each phrase is made of words alone, in quotation marks.
"""

import heapq
import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import islice, takewhile
from math import log
from typing import NamedTuple

from app.lessons.model.model import LANGS
from app.protocol.run import Lang
from app.search.called import list_calls
from app.search.place import FindablePlace, PlaceText
from app.search.query import QueryWord
from app.search.words import list_latin_words, mend, split_chinese, split_text

# how much a word counts in each column of the page's language
WEIGHTS = {"term": 12.0, "title": 8.0, "lead": 4.0, "headings": 3.0, "text": 1.0, "hidden": 1.0}
OTHER_LANGUAGE = 0.3  # the factor for columns of the other language
NAMES_WEIGHT, CODE_WEIGHT = 8.0, 0.3
COLUMN_WEIGHTS: dict[Lang, list[float]] = {
    lang: [
        *(weight * (1.0 if one == lang else OTHER_LANGUAGE) for one in LANGS for weight in WEIGHTS.values()),
        NAMES_WEIGHT,
        CODE_WEIGHT,
    ]
    for lang in LANGS
}
COLUMNS = [f"{field}_{lang[:2]}" for lang in LANGS for field in WEIGHTS]
# the factors for a word that is only the beginning of a match, was misspelt, or is one Chinese character of several
BEGUN, MENDED, SINGLE = 0.5, 0.7, 0.25
MOST_ENDINGS = 12  # the most words that may complete one that is being typed
_LEAST_IDF = 1e-6  # FTS5's own least value


class WordMatch(NamedTuple):
    """Where a part of a query was found. `weight`: how specific the part is. `scores`: by the number of the place.

    `forms`: as found in texts.
    """

    weight: float
    scores: dict[int, float]
    forms: tuple[str, ...]


class PlaceIndex:
    """Finds places by words. `calls`: the titles and terms of each place. Only one thread may use it at a time."""

    def __init__(self, places: Sequence[FindablePlace]) -> None:
        self.places = places
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(
            f"CREATE VIRTUAL TABLE place USING fts5({', '.join(COLUMNS)}, names, code, content='', tokenize='porter unicode61')"
        )
        rows = [_make_row(place) for place in places]
        marks = ", ".join("?" * (len(COLUMNS) + 2))
        self._database.executemany(
            f"INSERT INTO place(rowid, {', '.join(COLUMNS)}, names, code) VALUES (?, {marks})", ((n, *row) for n, row in enumerate(rows))
        )
        self._counts = Counter(word for row in rows for word in set(list_latin_words(" ".join(row))))
        self._sorted = sorted(self._counts)
        self.calls = [list_calls(place) for place in places]

    def find(self, words: Sequence[QueryWord], lang: Lang) -> list[WordMatch]:
        """Return where each word was found. The last word may be the beginning of one. Words that are found nowhere are left out."""
        last = max((number for number, word in enumerate(words) if not word.is_pair), default=None)
        found: list[WordMatch] = []
        for number, word in enumerate(words):
            if word.is_chinese:
                found += self._find_chinese(word.text, lang)
            elif word.is_pair:
                found.append(self._match([(word.text, 1.0)], lang)._replace(weight=0.0))  # a missing pair does not count
            else:
                found += self._find_latin(word.text, lang, is_last=number == last)
        return [match for match in found if match.scores]

    def _find_latin(self, text: str, lang: Lang, *, is_last: bool) -> list[WordMatch]:
        """Find a word or a name, or words that begin with it; else its parts, each of which may be misspelt."""
        match = self._match([(text, 1.0)], lang)
        if is_last:
            begun = self._match([(text, 1.0), *((ending, BEGUN) for ending in self._complete(text))], lang)
            match = WordMatch(begun.weight, begun.scores, match.forms if match.scores else begun.forms)
        if match.scores:
            return [match]
        parts = text.split()
        meant = [part if part in self._counts else mend(part, self._counts) for part in parts]
        if all(meant):
            match = self._match([(" ".join(map(str, meant)), MENDED)], lang)
        if match.scores or len(parts) == 1:
            return [match]
        return [one for part in parts for one in self._find_latin(part, lang, is_last=False)]

    def _find_chinese(self, run: str, lang: Lang) -> list[WordMatch]:
        """Find a run of Chinese characters as a whole, in pairs, and singly those that are in no pair that was found."""
        found = [self._match([(run, 1.0)], lang)] if len(run) != 2 else []
        covered: set[int] = set()
        for start in range(len(run) - 1):
            match = self._match([(run[start : start + 2], 1.0)], lang)
            if match.scores:
                found.append(match)
                covered |= {start, start + 1}
        alone = (character for place, character in enumerate(run) if place not in covered and len(run) > 1)
        return found + [self._match([(character, SINGLE)], lang) for character in alone]

    def _match(self, forms: Sequence[tuple[str, float]], lang: Lang) -> WordMatch:
        """Find a word by its forms, each with its factor. A word that fewer places have is more specific."""
        often: dict[int, float] = {}
        for form, factor in forms:
            for place, frequency in self._find_phrase(form, lang).items():
                often[place] = max(often.get(place, 0.0), frequency * factor)
        weight = log(1 + (len(self.places) - len(often) + 0.5) / (len(often) + 0.5)) if often else 0.0
        weight *= max((factor for _, factor in forms), default=0.0)
        return WordMatch(weight, {place: frequency * weight for place, frequency in often.items()}, tuple(form for form, _ in forms))

    def _find_phrase(self, phrase: str, lang: Lang) -> dict[int, float]:
        """Return how often places have a phrase, in proportion to their length and by weight of the column: BM25 without its idf.

        FTS5's idf is almost zero for a word that half of the places have, such as "gradient".
        """
        weights = ", ".join(map(str, COLUMN_WEIGHTS[lang]))
        rows = self._database.execute(
            f"SELECT rowid, -bm25(place, {weights}) FROM place WHERE place MATCH ?", (f'"{split_chinese(phrase)}"',)
        )
        scores = dict(rows.fetchall())
        idf = max(log((len(self.places) - len(scores) + 0.5) / (len(scores) + 0.5)), _LEAST_IDF)
        return {place: score / idf for place, score in scores.items()}

    def _complete(self, text: str) -> list[str]:
        """Return the most frequent words, or names, whose last part begins like that of `text`."""
        *before, begun = text.split()
        start = bisect_left(self._sorted, begun)
        endings = takewhile(lambda word: word.startswith(begun), islice(self._sorted, start, None))
        words = heapq.nlargest(MOST_ENDINGS, (word for word in endings if word != begun), key=self._counts.__getitem__)
        return [" ".join([*before, word]) for word in words]


def _make_row(place: FindablePlace) -> list[str]:
    empty = PlaceText(title="")
    fields = [split_text(getattr(place.texts.get(lang, empty), field)) for lang in LANGS for field in WEIGHTS]
    return [*fields, split_text(" ".join(place.names)), split_text(place.code)]
