"""All places that can be found: each function of SOURCES lists those of one kind."""

from collections.abc import Callable, Iterable, Iterator

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS
from app.locale.messages import mark, translator
from app.pitfalls.pitfall import Pitfall
from app.pitfalls.pitfall_book import load_pitfalls, show_value
from app.pitfalls.template import fill
from app.protocol.run import Lang
from app.search.lesson_places import list_lesson_places, list_names, strip_html
from app.search.place import FindablePlace, PlaceText

CARD = mark("Card")
PRINTED = mark("One sheet to print, a cheat sheet.")
# address, title, and what the page is for, with words under which people may look for it
PAGES = (
    ("", mark("Home page"), mark("Where to begin, and where to go on.")),
    ("map", mark("Course map"), mark("All lessons in order, and how far you are.")),
    ("paths", mark("Paths"), mark("A few lessons for one question, an hour or less.")),
    ("playground", mark("Playground"), mark("Run and check a program of your own.")),
    ("reference", mark("Reference"), mark("Glossary, pitfalls, what works here, and cards to print.")),
    ("glossary", mark("Glossary"), mark("The words of the course and what they mean.")),
    ("pitfalls", mark("Pitfalls"), mark("Common mistakes, and the messages of errors.")),
    (
        "what-works",
        mark("What works here"),
        mark("Python, frameworks and libraries that programs can import, and limits of time and memory."),
    ),
    ("mine", mark("My work"), mark("Your progress; export, import and delete what is kept of your work.")),
)


def list_chapters(catalogue: Catalogue) -> Iterator[FindablePlace]:
    for chapter in catalogue.course.chapters:
        if not chapter.planned:
            yield FindablePlace(
                kind="page",
                path=chapter.id,
                texts={
                    lang: PlaceText(title=chapter.label(lang), term=title, lead=chapter.promise.get(lang, ""))
                    for lang, title in chapter.title.items()
                },
            )


def list_lessons(catalogue: Catalogue) -> Iterator[FindablePlace]:
    """Yield the places of all lessons. A name of the API belongs to the first lesson, in the order of the course, whose text has it."""
    known: set[str] = set()
    for chapter in catalogue.course.chapters:
        for lesson in chapter.lessons:
            introduced = tuple(name for name in dict.fromkeys(list_names(lesson)) if name not in known)
            known.update(introduced)
            yield from list_lesson_places(chapter, lesson, introduced)


def list_terms(catalogue: Catalogue) -> Iterator[FindablePlace]:
    for term in catalogue.terms.values():
        yield FindablePlace(
            kind="term",
            path=f"glossary#term-{term.id}",
            texts={lang: PlaceText(title=name, term=name, lead=strip_html(term.html[lang])) for lang, name in term.name.items()},
        )


def list_pitfalls(_: Catalogue) -> Iterator[FindablePlace]:
    """Yield the pitfalls that have a page."""
    for pitfall in load_pitfalls().pitfalls.values():
        if pitfall.name:
            yield FindablePlace(
                kind="pitfall",
                path=f"pitfalls/{pitfall.code}",
                texts={lang: _describe_pitfall(pitfall, lang) for lang in LANGS},
                code=" ".join(f"{when.type} {pattern.shown}" for when in pitfall.when for pattern in when.messages),
                pitfall=pitfall.code,
            )


def list_pages(_: Catalogue) -> Iterator[FindablePlace]:
    for path, title, about in PAGES:
        yield FindablePlace(
            kind="page", path=path, texts={lang: PlaceText(title=translator(lang)(title), lead=translator(lang)(about)) for lang in LANGS}
        )


def list_cards(catalogue: Catalogue) -> Iterator[FindablePlace]:
    for card in catalogue.cards.values():
        yield FindablePlace(
            kind="card",
            path=f"cards/{card.id}",
            texts={
                lang: PlaceText(title=title, term=translator(lang)(CARD), lead=card.purpose[lang], text=translator(lang)(PRINTED))
                for lang, title in card.title.items()
            },
        )


def list_course_paths(catalogue: Catalogue) -> Iterator[FindablePlace]:
    for path in catalogue.course.paths:
        yield FindablePlace(
            kind="path",
            path=f"paths/{path.id}",
            texts={lang: PlaceText(title=title, lead=path.question[lang], text=path.end[lang]) for lang, title in path.title.items()},
        )


SOURCES: tuple[Callable[[Catalogue], Iterable[FindablePlace]], ...] = (
    list_lessons,
    list_chapters,
    list_terms,
    list_pitfalls,
    list_pages,
    list_cards,
    list_course_paths,
)


def list_places(catalogue: Catalogue) -> list[FindablePlace]:
    """Return every place."""
    return [place for source in SOURCES for place in source(catalogue)]


def _describe_pitfall(pitfall: Pitfall, lang: Lang) -> PlaceText:
    values = {name: show_value(value) for name, value in pitfall.example.items()}
    message, change = (fill(text.get(lang, "").strip(), values).replace("`", "") for text in (pitfall.message, pitfall.change))
    return PlaceText(title=pitfall.name[lang], lead=message, text=change)
