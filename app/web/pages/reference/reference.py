"""The routes of the pages for looking things up."""

import re
from itertools import groupby

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.lessons.course.catalogue import Catalogue
from app.lessons.texts.glossary import Term
from app.locale.messages import translator
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.limits import SOURCE_BYTES, mebibytes
from app.protocol.run import Lang
from app.runner.client import RunnerError
from app.web.guards.access import ANYONE, allow
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.services import CatalogueDep, LangDep, ServicesDep
from app.web.views.lesson.highlight import render_lines
from app.web.views.reference.pitfall_view import (
    SEVERITIES,
    WAYS,
    explain_briefly,
    fill_example,
    find_raised,
    group_pages,
    list_pages,
    say_first,
    view_program,
)
from app.web.views.reference.what_works import RUNTIME_NAMES, UNAVAILABLE, list_frameworks, with_code

BLANK_LINES = re.compile(r"\n{3,}")


@allow(ANYONE)
async def get_reference(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with links to the glossary, pitfalls and cards, and to their entries."""
    words = translator(lang)
    return render(
        request,
        lang,
        "reference.html",
        title=words("Reference"),
        description=words("For looking things up: the words, the pitfalls, what works here, and cards to print."),
        script="plain.js",
        path="reference",
        glossary=sort_glossary(catalogue, lang),
        pitfalls=group_pages(load_pitfalls().pitfalls.values(), words),
        cards=catalogue.cards.values(),
    )


@allow(ANYONE)
async def get_glossary(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with the glossary: all terms of the course."""
    words = translator(lang)
    return render(
        request,
        lang,
        "glossary.html",
        title=words("Glossary"),
        description=words("What the words of this course mean, each in a sentence or two."),
        script="plain.js",
        path="glossary",
        glossary=sort_glossary(catalogue, lang),
        catalogue=catalogue,
    )


def sort_glossary(catalogue: Catalogue, lang: Lang) -> list[tuple[str, list[Term]]]:
    """Return all terms by letter, in the order of the alphabet. Chinese terms are sorted by their pinyin."""
    terms = sorted(catalogue.terms.values(), key=lambda term: term.sorted_by[lang])
    return [(letter, list(some)) for letter, some in groupby(terms, lambda term: term.sorted_by[lang][0][0].upper())]


@allow(ANYONE)
async def get_pitfalls(request: Request, lang: LangDep) -> Response:
    """Answer with the list of all pitfalls."""
    words = translator(lang)
    return render(
        request,
        lang,
        "pitfalls.html",
        title=words("Pitfalls"),
        description=words(
            "Mistakes with gradients, most of them silent: each with the smallest program that shows it, and what to change."
        ),
        script="plain.js",
        path="pitfalls",
        groups=group_pages(load_pitfalls().pitfalls.values(), words),
        severities=SEVERITIES,
        say_first=say_first,
    )


@allow(ANYONE)
async def get_pitfall(request: Request, code: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with the page of a pitfall: its smallest program, why it is wrong, and what is right."""
    pitfalls, words = load_pitfalls().pitfalls, translator(lang)
    pitfall = pitfalls.get(code)
    if pitfall is None or not pitfall.name:
        raise HTTPException(404)
    message = fill_example(pitfall, pitfall.message[lang])
    pages = list_pages(pitfalls.values())
    return render(
        request,
        lang,
        "pitfall.html",
        title=pitfall.name[lang],
        description=" ".join(message.striptags().split()),
        script="pitfall.js",
        path=f"pitfalls/{code}",
        pitfall=pitfall,
        severities=SEVERITIES,
        say_first=say_first,
        framework=RUNTIME_NAMES[pitfall.runtime],
        message=message,
        change=fill_example(pitfall, pitfall.change.get(lang, "")),
        wrong=view_program(pitfall, "wrong", 1, pitfall.wrong[0]),
        right=view_program(pitfall, "right", 2, pitfall.right) if pitfall.right else None,
        raised=find_raised(pitfall),
        lesson=catalogue.lesson(pitfall.lesson) if pitfall.lesson else None,
        consequences=[one for one in pages if one.code in pitfall.explains],
        causes=[one for one in pages if code in one.explains],
        ways=[words(WAYS[way]) for way in pitfall.seen],
    )


@allow(ANYONE)
async def get_card(request: Request, card_id: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with a card, which prints on one sheet."""
    card = catalogue.cards.get(card_id)
    if card is None:
        raise HTTPException(404)
    return render(
        request,
        lang,
        "card.html",
        title=card.title[lang],
        description=card.purpose[lang],
        script="card.js",
        path=f"cards/{card_id}",
        card=card,
        pitfalls=load_pitfalls().pitfalls,
        explain=explain_briefly,
        frameworks=RUNTIME_NAMES,
        list_lines=list_card_lines,
    )


def list_card_lines(source: str) -> tuple[str, ...]:
    """Return the lines of code on a card as HTML. A sheet has room for one blank line only."""
    return render_lines(BLANK_LINES.sub("\n\n", source))


@allow(ANYONE)
async def get_what_works(request: Request, lang: LangDep, services: ServicesDep) -> Response:
    """Answer with what programs can use, what they cannot, and what to do instead.

    Facts that only the runner knows are left out if it does not answer.
    """
    words = translator(lang)
    try:
        status = await services.runner.status()
    except RunnerError:
        status = None
    return render(
        request,
        lang,
        "what_works.html",
        title=words("What works here"),
        description=words(
            "What programs can use here: Python, frameworks, libraries and limits, and what to do instead of what does not work."
        ),
        script="plain.js",
        path="what-works",
        runner=status,
        frameworks=list_frameworks(status),
        limits=services.settings.limits,
        mebibytes=mebibytes,
        source_kibibytes=SOURCE_BYTES // 1024,
        unavailable=UNAVAILABLE,
        with_code=with_code,
    )


router = route_pages(
    {
        "/reference": get_reference,
        "/glossary": get_glossary,
        "/pitfalls": get_pitfalls,
        "/pitfalls/{code}": get_pitfall,
        "/cards/{card_id}": get_card,
        "/what-works": get_what_works,
    }
)
