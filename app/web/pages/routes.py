"""Gives pages their addresses: one in every language, and one without, which redirects to the browser's language."""

from collections.abc import Awaitable, Callable, Mapping

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.lessons.model.model import LANGS
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.pages.own_classes import PageRoute
from app.web.services import LangDep

Endpoint = Callable[..., Awaitable[Response]]
METHODS = ["GET", "HEAD"]


def route_pages(pages: Mapping[str, Endpoint]) -> APIRouter:
    """Return the routes of pages by their addresses without the language, such as "/map"."""
    router = APIRouter(include_in_schema=False, route_class=GuardedRoute)
    for lang in LANGS:
        for path, endpoint in pages.items():
            router.add_api_route(f"/{lang}{path}", endpoint, methods=METHODS, route_class_override=PageRoute)
    for path in pages:
        router.add_api_route(path, redirect_to_language, methods=METHODS)
    return router


def route_forms(forms: Mapping[str, Endpoint]) -> APIRouter:
    """Return the routes to which the forms of pages post, by their addresses without the language."""
    router = APIRouter(include_in_schema=False, route_class=PageRoute)
    for lang in LANGS:
        for path, endpoint in forms.items():
            router.add_api_route(f"/{lang}{path}", endpoint, methods=["POST"])
    return router


@allow(ANYONE)
async def redirect_to_language(request: Request, lang: LangDep) -> Response:
    """Redirect to the same page in the browser's language."""
    address = request.url.replace(path=f"/{lang}{request.url.path}")
    return RedirectResponse(address, 307, {"vary": "accept-language", "cache-control": "no-cache"})
