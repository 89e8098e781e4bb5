"""Searches the places of a course and of the site."""

import threading
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.pitfalls.pitfall_book import load_pitfalls
from app.pitfalls.pitfall_search import search_pitfalls
from app.protocol.run import Lang
from app.search.excerpt import ExcerptPart, make_excerpt
from app.search.index import PlaceIndex, WordMatch
from app.search.place import Place, PlaceKind
from app.search.places import list_places
from app.search.query import Query, parse_query

KIND_FACTORS: dict[PlaceKind, float] = {"section": 0.8, "exercise": 0.5, "page": 0.9, "pitfall": 0.9}
EXPLAINS = 1000.0  # what a pitfall that explains a pasted message has in advance of all others


class SearchResult(msgspec.Struct, kw_only=True):
    """A place that was found. `title` and `where`, which says where it is, are plain text; `url` has the language and the anchor."""

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
        self._lock = threading.Lock()

    def prepare(self) -> PlaceIndex:
        """Return the index of the catalogue as it is now. Callable from every thread."""
        with self._lock:
            course = self._catalogue.course
            if self._made_of is not course:
                self._index, self._made_of = PlaceIndex(list_places(self._catalogue)), course
            return self._index

    def find(self, text: str, lang: Lang, limit: int) -> list[SearchResult]:
        """Return the best places for what somebody typed or pasted, each page once, the best first."""
        index, query = self.prepare(), parse_query(text)
        matches = index.find(query.words, lang)
        scores = _rank(index.places, matches)
        for code in _list_explaining(query, lang):
            scores |= {number: scores.get(number, 0.0) + EXPLAINS for number, place in enumerate(index.places) if place.pitfall == code}
        forms = {form for match in matches for form in match.forms}
        return [_show(place, lang, forms) for place in _choose(index.places, scores)[:limit]]


def _rank(places: list[Place], matches: Iterable[WordMatch]) -> dict[int, float]:
    """Return the scores of places by their numbers: the more of a query is found in a place, the better."""
    matches = list(matches)
    whole = sum(match.weight for match in matches)
    scores: dict[int, float] = defaultdict(float)
    covered: dict[int, float] = defaultdict(float)
    for match in matches:
        for number, score in match.scores.items():
            scores[number] += score
            covered[number] += match.weight
    return {
        number: score * (covered[number] / whole if whole else 1.0) * KIND_FACTORS.get(places[number].kind, 1.0)
        for number, score in scores.items()
    }


def _list_explaining(query: Query, lang: Lang) -> list[str]:
    """Return the codes of the pitfalls that explain a pasted message."""
    return [one.code for one in search_pitfalls(query.text, load_pitfalls().pitfalls.values(), lang).explaining]


def _choose(places: list[Place], scores: dict[int, float]) -> list[Place]:
    """Return the places in order, of each lesson only the best one. Pages that hold many things, such as the glossary, have no such limit."""
    chosen: dict[str, Place] = {}
    for number in sorted(scores, key=lambda number: (-scores[number], number)):
        place = places[number]
        chosen.setdefault(place.path if place.kind == "term" else place.page, place)
    return list(chosen.values())


def _show(place: Place, lang: Lang, forms: Iterable[str]) -> SearchResult:
    text = place.texts[lang]
    return SearchResult(
        kind=place.kind,
        title=text.title,
        where=text.where,
        excerpt=make_excerpt(" ".join(filter(None, (text.lead, text.text))), forms),
        url=f"/{lang}/{place.path}",
    )
