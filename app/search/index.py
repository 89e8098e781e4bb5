"""The index of all places: a table of SQLite's FTS5 in memory, with a row for each place and a column for each kind of its words.

The text of a query never becomes FTS5's syntax: each phrase is made of words alone, in quotation marks.
"""

import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from app.protocol.run import Lang
from app.search.called import list_calls
from app.search.place import Place, PlaceText
from app.search.spelling import mend
from app.search.words import QueryWord, list_latin_words, split_chinese, split_text

# how much a word counts in each column, in the language of the page
WEIGHTS = {"term": 12.0, "title": 8.0, "lead": 4.0, "headings": 3.0, "text": 1.0, "hidden": 1.0}
OTHER_LANGUAGE = 0.3  # times as much
NAMES_WEIGHT, CODE_WEIGHT = 8.0, 0.3
LANGS: tuple[Lang, ...] = ("en", "zh-Hans")
COLUMNS = [f"{field}_{lang[:2]}" for lang in LANGS for field in WEIGHTS]
BEGUN, MENDED, SINGLE = 0.5, 0.7, 0.25  # what a match counts if the word only begins so, was misspelt, is one Chinese character of several
MOST_ENDINGS = 12  # of a word that is being typed


class WordMatch(NamedTuple):
    """Where a part of a query was found. `weight`: how telling it is; `scores`: by the number of the place. `forms`: as found in texts."""

    weight: float
    scores: dict[int, float]
    forms: tuple[str, ...]


class PlaceIndex:
    """Finds places by words. `calls`: what each place is called. Only one thread may use it at a time."""

    def __init__(self, places: Sequence[Place]) -> None:
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

    def find(self, words: Iterable[QueryWord], lang: Lang) -> list[WordMatch]:
        """Return where each word was found. The last one may be the beginning of a word. What is found nowhere is left out."""
        words = list(words)
        found: list[WordMatch] = []
        for number, word in enumerate(words):
            if word.is_chinese:
                found += self._find_chinese(word.text, lang)
            else:
                found += self._find_latin(word.text, lang, is_last=number == len(words) - 1)
        return found

    def _find_latin(self, text: str, lang: Lang, *, is_last: bool) -> list[WordMatch]:
        """Find a word or a name, as it is or as a beginning; else its parts, and each of these as it may have been meant."""
        match = self._match([text], lang)
        if is_last and " " not in text:
            match = self._add(match, self._match(self._complete(text), lang), BEGUN)
        elif is_last:
            match = self._add(match, self._match([text], lang, begun=True), BEGUN)
        if match.scores:
            return [match]
        parts = text.split()
        if len(parts) > 1:
            mended = [mend(part, self._counts) if part not in self._counts else part for part in parts]
            if None not in mended and (match := self._match([" ".join(map(str, mended))], lang)).scores:
                return [match]
            return [one for part in parts for one in self._find_latin(part, lang, is_last=False)]
        meant = mend(text, self._counts)
        return [self._add(match, self._match([meant], lang), MENDED)] if meant else []

    def _find_chinese(self, run: str, lang: Lang) -> list[WordMatch]:
        """Find a run of characters whole, and in pairs; and singly those that no pair has."""
        found = [self._match([run], lang)] if len(run) != 2 else []
        covered: set[int] = set()
        for start in range(len(run) - 1):
            match = self._match([run[start : start + 2]], lang)
            if match.scores:
                found.append(match)
                covered |= {start, start + 1}
        for place, character in enumerate(run):
            if place not in covered and len(run) > 1:
                found.append(self._add(WordMatch(0.0, {}, ()), self._match([character], lang), SINGLE))
        return [match for match in found if match.scores]

    def _match(self, phrases: Sequence[str], lang: Lang, *, begun: bool = False) -> WordMatch:
        if not phrases:
            return WordMatch(0.0, {}, ())
        quoted = " OR ".join(f'"{split_chinese(phrase)}"{" *" if begun else ""}' for phrase in phrases)
        weights = ", ".join(map(str, _list_weights(lang)))
        rows = self._database.execute(f"SELECT rowid, bm25(place, {weights}) FROM place WHERE place MATCH ?", (quoted,)).fetchall()
        weight = log((len(self.places) + 1) / (len(rows) + 1)) if rows else 0.0
        return WordMatch(weight, {rowid: -score for rowid, score in rows}, tuple(phrases))

    def _complete(self, text: str) -> list[str]:
        """Return the most frequent words that begin like this."""
        start = bisect_left(self._sorted, text)
        endings = []
        for word in self._sorted[start : start + 200]:
            if not word.startswith(text):
                break
            endings.append(word)
        return sorted((word for word in endings if word != text), key=self._counts.__getitem__, reverse=True)[:MOST_ENDINGS]

    @staticmethod
    def _add(first: WordMatch, second: WordMatch, factor: float) -> WordMatch:
        """Return both matches as one, in which the second counts `factor` times."""
        scores = {place: score * factor for place, score in second.scores.items()}
        scores |= {place: max(score, scores.get(place, 0.0)) for place, score in first.scores.items()}
        return WordMatch(first.weight or second.weight * factor, scores, first.forms + second.forms)


def _make_row(place: Place) -> list[str]:
    empty = PlaceText(title="")
    fields = [split_text(getattr(place.texts.get(lang, empty), field)) for lang in LANGS for field in WEIGHTS]
    return [*fields, split_text(" ".join(place.names)), split_text(place.code)]


def _list_weights(lang: Lang) -> list[float]:
    weights = [weight * (1.0 if one == lang else OTHER_LANGUAGE) for one in LANGS for weight in WEIGHTS.values()]
    return [*weights, NAMES_WEIGHT, CODE_WEIGHT]
