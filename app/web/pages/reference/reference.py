"""The routes of the pages for looking things up."""

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.locale.messages import mark, translator
from app.pitfalls.pitfall_book import load_pitfalls
from app.runner.client import RunnerError
from app.web.guards.access import ANYONE, allow
from app.web.pages.rendering import make_page, render
from app.web.pages.routes import route_pages
from app.web.services import CatalogueDep, LangDep, RunnerDep, services_of
from app.web.views.reference.card_view import link_cards, view_card
from app.web.views.reference.glossary_page import view_glossary
from app.web.views.reference.pitfall_view import view_groups, view_pitfall
from app.web.views.reference.what_works import view_what_works

REFERENCE = mark("For looking things up: the words, the pitfalls, what works here, and cards to print.")
PITFALLS = mark("Mistakes with gradients, most of them silent: each with the smallest program that shows it, and what to change.")
GLOSSARY = mark("What the words of this course mean, each in a sentence or two.")
WHAT_WORKS = mark("What programs can use here: Python, frameworks, libraries and limits, and what to do instead of what does not work.")


@allow(ANYONE)
async def get_reference(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with links to the glossary, pitfalls and cards, and to their entries."""
    words = translator(lang)
    pitfalls = view_groups(load_pitfalls().pitfalls.values(), lang, words)
    page = make_page(request, lang, title=words("Reference"), description=words(REFERENCE), script="plain.js", path="reference")
    cards = link_cards(catalogue.cards.values(), lang)
    return render(request, "reference.html", page, glossary=view_glossary(catalogue, lang), pitfalls=pitfalls, cards=cards)


@allow(ANYONE)
async def get_glossary(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with the glossary: all terms of the course."""
    words = translator(lang)
    page = make_page(request, lang, title=words("Glossary"), description=words(GLOSSARY), script="plain.js", path="glossary")
    return render(request, "glossary.html", page, glossary=view_glossary(catalogue, lang))


@allow(ANYONE)
async def get_pitfalls(request: Request, lang: LangDep) -> Response:
    """Answer with the list of all pitfalls."""
    words = translator(lang)
    page = make_page(request, lang, title=words("Pitfalls"), description=words(PITFALLS), script="plain.js", path="pitfalls")
    return render(request, "pitfalls.html", page, groups=view_groups(load_pitfalls().pitfalls.values(), lang, words))


@allow(ANYONE)
async def get_pitfall(request: Request, code: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with the page of a pitfall: its smallest program, why it is wrong, and what is right."""
    pitfalls = load_pitfalls().pitfalls
    pitfall = pitfalls.get(code)
    if pitfall is None or not pitfall.name:
        raise HTTPException(404)
    view = view_pitfall(pitfall, pitfalls, catalogue, lang, translator(lang))
    page = make_page(request, lang, title=view.line.name, description=view.description, script="pitfall.js", path=f"pitfalls/{code}")
    return render(request, "pitfall.html", page, pitfall=view)


@allow(ANYONE)
async def get_card(request: Request, card_id: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with a card, which prints on one sheet."""
    card = catalogue.cards.get(card_id)
    if card is None:
        raise HTTPException(404)
    page = make_page(request, lang, title=card.title[lang], description=card.purpose[lang], script="card.js", path=f"cards/{card_id}")
    return render(request, "card.html", page, card=view_card(card, lang))


@allow(ANYONE)
async def get_what_works(request: Request, lang: LangDep, runner: RunnerDep) -> Response:
    """Answer with what programs can use, what they cannot, and what to do instead.

    Facts that only the runner knows are left out if it does not answer.
    """
    words = translator(lang)
    try:
        status = await runner.status()
    except RunnerError:
        status = None
    page = make_page(request, lang, title=words("What works here"), description=words(WHAT_WORKS), script="plain.js", path="what-works")
    return render(request, "what_works.html", page, works=view_what_works(status, services_of(request).settings.limits, words))


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
