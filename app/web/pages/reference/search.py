"""The route of the search page, which also works without scripts."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query, Request
from starlette.responses import Response

from app.locale.messages import mark, translator
from app.search.place import PlaceKind
from app.search.search import MOST_RESULTS
from app.web.guards.access import ANYONE, allow
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.services import LangDep, PrincipalDep, ServicesDep

KINDS: dict[PlaceKind, str] = {
    "lesson": mark("Lesson"),
    "section": mark("Section"),
    "exercise": mark("Exercise"),
    "pitfall": mark("Pitfall"),
    "term": mark("Term"),
    "page": mark("Page"),
    "card": mark("Card"),
    "path": mark("Path"),
}
Typed = Annotated[str, Query(alias="q")]


@allow(ANYONE)
async def get_search(request: Request, lang: LangDep, services: ServicesDep, principal: PrincipalDep, typed: Typed = "") -> Response:
    """Answer with the results of a search, or only its form."""
    words = translator(lang)
    query, results = await services.search.find(typed, lang, MOST_RESULTS, principal)
    path = f"search?{urlencode({'q': query})}" if query else "search"
    return render(
        request,
        lang,
        "search.html",
        title=words("Search"),
        description=words("Lessons, terms, names such as save_for_backward, and PyTorch’s messages: paste one, with its traceback."),
        script="plain.js",
        path=path,
        indexed=False,
        query=query,
        results=results,
        kinds={kind: words(KINDS[kind]) for kind in KINDS},
    )


router = route_pages({"/search": get_search})
