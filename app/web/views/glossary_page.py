"""The terms of the glossary, for the page of all terms and for the pages of lessons."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.lessons.course.catalogue import Catalogue
from app.lessons.texts.glossary import Term
from app.protocol.run import Lang


@dataclass(frozen=True, kw_only=True)
class TermView:
    """A term. `html` is the inside of a paragraph. `lesson_title` names the lesson that teaches the term.

    `lesson_url` is empty while that lesson is only planned.
    """

    id: str
    name: str
    html: str
    lesson_title: str = ""
    lesson_url: str = ""


def view_glossary(catalogue: Catalogue, lang: Lang) -> tuple[TermView, ...]:
    """Return all terms, in the order of the file."""
    return tuple(_view_term(catalogue, term, lang) for term in catalogue.glossary.terms.values())


def view_terms(catalogue: Catalogue, ids: Sequence[str], lang: Lang) -> tuple[TermView, ...]:
    """Return the terms that one text uses."""
    terms = catalogue.glossary.terms
    return tuple(_view_term(catalogue, terms[one], lang) for one in ids if one in terms)


def _view_term(catalogue: Catalogue, term: Term, lang: Lang) -> TermView:
    lesson = catalogue.lesson(term.lesson) if term.lesson else None
    title = lesson.texts[lang].title if lesson else catalogue.planned_title(term.lesson or "", lang)
    url = f"/{lang}/{lesson.path}" if lesson else ""
    return TermView(id=term.id, name=term.name[lang], html=term.html[lang], lesson_title=title, lesson_url=url)
