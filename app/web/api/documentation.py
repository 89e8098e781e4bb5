"""The API's OpenAPI document, and the page on which people read and try the API: Swagger UI, served by the app itself."""

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.web.api.openapi import ABOUT
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.pages.rendering import make_page, render

router = APIRouter(include_in_schema=False, route_class=GuardedRoute)


@router.get("/api/docs")
@allow(ANYONE)
async def get_docs(request: Request) -> Response:
    page = make_page(request, "en", title="API", description=ABOUT, script="plain.js", path=None)
    return render(request, "api.html", page)


@router.get("/api/openapi.json")
@allow(ANYONE)
async def get_openapi(request: Request) -> Response:
    return JSONResponse(request.app.openapi())


@router.get("/docs")
@allow(ANYONE)
async def get_usual_docs() -> Response:
    return RedirectResponse("/api/docs")


@router.get("/openapi.json")
@allow(ANYONE)
async def get_usual_openapi() -> Response:
    return RedirectResponse("/api/openapi.json")
