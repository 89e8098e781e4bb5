"""The terms of the glossary, for the page of all terms and for the pages of lessons."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from app.lessons.course.catalogue import Catalogue
from app.lessons.texts.glossary import Term
from app.protocol.run import Lang


@dataclass(frozen=True, kw_only=True)
class TermView:
    """A term. `html` is the inside of a paragraph. `lesson_title` names the lesson that teaches the term.

    `english` is the English name, or empty if `name` is the same. `lesson_url` is empty while that lesson is only planned.
    """

    id: str
    name: str
    english: str
    html: str
    lesson_title: str = ""
    lesson_url: str = ""


@dataclass(frozen=True, kw_only=True)
class LetterView:
    """The terms under one letter: the first one of the name, or of its pinyin."""

    letter: str
    terms: tuple[TermView, ...]


def view_glossary(catalogue: Catalogue, lang: Lang) -> tuple[LetterView, ...]:
    """Return all terms by letter, in the order of the alphabet. Chinese terms are sorted by their pinyin."""
    terms = sorted(catalogue.terms.values(), key=lambda term: term.sorted_by[lang])
    by_letter = groupby(terms, lambda term: term.sorted_by[lang][0][0].upper())
    return tuple(LetterView(letter=letter, terms=tuple(_view_term(catalogue, term, lang) for term in some)) for letter, some in by_letter)


def view_terms(catalogue: Catalogue, ids: Sequence[str], lang: Lang) -> tuple[TermView, ...]:
    """Return the terms that one text uses."""
    terms = catalogue.terms
    return tuple(_view_term(catalogue, terms[one], lang) for one in ids if one in terms)


def _view_term(catalogue: Catalogue, term: Term, lang: Lang) -> TermView:
    lesson = catalogue.lesson(term.lesson) if term.lesson else None
    title = lesson.texts[lang].title if lesson else catalogue.planned_title(term.lesson or "", lang)
    url = f"/{lang}/{lesson.path}" if lesson else ""
    english = "" if term.name["en"] == term.name[lang] else term.name["en"]
    return TermView(id=term.id, name=term.name[lang], english=english, html=term.html[lang], lesson_title=title, lesson_url=url)
