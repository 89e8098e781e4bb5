"""The routes of the pages about pitfalls. Like all pages, they are rendered completely on the server."""

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.locale.messages import mark, translator
from app.pitfalls.pitfall_book import load_pitfalls
from app.web.guards.access import ANYONE, allow
from app.web.pages.rendering import make_page, render
from app.web.pages.routes import route_pages
from app.web.services import CatalogueDep, LangDep
from app.web.views.reference.pitfall_view import view_groups, view_pitfall

PITFALLS = mark("Mistakes with gradients, most of them silent: each with the smallest program that shows it, and what to change.")


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


router = route_pages({"/pitfalls": get_pitfalls, "/pitfalls/{code}": get_pitfall})
