"""Searches the places of a course and of the site."""

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.pitfalls.pitfall_book import load_pitfalls
from app.pitfalls.pitfall_search import find_explaining
from app.protocol.run import Lang
from app.search.called import list_parts, share_called
from app.search.excerpt import ExcerptPart, make_excerpt
from app.search.index import PlaceIndex, WordMatch
from app.search.place import FindablePlace, PlaceKind
from app.search.places import list_places
from app.search.query import parse_query

MOST_RESULTS = 20  # the most results of one search, on its page and from the API
KIND_FACTORS: dict[PlaceKind, float] = {"section": 0.8, "exercise": 0.5, "page": 0.9, "pitfall": 0.9}
CALLED = 1.5  # the factor by which a place counts more whose title or term was searched for
LEAST_SHARE = 0.15  # the least share of the best score: places below it have only some of the words, and in passing
EXPLAINS = 1000.0  # the score that a pitfall gets in advance if it explains a pasted message


class SearchResult(msgspec.Struct, kw_only=True):
    """A place that was found. `title` and `where` are plain text; `url` has the language and the anchor.

    For a lesson `where` is its chapter, for a part of a lesson its chapter and lesson. For other places it is empty.
    """

    kind: PlaceKind
    title: str
    where: str
    excerpt: list[ExcerptPart]
    url: str


class Search:
    """Searches a catalogue. The index is made when it is first needed, and again after the catalogue has changed."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._made_of: object = None
        self._index = PlaceIndex(())
        self._lock = threading.RLock()

    def prepare(self) -> PlaceIndex:
        """Return the index of the present catalogue. Make it, unless it exists. May be called from every thread."""
        with self._lock:
            course = self._catalogue.course  # another object after each change
            if self._made_of is not course:
                self._index, self._made_of = PlaceIndex(list_places(self._catalogue)), course
            return self._index

    def find(self, text: str, lang: Lang, limit: int) -> list[SearchResult]:
        """Return the best places for what somebody typed or pasted, the best first. May be called from every thread."""
        query = parse_query(text)
        with self._lock:
            index = self.prepare()
            matches = index.find(query.words, lang)
        forms = {form for match in matches for form in match.forms}
        scores = _favour_called(_rank(index.places, matches), index, list_parts(" ".join(forms)))
        least = LEAST_SHARE * max(scores.values(), default=0.0)
        scores = {number: score for number, score in scores.items() if score >= least}
        explaining = find_explaining(query.text, load_pitfalls().pitfalls.values()) if query.text else {}
        for number, place in enumerate(index.places):
            if place.pitfall in explaining:
                scores[number] = scores.get(number, 0.0) + EXPLAINS * explaining[place.pitfall]
        marked = {form for form in forms if len(form) > 1 or form in {word.text for word in query.words}}
        return [_show(place, lang, marked) for place in _choose(index.places, scores)[:limit]]


def _rank(places: Sequence[FindablePlace], matches: Sequence[WordMatch]) -> dict[int, float]:
    """Return the scores of places by their numbers. A place in which more of the query is found has a higher score."""
    whole = sum(match.weight for match in matches) or 1.0
    scores: dict[int, float] = defaultdict(float)
    covered: dict[int, float] = defaultdict(float)
    for match in matches:
        for number, score in match.scores.items():
            scores[number] += score
            covered[number] += match.weight
    return {number: score * covered[number] / whole * KIND_FACTORS.get(places[number].kind, 1.0) for number, score in scores.items()}


def _favour_called(scores: dict[int, float], index: PlaceIndex, searched: frozenset[str]) -> dict[int, float]:
    """Return the scores, raised for places whose title or term was searched for."""
    return {number: score * (1 + CALLED * share_called(index.calls[number], searched) ** 2) for number, score in scores.items()}


def _choose(places: Sequence[FindablePlace], scores: dict[int, float]) -> list[FindablePlace]:
    """Return the places, the best first. Each page is represented by its best place only, except the page of terms."""
    chosen: dict[str, FindablePlace] = {}
    for number in sorted(scores, key=lambda number: (-scores[number], number)):
        place = places[number]
        chosen.setdefault(place.path if place.kind == "term" else place.page, place)
    return list(chosen.values())


def _show(place: FindablePlace, lang: Lang, forms: Iterable[str]) -> SearchResult:
    text = place.texts[lang]
    term = text.term if place.kind == "lesson" else ""  # the title of a lesson need not say what it is about
    body = " ".join(filter(None, (text.lead, text.text)))
    return SearchResult(
        kind=place.kind,
        title=text.title,
        where=text.where,
        excerpt=make_excerpt(" · ".join(filter(None, (term, body))), forms),
        url=f"/{lang}/{place.path}",
    )
