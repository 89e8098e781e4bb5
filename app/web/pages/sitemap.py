"""The files for search engines: sitemap.xml lists the public pages, and robots.txt the pages that robots should not read."""

from collections.abc import Iterator

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import PlainTextResponse, Response

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS
from app.pitfalls.pitfall_book import load_pitfalls
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.pages import home, playground
from app.web.pages.course import course_map
from app.web.pages.reference import reference
from app.web.pages.rendering import load_templates, origin_of
from app.web.pages.routes import METHODS
from app.web.services import CatalogueDep

PUBLIC = (home, course_map, playground, reference)  # modules whose pages are the same for everybody
OWN = ("mine", "search", "sign-in", "account", "operator", "join", "resume", "class", "handed-on", "teach")
PRIVATE = ("api", *(f"{prefix}{name}" for name in OWN for prefix in ("", *(f"{lang}/" for lang in LANGS))))
HEADERS = {"cache-control": "public, max-age=3600"}

router = APIRouter(include_in_schema=False, route_class=GuardedRoute)


@router.api_route("/sitemap.xml", methods=METHODS)
@allow(ANYONE)
async def get_sitemap(request: Request, catalogue: CatalogueDep) -> Response:
    """Answer with the addresses of all public pages in both languages."""
    text = load_templates().get_template("sitemap.xml").render(origin=origin_of(request), langs=LANGS, paths=list(list_paths(catalogue)))
    return Response(text, 200, HEADERS, "application/xml")


@router.api_route("/robots.txt", methods=METHODS)
@allow(ANYONE)
async def get_robots(request: Request) -> Response:
    """Answer with what robots should not read: the API and personal pages."""
    lines = ["User-agent: *", *(f"Disallow: /{path}" for path in PRIVATE), "", f"Sitemap: {origin_of(request)}/sitemap.xml", ""]
    return PlainTextResponse("\n".join(lines), 200, HEADERS)


def list_paths(catalogue: Catalogue) -> Iterator[str]:
    """Yield the address of each public page, without the language."""
    start = f"/{LANGS[0]}/"
    for module in PUBLIC:
        routes = [route.path for route in module.router.routes if isinstance(route, APIRoute)]
        yield from (path.removeprefix(start) for path in routes if path.startswith(start) and "{" not in path)
    for chapter in catalogue.course.chapters:
        yield chapter.id
        yield from (lesson.path for lesson in chapter.lessons)
    yield from (f"paths/{path.id}" for path in catalogue.course.paths)
    yield from (f"cards/{card}" for card in catalogue.cards)
    yield from (f"pitfalls/{code}" for code, pitfall in load_pitfalls().pitfalls.items() if pitfall.name)
